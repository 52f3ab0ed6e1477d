// A search in depth over the queues: one that is come upon again while still on the path closes a cycle; one that was
// left led to none. Each wait is looked at once.
#include "tools/run/waiting_cycle.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace weft::tools {
namespace {

using QueueKey = std::pair<u32, u32>;  // entity, input

QueueKey key_of(const models::Blocked& b) { return {b.entity, b.input}; }
QueueKey next_of(const models::Blocked& b) { return {b.next_entity, b.next_input}; }

/// What a queue waits for, and how far the search has come with it.
struct Queue {
  std::vector<const models::Blocked*> waits;
  std::size_t looked_at = 0;
  bool on_path = false;
};

}  // namespace

WaitingChain waiting_chain(const std::vector<models::Blocked>& blocked) {
  std::map<QueueKey, Queue> queues;
  for (const models::Blocked& b : blocked) queues[key_of(b)].waits.push_back(&b);
  WaitingChain longest;
  std::vector<Queue*> path;
  // The waits that the path has followed, the last of each queue of it.
  const auto chain = [&path](std::size_t from) {
    std::vector<models::Blocked> followed;
    for (std::size_t k = from; k < path.size(); ++k) followed.push_back(*path[k]->waits[path[k]->looked_at - 1]);
    return followed;
  };
  for (const models::Blocked& start : blocked) {
    Queue& first = queues[key_of(start)];
    if (first.looked_at != 0) continue;
    path.assign(1, &first);
    first.on_path = true;
    while (!path.empty()) {
      Queue& at = *path.back();
      if (at.looked_at == at.waits.size()) {
        at.on_path = false;
        path.pop_back();
        continue;
      }
      const models::Blocked& wait = *at.waits[at.looked_at++];
      const auto next = queues.find(next_of(wait));
      if (next != queues.end() && next->second.on_path) {
        const auto begin = std::ranges::find(path, &next->second);
        return {chain(static_cast<std::size_t>(begin - path.begin())), true};
      }
      if (next == queues.end() || next->second.looked_at != 0) {
        if (path.size() > longest.queues.size()) longest.queues = chain(0);
        continue;
      }
      next->second.on_path = true;
      path.push_back(&next->second);
    }
  }
  return longest;
}

}  // namespace weft::tools
