// Values of named options, and what is said of them.
#include "tools/import/named_options.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"

namespace weft::tools {

std::vector<ForeignOption> listed(const std::vector<NamedOption>& options) {
  std::vector<ForeignOption> rows;
  for (const NamedOption& option : options)
    rows.push_back({fmt::format("{}", fmt::join(option.names, ", ")), option.state, option.keys, option.comment});
  return rows;
}

const NamedOption* OptionValues::find(const std::string& name) const {
  for (const NamedOption& option : options_) {
    if (std::ranges::find(option.names, name) != option.names.end()) return &option;
  }
  return nullptr;
}

const NamedOption& OptionValues::option(const std::string& name) const {
  const NamedOption* const found = find(name);
  WEFT_ASSERT(found != nullptr);
  return *found;
}

void OptionValues::give(const std::string& name, std::string text, u64 line) {
  if (!knows(name)) {
    std::vector<std::string> known;
    for (const NamedOption& one : options_) known.insert(known.end(), one.names.begin(), one.names.end());
    throw ConfigError(fmt::format("{}:{}: {} has no option {} (weft import --options {} lists them); did you mean {}?",
                                  shown(file_), line, simulator_, shown(name), name_, nearest(name, known)));
  }
  given_[option(name).names.front()] = {name, std::move(text), line};
}

std::vector<std::string> OptionValues::given() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : given_) names.push_back(name);
  std::ranges::stable_sort(names, {}, [&](const std::string& name) { return given_.at(name).line; });
  return names;
}

std::string OptionValues::text(const std::string& name) const {
  if (const auto found = given_.find(name); found != given_.end()) return found->second.text;
  return option(name).fallback;
}

i64 OptionValues::integer_of(const std::string& name, const std::string& part) const {
  if (const auto number = parsed<i64>(part)) return *number;
  fail(name, fmt::format("{} is no whole number; write one", shown(part)));
}

double OptionValues::real_of(const std::string& name, const std::string& part) const {
  if (const auto number = parsed<double>(part)) return *number;
  fail(name, fmt::format("{} is no number; write one", shown(part)));
}

i64 OptionValues::at_least(const std::string& name, i64 value, i64 least) const {
  constexpr i64 most = 1 << 24;
  if (value >= least && value <= most) return value;
  fail(name, fmt::format("{} is out of range; use a number between {} and {}", value, least, most));
}

std::string OptionValues::word_of(const std::string& name, const std::string& given,
                                  const std::vector<std::pair<const char*, const char*>>& words) const {
  std::vector<const char*> known;
  for (const auto& [theirs, ours] : words) {
    if (given == theirs) return ours;
    known.push_back(theirs);
  }
  fail(name, fmt::format("{} is not known here; use one of {}", shown(given), fmt::join(known, ", ")));
}

std::string OptionValues::spelt(const std::string& name) const {
  const auto found = given_.find(name);
  return found == given_.end() ? name : found->second.name;
}

std::string OptionValues::place(const std::string& name) const {
  const auto found = given_.find(name);
  return found == given_.end() ? shown(file_) : fmt::format("{}:{}", shown(file_), found->second.line);
}

void OptionValues::fail(const std::string& name, const std::string& problem) const {
  throw ConfigError(fmt::format("{}: {}={}: {}", place(name), name, shown(text(name)), problem));
}

std::vector<ImportedLine> OptionNotes::lines(const OptionValues& in, const char* equals) const {
  std::vector<ImportedLine> lines;
  const auto add = [&](const std::string& name, OptionState state, const std::string& becomes) {
    lines.push_back({in.place(name), in.spelt(name) + equals + in.text(name), state, becomes});
  };
  for (const std::string& name : in.given()) {
    const NamedOption& option = in.option(name);
    if (const auto note = notes_.find(name); note != notes_.end()) {
      add(name, note->second.state, note->second.what);
    } else if (option.state == OptionState::left_out && in.text(name) == option.fallback) {
      add(name, OptionState::same, "as it is here");
    } else {
      add(name, option.state, becomes_of(option.state, option.keys, option.comment));
    }
  }
  for (const auto& [name, note] : notes_) {
    if (!in.given(name) && note.state != OptionState::same) add(name, note.state, note.what);
  }
  return lines;
}

}  // namespace weft::tools
