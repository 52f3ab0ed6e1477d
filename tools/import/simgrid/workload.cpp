// Replays of SimGrid's time-independent traces: which trace, which rank on which host, and how fast that is.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <set>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/words.hpp"
#include "tools/import/simgrid/conversion.hpp"
#include "tools/import/simgrid/quantities.hpp"

namespace weft::tools::simgrid {
namespace {

struct Line {
  std::string text, place;
};

/// Lines with something on them, but for comments.
std::vector<Line> lines_of(const ForeignFile& file, std::size_t most = ~std::size_t{0}) {
  std::vector<Line> lines;
  u64 number = 0;
  for (std::size_t at = 0; at < file.text.size() && lines.size() < most;) {
    const std::size_t end = std::min(file.text.find('\n', at), file.text.size());
    const std::string_view line = trimmed(std::string_view(file.text).substr(at, end - at));
    ++number;
    if (!line.empty() && line.front() != '#')
      lines.push_back({std::string(line), fmt::format("{}:{}", shown(file.path), number)});
    at = end + 1;
  }
  return lines;
}

/// A file that a line of another names, seen from the folder of that.
std::string beside(const std::string& file, const std::string& named) {
  return (std::filesystem::path(file).parent_path() / named).string();
}
bool is_file(const std::string& path) {
  std::error_code problem;
  return path.find('\0') == std::string::npos && std::filesystem::is_regular_file(path, problem);
}

/// "0 compute 1e9".
bool is_action(const std::string& line) {
  const std::vector<std::string> words = listed_words(line, " \t");
  return words.size() >= 2 && parsed<u32>(words[0]) && words[1].find_first_of("./") == std::string::npos &&
         !parsed<double>(words[1]);
}

/// "node-0:2", "node-0 slots=2": a host and how many ranks.
std::pair<std::string, i64> host_of(const Line& line) {
  constexpr i64 most = 1 << 20;
  const std::vector<std::string> words = listed_words(line.text, " \t:=");
  if (words.size() == 1) return {words[0], 1};
  const auto slots = words.empty() ? std::nullopt : parsed<i64>(words.back());
  if (!slots || *slots < 1 || *slots > most || words.size() > 3) {
    throw ConfigError(
        fmt::format("{}: \"{}\" is no line of a hostfile; write HOST or HOST:SLOTS", line.place, shown(line.text)));
  }
  return {words[0], *slots};
}

std::vector<std::string> host_names(const Platform& platform) {
  std::vector<std::string> names;
  for (const Cluster& cluster : platform.clusters) {
    for (const Host& host : cluster.hosts) names.push_back(host.name);
  }
  for (const Host& host : platform.hosts) names.push_back(host.name);
  return names;
}

class WorkloadConversion {
 public:
  WorkloadConversion(Conversion& all, const std::vector<TextFile>& files) : all_(all) {
    for (u32 node = 0; node < all.nodes.size(); ++node) node_of_.emplace(all.nodes[node].name, node);
    for (const TextFile& file : files) {
      if (file.kind == TextFile::Kind::hostfile)
        hostfile(file.file);
      else
        traces(file.file, file.kind == TextFile::Kind::trace);
    }
    actors();
  }

  void convert() {
    const auto& properties = all_.platform.properties;
    if (trace_.empty()) {
      all_.remarks.push_back(
          "No trace was given: each host sends 64 KiB to the next. Give a trace, or write a [workload] of your own.");
      all_.out.set("workload", "kind", "exchange");
      all_.out.set("workload", "name", "ring");
      all_.out.set("workload", "message_bytes", 65536);
    } else {
      all_.out.set("workload", "kind", "trace");
      all_.out.set("workload", "path", trace_is_companion_ ? trace_ : seen(trace_));
      all_.out.set("workload", "trace_format", "ti");
    }
    place();
    if (!trace_.empty()) speeds();
    const auto threshold = properties.find("smpi/send-is-detached-thresh");
    if (threshold != properties.end() || !trace_.empty())
      all_.out.set(all_.is_ideal ? "ideal" : "workload", "rendezvous_bytes",
                   threshold == properties.end() ? 65536 : whole("smpi/send-is-detached-thresh"));
    if (properties.contains("smpi/os")) overheads();
    if (const auto selector = properties.find("smpi/coll-selector"); selector != properties.end()) {
      const char* const rules = selector->second == "ompi"    ? "openmpi-4.1"
                                : selector->second == "mpich" ? "mpich-4.0"
                                                              : nullptr;
      if (rules != nullptr && !trace_.empty()) all_.out.set("workload", "collectives", rules);
      if (rules == nullptr)
        all_.given.becomes("config", "smpi/coll-selector", OptionState::left_out,
                           "weft's own rules (algorithm = auto)");
    }
  }

