// Builds placements by rule or from a file, and refuses those that lose or double a task.
#include "workloads/placement/placement.hpp"

#include <array>
#include <charconv>
#include <fstream>
#include <istream>
#include <optional>
#include <string_view>

#include "engine/error.hpp"

namespace weft::workloads {
namespace {

constexpr std::string_view separators = " \t\r_,.:->;";

void check_counts(u32 tasks, u32 nodes) {
  if (tasks <= nodes) return;
  throw ConfigError("cannot place " + std::to_string(tasks) + " tasks on " + std::to_string(nodes) +
                    " nodes (a node hosts one task); use a topology of at least " + std::to_string(tasks) + " nodes");
}

/// Text of the file quoted in an error: shortened, control characters replaced.
std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 24;
  std::string result = "\"";
  for (const char c : text.substr(0, longest)) result += c >= ' ' && c <= '~' ? c : '?';
  return result + (text.size() > longest ? "...\"" : "\"");
}

/// Reads the lines of one placement file and keeps what it has seen so far.
class Reader {
 public:
  Reader(const std::string& name, u32 tasks, u32 nodes, u32 instance)
      : name_(name), nodes_(nodes), instance_(instance), result_{std::vector<NodeId>(tasks)}, line_of_node_(nodes, 0) {}

  void line(std::string_view text) {
    ++line_;
    text = text.substr(0, text.find('#'));
    std::array<u32, 3> fields{};  // node, task, instance
    u32 count = 0;
    for (auto begin = text.find_first_not_of(separators); begin != std::string_view::npos;
         begin = text.find_first_not_of(separators)) {
      text.remove_prefix(begin);
      const std::string_view word = text.substr(0, text.find_first_of(separators));
      text.remove_prefix(word.size());
      if (count == fields.size()) fail("has more than three fields (expected: node task instance); remove the rest");
      fields[count++] = number(word);
    }
    if (count == 0) return;
    if (count == 1) fail("has one field (expected: node task instance); add the task");
    place(fields[0], fields[1], fields[2]);
  }

  Placement finish() const {
    u32 missing = 0;
    std::optional<std::size_t> first;
    for (std::size_t task = 0; task < result_.node_of_task.size(); ++task) {
      if (result_.node_of_task[task].valid()) continue;
      ++missing;
      if (!first) first = task;
    }
    if (first) {
      fail("is the end and task " + std::to_string(*first) + " has no node (" + std::to_string(missing) + " of " +
           std::to_string(result_.node_of_task.size()) + " tasks of instance " + std::to_string(instance_) +
           " are missing); add a line for each");
    }
    return result_;
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError(name_ + ":" + std::to_string(line_) + ": line " + problem);
  }

  u32 number(std::string_view word) const {
    u32 value = 0;
    const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (status == std::errc::result_out_of_range) fail("holds " + quoted(word) + " (does not fit 32 bits); correct it");
    if (status != std::errc() || end != word.data() + word.size()) {
      fail("holds " + quoted(word) + " (not a whole number); correct it or put # before comments");
    }
    return value;
  }

  void place(u32 node, u32 task, u32 instance) {
    if (node >= nodes_) {
      fail("names node " + std::to_string(node) + " (the network has " + std::to_string(nodes_) +
           " nodes, numbered from 0); correct it or use a larger topology");
    }
    if (line_of_node_[node] != 0) {
      fail("places a second task on node " + std::to_string(node) + " (line " + std::to_string(line_of_node_[node]) +
           " placed the first, and a node hosts one task); choose another node");
    }
    line_of_node_[node] = line_;
    if (instance != instance_) return;
    auto& places = result_.node_of_task;
    if (task >= places.size()) {
      fail("names task " + std::to_string(task) + " (the application has " + std::to_string(places.size()) +
           " tasks, numbered from 0); correct it");
    }
    if (places[task].valid()) {
      fail("places task " + std::to_string(task) + " again (line " +
           std::to_string(line_of_node_[places[task].value()]) + " placed it on node " +
           std::to_string(places[task].value()) + "); remove one of them");
    }
    places[task] = NodeId(node);
  }

  std::string name_;
  u32 nodes_;
  u32 instance_;
  Placement result_;
  std::vector<u64> line_of_node_;  ///< [node], 0 = free
  u64 line_ = 0;
};

}  // namespace

Placement consecutive(u32 tasks, u32 nodes) {
  check_counts(tasks, nodes);
  Placement result;
  result.node_of_task.reserve(tasks);
  for (u32 task = 0; task < tasks; ++task) result.node_of_task.emplace_back(task);
  return result;
}

Placement read_placement(std::istream& in, const std::string& name, u32 tasks, u32 nodes, u32 instance) {
  check_counts(tasks, nodes);
  Reader reader(name, tasks, nodes, instance);
  std::string text;
  while (std::getline(in, text)) reader.line(text);
  if (in.bad()) throw SystemError(name + ": cannot be read to its end (disk error or a directory); check the file");
  return reader.finish();
}

Placement from_file(const std::string& path, u32 tasks, u32 nodes, u32 instance) {
  std::ifstream in(path);
  if (!in) throw InputError(path + ": cannot be opened (missing or not readable); correct placement.path");
  return read_placement(in, path, tasks, nodes, instance);
}

}  // namespace weft::workloads
