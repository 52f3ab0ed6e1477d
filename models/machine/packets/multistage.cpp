// Registration of the multistage switch.
#include "models/machine/packets/multistage.hpp"

#include <fmt/format.h>

#include "models/machine/packets/block_bytes.hpp"
#include "models/machine/packets/mask_words.hpp"
#include "models/routing/kind/plain_multistage.hpp"

namespace weft::models {
namespace {

std::optional<Complaint> check_multistage(const RouterChoice& choice) {
  const auto mode = mode_of<MultistageMode>("multistage", choice.mode);
  if (!keeps_channel(mode) || choice.keys.text("credit_ties") == "uniform") return {};
  return Complaint{"router.credit_ties",
                   fmt::format("has no effect with routing = \"{}\" (no credits are compared)", choice.mode),
                   "remove it"};
}

[[maybe_unused]] const bool multistage_registered = RouterRegistry::instance().add(
    "multistage",
    {.help =
         "trees and crossbars. Packets go up to a common ancestor of source and destination, then down; any number of "
         "virtual channels is free of deadlock. Nodes inject and consume through a link of their own.",
     .families = {"tree"},
     .modes =
         {RouterMode::row_of(
              MultistageMode::adaptive,
              {"adaptive",
               "up through the port and channel with most free space, ties at random; down by the digits of the "
               "destination. The default."}),
          RouterMode::row_of(
              MultistageMode::fixed,
              {"static",
               "up through the port that the source's number selects (modulo the up ports), down by the digits of the "
               "destination: one route per pair of nodes. A packet draws its channel at its source and keeps it."}),
          RouterMode::row_of(MultistageMode::static_by_channel,
                             {"static-by-channel",
                              "as static, but each channel goes up by other switches: (source digit + channel) modulo "
                              "the up ports."}),
          RouterMode::row_of(
              MultistageMode::static_by_credits,
              {"static-by-credits",
               "the routes of static, but at each hop a packet takes the channel of its link with most free space."})},
     .settings = {row::choice("router.credit_ties", "uniform", {"uniform", "first-counts-twice"},
                              "how ties between channels with equal credits are broken. first-counts-twice: INSEE's "
                              "arithmetic, in which the first of them is drawn twice as often; for comparisons.")},
     .check = check_multistage,
     .routing = plain_multistage,
     .has_loop =
         [](const Topology& /*topology*/, const RouterSettings& settings) {
           // The loop keeps nothing of a packet's route.
           const auto mode = mode_of<MultistageMode>("multistage", settings.mode);
           return !keeps_channel(mode) || (mode == MultistageMode::fixed && settings.virtual_channels == 1);
         },
     .bytes =
         [](const Topology& topology, const RouterSettings& settings, u32 packet_bytes) {
           return with_mask_words<SwitchWords>(
               most_channels(topology, settings.virtual_channels), [&]<unsigned Words>() {
                 return network_bytes_of(MultistagePolicy<Words>(topology, settings), topology, settings, packet_bytes);
               });
         },
     .ignores = {{"router.ipr_fraction", "a node injects through a link of its own"},
                 {"router.lbr_packets", "a node injects through a link of its own"},
                 {"router.injection", "a node injects through a link of its own"}}});

}  // namespace
}  // namespace weft::models
