// The search for a mapping.
#include "workloads/program/placement/mapping.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "engine/base/error.hpp"
#include "engine/random.hpp"

namespace weft::workloads {
namespace {

constexpr u32 most_routers = 11'585;  // a table of 256 MiB
constexpr u32 free_place = ~u32{0};
constexpr u64 search_seed = 1;

/// Tasks on places, `places` of each node one after the other, and what that costs.
class Assignment {
 public:
  Assignment(const TaskTraffic& traffic, const NodeDistances& distance, u32 places)
      : traffic_(&traffic), distance_(&distance), places_(places) {
    WEFT_ASSERT(places > 0 && traffic.tasks <= u64{distance.nodes()} * places);
  }

  void place_in_order() {
    std::vector<u32> order(traffic_->tasks);
    std::iota(order.begin(), order.end(), 0U);
    set(order);
  }
  void set(std::vector<u32> place_of_task) {
    place_of_ = std::move(place_of_task);
    task_at_.assign(u64{distance_->nodes()} * places_, free_place);
    for (u32 task = 0; task < place_of_.size(); ++task) task_at_[place_of_[task]] = task;
    cost_ = 0;
    for (u32 task = 0; task < traffic_->tasks; ++task) {
      for (const TaskTraffic::Partner& p : traffic_->of(task))
        cost_ += p.sends * (*distance_)(node(task), node(p.task));
    }
  }

  [[nodiscard]] u64 cost() const { return cost_; }
  [[nodiscard]] const std::vector<u32>& places() const { return place_of_; }
  [[nodiscard]] u32 node(u32 task) const { return place_of_[task] / places_; }
  [[nodiscard]] u32 all_places() const { return static_cast<u32>(task_at_.size()); }
  [[nodiscard]] u32 place(u32 task) const { return place_of_[task]; }
  [[nodiscard]] u32 task_at(u32 place) const { return task_at_[place]; }
  [[nodiscard]] u32 node_at(u32 place) const { return place / places_; }
  [[nodiscard]] u64 terms() const { return terms_; }
  void looked_at(u64 terms) { terms_ += terms; }

  /// What the cost becomes more or less by if a task goes to a place and who is there to its own.
  [[nodiscard]] i64 change(u32 task, u32 place) {
    const u32 other = task_at_[place], from = node(task), to = node_at(place);
    if (from == to) return 0;
    i64 sum = moved(task, from, to, other);
    if (other == free_place) return sum;
    sum += moved(other, to, from, task);
    const auto partners = traffic_->of(task);
    const auto found = std::ranges::lower_bound(partners, other, {}, &TaskTraffic::Partner::task);
    if (found != partners.end() && found->task == other) {
      const i64 there = (*distance_)(from, to), back = (*distance_)(to, from);
      sum += (static_cast<i64>(found->sends) - static_cast<i64>(found->receives)) * (back - there);
    }
    return sum;
  }
  void apply(u32 task, u32 place, i64 change) {
    const u32 other = task_at_[place], from = place_of_[task];
    task_at_[from] = other;
    if (other != free_place) place_of_[other] = from;
    task_at_[place] = task;
    place_of_[task] = place;
    cost_ = static_cast<u64>(static_cast<i64>(cost_) + change);
  }

 private:
  /// The share of a task that goes from a node to another, without what it and `except` send each other.
  i64 moved(u32 task, u32 from, u32 to, u32 except) {
    const auto partners = traffic_->of(task);
    terms_ += partners.size();
    i64 sum = 0;
    for (const TaskTraffic::Partner& p : partners) {
      if (p.task == except) continue;
      const u32 there = node(p.task);
      sum += static_cast<i64>(p.sends) * (i64{(*distance_)(to, there)} - (*distance_)(from, there)) +
             static_cast<i64>(p.receives) * (i64{(*distance_)(there, to)} - (*distance_)(there, from));
    }
    return sum;
  }

