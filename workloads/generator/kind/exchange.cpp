// Kind "exchange": pairs of tasks of a pattern of workloads/generator send each other messages at the same time.
#include "workloads/generator/exchange.hpp"

#include "workloads/generator/kind/workload_kind.hpp"

namespace weft::workloads {
namespace {

std::unique_ptr<Program> exchange_of(const WorkloadSpec& from) {
  ExchangeSpec spec;
  spec.name = from.keys.text("name");
  for (const i64 task : from.keys.integers("pairs")) spec.pairs.push_back(static_cast<u32>(task));
  spec.tasks = from.tasks;
  spec.message_bytes = static_cast<u64>(from.keys.integer("message_bytes"));
  spec.messages = count_or(from.keys, "repetitions", 1);
  spec.both_ways = from.keys.flag("both_ways");
  spec.seed = from.seed;
  check_longest_message(spec.message_bytes, from.limits);
  return std::make_unique<ExchangeProgram>(spec, *from.topology);
}

const ExchangeProgram& as_exchange(const Program& program) { return static_cast<const ExchangeProgram&>(program); }

[[maybe_unused]] const bool exchange_registered = WorkloadRegistry::instance().add(
    "exchange",
    {.help = "pairs of tasks send each other messages at the same time",
     .place = 4,
     .settings = {row_of::name(),
                  row::integers(
                      "workload.pairs", "tasks", {0, 1 << 30},
                      "source and destination of each pair in turn, as numbers of tasks, with name \"pairs\".")
                      .only_with("workload.name", {"pairs"}),
                  row::boolean("workload.both_ways", true,
                               "both tasks of a pair send, and each waits for the other's message before its next; "
                               "false: only the first of them sends."),
                  row_of::tasks(), row_of::message_bytes("size of a message."),
                  row_of::repetitions("messages of each pair; 0 = one.")},
     .check =
         [](const Parameters& keys) {
           return unless_given(keys, "name", "the name of a pattern",
                               "name = \"bisect\"; weft describe exchanges lists them");
         },
     .make = exchange_of,
     .is_of_nodes = [](const Program& program) { return as_exchange(program).is_of_nodes(); },
     .received_bytes = [](const Program& program, TaskId task) { return as_exchange(program).received_bytes(task); }});

}  // namespace
}  // namespace weft::workloads
