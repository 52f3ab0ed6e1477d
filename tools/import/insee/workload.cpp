// The workload of a config of FSIN: patterns, bursts, traces and their placement, and what is measured.
#include <algorithm>
#include <fmt/format.h>

#include "engine/base/text/shown.hpp"
#include "tools/import/insee/conversion.hpp"

namespace weft::tools::insee {
namespace {

class WorkloadConversion {
 public:
  WorkloadConversion(Conversion& all, const Machine& machine)
      : all_(all), in_(all.in), out_(all.out), machine_(machine) {}

  void all() {
    workload();
    statistics();
    long_messages();
  }

 private:
  void workload() {
    if (in_.parts("tpattern").empty()) in_.fail("tpattern", "names no pattern; write for example uniform");
    if (in_.parts("tpattern").front() == "trace") return trace();
    const bool bursts = in_.integer("shotmode") != 0;
    const double load = in_.real("load");
    const double trigger = in_.real("trigger_rate");
    out_.set("workload", "kind", bursts ? "burst" : trigger > 0 ? "reactive" : "synthetic");
    pattern();
    const i64 samples = in_.at_least("nsamples", in_.integer("nsamples"), 1);
    if (bursts) {
      const i64 size = in_.integer("shotsize");
      out_.set("workload", "burst_packets",
               size == 0 ? std::max<i64>(1, machine_.processors - 1) : in_.at_least("shotsize", size, 1));
      out_.set("workload", "bursts", samples);
      out_.set("workload", "burst_load", load);
      return;
    }
    if (load > 1) all_.note("load", "1: no source sends more than a phit a cycle");
    out_.set("workload", "offered_load", std::min(load, 1.0));
    if (trigger > 0) {
      const i64 one = in_.part("triggered", 0, 1), other = in_.part("triggered", 1, one);
      out_.set("workload", "trigger_fraction", std::min(trigger, 1.0));
      out_.set("workload", "trigger_least", in_.at_least("triggered", std::min(one, other), 1));
      out_.set("workload", "trigger_most", std::max(one, other));
    }
    const i64 warmup = in_.integer("warm_up_period"),
              interval = in_.at_least("conv_period", in_.integer("conv_period"), 1);
    // Three intervals agree with the one before them.
    const i64 least = warmup + 4 * interval, most = in_.integer("max_conv_time");
    out_.set("measure", "warmup_cycles", warmup);
    out_.set("measure", "interval_cycles", interval);
    out_.set("measure", "tolerance_fraction", in_.real("conv_thres"));
    out_.set("measure", "max_warmup_cycles", std::max(least, warmup + (most == 0 ? 1'000'000 : most)));
    out_.set("measure", "batches", samples);
    out_.set("measure", "batch_cycles", in_.at_least("sample_size", in_.integer("sample_size"), 1));
  }

  void pattern() {
    const std::string given = in_.parts("tpattern").front();
    if (given == "tornado") {
      // FSIN's code has (i + (nodes_x - 1) / 2) mod nodes, its paper <(n/2 + x) mod n, y>.
      const i64 shift = ((machine_.dims.empty() ? ports_down() : machine_.dims.front()) - 1) / 2;
      if (shift == 0) in_.fail("tpattern", "sends nothing on this network (FSIN shifts by (n_x - 1) / 2); use shift_1");
      all_.note(
          "tpattern",
          fmt::format("FSIN's code shifts by (n_x - 1) / 2 = {}; the tornado of its paper is insee-tornado", shift));
      out_.set("workload", "pattern", "shift");
      out_.set("workload", "shift_nodes", shift);
      return;
    }
    if (given == "shift") {
      const i64 shift = in_.part("tpattern", 1, 1) % machine_.processors;
      if (shift <= 0) in_.fail("tpattern", "shifts each node to itself, or backwards; use a number above 0");
      out_.set("workload", "pattern", "shift");
      out_.set("workload", "shift_nodes", shift);
      return;
    }
    if (given == "adv" || given == "wc" || given == "groupshift") {
      const bool shifts = given == "groupshift";
      const i64 group = shifts ? in_.part("tpattern", 1, 0) : machine_.group_nodes;
      if (machine_.family != Family::dragonfly || group != machine_.group_nodes) {
        in_.fail("tpattern",
                 fmt::format("needs groups of {} nodes, which this network has not; use a dragonfly of such "
                             "groups, or shift",
                             group));
      }
      out_.set("workload", "pattern", "next-group");
      if (shifts) out_.set("workload", "group_shift", in_.at_least("tpattern", in_.part("tpattern", 2, 1), 1));
      return;
    }
    out_.set("workload", "pattern",
             in_.word_of("tpattern", given,
                         {{"uniform", "uniform"},
                          {"random", "uniform"},
                          {"local", "local"},
                          {"semi", "semi"},
                          {"transpose", "transpose"},
                          {"distribute", "distribution"},
                          {"rsdist", "random-distribution"},
                          {"hotregion", "hot-region"},
                          {"hotspot", "hot-spot"},
                          {"complement", "bit-complement"},
                          {"butterfly", "butterfly"},
                          {"shuffle", "shuffle"},
                          {"reversal", "bit-reversal"},
                          {"population", "population"},
                          {"pop", "population"},
                          {"bisect", "random-permutation"},
                          {"bisection", "random-permutation"}}));
    if (given == "local")
      all_.note("tpattern", "FSIN's goes by coordinates, weft's by distance; a distance-histogram says it");
    if (given.starts_with("bisect")) all_.note("tpattern", "FSIN draws pairs, weft a permutation without fixed points");
    if (given.starts_with("pop")) out_.set("workload", "population_path", in_.text("tracefile"));
  }

