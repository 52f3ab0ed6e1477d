// Reader of GOAL's binary form (LogGOPSim's txt2bin), little-endian and packed:
//   u64 4223, u32 ranks, u8 streams, u8 NICs, for each rank u64 start, u64 end (counted from byte 8), and there:
//   u32 operations, u32 roots, roots x u32 operation that requires nothing,
//   operations x { u32 requirements, u8 kind (1 send, 2 receive, 3 compute), u32 peer, u64 bytes or ns, u32 tag,
//                  u8 stream, u8 NIC, u32 dependents, u32 the first's index, u32 dependents on the start, u32 index },
//   the rest of the rank: u32 numbers of dependents. Peer and tag 0xFFFFFFFF: any.
#pragma once

#include <memory>
#include <vector>

#include "engine/base/text/byte_source.hpp"
#include "workloads/program/graph_reader.hpp"
#include "workloads/program/keep_task.hpp"

namespace weft::workloads {

inline constexpr u64 goal_binary_magic = 4223;
inline constexpr u64 goal_binary_op_bytes = 39;

/// Reads from front to back, so that compressed files can be read; ranks that are not kept are passed over, in plain
/// files without reading them. Whatever
/// does not agree with the rest of the file ends in InputError "file: byte N: problem; what to do".
class GoalBinaryReader final : public GraphReader {
 public:
  explicit GoalBinaryReader(std::unique_ptr<ByteSource> source, KeepTask keep = {});
  [[nodiscard]] u32 tasks() const override { return tasks_; }
  bool next(u32& task, GraphBuilder& graph) override;

 private:
  struct Extent {
    u64 start = 0, end = 0;  ///< bytes of the file
    u32 rank = 0;
  };
  /// A range of the dependents in a rank's appendix.
  struct Range {
    u32 first = 0, count = 0;
  };
  void read_rank(const Extent& extent, GraphBuilder& graph);
  void read_op(GraphBuilder& graph);
  void check_roots();
  template <class Number>
  Number get();
  void fill();
  void skip_to(u64 offset);
  [[noreturn]] void reject(const std::string& problem) const;

  std::unique_ptr<ByteSource> source_;
  KeepTask keep_;
  std::vector<char> buffer_;
  std::size_t at_ = 0, end_ = 0;  ///< what is unread is buffer_[at_, end_)
  u64 passed_ = 0;                ///< bytes before the buffer
  u32 tasks_ = 0;
  u32 rank_ = GraphOp::any;                           ///< that is read
  std::vector<Extent> extents_;                       ///< in the order of the file
  std::size_t next_ = 0;                              ///< in extents_
  std::vector<Range> ranges_;                         ///< two of each operation
  std::vector<u32> roots_, requirements_, appendix_;  ///< of the rank; by operation what it requires, not seen yet
};

}  // namespace weft::workloads
