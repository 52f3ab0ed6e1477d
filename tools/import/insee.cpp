// Configs of INSEE's simulator FSIN (fsin.conf). What its options mean is in its own code and papers (Navaridas,
// Miguel-Alonso, Pascual, Ridruejo: Simulating and evaluating interconnection networks with INSEE, 2011).
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/import/importer.hpp"
#include "tools/import/insee_options.hpp"
#include "tools/import/toml_writer.hpp"

namespace weft::tools {
namespace {

using insee::Values;

/// What kind of network it is, as far as other options depend on it.
enum class Family : u8 { grid, tree, dragonfly, indirect_cube };

/// One conversion: options are asked for by table of the config that comes of them.
class InseeImport {
 public:
  InseeImport(std::string_view text, const std::string& file) : in_(text, file), file_(file) {}

  ImportedConfig config() {
    out_.number("", "format", 1);
    topology();
    if (const i64 links = in_.integer("faults"); links != 0) out_.number("faults", "random_links", links);
    out_.number("simulation", "seed", in_.integer("rseed"));
    packets();
    router();
    congestion();
    workload();
    statistics();
    left_out();
    return {head() + out_.whole(), std::move(notes_)};
  }

 private:
  void note(const std::string& option, const std::string& what) {
    notes_.push_back(fmt::format("{}: {}={}: {}", in_.place(option), option, shown(in_.text(option)), what));
  }
  std::string head() const {
    std::string text = fmt::format("# From {}, a config of INSEE's FSIN, by weft import.\n", shown(file_));
    for (const std::string& one : notes_) text += "# " + one + "\n";
    return text;
  }
  /// The word of this simulator for one of FSIN's. `words`: (FSIN's, weft's).
  std::string word_of(const std::string& option, const std::string& given,
                      const std::vector<std::pair<const char*, const char*>>& words) const {
    for (const auto& [theirs, ours] : words) {
      if (given == theirs) return ours;
    }
    std::string known;
    for (const auto& [theirs, ours] : words) known += fmt::format("{}{}", known.empty() ? "" : ", ", theirs);
    in_.fail(option, fmt::format("{} is not known here; use one of {}", shown(given), known));
  }

  i64 at_least(const std::string& option, i64 value, i64 least) const {
    constexpr i64 most = 1 << 24;
    if (value >= least && value <= most) return value;
    in_.fail(option, fmt::format("{} is out of range; use a number between {} and {}", value, least, most));
  }
  i64 power(i64 base, i64 exponent) const {
    i64 result = 1;
    for (i64 k = 0; k < exponent; ++k) {
      if (result > (i64{1} << 30) / base) in_.fail("topo", "has too many nodes; use fewer");
      result *= base;
    }
    return result;
  }

