// Each queue waits for at most one other, so every walk ends, or closes a cycle, in a number of steps that is at most
// the number of queues; a queue that an earlier walk has come by is not walked from again.
#include "tools/simulate/waiting_cycle.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace weft::tools {
namespace {

using QueueKey = std::pair<u32, u32>;  // entity, input

QueueKey key_of(const models::Blocked& b) { return {b.entity, b.input}; }

}  // namespace

WaitingChain waiting_chain(const std::vector<models::Blocked>& blocked) {
  std::map<QueueKey, const models::Blocked*> waiting;
  for (const models::Blocked& b : blocked) waiting[key_of(b)] = &b;
  std::map<QueueKey, u32> visit;  // queue -> walk that came by
  WaitingChain longest;
  u32 walk = 0;
  for (const models::Blocked& start : blocked) {
    ++walk;
    std::vector<models::Blocked> chain;
    const models::Blocked* at = &start;
    while (at != nullptr) {
      const QueueKey key = key_of(*at);
      const auto [seen, fresh] = visit.try_emplace(key, walk);
      if (!fresh) {
        if (seen->second != walk) break;
        const auto begin = std::ranges::find(chain, key, key_of);
        return {{begin, chain.end()}, true};
      }
      chain.push_back(*at);
      const auto next = waiting.find({at->next_entity, at->next_input});
      at = next == waiting.end() ? nullptr : next->second;
    }
    if (chain.size() > longest.queues.size()) longest.queues = chain;
  }
  return longest;
}

}  // namespace weft::tools
