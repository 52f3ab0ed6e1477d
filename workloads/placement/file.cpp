// Placement "file": what a file says.
#include "workloads/placement/placement_file.hpp"
#include "workloads/placement/policy.hpp"

namespace weft::workloads {
namespace {

[[maybe_unused]] const bool file_registered = PlacementRegistry::instance().add(
    "file", {.help = "as placement.path says: a line for each task",
             .order =
                 [](const PlacementSpec& spec) {
                   return from_file(spec.keys.text("path"), spec.nodes, spec.nodes).node_of_task;
                 },
             .settings = {row::path("placement.path",
                                    "file with the node of each task, relative to the config file or absolute.")},
             .of_job = [](const PlacementSpec& spec, std::span<const JobTasks> jobs,
                          u32 job) { return job_from_file(spec.keys.text("path"), jobs, job, spec.nodes); }});

}  // namespace
}  // namespace weft::workloads
