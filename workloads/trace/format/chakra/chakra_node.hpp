// A node of a Chakra execution trace.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/types.hpp"
#include "workloads/trace/format/chakra/wire.hpp"

namespace weft::workloads {

/// A value of an attribute: a number of any integer type, or a text.
struct ChakraValue {
  enum class Kind : u8 { none, number, text, other };
  Kind kind = Kind::none;
  bool negative = false;
  u64 number = 0;  ///< if negative, the amount below 0
  std::string_view text;
};

/// As text: a name is the same as a number or as a text. Empty: no value, or of another type.
[[nodiscard]] std::string text_of(const ChakraValue& value);

/// What a node says that is used here. Texts lie in its message.
struct ChakraNode {
  enum Type : u64 { metadata = 1, compute = 4, send = 5, receive = 6, collective = 7 };
  u64 id = 0, type = 0, duration_us = 0;
  std::string_view name, input_values;
  std::vector<u64> requires_of;  ///< ids, of control and of data
  ChakraValue is_cpu_op, comm_type, comm_size, comm_src, comm_dst, comm_tag, root;
  ChakraValue group;                ///< pg_name, comm_group or communicator_id
  ChakraValue group_size;           ///< pg_size, group_size or comm_group_size
  std::string_view unknown_group;   ///< an attribute that says who takes part, but is not read; empty: there is none
  bool part_of_dimensions = false;  ///< involved_dim has a dimension that does not take part
  /// What is wrong with the message; null if nothing is.
  const char* problem = nullptr;

  /// Reads a message, with all that is left from the one before.
  void read(std::string_view message);
};

/// Whether a file may begin so: with whole metadata, and with a node behind them if there is one.
[[nodiscard]] bool looks_like_chakra(std::string_view head);

}  // namespace weft::workloads
