// Placement "file": what a file says, line by line or as a list of hosts by their names.
#include <algorithm>

#include "workloads/program/placement/host_list.hpp"
#include "workloads/program/placement/placement_file.hpp"
#include "workloads/program/placement/policy.hpp"

namespace weft::workloads {
namespace {

std::vector<NodeId> order_of_file(const PlacementSpec& spec) {
  const std::string path = spec.keys.text("path");
  if (const auto hosts = listed_hosts(path, spec)) return order_of_hosts(*hosts, spec.nodes);
  return from_file(path, spec.nodes, spec.nodes).node_of_task;
}

FilePlacement job_of_file(const PlacementSpec& spec, std::span<const JobTasks> jobs, u32 job) {
  const std::string path = spec.keys.text("path");
  if (const auto hosts = listed_hosts(path, spec)) return job_on_hosts(path, *hosts, jobs[job]);
  return job_from_file(path, jobs, job, spec.nodes);
}

[[maybe_unused]] const bool file_registered = PlacementRegistry::instance().add(
    "file", {.help = "as placement.path says: a line for each task, or a list of hosts",
             .order = order_of_file,
             .settings = {row::path("placement.path",
                                    "file with the node of each task, relative to the config file or absolute; in "
                                    "fabrics also a list of hosts by name, node[001-008,010].")},
             .of_job = job_of_file});

}  // namespace
}  // namespace weft::workloads
