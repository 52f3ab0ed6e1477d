// Kind "collective": the messages of one MPI operation, by an algorithm of workloads/collective.
#include "workloads/collective/collective.hpp"

#include "workloads/kind/workload_kind.hpp"

namespace weft::workloads {
namespace {

std::unique_ptr<Program> collective_of(const WorkloadSpec& from) {
  CollectiveSpec spec;
  spec.operation = from.keys.text("name");
  spec.algorithm = from.keys.text("algorithm");
  spec.tasks = from.tasks;
  spec.message_bytes = static_cast<u64>(from.keys.integer("message_bytes"));
  spec.repetitions = count_or(from.keys, "repetitions", 1);
  auto program = make_collective(spec);
  check_longest_message(longest_message_bytes(spec), from.limits);
  return program;
}

[[maybe_unused]] const bool collective_registered = WorkloadRegistry::instance().add(
    "collective",
    {.help = "those of a collective operation",
     .place = 3,
     .settings = {row_of::name(),
                  row::text("workload.algorithm", "auto",
                            "by which messages; `weft describe collectives` lists them, auto = its usual one."),
                  row_of::tasks(),
                  row_of::message_bytes("of the data that is broadcast or reduced, that a task adds (allgather), or "
                                        "that it has for each other (all-to-all)."),
                  row_of::repetitions("how often it runs through; 0 = once.")},
     .check =
         [](const Parameters& keys) {
           return unless_given(keys, "name", "the name of an operation",
                               "name = \"reduce\"; weft describe collectives lists them");
         },
     .make = collective_of});

}  // namespace
}  // namespace weft::workloads
