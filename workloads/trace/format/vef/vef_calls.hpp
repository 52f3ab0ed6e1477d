// Collective calls of VEF traces, put together from the lines of their tasks.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "workloads/trace/event.hpp"
#include "workloads/trace/format/vef/vef_header.hpp"

namespace weft::workloads {

/// A line of a collective call.
struct VefPart {
  u32 task = 0, rank = 0;
  u64 sent = 0, received = 0;
};

/// Calls of which not all lines have come, or not all events have been made: root and sizes are known when the last
/// line has come.
class VefCalls {
 public:
  explicit VefCalls(const VefHeader& header) : header_(header) {}
  /// Takes a line. Throws by `text` if it cannot be.
  void add(u64 number, u64 group, u32 operation, const VefPart& part, const TextCursor& text);
  /// Whether lines or events of it are to come.
  [[nodiscard]] bool known(u64 number) const { return calls_.contains(number); }
  [[nodiscard]] bool complete(u64 number) const;
  /// The lines of a complete call, by rank.
  [[nodiscard]] const std::vector<VefPart>& parts(u64 number) const { return calls_.at(number).parts; }
  /// What the task does, in a complete call; once for each of its tasks.
  void fill(u64 number, u32 task, TraceEvent& event);
  /// Something of a call of which lines are missing; empty if there is none.
  [[nodiscard]] std::string incomplete() const;

  static constexpr u32 operations = 8;

 private:
  struct Call {
    u64 group = 0;
    u32 operation = 0;
    u32 root = 0;  ///< rank
    u32 left = 0;  ///< events to be made
    bool complete = false, even = true;
    bool same_totals = true;  ///< of all-to-all in its vector form
    std::vector<VefPart> parts;
  };
  void finish(u64 number, Call& call, const TextCursor& text) const;

  const VefHeader& header_;
  std::unordered_map<u64, Call> calls_;
};

}  // namespace weft::workloads
