// Reader of Chakra execution traces: the graph of each NPU.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "workloads/program/graph_reader.hpp"
#include "workloads/program/keep_task.hpp"
#include "workloads/trace/format/chakra/chakra_files.hpp"
#include "workloads/trace/format/chakra/chakra_groups.hpp"
#include "workloads/trace/format/chakra/chakra_node.hpp"
#include "workloads/trace/format/chakra/message_stream.hpp"

namespace weft::workloads {

/// Reads the files of the NPUs to keep one after the other. Throws InputError "FILE: byte OFFSET: ...".
class ChakraReader final : public GraphReader {
 public:
  /// `library`: whose rules choose the algorithms of collective operations; empty: rings.
  ChakraReader(const TraceInput& input, KeepTask keep, std::string library);
  [[nodiscard]] u32 tasks() const override { return static_cast<u32>(files_.of_npu.size()); }
  bool next(u32& task, GraphBuilder& graph) override;

  /// Compute streams: of the accelerator, of its host, and of messages.
  static constexpr u8 accelerator_stream = 0, host_stream = 1, message_stream = 2;

 private:
  /// The operations of a node: what comes first, which requires what the node does, and what is there when it is over.
  struct Span {
    u32 first = 0, last = 0;
  };
  void read_task(u32 task, GraphBuilder& graph);
  Span add_node(u32 task, GraphBuilder& graph);
  Span add_message(u32 task, GraphBuilder& graph);
  Span add_collective(u32 task, GraphBuilder& graph);
  Span add_time(GraphBuilder& graph) const;
  /// That of the node, of which the task is one.
  [[nodiscard]] ChakraGroup& group_of(u32 task);
  /// A number of the node; ~0 stands for -1, which must be allowed.
  [[nodiscard]] u64 number(const ChakraValue& value, const char* name, u64 most, bool minus_one = false) const;
  [[noreturn]] void reject(const std::string& problem, const std::string& got, const std::string& expected) const;

  TraceInput input_;
  KeepTask keep_;
  std::string library_;
  ChakraFiles files_;
  ChakraGroups groups_;
  u32 task_ = 0;  ///< that comes next
  std::unique_ptr<MessageStream> stream_;
  ChakraNode node_;
  std::unordered_map<u64, Span> spans_;            ///< of nodes, by id
  std::vector<std::pair<u32, u64>> requirements_;  ///< operation, and the id of the node that it requires
  std::vector<u64> required_at_;                   ///< of each: where its node begins, for errors
};

}  // namespace weft::workloads
