// Kind "reactive": packets at random times, of which some make their destinations send others.
#include <fmt/format.h>

#include "workloads/generator/kind/workload_kind.hpp"

namespace weft::workloads {
namespace {

ReactionRules reactions_of(const Parameters& keys) {
  return {.fraction = keys.real("trigger_fraction"),
          .least = static_cast<u32>(keys.integer("trigger_least")),
          .most = static_cast<u32>(keys.integer("trigger_most")),
          .to_source = keys.text("trigger_to") == "source",
          .cells = keys.has("reply_phits") ? static_cast<u32>(keys.integer("reply_phits")) : 0};
}

std::optional<Complaint> check_reactive(const Parameters& keys) {
  const ReactionRules rules = reactions_of(keys);
  if (rules.least > rules.most) {
    return Complaint{"workload.trigger_least", fmt::format("is more than workload.trigger_most = {}", rules.most),
                     fmt::format("use trigger_most = {}", rules.least)};
  }
  if (rules.cells != 0 && !rules.to_source)
    return Complaint{"workload.reply_phits",
                     "has no effect with workload.trigger_to = \"pattern\" (packets that go where "
                     "the pattern says are as long as all others)",
                     "remove it, or use trigger_to = \"source\""};
  if (rules.to_source || rules.mean() < 1) return {};
  return Complaint{"workload.trigger_fraction",
                   fmt::format("makes of a packet {} others on average (with 1 or more the traffic grows without end)",
                               rules.mean()),
                   fmt::format("use less than {:.3g}", rules.fraction / rules.mean())};
}

/// INSEE's triggers: a consumed packet triggers with a probability from trigger_least to trigger_most packets, to
/// destinations of the pattern; they are generated before the node's own, one a cycle.
[[maybe_unused]] const bool reactive_registered = WorkloadRegistry::instance().add(
    "reactive",
    {.help = "packets at random times, and others that those trigger at their destinations",
     .place = 2,
     .ends = false,
     .settings =
         {row::real("workload.offered_load", "phits/node/cycle", 0.3, {0.0, 1.0}, "load that each node generates."),
          row::real("workload.trigger_fraction", "", 0.5, {0.0, 1.0}, "fraction of the packets that trigger others."),
          row::integer("workload.trigger_least", "packets", 1, {1, 1000}, "least number that a packet triggers."),
          row::integer("workload.trigger_most", "packets", 1, {1, 1000}, "most; any number between them is as likely."),
          row::choice(
              "workload.trigger_to", "pattern", {"pattern", "source"},
              "where triggered packets go. pattern: as the pattern says, and they trigger others as well; source: "
              "back to where the packet came from, a reply, which triggers nothing."),
          row::integer("workload.reply_phits", "phits", std::nullopt, {1, 4096},
                       "length of replies, with routers that take any length; as of all packets if it is not given.")},
     .check = check_reactive,
     .sources = [](const Parameters& keys) {
       return SourceRules{.offered_load = keys.real("offered_load"), .reactions = reactions_of(keys)};
     }});

}  // namespace
}  // namespace weft::workloads
