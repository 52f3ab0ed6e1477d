// Lines of the comments of an imported config, from the table of options and what a conversion says.
#include "tools/import/simgrid/given.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/nearest.hpp"
#include "engine/base/text/shown.hpp"

namespace weft::tools::simgrid {
namespace {

const Option* find_option(const std::string& element, const std::string& name) {
  const auto found = std::ranges::find_if(
      options(), [&](const Option& option) { return option.element == element && option.name == name; });
  return found == options().end() ? nullptr : &*found;
}

std::string text_of(const std::string& element, const std::string& name, const std::string& value) {
  return name.empty() ? fmt::format("{} {}", element, value) : fmt::format("{} {} = \"{}\"", element, name, value);
}

std::string about(const Option& option) {
  return option.keys + (option.keys.empty() || option.comment.empty() ? "" : "; ") + option.comment;
}

/// "unknown; did you mean bw?"
std::string about_unknown(const std::string& element, const std::string& name) {
  std::vector<std::string> known;
  for (const Option& option : options()) {
    if (option.element == element) known.push_back(option.name);
  }
  const std::string near = known.empty() ? "" : nearest(name, known, std::max<std::size_t>(1, name.size() / 3));
  return near.empty() ? "not known of SimGrid" : fmt::format("not known of SimGrid; did you mean {}?", near);
}

}  // namespace

void Given::add(const std::string& place, const std::string& element, const std::string& name,
                const std::string& value) {
  const Option* const option = find_option(element, name);
  ImportedLine line{.place = place, .text = text_of(element, name, value)};
  line.state = option == nullptr ? OptionState::left_out : option->state;
  line.becomes = option == nullptr ? about_unknown(element, name) : about(*option);
  all_.push_back({element, name, std::move(line)});
}

void Given::add_unknown(const std::string& place, const std::string& element) {
  all_.push_back(
      {element, "", {place, fmt::format("<{}>", element), OptionState::left_out, "and all in it; not known here"}});
}

void Given::becomes(const std::string& element, const std::string& name, OptionState state, const std::string& what) {
  for (One& one : all_) {
    if (one.element != element || one.name != name) continue;
    one.line.state = state;
    one.line.becomes = what;
  }
}

bool Given::has(const std::string& element, const std::string& name) const {
  return std::ranges::any_of(all_, [&](const One& one) { return one.element == element && one.name == name; });
}

std::vector<ImportedLine> Given::lines() const {
  std::vector<ImportedLine> lines;
  for (const One& one : all_) lines.push_back(one.line);
  return lines;
}

}  // namespace weft::tools::simgrid
