// The schema of config files, put together from the rows that loading uses as well.
#include "tools/run/config/schema_json.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "engine/base/error.hpp"
#include "models/arbiter/scheduler.hpp"
#include "models/routing/router_kind.hpp"
#include "models/topology/topology.hpp"
#include "tools/run/config/fault_tables.hpp"
#include "tools/run/config/rows/registered_rows.hpp"
#include "tools/run/config/settings.hpp"
#include "workloads/program/placement/policy.hpp"
#include "workloads/traffic/pattern/pattern.hpp"

namespace weft::tools {
namespace {

using Schema = nlohmann::ordered_json;

template <class Entry>
std::vector<std::string> registered_names() {
  return Registry<Entry>::instance().names();
}

/// Values of router.routing, of all kinds of routers; switches take the routes of other kinds, "dally" or
/// "dally:adaptive".
std::vector<std::string> routing_names() {
  std::set<std::string> names{"auto"};
  for (const std::string& kind : registered_names<models::RouterKind>()) {
    names.insert(kind);
    for (const models::RouterMode& mode : Registry<models::RouterKind>::instance().find(kind)->modes) {
      names.insert(mode.name);
      names.insert(kind + ":" + mode.name);
      if (!mode.also.empty()) names.insert(mode.also);
    }
  }
  return {names.begin(), names.end()};
}

/// The names that a text setting takes from a registry; none: any text.
std::vector<std::string> names_of(const std::string& key) {
  if (key == "topology.kind") return registered_names<models::TopologyKind>();
  if (key == "router.routing") return routing_names();
  if (key == "router.scheduling") return registered_names<models::arbiter::SchedulerKind>();
  if (key == "workload.pattern") return registered_names<workloads::PatternKind>();
  if (key == "placement.policy") return registered_names<workloads::PlacementKind>();
  return {};
}

Schema default_of(const Setting& setting) {
  return std::visit(
      [](const auto& held) -> Schema {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>)
          return nullptr;
        else
          return held;
      },
      setting.fallback);
}

Schema whole_number(const Setting& setting) {
  Schema schema = {{"type", "integer"}, {"minimum", setting.whole.least}};
  if (setting.whole.most != std::numeric_limits<i64>::max()) schema["maximum"] = setting.whole.most;
  return schema;
}

Schema values_of(const Setting& setting) {
  const std::vector<std::string> names = names_of(setting.key);
  switch (setting.type) {
    case SettingType::integer:
      return whole_number(setting);
    case SettingType::integers:
      return {{"anyOf", {whole_number(setting), {{"type", "array"}, {"items", whole_number(setting)}}}}};
    case SettingType::ranges:
      return {{"anyOf",
               {{{"type", "string"}}, whole_number(setting), {{"type", "array"}, {"items", whole_number(setting)}}}}};
    case SettingType::real: {
      Schema schema = {{"type", "number"}, {"minimum", setting.real.least}};
      if (setting.real.most != std::numeric_limits<double>::max()) schema["maximum"] = setting.real.most;
      return schema;
    }
    case SettingType::boolean:
      return {{"type", "boolean"}};
    case SettingType::choice:
      return {{"enum", setting.choices}};
    case SettingType::text:
      if (takes_tables(setting.key))
        return {{"anyOf", {{{"type", "string"}}, {{"type", "array"}, {"items", {{"type", "object"}}}}}}};
      return names.empty() ? Schema{{"type", "string"}} : Schema{{"enum", names}};
  }
  throw Bug("setting type without a schema");
}

Schema property(const Setting& setting) {
  Schema schema = values_of(setting);
  std::string help = setting.help;
  const bool is_number = setting.type != SettingType::text && setting.type != SettingType::boolean;
  if (is_number && setting.type != SettingType::choice) help += fmt::format(" ({})", range_text(setting));
  schema["description"] = help;
  if (const Schema fallback = default_of(setting); !fallback.is_null()) schema["default"] = fallback;
  return schema;
}

Schema closed_table(const std::string& help) {
  return {{"type", "object"}, {"description", help}, {"additionalProperties", false}, {"properties", Schema::object()}};
}

/// Puts a row into the schema of its table; "node.latency_cycles" into a table in that.
void add_row(Schema& table, const Setting& setting, const std::string& name) {
  const auto dot = name.find('.');
  if (dot == std::string::npos) {
    table["properties"][name] = property(setting);
    return;
  }
  const std::string inner = name.substr(0, dot);
  if (!table["properties"].contains(inner)) {
    table["properties"][inner] = closed_table(fmt::format("of the class '{}' alone", inner));
  }
  add_row(table["properties"][inner], setting, name.substr(dot + 1));
}

/// The part of a key below its table in the file.
std::string name_in(const std::string& key, const std::string& table) { return key.substr(table.size() + 1); }

/// Whether a kind makes use of keys that others declare: switches, of those of the kind whose routes they take.
bool uses_keys_of_others(const models::RouterKind& kind) { return kind.takes_routes; }
bool uses_keys_of_others(const models::TopologyKind&) { return false; }

/// With a kind given, keys that only other kinds declare are mistakes.
template <class Entry>
void restrict_by_kind(Schema& table, const std::string& name) {
  for (const std::string& kind : registered_names<Entry>()) {
    if (uses_keys_of_others(*Registry<Entry>::instance().find(kind))) continue;
    std::set<std::string> allowed;
    for (const Setting& setting : settings()) {
      if (!setting.key.starts_with(name + ".")) continue;
      const std::vector<std::string> kinds = kinds_with<Entry>(setting.key);
      const bool fits = kinds.empty() || std::ranges::find(kinds, kind) != kinds.end();
      const std::string rest = name_in(setting.key, name);
      if (fits) allowed.insert(rest.substr(0, rest.find('.')));
    }
    table["allOf"].push_back({{"if", {{"properties", {{"kind", {{"const", kind}}}}}, {"required", {"kind"}}}},
                              {"then", {{"propertyNames", {{"enum", allowed}}}}}});
  }
}

Schema table_schema(const SettingTable& table) {
  Schema schema = closed_table(table.help);
  for (const Setting& setting : settings()) {
    if (setting.key.starts_with(table.name + ".")) add_row(schema, setting, name_in(setting.key, table.name));
  }
  if (table.name == "topology") restrict_by_kind<models::TopologyKind>(schema, table.name);
  if (table.name == "router") restrict_by_kind<models::RouterKind>(schema, table.name);
  return schema;
}

Schema reference(const std::string& table) { return {{"$ref", "#/definitions/" + table}}; }

Schema job_schema() {
  Schema schema = closed_table("one of several jobs");
  for (const Setting& setting : job_settings()) add_row(schema, setting, name_in(setting.key, "job"));
  for (const SettingTable& table : setting_tables()) {
    if (is_table_of_jobs(table.name)) schema["properties"][table.name] = reference(table.name);
  }
  schema["required"] = {"name"};
  return {{"type", "array"}, {"items", schema}};
}

}  // namespace

