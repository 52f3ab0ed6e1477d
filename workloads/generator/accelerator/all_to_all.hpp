// All-to-all exchanges of accelerators by sends and receives.
#pragma once

#include <vector>

#include "workloads/generator/accelerator/group.hpp"

namespace weft::workloads {

/// Every rank sends `each` bytes to every other, in turn from the next one on, then receives. Lane `lane` of `lanes`
/// does every so manieth.
[[nodiscard]] OpGenerator all_to_all(RankPart part, u64 each, u32 lane = 0, u32 lanes = 1);

/// All-to-all of bytes that differ, [rank] sent to it and received from it. Where there are none, there is no message.
[[nodiscard]] OpGenerator all_to_allv(RankPart part, std::vector<u64> sent, std::vector<u64> received);

/// PXN (NCCL 2.12, "Doubling all2all performance with NVIDIA Collective Communication Library 2.12", 2022): what is for
/// rank k of another node goes to rank k of the own node, which sends all that its node has for it in one message.
/// Groups in a row, nodes of `node_ranks`.
[[nodiscard]] OpGenerator relayed_all_to_all(RankPart part, u64 each, u32 node_ranks, u32 lane, u32 lanes);
/// What a rank passes on for its node, in a lane of its own. The messages of `lanes` come by their tags.
[[nodiscard]] OpGenerator relay_all_to_all(RankPart part, u64 each, u32 node_ranks, u32 lanes);

}  // namespace weft::workloads
