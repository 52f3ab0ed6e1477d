// Only the network knows which node has which name.
#include "workloads/program/placement/host_list.hpp"

#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_file.hpp"

namespace weft::workloads {
namespace {

/// Names of a fabric's hosts with long comments, several times over.
constexpr u64 most_list_bytes = u64{64} << 20;

/// The first word of a text that is no comment, and its line.
std::pair<std::string, u64> first_word(const std::string& text) {
  std::pair<std::string, u64> found;
  u64 number = 0;
  for_each_line(text, [&](std::string_view line) {
    ++number;
    line = line.substr(0, line.find('#'));
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (found.second != 0 || begin == std::string_view::npos) return;
    line.remove_prefix(begin);
    found = {std::string(line.substr(0, line.find_first_of(" \t\r"))), number};
  });
  return found;
}

/// Whether a word begins a name: a letter, a quotation mark, or a GUID.
bool begins_name(const std::string& word) {
  if (word.empty()) return false;
  const char first = word.front();
  return (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || first == '"' || word.starts_with("0x");
}

}  // namespace

std::optional<std::vector<NamedNode>> listed_hosts(const std::string& path, const PlacementSpec& spec) {
  const std::string text = read_text_file<InputError>(path, most_list_bytes, "file of placement.path");
  const auto [word, line] = first_word(text);
  if (!begins_name(word)) return {};
  if (spec.nodes_named) return spec.nodes_named(text, path);
  throw InputError(fmt::format(
      "{}:{}: line {} begins with \"{}\" (not a whole number, and the nodes of this network have no names: those of "
      "topology.kind = \"file\" with one NIC each have); write lines `node task`, or put # before comments",
      shown(path), line, line, shown(word, 24)));
}

FilePlacement job_on_hosts(const std::string& path, const std::vector<NamedNode>& hosts, const JobTasks& job) {
  const u64 places = u64{hosts.size()} * job.tasks_per_node;
  if (job.tasks > places) {
    throw InputError(fmt::format(
        "{}: the list has {} hosts for {} tasks{}, {} a host (workload.tasks_per_node); list more hosts or run fewer "
        "tasks",
        shown(path), hosts.size(), job.tasks, job.name.empty() ? "" : fmt::format(" of job \"{}\"", shown(job.name)),
        job.tasks_per_node));
  }
  FilePlacement placed{path, {}, {}};
  for (u32 task = 0; task < job.tasks; ++task) {
    const NamedNode& host = hosts[task / job.tasks_per_node];
    placed.placement.node_of_task.emplace_back(host.node);
    placed.line_of_task.push_back(host.line);
  }
  return placed;
}

std::vector<NodeId> order_of_hosts(const std::vector<NamedNode>& hosts, u32 nodes) {
  std::vector<NodeId> order;
  std::vector<bool> listed(nodes, false);
  for (const NamedNode& host : hosts) {
    listed[host.node] = true;
    order.emplace_back(host.node);
  }
  for (u32 node = 0; node < nodes; ++node) {
    if (!listed[node]) order.emplace_back(node);
  }
  return order;
}

}  // namespace weft::workloads
