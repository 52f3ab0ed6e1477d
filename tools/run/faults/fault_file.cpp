// Lines are read as texts of events are; objects become the tables of configs, which say what is wrong with them.
#include "tools/run/faults/fault_file.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_file.hpp"
#include "tools/run/config/fault_tables.hpp"
#include "tools/run/faults/fault_text.hpp"

namespace weft::tools {
namespace {

using models::GivenFault;
using nlohmann::json;

constexpr u64 most_bytes = u64{1} << 28;
constexpr const char* list_form = "write for example [{\"at_ns\": 20000, \"link\": \"r0:2\", \"state\": \"down\"}]";

bool is_json(std::string_view text, const std::string& path) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return path.ends_with(".json") || (first != std::string_view::npos && (text[first] == '[' || text[first] == '{'));
}

std::string place_of(const std::string& path, std::size_t number) { return fmt::format("{}: event {}", path, number); }

/// Refuses what the values of events never are, while it is read: an object within one, and keys given twice.
class Look {
 public:
  explicit Look(const std::string& path) : path_(path) {}

  bool operator()(int depth, json::parse_event_t what, const json& parsed) {
    using Event = json::parse_event_t;
    // The list is at depth 0, its objects at 1, their keys and values at 2.
    if (depth >= 3 && (what == Event::object_start || what == Event::array_start)) {
      throw ConfigError(fmt::format("{}: has lists or objects in those of a value, which no event has; {}",
                                    place_of(path_, number_), list_form));
    }
    if (depth == 1 && what == Event::object_start) {
      ++number_;
      keys_.clear();
    }
    if (depth == 2 && what == Event::key && !keys_.insert(parsed.get<std::string>()).second) {
      throw ConfigError(fmt::format("{}: key {} is given twice; remove one of them", place_of(path_, number_),
                                    shown(parsed.get<std::string>())));
    }
    return true;
  }

 private:
  const std::string& path_;
  std::size_t number_ = 0;
  std::set<std::string> keys_;
};

/// Calls take(value) with what a number, text or flag is in TOML. What TOML has nothing for is an empty table, which no
/// key takes.
template <class Take>
void with_toml(const json& value, Take&& take) {
  if (value.is_boolean()) return take(value.get<bool>());
  if (value.is_string()) return take(value.get<std::string>());
  const bool beyond = value.is_number_unsigned() && value.get<u64>() > u64{std::numeric_limits<i64>::max()};
  if (value.is_number_integer() && !beyond) return take(value.get<i64>());
  if (value.is_number()) return take(value.get<double>());
  take(toml::table{});
}

toml::table table_of(const json& object) {
  toml::table table;
  for (const auto& [key, value] : object.items()) {
    if (!value.is_array()) {
      with_toml(value, [&table, &name = key](auto&& given) { table.insert(name, given); });
      continue;
    }
    toml::array list;
    for (const json& one : value) with_toml(one, [&list](auto&& given) { list.push_back(given); });
    table.insert(key, std::move(list));
  }
  return table;
}

json parsed_list(std::string_view text, const std::string& path) {
  json list;
  try {
    list = json::parse(text, Look(path));
  } catch (const json::parse_error& error) {
    const std::string_view before = text.substr(0, std::min<std::size_t>(error.byte, text.size()));
    const auto line = std::ranges::count(before.substr(0, before.empty() ? 0 : before.size() - 1), '\n') + 1;
    throw ConfigError(fmt::format("{}:{}: is no JSON from here on; {}", path, line, list_form));
  } catch (const json::exception&) {  // a number beyond double
    throw ConfigError(fmt::format("{}: has a number that is none within a run; {}", path, list_form));
  }
  if (list.is_array()) return list;
  throw ConfigError(fmt::format("{}: is no list of events; {}", path, list_form));
}

std::vector<GivenFault> events_of_json(std::string_view text, const TimeScale& time, const std::string& path) {
  std::vector<GivenFault> events;
  std::size_t number = 0;
  for (const json& object : parsed_list(text, path)) {
    const std::string place = place_of(path, ++number);
    if (!object.is_object())
      throw ConfigError(fmt::format("{}: is no object with the keys of [[faults.event]]; {}", place, list_form));
    toml::array tables;
    tables.push_back(table_of(object));
    const std::string words = fault_tables_text("faults.event", tables, [&](const toml::node&) { return place; });
    for (GivenFault& event : fault_events(words, time, place)) events.push_back(std::move(event));
  }
  return events;
}

}  // namespace

std::vector<GivenFault> fault_events_of_text(std::string_view text, const TimeScale& time, const std::string& path) {
  if (is_json(text, path)) return events_of_json(text, time, path);
  std::vector<GivenFault> events;
  u64 number = 0;
  for_each_line(text, [&](std::string_view line) {
    ++number;
    const std::string_view said = line.substr(0, line.find('#'));
    for (GivenFault& event : fault_events(said, time, fmt::format("{}:{}", path, number)))
      events.push_back(std::move(event));
  });
  return events;
}

std::vector<GivenFault> fault_events_of_file(const std::string& path, const TimeScale& time) {
  return fault_events_of_text(read_text_file<ConfigError>(path, most_bytes, "events of faults"), time, path);
}

}  // namespace weft::tools
