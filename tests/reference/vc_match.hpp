// Separable matching as docs/wormhole.md has it, written down plainly: by turns, and by age.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::reference {

struct VcAsk {
  u32 in = 0, out = 0;
  Tick age = 0;
  u32 lane = 0;
};

/// Pointers of both sides; all begin at 0.
struct VcTurns {
  std::map<u32, u32> of_out, of_in;
};

inline std::vector<VcAsk> match_by_turns(const std::vector<VcAsk>& asks, VcTurns& turns, u32 ins, u32 outs,
                                         u32 rounds) {
  std::vector<VcAsk> matched;
  std::set<u32> used_in, used_out;
  for (u32 round = 0; rounds == 0 || round < rounds; ++round) {
    std::map<u32, std::vector<VcAsk>> granted;  // [input]
    for (u32 out = 0; out < outs; ++out) {
      if (used_out.contains(out)) continue;
      for (u32 k = 0; k < ins; ++k) {
        const u32 in = (turns.of_out[out] + k) % ins;
        const auto ask = std::ranges::find_if(asks, [&](const VcAsk& a) { return a.in == in && a.out == out; });
        if (ask == asks.end() || used_in.contains(in)) continue;
        granted[in].push_back(*ask);
        break;
      }
    }
    if (granted.empty()) break;
    for (const auto& [in, grants] : granted) {
      for (u32 k = 0; k < outs; ++k) {
        const u32 out = (turns.of_in[in] + k) % outs;
        const auto grant = std::ranges::find(grants, out, &VcAsk::out);
        if (grant == grants.end()) continue;
        matched.push_back(*grant);
        used_in.insert(in);
        used_out.insert(out);
        if (round == 0) {
          turns.of_in[in] = (out + 1) % outs;
          turns.of_out[out] = (in + 1) % ins;
        }
        break;
      }
    }
  }
  return matched;
}

inline std::vector<VcAsk> match_by_age(std::vector<VcAsk> asks) {
  std::ranges::stable_sort(asks, [](const VcAsk& a, const VcAsk& b) { return a.age > b.age; });
  std::vector<VcAsk> matched;
  for (const VcAsk& ask : asks) {
    const bool free = std::ranges::none_of(matched, [&](const VcAsk& m) { return m.in == ask.in || m.out == ask.out; });
    if (free) matched.push_back(ask);
  }
  return matched;
}

}  // namespace weft::reference