  void topology() {
    const std::vector<std::string> parts = in_.parts("topo");
    const std::string kind = parts.empty() ? "" : parts.front();
    const auto number = [&](std::size_t place, i64 fallback) {
      return at_least("topo", in_.part("topo", place, fallback), 1);
    };
    const auto needs = [&](std::size_t count, const char* form) {
      if (parts.size() != count + 1) in_.fail("topo", fmt::format("has {} numbers; write {}", parts.size() - 1, form));
    };
    if (kind == "torus" || kind == "mesh" || kind == "ttorus" || kind == "spin" || kind == "spinnaker") {
      if (parts.size() > 4) in_.fail("topo", "has more than three sizes; use three at most");
      dims_ = parts.size() == 1 ? std::vector<i64>{4, 4} : std::vector<i64>{};
      for (std::size_t place = 1; place < parts.size(); ++place) dims_.push_back(number(place, 1));
      grid(kind);
    } else if (kind == "midimew") {
      needs(1, "midimew_NODES");
      set_kind("midimew");
      out_.number("topology", "nodes", processors_ = switches_ = number(1, 1));
      dimensions_ = 1;  // by which FSIN counts ports
    } else if (kind == "circulant" || kind == "circpk") {
      needs(2, kind == "circpk" ? "circpk_A_K" : "circulant_NODES_STEP");
      const i64 a = number(1, 1), k = number(2, 1);
      const i64 nodes = kind == "circpk" ? 2 * a * a : a, step = kind == "circpk" ? 2 * k * a - 1 : k;
      set_kind("circulant");
      out_.number("topology", "nodes", processors_ = switches_ = at_least("topo", nodes, 1));
      out_.list("topology", "steps", {1, step});
      dimensions_ = 2;
    } else if (kind == "fattree" || kind == "fat") {
      needs(2, "fattree_PORTS_STAGES");
      tree(number(1, 1), number(1, 1), number(2, 1));
      set_kind("tree");
      out_.number("topology", "arity", number(1, 1));
      out_.number("topology", "levels", number(2, 1));
    } else if (kind == "thintree" || kind == "thin") {
      needs(3, "thintree_DOWN_UP_STAGES");
      tree(number(1, 1), number(2, 1), number(3, 1));
      set_kind("thin-tree");
      out_.number("topology", "down", number(1, 1));
      out_.number("topology", "up", number(2, 1));
      out_.number("topology", "levels", number(3, 1));
    } else if (kind == "tricube" || kind == "icube") {
      if (parts.size() < 4 || parts.size() > 6) in_.fail("topo", "is not icube_NODES_LINKS_X, _Y and _Z; write it so");
      family_ = Family::indirect_cube;
      set_kind("indirect-cube");
      i64 cubes = 1;
      for (std::size_t place = 3; place < parts.size(); ++place) dims_.push_back(number(place, 1));
      for (const i64 side : dims_) cubes *= side;
      dimensions_ = static_cast<i64>(dims_.size());
      processors_ = number(1, 1) * cubes, switches_ = cubes;
      out_.list("topology", "dims", dims_);
      out_.number("topology", "nodes_per_switch", number(1, 1));
      out_.number("topology", "parallel_links", number(2, 1));
      ports_ = number(1, 1) + dimensions_ * 2 * number(2, 1);
    } else if (kind.starts_with("dragonfly")) {
      needs(3, "dragonfly-abs_P_A_H");
      dragonfly(kind, number(1, 1), number(2, 1), number(3, 1));
    } else {
      in_.fail("topo",
               fmt::format("{} is no topology that weft has of FSIN's; weft describe topologies lists those it has",
                           shown(kind)));
    }
    const i64 ways = in_.integer("nways");
    if (ways != 1 && ways != 2) in_.fail("nways", "is neither 1 nor 2; use one of them");
    ways_ = family_ == Family::grid ? ways : family_ == Family::indirect_cube ? 2 : 1;
    if (family_ == Family::grid && ways == 1) out_.set("topology", "unidirectional", "true");
  }

  void set_kind(const char* kind) { out_.text("topology", "kind", kind); }

  void grid(const std::string& kind) {
    dimensions_ = static_cast<i64>(dims_.size());
    processors_ = 1;
    for (const i64 side : dims_) processors_ = at_least("topo", processors_ * side, 1);
    switches_ = processors_;
    // [from][into]: what FSIN calls sk_<from><into>.
    static constexpr const char* skews[3][3] = {{"", "sk_xy", "sk_xz"}, {"sk_yx", "", "sk_yz"}, {"sk_zx", "sk_zy", ""}};
    std::vector<i64> twist;
    for (i64 into = 0; into < 3; ++into) {
      for (i64 from = 0; from < 3; ++from) {
        if (from == into) continue;
        const std::string name = skews[from][into];
        const i64 skew = in_.integer(name);
        if (skew == 0 || kind != "ttorus") continue;
        if (from >= dimensions_ || into >= dimensions_)
          in_.fail(name, "is of a dimension that topo has not; remove it");
        if (name == "sk_zx") note(name, "FSIN takes it with the wrong sign (its network has errors); here it is right");
        twist.insert(twist.end(), {from, into, skew});
      }
    }
    is_torus_ = kind != "mesh";
    is_plain_ = kind == "torus" || kind == "mesh" || kind == "ttorus";
    set_kind(kind == "ttorus"           ? (twist.empty() ? "torus" : "twisted-torus")
             : kind.starts_with("spin") ? "spinnaker"
                                        : kind.c_str());
    out_.list("topology", "dims", dims_);
    if (!twist.empty()) out_.list("topology", "twist", twist);
  }

  void tree(i64 down, i64 up, i64 stages) {
    family_ = Family::tree;
    processors_ = power(down, stages);
    i64 at_level = processors_ / down;
    switches_ = 0;
    for (i64 stage = 0; stage < stages; ++stage, at_level = at_level / down * up) switches_ += at_level;
    ports_ = down + up;
  }

