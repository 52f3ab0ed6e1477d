// Where INSEE's program and the paper that describes it differ in the channels that packets take: which of the two.
#pragma once

#include <string>

#include "engine/base/meaning.hpp"
#include "engine/base/parameters.hpp"
#include "engine/base/setting.hpp"

namespace weft::models {

/// The row of router.channel_rule, of all kinds whose modes are described there (J. Navaridas et al., Simulation
/// Modelling Practice and Theory 19(1), 2011, sections 2.2.1 and 2.2.2).
[[nodiscard]] inline Setting channel_rule_row() {
  return row::choice("router.channel_rule", "program", {"program", "paper"},
                     "which channels packets take where weft, like INSEE's program mostly, differs from INSEE's paper; "
                     "docs/routers.md, \"INSEE's program and "
                     "its paper\". Bubble routers: oblivious, random, shortest; Dally routers: all.");
}

/// Whether router.channel_rule is "paper", of routers that declare it.
[[nodiscard]] inline bool follows_paper(const Parameters& own) {
  return own.has("channel_rule") && means(own.text("channel_rule"), "paper", "program");
}

}  // namespace weft::models
