// The rows, their checks, and their values in ticks.
#include "models/machine/worms/vc_settings.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/meaning.hpp"
#include "models/core/input_rows.hpp"

namespace weft::models::worms {
namespace {

constexpr const char* at_tail = "tail";
constexpr const char* at_credit = "credit";

/// Keys that say something only where a link has several channels, with what they are without.
std::optional<Complaint> check_of_one_channel(const Parameters& keys) {
  const auto no_effect = [](const std::string& key) {
    return Complaint{"router." + key,
                     "has no effect on wormhole switches with one virtual channel (router.virtual_channels)",
                     "remove it"};
  };
  if (keys.has("vc_allocation_cycles")) return no_effect("vc_allocation_cycles");
  if (keys.text("vc_release") != at_tail) return no_effect("vc_release");
  for (const char* const key : {"speedup", "input_speedup"}) {
    if (keys.integer(key) != 1) return no_effect(key);
  }
  for (const char* const key : {"credit_cycles", "output_buffer_cells"}) {
    if (keys.integer(key) != 0) return no_effect(key);
  }
  if (keys.has("iterations")) return no_effect("iterations");
  return {};
}

}  // namespace

std::vector<Setting> vc_rows() {
  return {row::integer("router.vc_allocation_cycles", "cycles", std::nullopt, {0, 1'000'000},
                       "of wormhole switches with several virtual channels: from a header's getting a channel to its "
                       "asking for the crossbar; not given: 1."),
          row::choice("router.vc_release", at_tail, {at_tail, at_credit},
                      "when a virtual channel that a packet holds is free for another: tail, as soon as its tail has "
                      "left; credit, when the buffer behind the channel is known to be empty, which adaptive routes "
                      "with escape channels need."),
          row::integer("router.credit_cycles", "cycles", 0, {0, 1'000'000},
                       "from a credit's coming to its being counted, besides the latency of the link."),
          row::integer("router.input_speedup", "", 1, {1, 16},
                       "ports of an input into the crossbar; its virtual channels take turns over them, so that cells "
                       "of so many can leave it at a time."),
          iterations_row(),
          speedup_row(),
          output_buffer_row()};
}

std::optional<Complaint> check_vc_keys(const RouterChoice& choice) {
  const Parameters& keys = choice.keys;
  const i64 channels = keys.integer("virtual_channels");
  if (channels == 1) return check_of_one_channel(keys);
  if (keys.text("flow_control") != "credits") {
    return Complaint{"router.flow_control", "is for wormhole switches with one virtual channel",
                     "use flow_control = \"credits\", or virtual_channels = 1"};
  }
  const std::string scheduling = keys.text("scheduling");
  if (scheduling != "islip" && scheduling != "age" && scheduling != "random") {
    return Complaint{"router.scheduling", "is for wormhole switches with one virtual channel",
                     "use scheduling = \"islip\", \"age\" or \"random\", or virtual_channels = 1"};
  }
  if (keys.text("dispersion") != "none") {
    return Complaint{"nic.dispersion", "is for wormhole switches with one virtual channel",
                     "use dispersion = \"none\", or router.virtual_channels = 1"};
  }
  if (keys.integer("input_speedup") > channels) {
    return Complaint{"router.input_speedup", fmt::format("is more than {} virtual channels have a use for", channels),
                     fmt::format("use input_speedup = {}", channels)};
  }
  if (keys.integer("speedup") > 1 && keys.integer("output_buffer_cells") == 0) {
    return Complaint{"router.speedup", "needs buffers at the outputs (router.output_buffer_cells is 0)",
                     "add for example output_buffer_cells = 64, or use speedup = 1"};
  }
  return {};
}

VcSettings vc_settings(const RouterSettings& settings) {
  const Parameters& own = settings.own;
  const auto ticks = [&](i64 cycles) { return static_cast<Tick>(cycles) * settings.cycle_ticks; };
  VcSettings s;
  s.channels = settings.virtual_channels;
  s.node_packets = static_cast<u32>(own.integer("injection_queue_packets"));
  s.buffer_cells = static_cast<u32>(own.integer("buffer_cells"));
  s.scheduling = arbiter::scheduling_of(settings);
  if (own.has("iterations")) s.iterations = static_cast<u32>(own.integer("iterations"));
  s.routing_ticks = ticks(own.integer("routing_cycles"));
  s.allocation_ticks = ticks(own.has("vc_allocation_cycles") ? own.integer("vc_allocation_cycles") : 1);
  s.credit_ticks = ticks(own.integer("credit_cycles"));
  s.release_on_credit = means(own.text("vc_release"), at_credit, at_tail);
  s.input_speedup = static_cast<u32>(own.integer("input_speedup"));
  s.speedup = static_cast<u32>(own.integer("speedup"));
  s.output_cells = static_cast<u32>(own.integer("output_buffer_cells"));
  return s;
}

}  // namespace weft::models::worms
