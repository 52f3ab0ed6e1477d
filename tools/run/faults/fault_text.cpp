// Words to events and processes; the one place that knows how they are written.
#include "tools/run/faults/fault_text.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/words.hpp"

namespace weft::tools {
namespace {

using models::FaultEvent;
using models::FaultProcess;
using models::GivenFault;
using Words = std::vector<std::string>;

constexpr const char* event_form =
    "write for example \"20us link r0:2 down\", \"1ms router 5 up\" or \"0ns link 0-1 error 0.001\"";
constexpr const char* process_form =
    "write for example \"links mtbf 1000h mttr 2h\", or with \"weibull 0.7\" behind it";

[[noreturn]] void refuse(const std::string& place, const std::string& problem, const char* advice) {
  throw ConfigError(fmt::format("{}: {}; {}", place, problem, advice));
}

u32 number_of(std::string_view word, const char* what, const std::string& place) {
  const std::optional<u32> number = parsed<u32>(word);
  if (!number) refuse(place, fmt::format("{} is no number of a {}", shown(std::string(word)), what), event_form);
  return *number;
}

/// "r0:2": router and port; "0-1": the routers at both ends.
void read_link(std::string_view word, GivenFault& event, const std::string& place) {
  const auto colon = word.find(':'), dash = word.find('-');
  if (word.starts_with('r') && colon != std::string_view::npos) {
    event.id = number_of(word.substr(1, colon - 1), "router", place);
    event.port = number_of(word.substr(colon + 1), "port", place);
  } else if (dash != std::string_view::npos) {
    event.id = number_of(word.substr(0, dash), "router", place);
    event.far = number_of(word.substr(dash + 1), "router", place);
  } else {
    refuse(place,
           fmt::format("{} is no link (r and a router, : and its port there; or two routers with - between them)",
                       shown(std::string(word))),
           event_form);
  }
}

void read_part(const Words& words, GivenFault& event, const std::string& place) {
  if (words[1] == "link") {
    event.part = FaultEvent::Part::link;
    read_link(words[2], event, place);
  } else if (words[1] == "router" || words[1] == "switch") {
    event.part = FaultEvent::Part::router;
    event.id = number_of(words[2], "router", place);
  } else if (words[1] == "node" || words[1] == "nic") {
    event.part = FaultEvent::Part::node;
    event.id = number_of(words[2], "node", place);
  } else {
    refuse(place, fmt::format("{} is no part of a network (link, router or node)", shown(words[1])), event_form);
  }
}

double rate_factor_of(const std::string& word, const std::string& place) {
  const std::optional<double> factor = parsed<double>(word);
  if (factor && *factor > 0 && *factor <= 1) return *factor;
  const char* const advice =
      factor && *factor == 0 ? "a link that carries nothing is down" : "write for example \"20us link r0:2 rate 0.25\"";
  refuse(place, fmt::format("{} is no part of a link's rate (above 0, up to 1)", shown(word)), advice);
}

GivenFault event_of(Words words, const TimeScale& time, const std::string& place) {
  GivenFault event;
  event.place = place;
  if (words.back() == "one-way") {
    event.one_way = true;
    words.pop_back();
  }
  const bool five = words.size() == 5, error = five && words[3] == "error", slows = five && words[3] == "rate";
  if (words.size() != 4 && !error && !slows)
    refuse(place, "is no event (a time, a part, its number, what becomes of it)", event_form);
  event.at = static_cast<Tick>(fault_ticks(words[0], time, place) + 0.5);
  read_part(words, event, place);
  if (event.part != FaultEvent::Part::link && (error || slows || event.one_way))
    refuse(place, fmt::format("{} is said of links alone", error ? "error" : slows ? "rate" : "one-way"), event_form);
  if (error) {
    const std::optional<double> rate = parsed<double>(words[4]);
    if (!rate || *rate < 0 || *rate > 1)
      refuse(place, fmt::format("{} is no part of the packets (0 to 1)", shown(words[4])), event_form);
    event.change = FaultEvent::Change::error_rate;
    event.error_rate = *rate;
  } else if (slows) {
    event.change = FaultEvent::Change::rate;
    event.rate_factor = rate_factor_of(words[4], place);
  } else if (words[3] == "up" || words[3] == "down") {
    event.change = words[3] == "up" ? FaultEvent::Change::up : FaultEvent::Change::down;
  } else {
    refuse(place, fmt::format("{} is nothing that becomes of a part (down, up, error, rate)", shown(words[3])),
           event_form);
  }
  return event;
}

FaultProcess process_of(const Words& words, const TimeScale& time, const std::string& place) {
  constexpr std::array<std::pair<const char*, FaultEvent::Part>, 4> parts{{{"links", FaultEvent::Part::link},
                                                                           {"routers", FaultEvent::Part::router},
                                                                           {"switches", FaultEvent::Part::router},
                                                                           {"nodes", FaultEvent::Part::node}}};
  const bool weibull = words.size() == 7 && words[5] == "weibull";
  if ((words.size() != 5 && !weibull) || words[1] != "mtbf" || words[3] != "mttr")
    refuse(place, "is no process (a class of parts, times between failures and to repair)", process_form);
  const auto* const part = std::ranges::find(parts, words[0], [](const auto& row) { return std::string(row.first); });
  if (part == parts.end())
    refuse(place, fmt::format("{} is no class of parts (links, routers or nodes)", shown(words[0])), process_form);
  FaultProcess process{.part = part->second,
                       .up_ticks = fault_ticks(words[2], time, place),
                       .repair_ticks = fault_ticks(words[4], time, place),
                       .place = place};
  if (process.up_ticks < 1) refuse(place, "mtbf is shorter than a tick: nothing would ever work", process_form);
  if (process.repair_ticks < 1)
    refuse(place, "mttr is shorter than a tick: nothing would ever be missed", process_form);
  if (!weibull) return process;
  const std::optional<double> shape = parsed<double>(words[6]);
  if (!shape || *shape < 0.1 || *shape > 10)
    refuse(place, fmt::format("{} is no shape of a Weibull law (0.1 to 10)", shown(words[6])), process_form);
  process.shape = *shape;
  return process;
}

/// Throws unless a time is one that runs can have.
double within_a_run(double ticks, const std::string& shown, const std::string& place) {
  constexpr double most = 0x1p62;
  if (ticks >= 0 && ticks <= most) return ticks;
  throw ConfigError(fmt::format("{}: {} is no time within a run (0 to 2^62 ticks)", place, shown));
}

/// Calls f(words, place of it) for each of several with ; between them.
template <class F>
void for_each_of(std::string_view text, const std::string& place, F&& f) {
  for (const std::string& one : listed_words(text, ";")) {
    Words words = listed_words(one, " ,\t\r\n");
    if (!words.empty()) f(std::move(words), fmt::format("{}: {}", place, shown(std::string(trimmed(one)))));
  }
}

}  // namespace

double ticks_of_ns(double ns, const std::string& shown, const TimeScale& time, const std::string& place) {
  if (ns == 0) return 0;
  if (time.cycle_ns <= 0) {
    throw ConfigError(fmt::format(
        "{}: {} is a time, but a cycle has no stated length; give link.rate_gbps or simulation.tick_ps, or times in "
        "cycles, such as \"500cycles\"",
        place, shown));
  }
  return within_a_run(ns / time.cycle_ns * static_cast<double>(time.ticks_per_cycle), shown, place);
}

double fault_ticks(std::string_view text, const TimeScale& time, const std::string& place) {
  struct Unit {
    const char* name;
    double ns;
  };
  static constexpr std::array<Unit, 8> units{
      {{"ps", 1e-3}, {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"min", 60e9}, {"h", 3600e9}, {"d", 86400e9}}};
  std::string_view unit = text;
  const std::optional<double> number = take_number<double>(unit);
  const std::string as_written = shown(std::string(text));
  if (const auto* const found = std::ranges::find(units, unit, &Unit::name); number && found != units.end())
    return ticks_of_ns(*number * found->ns, as_written, time, place);
  if (number && (unit == "cycles" || unit == "cycle"))
    return within_a_run(*number * static_cast<double>(time.ticks_per_cycle), as_written, place);
  throw ConfigError(fmt::format(
      "{}: {} is no time with its unit; write for example \"500cycles\", \"20us\" or \"1.5h\"", place, as_written));
}

std::vector<GivenFault> fault_events(std::string_view text, const TimeScale& time, const std::string& place) {
  std::vector<GivenFault> events;
  for_each_of(text, place,
              [&](Words words, const std::string& at) { events.push_back(event_of(std::move(words), time, at)); });
  return events;
}

std::vector<FaultProcess> fault_processes(std::string_view text, const TimeScale& time, const std::string& place) {
  std::vector<FaultProcess> processes;
  for_each_of(text, place,
              [&](const Words& words, const std::string& at) { processes.push_back(process_of(words, time, at)); });
  return processes;
}

}  // namespace weft::tools
