// Kind "trace": the replay of a recorded application.
#include "workloads/kind/workload_kind.hpp"
#include "workloads/trace/trace_program.hpp"

namespace weft::workloads {
namespace {

[[maybe_unused]] const bool trace_registered = WorkloadRegistry::instance().add(
    "trace",
    {.help = "replay of a recorded MPI application",
     .place = 5,
     .settings = {row::path("workload.path", "the file, relative to the config file or absolute."),
                  row::text("workload.trace_format", "auto",
                            "its format, auto = from the file itself; `weft describe formats` lists them."),
                  row::choice(
                      "workload.mode", "causal", {"causal", "at-will"},
                      "causal: a receive waits for its message; at-will: tasks send as fast as the network takes it."),
                  row::real("workload.cpu_scale", "", 0.0, {0.0, 1e9},
                            "recorded computing time is multiplied by this; 0 = computing takes no time.")},
     .check =
         [](const Parameters& keys) {
           return unless_given(keys, "path", "a trace file", "path = \"traces/is.S.16.trc.xz\"");
         },
     .make = [](const WorkloadSpec& spec) -> std::unique_ptr<Program> {
       return open_program(spec.keys.text("path"), spec.keys.text("trace_format"), spec.keep, spec.limits);
     },
     .count_tasks =
         [](const WorkloadSpec& spec) {
           return count_trace_tasks(spec.keys.text("path"), spec.keys.text("trace_format"));
         }});

}  // namespace
}  // namespace weft::workloads