  /// Ports down of a switch, which FSIN calls nodes_x in networks without coordinates.
  i64 ports_down() const { return in_.part("topo", 1, 1); }

  void trace() {
    const std::string path = in_.text("tracefile"), units = in_.text("trace_cpu_units");
    if (!in_.given("tracefile")) in_.fail("tpattern", "needs tracefile, which is not given; add tracefile=NAME.trc");
    const i64 mbps = in_.at_least("link_bandwidth", in_.integer("link_bandwidth"), 1);
    out_.set("link", "rate_gbps", static_cast<double>(mbps) / 1000);
    const double cycle_ns = 8000.0 * static_cast<double>(machine_.phit_bytes) / static_cast<double>(mbps);
    double scale = 1;
    if (units == "ms" || units == "milliseconds")
      scale = 1e6;
    else if (units == "us" || units == "microseconds")
      scale = 1e3;
    else if (units == "cycle" || units == "cycles")
      scale = cycle_ns;
    else
      static_cast<void>(in_.word_of("trace_cpu_units", units,
                                    {{"ns", ""}, {"nanoseconds", ""}, {"us", ""}, {"ms", ""}, {"cycles", ""}}));

    const std::vector<std::string> parts = in_.parts("placement");
    const std::string given = parts.empty() ? "" : parts.front();
    const std::string policy = in_.word_of("placement", given,
                                           {{"consecutive", "consecutive"},
                                            {"shuffle", "shuffle"},
                                            {"random", "random"},
                                            {"shift", "shift"},
                                            {"column", "column"},
                                            {"row", "row"},
                                            {"quadrant", "quadrant"},
                                            {"diagonal", "diagonal"},
                                            {"file", "file"}});
    const std::size_t own = given == "shift" || given == "file" ? 1 : 0;
    const i64 tasks = in_.part("placement", 1 + own, 0);
    i64 instances = std::max<i64>(1, in_.part("placement", 2 + own, 1));
    if (given == "quadrant" && machine_.family == Family::grid) instances = i64{1} << machine_.dimensions;
    const double background = in_.real("bg_load");
    const bool jobs = instances > 1 || background > 0;
    const std::string workload = jobs ? "[job.workload]" : "workload",
                      placement = jobs ? "[job.placement]" : "placement";
    if (jobs) {
      out_.begin("[[job]]");
      out_.set("[[job]]", "name", "application");
      if (instances > 1) out_.set("[[job]]", "instances", instances);
    }
    out_.set(workload, "kind", "trace");
    out_.set(workload, "path", path);
    out_.set(workload, "cpu_scale", scale);
    out_.set(placement, "policy", policy);
    if (given == "shift") out_.set(placement, "shift_nodes", in_.part("placement", 1, 0));
    if (given == "file") {
      if (parts.size() < 2) in_.fail("placement", "needs a file; write file_NAME");
      out_.set(placement, "path", parts[1]);
    }
    if (background <= 0) return;
    const i64 nodes = machine_.processors - tasks * instances;
    if (tasks == 0 || nodes < 2) {
      all_.note("bg_load", "left out: no two nodes are known to be free of the application (placement=POLICY_TASKS)");
      return;
    }
    out_.begin("[[job]]");
    out_.set("[[job]]", "name", "background");
    out_.set("[[job]]", "nodes", nodes);
    out_.set("[[job]]", "repeat", "until-others-end");
    out_.begin("[job.workload]");
    out_.set("[job.workload]", "kind", "synthetic");
    out_.set("[job.workload]", "pattern", "uniform");
    out_.set("[job.workload]", "offered_load", std::min(background, 1.0));
  }

  void statistics() {
    const i64 level = in_.integer("plevel"), headers = in_.integer("pheaders"), interval = in_.integer("pinterval");
    if (in_.given("pinterval") && headers != 0)
      out_.set("statistics", "series_cycles", in_.at_least("pinterval", interval, 1));
    if ((level & 1) != 0) out_.set("statistics", "pairs", true);
    if ((level & (2 | 8)) != 0) out_.set("statistics", "ports", true);
    if ((level & 4) != 0) out_.set("statistics", "distances", true);
    if ((level & 16) != 0) out_.set("statistics", "events", "packets.txt");
    if ((level & ~i64{31}) != 0) all_.note("plevel", "phits and a monitored node are not shown (bits 32 and 64)");
  }

  /// Messages of several packets, which FSIN's sources send unless they are told not to.
  void long_messages() {
    const bool wanted = in_.integer("longmessages") > 1 && in_.real("lng_msg_ratio") > 0;
    if (!wanted || in_.parts("tpattern").front() == "trace") {
      for (const char* const option : {"longmessages", "lng_msg_ratio"})
        if (in_.given(option)) all_.same(option, "one packet a message");
      return;
    }
    all_.leave_out("longmessages",
                   fmt::format("FSIN sends a fraction of {} of its packets in messages of {}{}; here each packet has a "
                               "destination of its own",
                               in_.text("lng_msg_ratio"), in_.text("longmessages"),
                               in_.given("longmessages") ? "" : " unless longmessages=1 is given"));
  }

  Conversion& all_;
  const Values& in_;
  TomlWriter& out_;
  const Machine& machine_;
};

}  // namespace

void convert_workload(Conversion& all, const Machine& machine) { WorkloadConversion(all, machine).all(); }

}  // namespace weft::tools::insee