  void dragonfly(const std::string& kind, i64 p, i64 a, i64 h) {
    family_ = Family::dragonfly;
    const std::string order = word_of("topo", kind,
                                      {{"dragonfly", "relative"},
                                       {"dragonfly-rel", "relative"},
                                       {"dragonfly-relative", "relative"},
                                       {"dragonfly-abs", "absolute"},
                                       {"dragonfly-absolute", "absolute"},
                                       {"dragonfly-circ", "circulant"},
                                       {"dragonfly-circulant", "circulant"}});
    set_kind("dragonfly");
    out_.number("topology", "nodes_per_router", p);
    out_.number("topology", "routers_per_group", a);
    out_.number("topology", "global_links", h);
    out_.text("topology", "arrangement", order);
    group_nodes_ = p * a;
    switches_ = a * (a * h + 1);
    processors_ = at_least("topo", p * switches_, 1);
    ports_ = p + a - 1 + h;
  }

  void packets() {
    out_.number("packet", "phits", at_least("plength", in_.part("plength", 0, 16), 1));
    phit_bytes_ = at_least("plength", in_.part("plength", 1, 4), 1);
    out_.number("packet", "phit_bytes", phit_bytes_);
  }

  void router() {
    const std::string vc = in_.text("vc"), rmode = in_.text("rmode"), routing = in_.text("routing");
    if (family_ == Family::grid) {
      if (routing == "dir")
        in_.fail("routing", "is direction order, which weft has not; use dim, if dimension order will do");
      if (vc == "bubble") {
        out_.text("router", "kind", "bubble");
        out_.text(
            "router", "routing",
            word_of("rmode", rmode,
                    {{"random", "random"}, {"shortest", "shortest"}, {"smart", "smart"}, {"oblivious", "oblivious"}}));
      } else if (vc == "double") {
        out_.text("router", "kind", "bubble");
        out_.text("router", "routing", word_of("rmode", rmode, {{"doubleob", "double"}, {"hexaob", "hexa"}}));
      } else {
        out_.text("router", "kind",
                  word_of("vc", vc, {{"dally", "dally"}, {"bubble", "bubble"}, {"double", "bubble"}}));
        out_.text("router", "routing",
                  word_of("rmode", rmode,
                          {{"trc", "trc"}, {"basic", "basic"}, {"improved", "improved"}, {"adaptive", "adaptive"}}));
        if (rmode == "adaptive")
          note("rmode", "FSIN never uses its adaptive channels (its figures are those of improved); weft does");
      }
    } else {
      indirect_router(routing);
    }
    channels_ = at_least("nchan", in_.integer("nchan"), 1);
    if (family_ == Family::indirect_cube && routing != "adaptive" && channels_ > 1) {
      note("nchan", "one channel, as in FSIN with static routes in indirect cubes");
      channels_ = 1;
    }
    out_.number("router", "virtual_channels", channels_);
    out_.number("router", "queue_packets", at_least("tql", in_.integer("tql"), 1));
    out_.number("router", "injection_queue_packets", at_least("iql", in_.integer("iql"), 1));
    out_.text("router", "arbitration",
              word_of("amode", in_.text("amode"),
                      {{"rr", "round-robin"},
                       {"fifo", "fifo"},
                       {"longest", "longest"},
                       {"highest", "highest"},
                       {"random", "random"},
                       {"age", "age"},
                       {"oldest", "age"}}));
    if (family_ == Family::grid) direct_router(vc);
    if (const double priority = in_.real("intransit_pr"); priority != 0) out_.real("router", "ipr_fraction", priority);
    if (const i64 room = in_.integer("bub_to_adap"); room != 0) {
      out_.number("router", "lbr_packets", room);
      if (family_ == Family::indirect_cube)
        note("bub_to_adap", "FSIN asks for 16 times as much room in indirect cubes");
    }
  }

  void indirect_router(const std::string& routing) {
    if (family_ == Family::tree) {
      const bool known = routing == "adaptive" || routing == "arith" || routing == "arithmetic";
      out_.text("router", "kind", "multistage");
      out_.text("router", "routing",
                routing == "adaptive"               ? "adaptive"
                : in_.integer("nchan") > 1 && known ? "static-by-channel"
                                                    : "static");
      if (!known) note("routing", "FSIN takes routes from a table; here the source's number says the way up (static)");
      if (known && routing != "adaptive" && in_.parts("topo").front().starts_with("thin"))
        note("routing",
             "FSIN goes up by the destination in thin trees, though its comment says the source; weft by that");
    } else if (family_ == Family::dragonfly) {
      out_.text("router", "kind", "dragonfly");
      out_.text("router", "routing", routing == "valiant" ? "valiant" : "minimal");
      if (routing != "valiant" && routing != "static")
        note("routing", "minimal routes: to the group's link, over it, on");
    } else {
      out_.text("router", "kind", "indirect-cube");
      const bool same = routing == "adaptive" || routing == "1mesh" || routing == "4mesh";
      out_.text("router", "routing", same ? routing : "static");
    }
  }

