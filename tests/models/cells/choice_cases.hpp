// Small networks of switches whose packets may take several ways, with random settings and traffic: each from a seed,
// for the model and its judge alike.
#pragma once

#include "tests/models/cells/random_cases.hpp"
#include "tests/models/cells/random_dragonflies.hpp"

namespace weft::models::testing {

/// Routings that leave a choice among outputs, among VCs of one, or both, some with an escape.
inline const std::vector<SwitchPairing>& choice_pairings() {
  using Dims = std::vector<i64>;
  static const std::vector<SwitchPairing> all = [] {
    std::vector<SwitchPairing> list;
    for (const Dims& dims : {Dims{5}, Dims{4, 3}, Dims{3, 3}, Dims{2, 3, 2}}) {
      list.push_back({{"torus", {{"dims", dims}}}, "dally", "adaptive", 3});
      list.push_back({{"mesh", {{"dims", dims}}}, "dally", "adaptive", 3});
      list.push_back({{"torus", {{"dims", dims}}}, "dally", "improved", 2});
      list.push_back({{"mesh", {{"dims", dims}}}, "bubble", "shortest", 2});
    }
    for (const Dims& widths : {Dims{1, 1}, Dims{1, 2}, Dims{3, 1}}) {
      const TopologySpec hyperx{"hyperx", {{"dims", Dims{3, 3}}, {"nodes_per_router", i64{2}}, {"widths", widths}}};
      list.push_back({hyperx, "hyperx", "min-adaptive", 2});
    }
    list.push_back({{"hyperx", {{"dims", Dims{2, 3, 2}}, {"nodes_per_router", i64{1}}, {"widths", Dims{1, 1, 2}}}},
                    "hyperx",
                    "min-adaptive",
                    3});
    const TopologySpec fat_trees[] = {
        {"pgft", {{"m", Dims{3, 2, 2}}, {"w", Dims{1, 2, 2}}, {"parallel", Dims{1, 2, 1}}}},
        {"pgft", {{"m", Dims{2, 3}}, {"w", Dims{1, 2}}, {"parallel", Dims{1, 3}}}},
        {"tree", {{"arity", i64{2}}, {"levels", i64{3}}}}};
    for (const TopologySpec& tree : fat_trees) {
      for (const char* mode : {"adaptive-up", "d-mod-k"}) list.push_back({tree, "fat-tree", mode, 1});
    }
    const TopologySpec trees[] = {
        {"thin-tree", {{"down", i64{4}}, {"up", i64{2}}, {"levels", i64{2}}}},
        {"clos", {{"leaf_down", i64{4}}, {"leaf_up", i64{2}}, {"leaves", i64{4}}, {"stages", i64{3}}}}};
    for (const TopologySpec& tree : trees) list.push_back({tree, "multistage", "adaptive", 1});
    const TopologySpec plus{"dragonfly-plus",
                            {{"nodes_per_router", i64{2}},
                             {"leaves", i64{2}},
                             {"spines", i64{2}},
                             {"global_links", i64{2}},
                             {"parallel_links", i64{2}},
                             {"groups", i64{3}},
                             {"arrangement", std::string("relative")}}};
    for (const char* mode : {"adaptive", "fpar"}) list.push_back({plus, "dragonfly-plus", mode, 2});
    return list;
  }();
  return all;
}

inline SwitchCase random_choice_case(u64 seed) {
  Lottery draw(seed * 5 + 3);
  const SwitchPairing& pairing = draw.one_of(choice_pairings());
  SwitchCase made = random_switch_case(draw, seed, pairing);
  if (pairing.routing == "dragonfly-plus") send_to_next_group(made, draw, draw.one_of<u32>({0, 40, 80}));
  if (draw.chance(60)) {
    std::vector<std::string> modes{pairing.mode};
    if (pairing.routing == "fat-tree") modes.emplace_back("random");
    if (pairing.topology.kind == "torus") modes.emplace_back("basic");
    make_richer(made, draw, modes);
  }
  made.start = random_start(draw);
  return made;
}

}  // namespace weft::models::testing