  const TaskTraffic* traffic_;
  const NodeDistances* distance_;
  u32 places_;
  std::vector<u32> place_of_, task_at_;  ///< [task], [place]
  u64 cost_ = 0, terms_ = 0;
};

/// Exchanges and moves as long as one makes the sum less, up to so many terms in all.
void improve(Assignment& tasks, u32 count, u32 places, u64 most_terms) {
  for (bool better = true; better;) {
    better = false;
    for (u32 task = 0; task < count; ++task) {
      u32 tried_node = free_place;  // free places of a node are alike
      for (u32 place = 0; place < tasks.all_places(); ++place) {
        const u32 other = tasks.task_at(place);
        if (other != free_place && other <= task) continue;
        if (other == free_place) {
          if (places > 1 && tasks.node_at(place) == tried_node) continue;
          tried_node = tasks.node_at(place);
        }
        tasks.looked_at(1);
        const i64 change = tasks.change(task, place);
        if (change >= 0) continue;
        tasks.apply(task, place, change);
        better = true;
      }
      if (tasks.terms() > most_terms) return;
    }
  }
}

u64 weight_of(const TaskTraffic& traffic, u32 task) {
  u64 sum = 0;
  for (const TaskTraffic::Partner& p : traffic.of(task)) sum += p.sends + p.receives;
  return sum;
}

/// The node from which all others are nearest.
u32 centre(const NodeDistances& distance) {
  u32 best = 0;
  u64 least = std::numeric_limits<u64>::max();
  for (u32 node = 0; node < distance.nodes(); ++node) {
    u64 sum = 0;
    for (u32 other = 0; other < distance.nodes() && sum < least; ++other)
      sum += u64{distance(node, other)} + distance(other, node);
    if (sum < least) best = node, least = sum;
  }
  return best;
}

/// Task after task, that with most bytes for those that have a place, to the node from which these are nearest.
class Construction {
 public:
  Construction(const TaskTraffic& traffic, const NodeDistances& distance, u32 places)
      : traffic_(traffic),
        distance_(distance),
        places_(places),
        free_(distance.nodes(), places),
        place_of_(traffic.tasks, free_place),
        drawn_(traffic.tasks, 0),
        weight_(traffic.tasks, 0) {
    for (u32 task = 0; task < traffic.tasks; ++task) weight_[task] = weight_of(traffic, task);
  }

  std::vector<u32> made() {
    for (u32 n = 0; n < traffic_.tasks; ++n) {
      const u32 task = next_task();
      place(task, n == 0 ? centre(distance_) : best_node(task));
    }
    return place_of_;
  }

 private:
  [[nodiscard]] u32 next_task() const {
    u32 best = free_place;
    for (u32 task = 0; task < traffic_.tasks; ++task) {
      if (place_of_[task] != free_place) continue;
      if (best == free_place || std::pair(drawn_[task], weight_[task]) > std::pair(drawn_[best], weight_[best]))
        best = task;
    }
    return best;
  }
  [[nodiscard]] u32 best_node(u32 task) {
    constexpr std::size_t most_partners = 16;
    std::vector<TaskTraffic::Partner> placed;
    for (const TaskTraffic::Partner& p : traffic_.of(task)) {
      if (place_of_[p.task] != free_place) placed.push_back(p);
    }
    std::ranges::stable_sort(placed, std::greater{}, [](const auto& p) { return p.sends + p.receives; });
    if (placed.size() > most_partners) placed.resize(most_partners);
    u32 best = free_place;
    u64 least = std::numeric_limits<u64>::max();
    for (u32 node = 0; node < distance_.nodes(); ++node) {
      if (free_[node] == 0) continue;
      u64 sum = 0;
      for (const TaskTraffic::Partner& p : placed) {
        const u32 there = place_of_[p.task] / places_;
        sum += p.sends * distance_(node, there) + p.receives * distance_(there, node);
        if (sum >= least) break;
      }
      if (sum < least) best = node, least = sum;
    }
    return best;
  }
  void place(u32 task, u32 node) {
    place_of_[task] = node * places_ + (places_ - free_[node]--);
    for (const TaskTraffic::Partner& p : traffic_.of(task)) drawn_[p.task] += p.sends + p.receives;
  }