  /// What routers with nodes inside have besides.
  void direct_router(const std::string& vc) {
    out_.text("router", "consumption",
              word_of("cmode", in_.text("cmode"), {{"single", "single"}, {"multiple", "multiple"}}));
    const std::string injection = word_of("imode", in_.text("imode"),
                                          {{"shortest", "shortest"},
                                           {"dor", "dor"},
                                           {"dsh", "dor-shortest"},
                                           {"shp", "shortest-profitable"},
                                           {"lpath", "longest-path"}});
    i64 queues = at_least("ninj", in_.integer("ninj"), 1);
    if (injection != "shortest") queues = std::max(queues, dimensions_ * ways_);
    out_.number("router", "injection_queues", queues);
    if (queues > 1) out_.text("router", "injection", injection);
    if (injection.starts_with("dor") && dimensions_ > 1)
      note("imode", "FSIN takes the last dimension to travel, which is an error; weft the first");
    const std::vector<std::string> sizes = in_.parts("bsize");
    if (vc == "dally") return;
    const i64 bubble = in_.part("bsize", 0, 2);
    if (bubble != 2) out_.number("router", "bubble_packets", bubble);
    if (std::ranges::adjacent_find(sizes, std::not_equal_to{}) != sizes.end())
      note("bsize", "one size for all dimensions, the first");
  }

  /// Global congestion control, in packets of what FSIN takes for the capacity of the network.
  void congestion() {
    const double percent = in_.real("global_cc");
    const i64 period = in_.integer("update_period");
    if (percent >= 100) return;
    const i64 ports = family_ == Family::grid ? dimensions_ * ways_ : ports_;
    const double capacity = static_cast<double>(switches_ * ports * ways_ * channels_ * in_.integer("tql"));
    out_.text("congestion", "kind", "gcc");
    out_.number("congestion", "gcc_packets", std::max<i64>(1, std::llround(std::floor(capacity * percent / 100))));
    i64 diameter = 0;
    for (const i64 side : dims_) diameter += is_torus_ ? side / 2 : side - 1;
    const bool counted = family_ == Family::grid && is_plain_;
    out_.number("congestion", "gcc_period_cycles", std::max<i64>(1, period * (counted ? diameter : 1)));
  }

  void workload() {
    if (in_.parts("tpattern").empty()) in_.fail("tpattern", "names no pattern; write for example uniform");
    if (in_.parts("tpattern").front() == "trace") return trace();
    const bool bursts = in_.integer("shotmode") != 0;
    const double trigger = in_.real("trigger_rate");
    out_.text("workload", "kind", bursts ? "burst" : trigger > 0 ? "reactive" : "synthetic");
    pattern();
    const i64 samples = at_least("nsamples", in_.integer("nsamples"), 1);
    if (bursts) {
      const i64 size = in_.integer("shotsize");
      out_.number("workload", "burst_packets",
                  size == 0 ? std::max<i64>(1, processors_ - 1) : at_least("shotsize", size, 1));
      out_.number("workload", "bursts", samples);
      return;
    }
    const double load = in_.real("load");
    if (load > 1) note("load", "1: no source sends more than a phit a cycle");
    out_.real("workload", "offered_load", std::min(load, 1.0));
    if (trigger > 0) {
      const i64 one = in_.part("triggered", 0, 1), other = in_.part("triggered", 1, one);
      out_.real("workload", "trigger_fraction", std::min(trigger, 1.0));
      out_.number("workload", "trigger_least", at_least("triggered", std::min(one, other), 1));
      out_.number("workload", "trigger_most", std::max(one, other));
    }
    const i64 warmup = in_.integer("warm_up_period"), interval = at_least("conv_period", in_.integer("conv_period"), 1);
    // Three intervals agree with the one before them.
    const i64 least = warmup + 4 * interval, most = in_.integer("max_conv_time");
    out_.number("measure", "warmup_cycles", warmup);
    out_.number("measure", "interval_cycles", interval);
    out_.real("measure", "tolerance_fraction", in_.real("conv_thres"));
    out_.number("measure", "max_warmup_cycles", std::max(least, warmup + (most == 0 ? 1'000'000 : most)));
    out_.number("measure", "batches", samples);
    out_.number("measure", "batch_cycles", at_least("sample_size", in_.integer("sample_size"), 1));
  }

