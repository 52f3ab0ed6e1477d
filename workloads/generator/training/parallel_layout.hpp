// How the accelerators of a training share the model and the data: which of them are a group in each way of sharing.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "workloads/generator/accelerator/group.hpp"

namespace weft::workloads {

enum class Sharing : u8 { tensor, context, data, pipeline };
inline constexpr std::array<const char*, 4> sharing_names{"tensor", "context", "data", "pipeline"};

/// Where a task is in one way of sharing.
struct GroupPlace {
  RankGroup group;
  u32 rank = 0;
};

/// What the rank at a place does in a ring or an exchange whose blocks go whole: a message for each step.
[[nodiscard]] inline RankPart part_at(const GroupPlace& place, u32 tag, u8 activity) {
  constexpr u64 more_than_a_block = ~u32{0};  // times the ranks it is no more than 64 bits hold
  RankPart part;
  part.group = place.group;
  part.rank = place.rank;
  part.transport.chunk_bytes = more_than_a_block;
  part.tag = tag;
  part.activity = activity;
  return part;
}

struct ParallelLayout {
  std::array<u32, 4> degrees{1, 1, 1, 1};  ///< [Sharing]
  std::array<u32, 4> strides{1, 1, 1, 1};  ///< of neighbours in a group
  u32 expert = 1;                          ///< degree; these groups are parts of those of data, neighbours there

  [[nodiscard]] u32 degree(Sharing way) const { return degrees[static_cast<u8>(way)]; }
  [[nodiscard]] u32 stride(Sharing way) const { return strides[static_cast<u8>(way)]; }
  [[nodiscard]] u32 rank(u32 task, Sharing way) const { return task / stride(way) % degree(way); }
  [[nodiscard]] GroupPlace place(u32 task, Sharing way) const {
    const u32 here = rank(task, way);
    return {{task - here * stride(way), stride(way), degree(way)}, here};
  }
  /// Tasks that have different experts of the same layers, and those that have the same.
  [[nodiscard]] GroupPlace experts_place(u32 task) const {
    const u32 here = rank(task, Sharing::data) % expert;
    return {{task - here * stride(Sharing::data), stride(Sharing::data), expert}, here};
  }
  [[nodiscard]] GroupPlace expert_data_place(u32 task) const {
    const u32 here = rank(task, Sharing::data) / expert, step = stride(Sharing::data) * expert;
    return {{task - here * step, step, degree(Sharing::data) / expert}, here};
  }

  /// Sets the strides by an order like "tensor-context-data-pipeline", neighbours in number first. Throws ConfigError
  /// unless it has each of them once.
  void set_order(const std::string& order);
};

}  // namespace weft::workloads