 private:
  void hostfile(const ForeignFile& file) {
    once(hostfile_, file.path, "hostfile");
    for (const Line& line : lines_of(file)) {
      all_.given.add(line.place, "hostfile", "", line.text);
      const auto [name, slots] = host_of(line);
      const u32 node = node_named(name, line.place);
      if (ranks_.size() + static_cast<std::size_t>(slots) > most_ranks)
        throw ConfigError(fmt::format("{}: there are more than a million ranks; use fewer", line.place));
      ranks_.insert(ranks_.end(), static_cast<std::size_t>(slots), node);
    }
  }

  void traces(const ForeignFile& file, bool is_one) {
    once(trace_, file.path, "trace");
    const std::vector<Line> lines = lines_of(file);
    if (!is_one) {
      for (const Line& line : lines) all_.given.add(line.place, "traces", "", line.text);
      tasks_ = lines.size();
      return;
    }
    all_.given.add(shown(file.path), "traces", "", file.path);
    for (const Line& line : lines) {
      const auto rank = parsed<u32>(listed_words(line.text, " \t").front());
      if (rank && *rank < most_ranks) tasks_ = std::max<std::size_t>(tasks_, *rank + 1);
    }
  }
  void once(std::string& which, const std::string& path, const char* what) const {
    if (!which.empty()) {
      throw ConfigError(
          fmt::format("{}: is the second {} ({} is the first); give one", shown(path), what, shown(which)));
    }
    which = path;
  }

  /// Ranks of a deployment, in its order, and their traces.
  void actors() {
    if (all_.platform.actors.empty()) return;
    if (!hostfile_.empty()) {
      throw ConfigError(
          fmt::format("{}: a deployment and a hostfile both say where ranks are; give one", shown(hostfile_)));
    }
    std::string list;
    std::size_t found = 0;
    for (const Actor& actor : all_.platform.actors) {
      ranks_.push_back(node_named(actor.host, actor.place));
      for (const std::string& argument : actor.arguments) {
        const std::string path = beside(actor.file, argument);
        if (!is_file(path)) continue;
        list += seen(path) + "\n";
        ++found;
        break;
      }
    }
    if (found == 0 || !trace_.empty()) return;
    if (found != ranks_.size()) {
      throw ConfigError(fmt::format("{}: {} of {} actors have an argument that is a file; all need a trace, or none",
                                    shown(all_.platform.file), found, ranks_.size()));
    }
    tasks_ = found;
    trace_ = all_.companion("traces", list);
    trace_is_companion_ = true;
  }

  /// A path from the folder of the config.
  [[nodiscard]] std::string seen(const std::string& path) const {
    std::error_code problem;
    const std::filesystem::path from =
        std::filesystem::proximate(path, all_.folder.empty() ? "." : all_.folder, problem);
    return problem ? path : from.string();
  }

  [[nodiscard]] u32 node_named(const std::string& name, const std::string& place) const {
    if (const auto found = node_of_.find(name); found != node_of_.end()) return found->second;
    throw ConfigError(fmt::format("{}: there is no host {} in the platform; did you mean {}?", place, shown(name),
                                  shown(nearest(name, host_names(all_.platform)))));
  }

  /// Rank r on node r, from the beginning again where there are more, unless a file says otherwise.
  void place() {
    const std::size_t tasks = tasks_ > 0 ? tasks_ : ranks_.size();
    if (tasks == 0) return;
    const std::vector<u32> given = ranks_;
    ranks_.resize(tasks);
    for (std::size_t rank = 0; rank < tasks; ++rank) {
      ranks_[rank] = given.empty() ? static_cast<u32>(rank % all_.nodes.size()) : given[rank % given.size()];
    }
    std::map<u32, i64> ranks_of;
    i64 most = 1;
    bool is_plain = true;
    std::string lines;
    for (std::size_t rank = 0; rank < tasks; ++rank) {
      most = std::max(most, ++ranks_of[ranks_[rank]]);
      is_plain = is_plain && ranks_[rank] == rank;
      lines += fmt::format("{} {}\n", ranks_[rank], rank);
    }
    constexpr i64 most_tasks = 64;
    if (most > most_tasks) {
      throw ConfigError(fmt::format("{}: a host has {} ranks (at most {} are simulated); use more hosts",
                                    shown(all_.platform.file), most, most_tasks));
    }
    if (trace_.empty()) all_.out.set("workload", "tasks", static_cast<i64>(tasks));
    if (most > 1) all_.out.set("node", "tasks", most);
    for (const auto& [node, count] : ranks_of) {
      if (count <= all_.nodes[node].cores) continue;
      for (const char* const element : {"cluster", "host"})
        all_.given.becomes(element, "core", OptionState::nearest,
                           "node.tasks; more ranks than cores do not share them");
    }
    if (is_plain) return;
    all_.out.set("placement", "policy", "file");
    all_.out.set("placement", "path", all_.companion("placement", lines));
  }