  const TaskTraffic& traffic_;
  const NodeDistances& distance_;
  u32 places_;
  std::vector<u32> free_, place_of_;  ///< [node], [task]
  std::vector<u64> drawn_, weight_;   ///< [task]: bytes for tasks that are placed, and for all
};

/// Twice a sum that no placement is below: each task with its heaviest partners nearest.
u64 twice_least(const TaskTraffic& traffic, const NodeDistances& distance, u32 places) {
  u32 most = 0;
  for (u32 task = 0; task < traffic.tasks; ++task) most = std::max(most, static_cast<u32>(traffic.of(task).size()));
  const std::vector<u32> nearest = distance.nearest(most, places);
  u64 sum = 0;
  std::vector<u64> weights;
  for (u32 task = 0; task < traffic.tasks; ++task) {
    weights.clear();
    for (const TaskTraffic::Partner& p : traffic.of(task)) weights.push_back(p.sends + p.receives);
    std::ranges::sort(weights, std::greater{});
    for (std::size_t k = 0; k < weights.size(); ++k) sum += weights[k] * nearest[k];
  }
  return sum;
}

/// Some tasks exchanged at random, then improved; kept if that is no worse.
void iterate(Assignment& tasks, u32 count, u32 places, u64 least_twice, u64 most_terms) {
  constexpr u32 exchanges = 3;
  const u64 most_in_vain = 200 + 20 * u64{count};
  u64 draws = 0;
  const auto draw = [&draws](u32 bound) {
    return engine::scale_to(engine::random_bits(search_seed, 0, draws++, engine::Use::placement), bound);
  };
  Assignment best = tasks;
  for (u64 in_vain = 0; in_vain < most_in_vain; ++in_vain) {
    if (2 * best.cost() <= least_twice || tasks.terms() > most_terms) break;
    for (u32 k = 0; k < exchanges; ++k) {
      const u32 task = draw(count);
      const u32 place = draw(2) == 0 ? tasks.place(draw(count)) : draw(tasks.all_places());
      if (place != tasks.place(task)) tasks.apply(task, place, tasks.change(task, place));
    }
    improve(tasks, count, places, most_terms);
    if (tasks.cost() < best.cost()) in_vain = 0;
    if (tasks.cost() <= best.cost())
      best = tasks;
    else
      tasks.set(best.places());
  }
  tasks = best;
}

}  // namespace

NodeDistances::NodeDistances(std::span<const NodeId> nodes, const std::function<u32(u32 node)>& router_of,
                             const std::function<u32(u32 from, u32 to)>& distance) {
  std::unordered_map<u32, u32> class_of_router;
  std::vector<u32> one, another;  // [router]: nodes of it
  for (const NodeId node : nodes) {
    const u32 router = router_of ? router_of(node.value()) : node.value();
    const auto [found, is_new] = class_of_router.try_emplace(router, static_cast<u32>(one.size()));
    if (is_new) {
      one.push_back(node.value());
      another.push_back(node.value());
    } else {
      another[found->second] = node.value();
    }
    class_of_.push_back(found->second);
  }
  classes_ = static_cast<u32>(one.size());
  if (classes_ > most_routers) {
    throw ConfigError(
        fmt::format("placement.policy = \"mapped\" keeps the distances of at most {} routers with nodes (this network "
                    "has {}); use another policy, or placement.policy = \"file\"",
                    most_routers, classes_));
  }
  size_of_.assign(classes_, 0);
  for (const u32 c : class_of_) ++size_of_[c];
  table_.resize(u64{classes_} * classes_);
  constexpr u32 most = std::numeric_limits<u16>::max();
  for (u32 a = 0; a < classes_; ++a) {
    for (u32 b = 0; b < classes_; ++b)
      table_[u64{a} * classes_ + b] = static_cast<u16>(std::min(most, distance(one[a], a == b ? another[a] : one[b])));
  }
}

std::vector<u32> NodeDistances::nearest(u32 others, u32 places) const {
  std::vector<u32> least(others, std::numeric_limits<u32>::max());
  std::vector<u64> at;  // [distance]: places
  for (u32 a = 0; a < classes_; ++a) {
    at.assign(1, places - u64{1});
    const auto add = [&](u32 hops, u64 count) {
      if (hops >= at.size()) at.resize(hops + u64{1}, 0);
      at[hops] += count;
    };
    for (u32 b = 0; b < classes_; ++b) {
      const u32 hops = std::min(table_[u64{a} * classes_ + b], table_[u64{b} * classes_ + a]);
      add(hops, u64{a == b ? size_of_[b] - 1 : size_of_[b]} * places);
    }
    u32 k = 0;
    for (u32 hops = 0; hops < at.size() && k < others; ++hops) {
      for (u64 n = 0; n < at[hops] && k < others; ++n, ++k) least[k] = std::min(least[k], hops);
    }
  }
  return least;
}

MappingCost& MappingCost::operator+=(const MappingCost& other) {
  bytes += other.bytes;
  hop_bytes += other.hop_bytes;
  consecutive_hop_bytes += other.consecutive_hop_bytes;
  least_hop_bytes += other.least_hop_bytes;
  return *this;
}

Mapping map_tasks(const TaskTraffic& traffic, const NodeDistances& distance, u32 places, u64 effort) {
  const u64 least_twice = twice_least(traffic, distance, places);
  Assignment tasks(traffic, distance, places);
  tasks.place_in_order();
  const u64 consecutive = tasks.cost();
  if (2 * tasks.cost() > least_twice) {
    Assignment grown(traffic, distance, places);
    grown.set(Construction(traffic, distance, places).made());
    improve(tasks, traffic.tasks, places, effort / 3);
    improve(grown, traffic.tasks, places, effort / 3);
    if (grown.cost() < tasks.cost()) {
      grown.looked_at(tasks.terms());
      tasks = grown;
    }
    iterate(tasks, traffic.tasks, places, least_twice, effort);
  }
  Mapping mapping{.node_of_task = {}, .cost = {}};
  for (u32 task = 0; task < traffic.tasks; ++task) mapping.node_of_task.push_back(tasks.node(task));
  double units = 0;
  for (const TaskTraffic::Partner& p : traffic.partners) units += static_cast<double>(p.sends);
  const auto hop_bytes = [&](u64 cost) { return static_cast<double>(cost) * traffic.unit_bytes; };
  mapping.cost = {units * traffic.unit_bytes, hop_bytes(tasks.cost()), hop_bytes(consecutive),
                  hop_bytes(least_twice) / 2};
  return mapping;
}

}  // namespace weft::workloads
