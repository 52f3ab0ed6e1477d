// Matching of injections and deliveries; see the header.
#include "tools/run/collect/passages.hpp"

#include <algorithm>

#include "engine/base/deviation.hpp"
#include "models/core/statistics.hpp"
#include "tools/result/run_result.hpp"

namespace weft::tools {

void PassageCounts::add(const PassageCounts& more) {
  packets += more.packets;
  sum += more.sum;
  most = std::max(most, more.most);
  for (std::size_t limb = 0; limb < squares.size(); ++limb) squares[limb] += more.squares[limb];
}

void PassageCounts::add(Tick latency) {
  models::Counters one;
  one.add_latency(latency);
  add({0, 1, latency, latency, one.latency_squares});
}

double PassageCounts::mean() const {
  return packets == 0 ? no_figure : static_cast<double>(sum) / static_cast<double>(packets);
}

double PassageCounts::deviation() const {
  if (packets == 0) return no_figure;
  models::Counters all;
  all.latency_squares = squares;
  return stats::deviation_of_all(static_cast<double>(packets), static_cast<double>(sum), all.latency_square_sum());
}

void PassageBook::add(const std::vector<models::Passage>& passages) {
  for (const models::Passage& passage : passages) {
    const Name name{passage.generated_at, passage.from, passage.to};
    if (passage.delivered == 0) {
      under_way_[name].push_back(passage.tick);
      continue;
    }
    const auto found = under_way_.find(name);
    if (found == under_way_.end()) continue;
    const Tick injected = found->second.front();
    found->second.pop_front();
    if (found->second.empty()) under_way_.erase(found);
    const u64 interval = period_ == 0 ? 0 : passage.tick / period_;
    PassageCounts& counts = counts_[interval];
    counts.interval = interval;
    counts.add(passage.tick - cycle_ticks_ - injected);
  }
}

std::vector<PassageCounts> PassageBook::counts() const {
  std::vector<PassageCounts> all;
  for (const auto& [interval, counts] : counts_) all.push_back(counts);
  return all;
}

void PassageBook::put(engine::ByteWriter& to) const {
  std::vector<models::Passage> under_way;
  for (const auto& [name, injected] : under_way_) {
    const auto& [generated, from, destination] = name;
    for (const Tick tick : injected) under_way.push_back({tick, 0, from, destination, 0, generated});
  }
  to.put_list(under_way);
  to.put_list(counts());
}

void PassageBook::get(engine::ByteReader& from) {
  std::vector<models::Passage> under_way;
  from.get_list(under_way);
  add(under_way);
  std::vector<PassageCounts> counts;
  from.get_list(counts);
  for (const PassageCounts& of_interval : counts) counts_[of_interval.interval] = of_interval;
}

}  // namespace weft::tools
