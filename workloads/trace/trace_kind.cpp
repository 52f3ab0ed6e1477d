// Kind "trace": the replay of a recorded application.
#include <algorithm>

#include "engine/base/error.hpp"
#include "engine/base/meaning.hpp"
#include "engine/base/text/text_file.hpp"
#include "engine/base/text/words.hpp"
#include "workloads/generator/collective/rules.hpp"
#include "workloads/generator/kind/workload_kind.hpp"
#include "workloads/trace/trace_program.hpp"

namespace weft::workloads {
namespace {

/// Where the store is, if it is kept.
StoreChoice store_choice(const Parameters& keys) {
  StoreChoice choice;
  choice.format = keys.text("trace_format");
  const std::string where = keys.text("trace_store");
  choice.kept = where != "none";
  if (where != "none" && where != "beside") choice.cache = where;
  return choice;
}

constexpr const char* cost_model = "cost-model";

/// The model of workload.collective_model and the keys beside it.
std::shared_ptr<const CollectiveCosts> collective_costs(const Parameters& keys) {
  if (keys.text("collectives") != cost_model) return {};
  using Model = CollectivePhase::Model;
  const auto model = meaning_of<Model>(keys.text("collective_model"), {{"null", Model::null},
                                                                       {"constant", Model::constant},
                                                                       {"linear", Model::linear},
                                                                       {"logarithmic", Model::logarithmic}});
  auto costs =
      std::make_shared<CollectiveCosts>(keys.real("collective_latency_ns"), keys.real("collective_gbps"), model);
  if (const std::string file = keys.text("collective_costs"); !file.empty()) {
    constexpr u64 most_bytes = u64{1} << 20;
    costs->read(read_text_file<InputError>(file, most_bytes, "file of workload.collective_costs"), file);
  }
  return costs;
}

CollectiveRulesChoice collectives(const Parameters& keys) {
  const i64 bytes = keys.integer("collective_bytes");
  CollectiveRulesChoice choice;
  choice.costs = collective_costs(keys);
  if (!choice.costs) choice.library = keys.text("collectives");
  choice.unknown_bytes = static_cast<u64>(std::max<i64>(bytes, 0));
  choice.has_unknown_bytes = bytes >= 0;
  return choice;
}

/// What is wrong with workload.collectives.
std::optional<Complaint> unless_known(const Parameters& keys) {
  const std::string value = keys.text("collectives");
  if (value != cost_model) return unless_rules(value);
  if (keys.text("mode") == "causal") return {};
  return Complaint{"workload.collectives", "= \"cost-model\" is for mode = \"causal\" (tasks wait for each other)",
                   "use mode = \"causal\""};
}

std::optional<Complaint> unless_counter(const Parameters& keys) {
  const bool named = !keys.text("counter").empty(), has_rate = keys.real("counter_per_second") > 0;
  if (named && !has_rate) {
    return Complaint{"workload.counter_per_second", "is how often workload.counter counts, and is not given",
                     "add counter_per_second = 2.6e9 (of cycles: the clock rate)"};
  }
  if (!named && has_rate) {
    return Complaint{"workload.counter_per_second", "changes nothing without workload.counter",
                     "add counter = \"PAPI_TOT_CYC\", or leave it out"};
  }
  if (named && keys.text("mode") == "recorded") {
    return Complaint{"workload.counter", "changes nothing in mode = \"recorded\" (sends begin at their recorded times)",
                     "use mode = \"causal\""};
  }
  return {};
}

std::unique_ptr<Program> replay(const WorkloadSpec& spec) {
  ReplayChoice choice{.store = store_choice(spec.keys), .collectives = collectives(spec.keys), .limits = spec.limits};
  choice.store.keep = spec.keep;
  choice.rules.requests = true;
  choice.refuses_one_sided = true;
  choice.rules.left_out = listed_names(spec.keys.text("leave_out"));
  if (const std::string sends = spec.keys.text("blocking_sends"); sends != "auto") choice.sends_wait = sends == "wait";
  choice.counter = spec.keys.text("counter");
  choice.counter_per_second = spec.keys.real("counter_per_second");
  if (!choice.counter.empty() && spec.keys.real("cpu_scale") == 0 && !spec.topology->joins_all()) {
    throw ConfigError(
        "workload.counter says how long tasks compute, which takes no time (workload.cpu_scale is 0); give "
        "workload.cpu_scale = 1");
  }
  if (spec.keys.text("mode") == "recorded") {
    if (spec.cycle_ns <= 0) {
      throw ConfigError(
          "workload.mode = \"recorded\" needs the length of a cycle (times are recorded in ns); give link.rate_gbps");
    }
    choice.rules.cycles_per_ns = 1 / spec.cycle_ns;
  }
  return open_program(spec.keys.text("path"), choice);
}

[[maybe_unused]] const bool trace_registered = WorkloadRegistry::instance().add(
    "trace",
    {.help = "replay of a recorded MPI application",
     .place = 5,
     .settings = {row::path("workload.path",
                            "the file, relative to the config file or absolute; of formats with a file for each task "
                            "their folder, a pattern (run-*.bin), or the file that lists them."),
                  row::text("workload.trace_format", "auto",
                            "its format, auto = from the file itself; `weft describe formats` lists them."),
                  row::text("workload.trace_store", "beside",
                            "where what has been read is kept for the next time: beside the trace, in a folder "
                            "(its path), or none."),
                  row::choice(
                      "workload.mode", "causal", {"causal", "at-will", "recorded"},
                      "causal: a receive waits for its message; at-will: tasks send as fast as the network takes it; "
                      "recorded: they send at the times of the trace."),
                  row::real("workload.cpu_scale", "", std::nullopt, {0.0, 1e9},
                            "recorded computing time is multiplied by this; 0 = computing takes no time. If it is not "
                            "given: 1 for graphs (GOAL, Chakra), 0 for other traces on networks of packets."),
                  row::text("workload.counter", "",
                            "hardware counter of the trace by which tasks compute, in place of recorded times: "
                            "\"PAPI_TOT_CYC\" (OTF2 metrics)."),
                  row::real("workload.counter_per_second", "1/s", 0.0, {0.0, 1e18},
                            "how often workload.counter counts in a second of computing."),
                  row::text("workload.leave_out", "",
                            "regions of the trace whose events are left out, by name: \"start-up, output\"."),
                  row::choice(
                      "workload.blocking_sends", "auto", {"auto", "wait", "go-on"},
                      "what a blocking send does whose message is longer than rendezvous_bytes: it waits for its "
                      "receive, as MPI_Send does, or goes on at once. auto: wait, unless the format does not tell "
                      "blocking sends from others (.trc, VEF, Paraver).")
                      .only_with("workload.mode", {"causal"}),
                  row::text(
                      "workload.collectives", "",
                      "what collective calls of the trace become: messages as the rules of an MPI library choose "
                      "them (openmpi-4.1, mpich-4.0; empty = the usual algorithms), or cost-model: a wait for all "
                      "tasks, and a time by a closed form."),
                  row::real("workload.collective_latency_ns", "ns", 0.0, {0.0, CollectiveCosts::longest_ns},
                            "latency of a phase of a collective call in the cost model.")
                      .only_with("workload.collectives", {cost_model}),
                  row::real("workload.collective_gbps", "Gbit/s", 0.0, {0.0, 1e9},
                            "bandwidth of a phase of a collective call in the cost model; 0 = data take no time.")
                      .only_with("workload.collectives", {cost_model}),
                  row::choice("workload.collective_model", "constant", {"null", "constant", "linear", "logarithmic"},
                              "by what both phases of a collective call are multiplied in the cost model: 0, 1, P or "
                              "ceil(log2 P) for P tasks.")
                      .only_with("workload.collectives", {cost_model}),
                  row::path("workload.collective_costs",
                            "file with models and sizes of single collective calls, in lines as Dimemas has them "
                            "(MPI_Allreduce LOG MAX LOG MAX).")
                      .only_with("workload.collectives", {cost_model}),
                  row::integer("workload.collective_bytes", "bytes", -1, {-1, 1'000'000'000'000},
                               "of collective calls of which the trace has no size (MPE's regular traces); -1 = such "
                               "calls are refused.")},
     .check = [](const Parameters& keys) -> std::optional<Complaint> {
       if (auto complaint = unless_given(keys, "path", "a trace file", "path = \"traces/is.S.16.trc.xz\""))
         return complaint;
       if (auto complaint = unless_counter(keys)) return complaint;
       return unless_known(keys);
     },
     .make = replay,
     .count_tasks =
         [](const WorkloadSpec& spec) { return count_trace_tasks(spec.keys.text("path"), store_choice(spec.keys)); },
     .more_files =
         [](const Parameters& keys) {
           const TraceInput input = find_trace(keys.text("path"));
           if (!input.is_file()) return std::vector<std::string>{};
           return files_of(input, find_trace_format(input, keys.text("trace_format")));
         },
     .prepare =
         [](const Parameters& keys, const ProcessGroup& group) {
           const TraceInput input = find_trace(keys.text("path"));
           StoreChoice choice = store_choice(keys);
           choice.group = group;
           if (choice.kept) prepare_store(input, choice);
         }});

}  // namespace
}  // namespace weft::workloads
