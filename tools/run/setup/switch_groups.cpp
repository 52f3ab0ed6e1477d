// Checks of in-network reduction, by network.
#include "tools/run/setup/switch_groups.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "models/machine/ideal/settings.hpp"
#include "models/routing/router_kind.hpp"
#include "tools/run/config/application.hpp"
#include "tools/run/setup/placed_program.hpp"

namespace weft::tools {
namespace {

constexpr const char* cells = "switch";  ///< the machine whose switches combine and copy

void check_keys(const Context& context, const workloads::Program& program) {
  if (models::machine_of(context.router.kind) != cells) {
    throw ConfigError(fmt::format(
        "workload.algorithm = \"in-network\" leaves work to switches, which routers of kind \"{}\" do not do "
        "(in-network reduction runs on the {} network and on switches of cells); use router.kind = \"{}\", the {} "
        "network, or another algorithm",
        context.router.kind, models::linkless_family, cells, models::linkless_family));
  }
  if (program.switch_latency_ns() > 0) {
    throw ConfigError(fmt::format(
        "workload.switch_latency_ns = {} has no effect on {} (its links and router.reduction_cycles say it); remove it",
        program.switch_latency_ns(), context.topology->name()));
  }
  if (const i64 nics = context.config.integer("node.nics"); nics > 1) {
    throw ConfigError(fmt::format(
        "node.nics = {} does not fit workload.algorithm = \"in-network\" on switches (a node gives by one NIC); use "
        "node.nics = 1, or the {} network",
        nics, models::linkless_family));
  }
}

/// Whether sums of all chunks that may be on their way fit into a switch.
void check_sums(const Context& context, const Config& config, const workloads::Program& program) {
  const u64 packet_bytes = task_spec(context, config).packet_bytes;
  const u64 room = static_cast<u64>(context.router.own.integer("reduction_packets"));
  u64 needed = 0, channels = 0, of_chunk = 1, in_flight = 1;
  for (u32 group = 0; group < program.switch_groups(); ++group) {
    const workloads::SwitchGroup of = program.switch_group(group);
    if (!of.combines) continue;
    const u64 packets = std::max<u64>(1, (of.chunk_bytes + packet_bytes - 1) / packet_bytes);
    needed += of.channels * of.in_flight * packets;
    channels += of.channels;
    of_chunk = std::max(of_chunk, packets);
    in_flight = std::max(in_flight, of.in_flight);
  }
  if (needed <= room) return;
  const u64 fit = room / (channels * of_chunk), short_packets = room / (channels * in_flight);
  std::string advice;
  if (fit > 0) {
    advice = fmt::format("use workload.reductions_in_flight = {}, ", fit);
  } else if (short_packets > 0) {
    advice = fmt::format("use workload.chunk_bytes = {}, ", short_packets * packet_bytes);
  } else if (room >= channels) {
    advice = fmt::format("use workload.reductions_in_flight = 1 with workload.chunk_bytes = {}, ",
                         room / channels * packet_bytes);
  }
  throw ConfigError(fmt::format(
      "in-network reduction may have {} packets on their way at a time ({} channel{}, {} chunk{} of {} packet{}), "
      "but a switch holds sums of {} (router.reduction_packets); {}or router.reduction_packets = {}",
      needed, channels, channels == 1 ? "" : "s", in_flight, in_flight == 1 ? "" : "s", of_chunk,
      of_chunk == 1 ? "" : "s", room, advice, needed));
}

/// They have channels of their own, as if they were a traffic class.
void add_channels(Context& context) {
  constexpr i64 most_channels = 255;
  const i64 classes = context.router.own.integer("traffic_classes") + 1, channels = context.router.virtual_channels;
  if (classes * channels > most_channels) {
    throw ConfigError(fmt::format(
        "router.virtual_channels = {} is too many for {} traffic classes, in-network reduction among them (a link "
        "has at most {} channels); use virtual_channels = {}",
        channels, classes, most_channels, most_channels / classes));
  }
  context.router.traffic_classes = static_cast<u32>(classes);
}

}  // namespace

Tick switch_latency(const Context& context, const workloads::Program& program) {
  if (!context.topology->joins_all()) return 0;
  const models::MessageCosts costs = models::ideal::costs_of(context.router.own);
  return program.switch_latency_ns() > 0 ? program.switch_latency_ns() * costs.ticks_per_ns() : costs.flight(1);
}

void resolve_switches(Context& context, const Config& config, const workloads::Program& program) {
  if (program.switch_groups() == 0) return;
  if (context.topology->joins_all()) {
    // Switches may answer sooner than nodes.
    context.router.link_ticks =
        std::min(context.router.link_ticks, std::max<Tick>(1, switch_latency(context, program)));
    return;
  }
  check_keys(context, program);
  check_sums(context, config, program);
  add_channels(context);
}

}  // namespace weft::tools
