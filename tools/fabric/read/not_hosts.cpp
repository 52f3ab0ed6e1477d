// Patterns as shells have them, and what is known of aggregation nodes.
#include "tools/fabric/read/not_hosts.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_file.hpp"
#include "tools/fabric/read/fabric_lines.hpp"

namespace weft::tools {
namespace {

constexpr u64 most_bytes = u64{16} << 20;
constexpr std::size_t most_patterns = 4096;
constexpr std::string_view file_word = "file:";

/// Mellanox's vendor ID, and the device ID that aggregation nodes have in all its switches.
constexpr u32 mellanox = 0x2c9, aggregation_device = 0xcf09;

/// Whether the pattern is all of the text: a star goes on from where it last matched.
bool matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, behind = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      behind = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++behind;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace

bool is_aggregation_node(const AdapterFacts& adapter) {
  if (adapter.device == aggregation_device && (adapter.vendor == mellanox || adapter.vendor == 0)) return true;
  const auto says = [&adapter](std::string_view word) { return adapter.name.find(word) != std::string_view::npos; };
  return says("Aggregation Node") && (says("Mellanox") || says("NVIDIA") || says("Nvidia"));
}

std::string file_of_pattern(const std::string& pattern) {
  return pattern.starts_with(file_word) ? pattern.substr(file_word.size()) : "";
}

NotHosts::NotHosts(const std::vector<std::string>& patterns, std::string option) : option_(std::move(option)) {
  for (const std::string& pattern : patterns) {
    const std::string path = file_of_pattern(pattern);
    if (path.empty()) {
      add(pattern, "");
      continue;
    }
    u64 number = 0;
    for_each_line(read_text_file<InputError>(path, most_bytes, "adapters that are no hosts"),
                  [&](std::string_view line) {
                    ++number;
                    line = trimmed(line);
                    if (!line.empty() && line.front() != '#')
                      add(std::string(line), fmt::format("{}:{}: ", shown(path), number));
                  });
  }
}

void NotHosts::add(const std::string& text, const std::string& place) {
  if (text.empty())
    throw ConfigError(fmt::format("{}{} has an empty pattern (it names no adapter); leave it out", place, option_));
  if (patterns_.size() >= most_patterns)
    throw ConfigError(
        fmt::format("{}{} has more than {} patterns; let one with * name many", place, option_, most_patterns));
  Pattern pattern{.text = text, .place = place};
  LineScanner words(text);
  u64 guid = 0;
  if (text.starts_with("0x") && words.hexadecimal(guid) && words.empty()) pattern.guid = guid;
  patterns_.push_back(std::move(pattern));
}

bool NotHosts::names(const AdapterFacts& adapter) const {
  bool found = false;
  for (const Pattern& pattern : patterns_) {
    const bool named = pattern.guid != 0 ? pattern.guid == adapter.guid : matches(pattern.text, adapter.name);
    pattern.used = pattern.used || named;
    found = found || named;
  }
  return found;
}

void NotHosts::need_all_used(const std::vector<std::string>& adapters) const {
  const auto idle = std::ranges::find(patterns_, false, &Pattern::used);
  if (idle == patterns_.end()) return;
  const std::string near = idle->text.size() > 200 ? "" : nearest(idle->text, adapters, idle->text.size() / 3 + 1);
  throw ConfigError(fmt::format(
      "{}{}: '{}' names no adapter of the fabric (a description with * and ?, or a GUID); {}", idle->place, option_,
      shown(idle->text), near.empty() ? "correct it or leave it out" : fmt::format("did you mean '{}'?", shown(near))));
}

}  // namespace weft::tools