  /// A flop of a trace is a nanosecond at 1 Gflop/s.
  void speeds() {
    const auto speed_of = [&](u32 node) { return all_.nodes[node].speed > 0 ? all_.nodes[node].speed : 1e9; };
    if (ranks_.empty()) return;
    const double first = speed_of(ranks_.front());
    all_.out.set("workload", "cpu_scale", 1e9 / first);
    std::string factors;
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      if (speed_of(ranks_[rank]) != first) factors += fmt::format("{} {:.17g}\n", rank, first / speed_of(ranks_[rank]));
    }
    if (!factors.empty()) all_.out.set("workload", "cpu_factors", all_.companion("factors", factors));
  }

  void overheads() {
    const auto of_sends = sections(all_.platform.properties.at("smpi/os"));
    if (!of_sends) {
      throw ConfigError(fmt::format("{}: smpi/os = \"{}\" is no list SIZE:STARTUP:PER_BYTE; correct it",
                                    all_.platform.property_places.at("smpi/os"),
                                    shown(all_.platform.properties.at("smpi/os"))));
    }
    const char* const table = all_.is_ideal ? "ideal" : "workload";
    all_.out.set(table, "overhead_ns", nanoseconds(of_sends->front().value));
    all_.out.set(table, "byte_overhead_ns", nanoseconds(of_sends->front().of_byte));
  }

  [[nodiscard]] i64 whole(const std::string& id) const {
    const auto number = parsed<i64>(all_.platform.properties.at(id));
    if (number && *number >= 0) return *number;
    throw ConfigError(fmt::format("{}: {} = \"{}\" is no number of bytes; correct it",
                                  all_.platform.property_places.at(id), id, shown(all_.platform.properties.at(id))));
  }

  static constexpr std::size_t most_ranks = 1 << 20;
  Conversion& all_;
  std::map<std::string, u32> node_of_;
  std::vector<u32> ranks_;  ///< node of each
  std::size_t tasks_ = 0;   ///< of the trace
  std::string trace_, hostfile_;
  bool trace_is_companion_ = false;
};

}  // namespace

TextFile text_file_of(const ForeignFile& file, const Platform& platform) {
  const std::vector<Line> lines = lines_of(file);
  if (lines.empty()) throw ConfigError(fmt::format("{}: is empty; check which file it is", shown(file.path)));
  if (is_action(lines.front().text)) return {file, TextFile::Kind::trace};
  const std::vector<std::string> names = host_names(platform);
  const std::set<std::string> hosts(names.begin(), names.end());
  const auto is_host = [&](const Line& line) {
    return hosts.contains(line.text.substr(0, line.text.find_first_of(" \t:")));
  };
  if (std::ranges::any_of(lines, is_host)) return {file, TextFile::Kind::hostfile};
  for (const Line& line : lines) {
    if (is_file(beside(file.path, line.text))) continue;
    throw ConfigError(fmt::format(
        "{}: \"{}\" is neither a host of the platform nor a file of a trace beside it (a hostfile has a host a line, a "
        "list of traces a file); {}",
        line.place, shown(line.text),
        std::ranges::any_of(lines, [&](const Line& one) { return is_file(beside(file.path, one.text)); })
            ? "the file is missing"
            : fmt::format("did you mean {}?", names.empty() ? "a platform's host" : shown(nearest(line.text, names)))));
  }
  return {file, TextFile::Kind::list_of_traces};
}

void convert_workload(Conversion& all, const std::vector<TextFile>& files) { WorkloadConversion(all, files).convert(); }

}  // namespace weft::tools::simgrid
