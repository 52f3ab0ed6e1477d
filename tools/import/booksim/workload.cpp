// Traffic and measurement of a config of BookSim.
#include <algorithm>
#include <fmt/format.h>

#include "engine/base/text/shown.hpp"
#include "tools/import/booksim/conversion.hpp"

namespace weft::tools::booksim {
namespace {

class WorkloadConversion {
 public:
  WorkloadConversion(Conversion& all, const Machine& machine)
      : all_(all), in_(all.in), out_(all.out), machine_(machine) {}

  void convert() {
    classes();
    const std::string type = in_.text("sim_type");
    if (type != "latency" && type != "throughput" && type != "batch")
      in_.fail("sim_type", fmt::format("{} is not known here; use one of latency, throughput, batch", shown(type)));
    if (type == "batch")
      batches();
    else
      rate();
    convert_pattern(all_, machine_);
    if (all_.replies())
      requests();
    else if (all_.wants_replies())
      all_.leave_out("use_read_write", "no replies in batches: requests alone");
    else
      all_.same("use_read_write", "no replies");
    if (type != "batch") measurement();
    out_.set("simulation", "seed", in_.at_least("seed", 0));
  }

 private:
  void classes() {
    const i64 count = in_.at_least("classes", 1);
    if (count == 1) return all_.same("classes", "one");
    all_.leave_out("classes", fmt::format("the first of {}: a node has one synthetic source", count));
  }

  void requests() {
    out_.set("workload", "kind", "reactive");
    out_.set("workload", "trigger_fraction", 1.0);
    out_.set("workload", "trigger_to", "source");
    all_.note("use_read_write",
              "workload.trigger_to = \"source\": a node's own packets go before replies, and wait in a "
              "NIC of some packets, not in a queue without end");
  }

  void batches() {
    out_.set("workload", "kind", "burst");
    out_.set("workload", "burst_packets", in_.at_least("batch_size", 1));
    out_.set("workload", "bursts", in_.at_least("batch_count", 1));
    if (in_.given("injection_rate")) all_.same("injection_rate", "without effect in batches");
    all_.same("sim_type", "workload.kind = \"burst\"");
  }

  void rate() {
    double load = in_.real_of("injection_rate", in_.first("injection_rate"));
    const bool in_flits = in_.integer("injection_rate_uses_flits") != 0;
    if (!in_flits) load *= static_cast<double>(machine_.packet_flits);
    if (!(load >= 0)) in_.fail("injection_rate", "is negative; correct it");
    if (!all_.replies()) {
      out_.set("workload", "kind", "synthetic");
      out_.set("workload", "source_queue", "unbounded");
    }
    out_.set("workload", "offered_load", std::min(load, 1.0));
    const std::string said = fmt::format("workload.offered_load = {:g} phits/node/cycle", std::min(load, 1.0));
    if (load > 1)
      all_.note("injection_rate", said + ": no source sends more than a flit a cycle");
    else
      all_.same("injection_rate", said);
    const Call process = call_of(in_.first("injection_process"));
    if (process.word == "on_off") return on_off(process);
    if (process.word != "bernoulli")
      in_.fail("injection_process",
               fmt::format("{} is not known here; use one of bernoulli, on_off", shown(process.word)));
  }

  /// On with chance alpha in each cycle, off with beta: geometric periods of 1 / beta and 1 / alpha cycles.
  void on_off(const Call& process) {
    const auto chance = [&](std::size_t place, const char* option) {
      const bool here = place < process.arguments.size();
      const double value = here ? in_.real_of("injection_process", process.arguments[place]) : in_.real(option);
      if (!(value > 0 && value <= 1))
        in_.fail(here ? "injection_process" : option, "is no chance between 0 and 1; correct it");
      return value;
    };
    const double alpha = chance(0, "burst_alpha"), beta = chance(1, "burst_beta");
    out_.set("workload", "arrivals", "on-off");
    out_.set("workload", "on_cycles", 1 / beta);
    out_.set("workload", "off_cycles", 1 / alpha);
    for (const char* const option : {"burst_alpha", "burst_beta"}) all_.same(option, "workload.on_cycles, off_cycles");
    if (process.arguments.size() > 2 || in_.real("burst_r1") >= 0)
      all_.note("burst_r1", "the load while on follows from the mean, workload.offered_load");
  }

  void measurement() {
    const i64 period = in_.at_least("sample_period", 1);
    out_.set("simulation", "stop", "steady-state");
    const i64 warmup = in_.at_least("warmup_periods", 0) * period, samples = in_.at_least("max_samples", 1);
    out_.set("measure", "warmup_cycles", warmup);
    out_.set("measure", "max_warmup_cycles", warmup + std::max(samples, i64{4}) * period);
    out_.set("measure", "interval_cycles", period);
    out_.set("measure", "tolerance_fraction", in_.real_of("acc_warmup_thres", in_.first("acc_warmup_thres")));
    out_.set("measure", "batches", samples);
    out_.set("measure", "batch_cycles", period);
    if (const i64 runs = in_.at_least("sim_count", 1); runs > 1) out_.set("measure", "seeds", runs);
  }

  Conversion& all_;
  const Values& in_;
  TomlWriter& out_;
  const Machine& machine_;
};

}  // namespace

void convert_workload(Conversion& all, const Machine& machine) { WorkloadConversion(all, machine).convert(); }

}  // namespace weft::tools::booksim
