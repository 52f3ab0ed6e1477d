// Communicators by their numbers; see the header.
#include "workloads/trace/format/bsc/trace_groups.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace weft::workloads {

void TraceGroups::define(u64 name, std::vector<u32> members, u32 tasks, const TextCursor& text) {
  std::vector<u32> sorted = members;
  std::ranges::sort(sorted);
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice != sorted.end())
    text.reject(fmt::format("a task is twice in communicator {}", name), std::to_string(*twice), "each task once");
  if (members.empty()) text.reject(fmt::format("communicator {} has no tasks", name), "", "its tasks");
  const bool all = members.size() == tasks && std::ranges::is_sorted(members);
  const u32 number = all ? 0 : static_cast<u32>(communicators_.size());
  if (!numbers_.emplace(name, number).second)
    text.reject("a communicator is defined twice", std::to_string(name), "each once");
  if (!all) communicators_.push_back({std::move(members)});
}

u32 TraceGroups::number(u64 name) const {
  if (numbers_.empty()) return 0;
  const auto found = numbers_.find(name);
  return found == numbers_.end() ? ~u32{0} : found->second;
}

}  // namespace weft::workloads