std::string schema_json() {
  Schema schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                   {"title", "weft config"},
                   {"description", "what a run of weft simulates"},
                   {"type", "object"},
                   {"additionalProperties", false},
                   {"properties", Schema::object()},
                   {"definitions", Schema::object()}};
  const Schema name = {{"type", "string"}, {"minLength", 1}};
  schema["properties"][include_key] = {
      {"anyOf", {name, {{"type", "array"}, {"items", name}, {"minItems", 1}}}},
      {"description", "Config files to be read first, relative to this one; what this one gives itself wins."}};
  schema["properties"][plugins_key] = {
      {"anyOf", {name, {{"type", "array"}, {"items", name}, {"minItems", 1}}}},
      {"description", "Shared libraries that add topologies, routers, patterns..., relative to this file."}};
  for (const Setting& setting : settings()) {
    if (setting.table().empty()) schema["properties"][setting.key] = property(setting);
  }
  for (const SettingTable& table : setting_tables()) {
    if (table.name.empty()) continue;
    schema["definitions"][table.name] = table_schema(table);
    schema["properties"][table.name] = reference(table.name);
  }
  // One [[workload]] is [workload].
  schema["properties"]["workload"] = {
      {"anyOf", {reference("workload"), {{"type", "array"}, {"items", reference("workload")}, {"maxItems", 1}}}}};
  schema["properties"]["job"] = job_schema();
  schema["anyOf"] = {{{"required", {"format"}}}, {{"required", {include_key}}}};
  return schema.dump(1) + "\n";
}

}  // namespace weft::tools