  void pattern() {
    const std::string given = in_.parts("tpattern").front();
    if (given == "tornado") {
      // FSIN's code has (i + (nodes_x - 1) / 2) mod nodes, its paper <(n/2 + x) mod n, y>.
      const i64 shift = ((dims_.empty() ? ports_down() : dims_.front()) - 1) / 2;
      if (shift == 0) in_.fail("tpattern", "sends nothing on this network (FSIN shifts by (n_x - 1) / 2); use shift_1");
      note("tpattern",
           fmt::format("FSIN's code shifts by (n_x - 1) / 2 = {}; the tornado of its paper is insee-tornado", shift));
      out_.text("workload", "pattern", "shift");
      out_.number("workload", "shift_nodes", shift);
      return;
    }
    if (given == "shift") {
      const i64 shift = in_.part("tpattern", 1, 1) % processors_;
      if (shift <= 0) in_.fail("tpattern", "shifts each node to itself, or backwards; use a number above 0");
      out_.text("workload", "pattern", "shift");
      out_.number("workload", "shift_nodes", shift);
      return;
    }
    if (given == "adv" || given == "wc" || given == "groupshift") {
      const bool shifts = given == "groupshift";
      const i64 group = shifts ? in_.part("tpattern", 1, 0) : group_nodes_;
      if (family_ != Family::dragonfly || group != group_nodes_) {
        in_.fail("tpattern",
                 fmt::format("needs groups of {} nodes, which this network has not; use a dragonfly of such "
                             "groups, or shift",
                             group));
      }
      out_.text("workload", "pattern", "next-group");
      if (shifts) out_.number("workload", "group_shift", at_least("tpattern", in_.part("tpattern", 2, 1), 1));
      return;
    }
    out_.text("workload", "pattern",
              word_of("tpattern", given,
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
      note("tpattern", "FSIN's goes by coordinates, weft's by distance; a distance-histogram says it");
    if (given.starts_with("bisect")) note("tpattern", "FSIN draws pairs, weft a permutation without fixed points");
    if (given.starts_with("pop")) out_.text("workload", "population_path", in_.text("tracefile"));
  }

  /// Ports down of a switch, which FSIN calls nodes_x in networks without coordinates.
  i64 ports_down() const { return in_.part("topo", 1, 1); }

  void trace() {
    const std::string path = in_.text("tracefile"), units = in_.text("trace_cpu_units");
    if (!in_.given("tracefile")) in_.fail("tpattern", "needs tracefile, which is not given; add tracefile=NAME.trc");
    const i64 mbps = at_least("link_bandwidth", in_.integer("link_bandwidth"), 1);
    out_.real("link", "rate_gbps", static_cast<double>(mbps) / 1000);
    const double cycle_ns = 8000.0 * static_cast<double>(phit_bytes_) / static_cast<double>(mbps);
    double scale = 1;
    if (units == "ms" || units == "milliseconds")
      scale = 1e6;
    else if (units == "us" || units == "microseconds")
      scale = 1e3;
    else if (units == "cycle" || units == "cycles")
      scale = cycle_ns;
    else
      word_of("trace_cpu_units", units, {{"ns", ""}, {"nanoseconds", ""}, {"us", ""}, {"ms", ""}, {"cycles", ""}});

    const std::vector<std::string> parts = in_.parts("placement");
    const std::string given = parts.empty() ? "" : parts.front();
    const std::string policy = word_of("placement", given,
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
    if (given == "quadrant" && family_ == Family::grid) instances = i64{1} << dimensions_;
    const double background = in_.real("bg_load");
    const bool jobs = instances > 1 || background > 0;
    const std::string workload = jobs ? "[job.workload]" : "workload",
                      placement = jobs ? "[job.placement]" : "placement";
    if (jobs) {
      out_.begin("[[job]]");
      out_.text("[[job]]", "name", "application");
      if (instances > 1) out_.number("[[job]]", "instances", instances);
    }
    out_.text(workload, "kind", "trace");
    out_.text(workload, "path", path);
    out_.real(workload, "cpu_scale", scale);
    out_.text(placement, "policy", policy);
    if (given == "shift") out_.number(placement, "shift_nodes", in_.part("placement", 1, 0));
    if (given == "file") {
      if (parts.size() < 2) in_.fail("placement", "needs a file; write file_NAME");
      out_.text(placement, "path", parts[1]);
    }
    if (background <= 0) return;
    const i64 nodes = processors_ - tasks * instances;
    if (tasks == 0 || nodes < 2) {
      note("bg_load", "left out: no two nodes are known to be free of the application (placement=POLICY_TASKS)");
      return;
    }
    out_.begin("[[job]]");
    out_.text("[[job]]", "name", "background");
    out_.number("[[job]]", "nodes", nodes);
    out_.text("[[job]]", "repeat", "until-others-end");
    out_.begin("[job.workload]");
    out_.text("[job.workload]", "kind", "synthetic");
    out_.text("[job.workload]", "pattern", "uniform");
    out_.real("[job.workload]", "offered_load", std::min(background, 1.0));
  }

  void statistics() {
    const i64 level = in_.integer("plevel"), headers = in_.integer("pheaders"), interval = in_.integer("pinterval");
    if (in_.given("pinterval") && headers != 0)
      out_.number("statistics", "series_cycles", at_least("pinterval", interval, 1));
    if ((level & 1) != 0) out_.set("statistics", "pairs", "true");
    if ((level & (2 | 8)) != 0) out_.set("statistics", "ports", "true");
    if ((level & 4) != 0) out_.set("statistics", "distances", "true");
    if ((level & 16) != 0) out_.text("statistics", "events", "packets.txt");
    if ((level & ~i64{31}) != 0) note("plevel", "phits and a monitored node are not shown (bits 32 and 64)");
  }

  /// Says what is not done, where that makes a difference.
  void left_out() {
    for (const insee::Option& option : insee::options()) {
      const std::string& name = option.names.front();
      if (option.state != OptionState::left_out || !in_.given(name) || in_.text(name) == option.fallback) continue;
      // One packet a message, which is what sources do here.
      if (name == "longmessages" || name == "lng_msg_ratio") continue;
      note(name, "left out: " + option.comment);
    }
    const bool long_messages = in_.integer("longmessages") > 1 && in_.real("lng_msg_ratio") > 0;
    if (long_messages && in_.parts("tpattern").front() != "trace") {
      note("longmessages", fmt::format("left out: FSIN sends a fraction of {} of its packets in messages of {}{}; here "
                                       "each packet has a destination of its own",
                                       in_.text("lng_msg_ratio"), in_.text("longmessages"),
                                       in_.given("longmessages") ? "" : " unless longmessages=1 is given"));
    }
  }

  Values in_;
  std::string file_;
  TomlWriter out_;
  std::vector<std::string> notes_;
  Family family_ = Family::grid;
  std::vector<i64> dims_;  ///< of grids and indirect cubes
  bool is_torus_ = true, is_plain_ = false;
  i64 dimensions_ = 0, ways_ = 2, channels_ = 1, ports_ = 0, phit_bytes_ = 4;
  i64 processors_ = 0, switches_ = 0;  ///< FSIN's NPROCS, and the switches that have queues
  i64 group_nodes_ = 0;
};

bool is_insee(std::string_view text) {
  for (const char* const option : {"topo=", "tpattern=", "plength=", "rmode=", "nchan="}) {
    for (std::size_t at = text.find(option); at != std::string_view::npos; at = text.find(option, at + 1)) {
      if (at == 0 || text[at - 1] == '\n') return true;
    }
  }
  return false;
}

std::vector<ForeignOption> insee_options() {
  std::vector<ForeignOption> rows;
  for (const insee::Option& option : insee::options()) {
    std::string names;
    for (const std::string& name : option.names) names += (names.empty() ? "" : ", ") + name;
    rows.push_back({names, option.state, option.keys, option.comment});
  }
  return rows;
}

[[maybe_unused]] const bool insee_registered = ImporterRegistry::instance().add(
    "insee", {.help = "INSEE: fsin.conf",
              .recognises = is_insee,
              .import = [](std::string_view text, const std::string& file) { return InseeImport(text, file).config(); },
              .options = insee_options});

}  // namespace
}  // namespace weft::tools
