// Nodes from messages, by the numbers of the fields of Chakra's schema (et_def.proto, MIT licence):
//   GlobalMetadata { string version = 1; AttributeProto attr = 2; }
//   Node { uint64 id = 1; string name = 2; NodeType type = 3; uint64 ctrl_deps = 4; uint64 data_deps = 5;
//          uint64 start_time_micros = 6; uint64 duration_micros = 7; IOInfo inputs = 8, outputs = 9;
//          AttributeProto attr = 10; StorageInfo storage = 11; }
//   IOInfo { string values = 1; ... }
//   AttributeProto { string name = 1; one of double 3, float 5, int32 7, int64 9, uint32 11, uint64 13, sint32 15,
//          sint64 17, fixed32 19, fixed64 21, sfixed32 23, sfixed64 25, bool 27, string 29, bytes 31, lists of them at
//          the even numbers; }
#include "workloads/trace/format/chakra/chakra_node.hpp"

#include <algorithm>
#include <array>

#include "workloads/trace/format/chakra/message_stream.hpp"

namespace weft::workloads {
namespace {

using Wire = WireFields::Type;

ChakraValue signed_value(i64 value) {
  ChakraValue result;
  result.kind = ChakraValue::Kind::number;
  result.negative = value < 0;
  result.number = value < 0 ? ~static_cast<u64>(value) + 1 : static_cast<u64>(value);
  return result;
}

/// An attribute's value from one of its fields.
ChakraValue value_of(const WireFields& field) {
  ChakraValue result;
  result.kind = ChakraValue::Kind::other;
  switch (field.field) {
    case 7:
    case 9:
      return field.type == Wire::varint ? signed_value(static_cast<i64>(field.number)) : result;
    case 11:
    case 13:
    case 27:
      result.number = field.number;
      if (field.type == Wire::varint) result.kind = ChakraValue::Kind::number;
      return result;
    case 15:
    case 17:
      return field.type == Wire::varint ? signed_value(from_zigzag(field.number)) : result;
    case 19:
    case 21:
      result.number = field.number;
      if (field.type == Wire::fixed32 || field.type == Wire::fixed64) result.kind = ChakraValue::Kind::number;
      return result;
    case 23:
      return signed_value(static_cast<i32>(static_cast<u32>(field.number)));
    case 25:
      return signed_value(static_cast<i64>(field.number));
    case 29:
      result.text = field.text;
      if (field.type == Wire::bytes) result.kind = ChakraValue::Kind::text;
      return result;
    default:
      return result;
  }
}

/// Whether a list of booleans (packed or not) has one that is false.
bool has_false(std::string_view list) {
  constexpr u32 values = 1;
  WireFields fields(list);
  while (fields.next()) {
    if (fields.field != values) continue;
    if (fields.type == Wire::varint && fields.number == 0) return true;
    if (fields.type != Wire::bytes) continue;
    for (const char value : fields.text)
      if (value == 0) return true;
  }
  return false;
}

/// Attributes that name the group of a node, and that count its members.
constexpr std::array group_names = {"pg_name", "comm_group", "communicator_id"};
constexpr std::array group_sizes = {"pg_size", "group_size", "comm_group_size"};
/// Parts of names of attributes that say who takes part: of these the others must not be passed over.
constexpr std::array group_words = {"group", "communicator", "comm_id", "involve", "ranks", "members"};

bool is_one_of(std::string_view name, const auto& names) { return std::ranges::find(names, name) != names.end(); }

bool speaks_of_a_group(std::string_view name) {
  std::string small(name);
  for (char& letter : small) letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  return small == "pg" || small.starts_with("pg_") ||
         std::ranges::any_of(group_words, [&](const char* word) { return small.find(word) != std::string::npos; });
}

/// An attribute that may say who takes part.
void read_group(std::string_view name, const ChakraValue& value, bool is_list_of_bools, ChakraNode& node) {
  if (is_one_of(name, group_names)) {
    const bool names = value.kind == ChakraValue::Kind::number || value.kind == ChakraValue::Kind::text;
    if (!names) node.problem = "its group is neither a number nor a text";
    if (node.group.kind != ChakraValue::Kind::none && text_of(node.group) != text_of(value))
      node.problem = "attributes name two groups";
    node.group = value;
  } else if (is_one_of(name, group_sizes)) {
    node.group_size = value;
  } else if (name == "involved_dim") {
    if (!is_list_of_bools) node.problem = "involved_dim is no list of booleans";
  } else if (name != "pg_desc" && speaks_of_a_group(name)) {
    node.unknown_group = name;
  }
}

void read_attribute(std::string_view message, ChakraNode& node) {
  constexpr u32 name_field = 1, doc_field = 2, bool_list_field = 28;
  std::string_view name, bools;
  ChakraValue value;
  bool is_list_of_bools = false;
  WireFields fields(message);
  while (fields.next()) {
    if (fields.field == name_field && fields.type == Wire::bytes)
      name = fields.text;
    else if (fields.field != doc_field)
      value = value_of(fields);
    if (fields.field == bool_list_field && fields.type == Wire::bytes) {
      bools = fields.text;
      is_list_of_bools = true;
    }
  }
  if (fields.damaged()) node.problem = "an attribute is damaged";
  if (name == "is_cpu_op") node.is_cpu_op = value;
  if (name == "comm_type") node.comm_type = value;
  if (name == "comm_size") node.comm_size = value;
  if (name == "comm_src") node.comm_src = value;
  if (name == "comm_dst") node.comm_dst = value;
  if (name == "comm_tag") node.comm_tag = value;
  if (name == "root_rank") node.root = value;
  if (name == "involved_dim") node.part_of_dimensions = has_false(bools);
  read_group(name, value, is_list_of_bools, node);
}

std::string_view input_values_of(std::string_view message, ChakraNode& node) {
  constexpr u32 values = 1;
  std::string_view result;
  WireFields fields(message);
  while (fields.next())
    if (fields.field == values && fields.type == Wire::bytes) result = fields.text;
  if (fields.damaged()) node.problem = "the inputs are damaged";
  return result;
}

void read_requirements(const WireFields& field, ChakraNode& node) {
  if (field.type == Wire::varint) {
    node.requires_of.push_back(field.number);
  } else if (field.type == Wire::bytes) {
    WireFields packed(field.text);
    while (packed.next_number()) node.requires_of.push_back(packed.number);
    if (packed.damaged()) node.problem = "a list of dependencies is damaged";
  } else {
    node.problem = "a list of dependencies has another type";
  }
}

}  // namespace

std::string text_of(const ChakraValue& value) {
  if (value.kind != ChakraValue::Kind::number) return std::string(value.text);
  return (value.negative ? "-" : "") + std::to_string(value.number);
}

void ChakraNode::read(std::string_view message) {
  std::vector<u64> kept = std::move(requires_of);
  kept.clear();
  *this = {};
  requires_of = std::move(kept);
  WireFields fields(message);
  while (fields.next()) {
    const bool numbers = fields.type == Wire::varint, texts = fields.type == Wire::bytes;
    switch (fields.field) {
      case 1:
        id = fields.number;
        if (!numbers) problem = "its id has another type";
        break;
      case 2:
        name = fields.text;
        if (!texts) problem = "its name has another type";
        break;
      case 3:
        type = fields.number;
        if (!numbers) problem = "its type has another type";
        break;
      case 4:
      case 5:
        read_requirements(fields, *this);
        break;
      case 7:
        duration_us = fields.number;
        if (!numbers) problem = "its duration has another type";
        break;
      case 8:
        if (texts) input_values = input_values_of(fields.text, *this);
        break;
      case 10:
        if (!texts) problem = "an attribute has another type";
        if (texts) read_attribute(fields.text, *this);
        break;
      default:
        break;
    }
  }
  if (fields.damaged()) problem = "its message is damaged";
}

bool looks_like_chakra(std::string_view head) {
  // A message that goes beyond a long head is believed.
  constexpr std::size_t long_head = 32 * 1024;
  const bool goes_on = head.size() >= long_head;
  for (const bool metadata : {true, false}) {
    if (head.empty()) return !metadata;
    u64 length = 0;
    u32 shift = 0;
    for (;; shift += 7) {
      if (head.empty() || shift > 28) return false;
      const u64 byte = static_cast<u8>(head[0]);
      head.remove_prefix(1);
      length |= (byte & 0x7F) << shift;
      if (byte < 0x80) break;
    }
    if (length > MessageStream::most_message_bytes) return false;
    const bool whole = length <= head.size();
    const std::string_view message = head.substr(0, static_cast<std::size_t>(length));
    head.remove_prefix(message.size());
    WireFields fields(message);
    while (fields.next()) {
      const bool fits = metadata ? fields.field <= 2 && fields.type == Wire::bytes : fields.field <= 11;
      if (!fits) return false;
    }
    if (whole && fields.damaged()) return false;
    if (!whole) return goes_on && fields.field != 0;
  }
  return true;
}

}  // namespace weft::workloads
