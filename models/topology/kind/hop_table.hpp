// Distances and routes of networks that are alike from every node and have no closed form of them: by search.
#pragma once

#include <mutex>
#include <vector>

#include "engine/random.hpp"
#include "models/topology/kind/symmetric_lattice.hpp"

namespace weft::models {

/// Links from node 0 to each node of a SymmetricLattice, and minimal routes there. The search is made when it is first
/// asked for: networks that are made to check a config need none. Every node must be reached. Memory: 4 bytes a node.
template <class Net>
class HopTable {
 public:
  explicit HopTable(const Net& net) : net_(net) {}

  /// Distance to the node so much further on, [offset].
  [[nodiscard]] const std::vector<u32>& hops() const {
    std::call_once(once_, [this] { search(); });
    return hops_;
  }

  /// To the node so much further on, towards smaller distances, each step at random.
  [[nodiscard]] Lattice::Record route(u32 offset, u64 bits) const {
    const std::vector<u32>& away = hops();
    Lattice::Record record{};
    u64 draw = 0;
    for (u32 at = offset; at != 0;) {
      u32 nearer[2 * Lattice::most_dimensions], count = 0;
      for (u32 port = 0; port < ports(); port += apart()) {
        if (away[net_.moved(at, port ^ 1U)] + 1 == away[at]) nearer[count++] = port;
      }
      const u32 port = nearer[engine::scale_to(engine::remix(bits, draw++), count)];
      record[port / 2] += port % 2 == 0 ? 1 : -1;
      at = net_.moved(at, port ^ 1U);
    }
    return record;
  }

 private:
  [[nodiscard]] u32 ports() const { return 2 * net_.dimensions(); }
  /// From one port that carries packets away to the next.
  [[nodiscard]] u32 apart() const { return net_.one_way() ? 2 : 1; }

  void search() const {
    constexpr u32 unseen = ~u32{0};
    hops_.assign(net_.nodes(), unseen);
    hops_[0] = 0;
    std::vector<u32> order{0};
    order.reserve(net_.nodes());
    for (std::size_t ix = 0; ix < order.size(); ++ix) {
      const u32 at = order[ix];
      for (u32 port = 0; port < ports(); port += apart()) {
        const u32 there = net_.moved(at, port);
        if (hops_[there] != unseen) continue;
        hops_[there] = hops_[at] + 1;
        order.push_back(there);
      }
    }
  }

  const Net& net_;
  mutable std::once_flag once_;
  mutable std::vector<u32> hops_;
};

}  // namespace weft::models
