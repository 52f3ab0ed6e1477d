// Straight exchanges, and those by the ranks of the receivers' places.
#include "workloads/generator/accelerator/all_to_all.hpp"

namespace weft::workloads {
namespace {

OpGenerator hop_and_send(RankPart part, u32 to, u64 bytes) {
  if (part.transport.hop_ns > 0) co_yield part.hop();
  co_yield part.send(to, bytes);
}

}  // namespace

OpGenerator all_to_all(RankPart part, u64 each, u32 lane, u32 lanes) {
  if (each == 0) co_return;
  for (u32 distance = 1 + lane; distance < part.group.size; distance += lanes)
    co_yield hop_and_send(part, part.rank_after(distance), each);
  for (u32 distance = 1 + lane; distance < part.group.size; distance += lanes)
    co_yield part.receive(part.rank_before(distance), each);
}

OpGenerator all_to_allv(RankPart part, std::vector<u64> sent, std::vector<u64> received) {
  for (u32 distance = 1; distance < part.group.size; ++distance) {
    const u32 to = part.rank_after(distance);
    if (sent[to] > 0) co_yield hop_and_send(part, to, sent[to]);
  }
  for (u32 distance = 1; distance < part.group.size; ++distance) {
    const u32 from = part.rank_before(distance);
    if (received[from] > 0) co_yield part.receive(from, received[from]);
  }
}

OpGenerator relayed_all_to_all(RankPart part, u64 each, u32 node_ranks, u32 lane, u32 lanes) {
  if (each == 0) co_return;
  const u32 nodes = part.group.size / node_ranks, node = part.rank / node_ranks, place = part.rank % node_ranks;
  // Distance 0 is the own node: these messages stay in it, with a tag of their own.
  RankPart within = part;
  within.tag = lanes + 1;
  for (u32 distance = lane; distance < nodes; distance += lanes) {
    for (u32 step = 1; step < node_ranks; ++step)
      co_yield hop_and_send(distance == 0 ? within : part, node * node_ranks + task_after(place, step, node_ranks),
                            each);
  }
  for (u32 distance = lane; distance < nodes; distance += lanes) {
    if (distance > 0) {
      RankPart from_relay = part;
      from_relay.tag = lanes;
      co_yield from_relay.receive(task_before(node, distance, nodes) * node_ranks + place, each * node_ranks);
      continue;
    }
    for (u32 step = 1; step < node_ranks; ++step)
      co_yield within.receive(node * node_ranks + task_before(place, step, node_ranks), each);
  }
}

OpGenerator relay_all_to_all(RankPart part, u64 each, u32 node_ranks, u32 lanes) {
  if (each == 0) co_return;
  const u32 nodes = part.group.size / node_ranks, node = part.rank / node_ranks, place = part.rank % node_ranks;
  for (u32 distance = 1; distance < nodes; ++distance) {
    RankPart of_lane = part;
    of_lane.tag = distance % lanes;
    for (u32 step = 1; step < node_ranks; ++step)
      co_yield of_lane.receive(node * node_ranks + task_before(place, step, node_ranks), each);
    part.tag = lanes;
    co_yield hop_and_send(part, task_after(node, distance, nodes) * node_ranks + place, each * node_ranks);
  }
}

}  // namespace weft::workloads
