// Windows of cuts; see the header.
#include "workloads/trace/edit/cut_window.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"

namespace weft::workloads {
namespace {

struct NumberedName {
  std::string name;
  u64 number = 1;
};

bool is_named(const std::string& text, const std::vector<TraceName>& names) {
  return std::ranges::any_of(names, [&](const TraceName& name) { return name.text == text; });
}

/// "NAME" or "NAME:n", if the trace has that name.
std::optional<NumberedName> numbered_name(const std::string& text, const std::vector<TraceName>& names) {
  if (is_named(text, names)) return NumberedName{text, 1};
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return {};
  NumberedName result{text.substr(0, colon), 0};
  result.number = parsed<decltype(result.number)>(std::string_view(text).substr(colon + 1)).value_or(0);
  if (result.number == 0 || !is_named(result.name, names)) return {};
  return result;
}

[[noreturn]] void fail_name(const std::string& option, const std::string& text, const std::string& form,
                            const std::vector<TraceName>& names) {
  std::vector<std::string> known;
  for (const TraceName& name : names) known.push_back(name.text);
  if (known.empty())
    throw ConfigError(fmt::format("{} {} names what the trace has not (it has no marks or regions); cut it by tasks{}",
                                  option, shown(text), " or times"));
  const std::string close = nearest(text, known);
  throw ConfigError(fmt::format("{} {} names what the trace has not; give {}, with names like '{}'", option,
                                shown(text), form, shown(close.empty() ? known[0] : close)));
}

std::vector<bool> called(const std::string& text, const std::vector<TraceName>& names) {
  std::vector<bool> result(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) result[i] = names[i].text == text;
  return result;
}

}  // namespace

CutWindow window_between(const std::string& text, const std::vector<TraceName>& names) {
  CutWindow window{.kind = CutWindow::Kind::marks};
  // A name may have commas.
  for (std::size_t comma = text.find(','); comma != std::string::npos; comma = text.find(',', comma + 1)) {
    const auto first = numbered_name(text.substr(0, comma), names);
    const std::string last = text.substr(comma + 1);
    if (!first || !is_named(last, names)) continue;
    window.first = first->name;
    window.occurrence = first->number;
    window.last = last;
    return window;
  }
  fail_name("--between", text, "MARK,MARK or MARK:n,MARK", names);
}

CutWindow window_of_region(const std::string& text, const std::vector<TraceName>& names) {
  const auto region = numbered_name(text, names);
  if (!region) fail_name("--region", text, "NAME or NAME:n", names);
  CutWindow window{.kind = CutWindow::Kind::region};
  window.first = region->name;
  window.occurrence = region->number;
  return window;
}

WindowTracker::WindowTracker(const CutWindow& window, const std::vector<TraceName>& names)
    : kind_(window.kind),
      from_ns_(window.from_ns),
      to_ns_(window.to_ns),
      occurrence_(window.occurrence),
      first_(called(window.first, names)),
      last_(called(window.last, names)) {
  if (kind_ == CutWindow::Kind::all) where_ = Where::within;
}

Where WindowTracker::step(const TraceEvent& event) {
  if (ends_) where_ = Where::after;
  ends_ = false;
  if (kind_ == CutWindow::Kind::all || where_ == Where::after) return where_;
  if (kind_ == CutWindow::Kind::times) return where_ = step_in_times(event);
  return where_ = kind_ == CutWindow::Kind::marks ? step_in_marks(event) : step_in_region(event);
}

Where WindowTracker::step_in_times(const TraceEvent& event) {
  if (event.end_ns >= to_ns_) return Where::after;
  return event.end_ns >= from_ns_ ? Where::within : where_;
}

Where WindowTracker::step_in_marks(const TraceEvent& event) {
  if (event.kind != TraceEvent::Kind::mark) return where_;
  if (where_ == Where::within) {
    ends_ = is(last_, event);
  } else if (is(first_, event) && ++seen_ == occurrence_) {
    return Where::within;
  }
  return where_;
}

Where WindowTracker::step_in_region(const TraceEvent& event) {
  if (!is(first_, event)) return where_;
  if (event.kind == TraceEvent::Kind::enter) {
    if (depth_++ == 0 && ++seen_ == occurrence_) return Where::within;
  } else if (event.kind == TraceEvent::Kind::leave && depth_ > 0) {
    ends_ = --depth_ == 0 && where_ == Where::within;
  }
  return where_;
}

}  // namespace weft::workloads
