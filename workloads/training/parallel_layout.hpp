// How the accelerators of a training share the model and the data: which of them are a group in each way of sharing.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "workloads/accelerator/group.hpp"

namespace weft::workloads {

enum class Sharing : u8 { tensor, context, data, pipeline };
inline constexpr std::array<const char*, 4> sharing_names{"tensor", "context", "data", "pipeline"};

/// Where a task is in one way of sharing.
struct GroupPlace {
  RankGroup group;
  u32 rank = 0;
};

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
