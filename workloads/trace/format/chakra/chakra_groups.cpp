// Groups from JSON; see the header.
#include "workloads/trace/format/chakra/chakra_groups.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"

namespace weft::workloads {
namespace {

/// In memory its JSON is up to 16 times as much.
constexpr std::size_t most_groups_bytes = std::size_t{64} << 20;

/// A number of 31 bits that is not 0, of a name (FNV-1a).
u32 number_of(std::string_view name) {
  u32 hash = 2166136261U;
  for (const char letter : name) hash = (hash ^ static_cast<u8>(letter)) * 16777619U;
  return std::max(hash & 0x7FFF'FFFFU, 1U);
}

/// NPUs from a list; what is wrong with it.
std::string take_members(const nlohmann::json& list, std::vector<u32>& members) {
  if (!list.is_array()) return "no list of NPUs";
  for (const nlohmann::json& each : list) {
    if (!each.is_number_unsigned() || each.get<u64>() >= ~u32{0}) return "an NPU that is no number";
    members.push_back(static_cast<u32>(each.get<u64>()));
  }
  return {};
}

}  // namespace

u32 ChakraGroup::rank_of(u32 task) const {
  if (members.empty()) return task;
  const auto found = std::ranges::find(members, task);
  return found == members.end() ? ~u32{0} : static_cast<u32>(found - members.begin());
}

ChakraGroups::ChakraGroups(u32 tasks) : tasks_(tasks) {}

std::string ChakraGroups::add(Named& to, const std::string& name, std::vector<u32> members) const {
  std::vector<u32> sorted = members;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end())
    return fmt::format("group '{}' has an NPU twice", shown(name));
  if (!sorted.empty() && sorted.back() >= tasks_)
    return fmt::format("group '{}' has NPU {} of {}", shown(name), sorted.back(), tasks_);
  const u32 number = number_of(name);
  for (const auto& named : {std::cref(shared_), std::cref(own_)}) {
    const auto other = named.get().names.find(number);
    if (other != named.get().names.end() && other->second != name)
      return fmt::format("groups '{}' and '{}' are not told apart; rename one", shown(name), shown(other->second));
  }
  to.names.emplace(number, name);
  ChakraGroup& group = to.groups[name];
  group.number = number;
  group.members = std::move(members);
  return {};
}

void ChakraGroups::read(ByteSource& source) {
  const std::string text = read_head(source, most_groups_bytes);
  const auto reject = [&](const std::string& problem) {
    throw InputError(fmt::format("{}: {}; expected groups like {{\"1\": [0, 1]}}", source.name(), problem));
  };
  const nlohmann::json groups = nlohmann::json::parse(text, nullptr, false);
  if (!groups.is_object()) reject("it is no JSON of groups");
  for (const auto& [name, list] : groups.items()) {
    std::vector<u32> members;
    std::string problem = take_members(list, members);
    if (problem.empty() && members.empty()) problem = "no NPUs";
    if (!problem.empty()) reject(fmt::format("group '{}' has {}", shown(name), problem));
    problem = add(shared_, name, std::move(members));
    if (!problem.empty()) reject(problem);
  }
}

std::string ChakraGroups::define(std::string_view values) {
  const std::size_t begin = values.find("[{"), end = values.rfind("}]");
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return {};
  const std::string_view list = values.substr(begin, end + 2 - begin);
  if (list.find("\"pg_name\"") == std::string_view::npos) return {};
  const nlohmann::json groups = nlohmann::json::parse(list, nullptr, false);
  if (!groups.is_array()) return "its groups are no JSON";
  for (const nlohmann::json& group : groups) {
    if (!group.is_object() || !group.contains("pg_name") || !group.contains("ranks")) return "a group without ranks";
    const nlohmann::json& name = group["pg_name"];
    if (!name.is_string()) return "a group without a name";
    std::vector<u32> members;
    if (const std::string problem = take_members(group["ranks"], members); !problem.empty()) return problem;
    if (const std::string problem = add(own_, name.get<std::string>(), std::move(members)); !problem.empty())
      return problem;
  }
  return {};
}

void ChakraGroups::next_task() {
  own_ = {};
  all_.calls = 0;
  for (auto& [name, group] : shared_.groups) group.calls = 0;
}

ChakraGroup* ChakraGroups::find(std::string_view name) {
  if (name.empty() || name == "0") return &all_;
  if (const auto own = own_.groups.find(name); own != own_.groups.end()) return &own->second;
  const auto found = shared_.groups.find(name);
  return found == shared_.groups.end() ? nullptr : &found->second;
}

std::string ChakraGroups::names() const {
  std::string all = "0";
  for (const auto& named : {std::cref(shared_), std::cref(own_)}) {
    for (const auto& [name, group] : named.get().groups) {
      if (all.size() > 200) return all + "...";
      all += ", " + shown(name);
    }
  }
  return all;
}

}  // namespace weft::workloads
