// The table of calls as decoders take it; see the header.
#include "workloads/trace/format/dumpi/dumpi_calls.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "engine/base/error.hpp"

namespace weft::workloads {
namespace {

constexpr std::array<std::string_view, dumpi_fields - 1> dumpi_field_names = {
    "count",       "datatype",  "dest",        "source",     "tag",          "comm",      "request",     "flag",
    "index",       "outcount",  "sendcount",   "sendtype",   "sendtag",      "recvcount", "recvtype",    "recvtag",
    "blocklength", "oldtype",   "newtype",     "size",       "root",         "commrank",  "oldcommrank", "rank",
    "group",       "group1",    "group2",      "newgroup",   "oldcomm",      "newcomm",   "parent",      "color",
    "key",         "localcomm", "localleader", "remotecomm", "remoteleader", "high",      "nodes",       "argc"};
constexpr std::array<std::string_view, dumpi_lists - 1> dumpi_list_names = {
    "requests",   "indices",   "lengths",   "blocklengths", "oldtypes", "subsizes", "sendcounts",
    "recvcounts", "sendtypes", "recvtypes", "ranks",        "ranges",   "dims",     "remain_dims"};

template <std::size_t N>
u8 slot_of_name(const std::array<std::string_view, N>& names, std::string_view name) {
  return static_cast<u8>(std::ranges::find(names, name) - names.begin());
}

DumpiField dumpi_field_of(std::string_view name) {
  return static_cast<DumpiField>(slot_of_name(dumpi_field_names, name));
}

/// "0.6.9" as 609.
u32 dumpi_version_of(std::string_view text) {
  u32 version = 0, part = 0;
  for (const char c : text) {
    if (c == '.')
      version = version * 100 + part, part = 0;
    else
      part = part * 10 + static_cast<u32>(c - '0');
  }
  return version * 100 + part;
}

DumpiArgument dumpi_argument_of(std::string_view text) {
  using Type = DumpiArgument::Type;
  DumpiArgument argument;
  if (const std::size_t end = text.find('?'); end != std::string_view::npos) {
    const std::string_view condition = text.substr(0, end);
    const std::size_t middle = condition.find("==");
    argument.conditional = true;
    argument.left = dumpi_field_of(condition.substr(0, middle));
    argument.right = dumpi_field_of(condition.substr(middle + 2));
    text.remove_prefix(end + 1);
  }
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  std::string_view type = text.substr(colon + 1);
  constexpr std::string_view since = "-since-", after = "-after-i32-before-";
  if (const std::size_t at = type.find(since); at != std::string_view::npos) {
    argument.since = dumpi_version_of(type.substr(at + since.size()));
    type = type.substr(0, at);
  } else if (const std::size_t front = type.find(after); front != std::string_view::npos) {
    argument.since = dumpi_version_of(type.substr(front + after.size()));
    argument.extra_before = true;
    type = type.substr(0, front);
  }
  constexpr std::pair<std::string_view, Type> types[] = {{"u8", Type::u8},
                                                         {"u16", Type::u16},
                                                         {"i32", Type::i32},
                                                         {"i64", Type::i64},
                                                         {"st", Type::status},
                                                         {"str", Type::text},
                                                         {"args", Type::texts},
                                                         {"str[]", Type::texts},
                                                         {"u8[]", Type::list_u8},
                                                         {"u16[]", Type::list_u16},
                                                         {"i32[]", Type::list_i32},
                                                         {"i32[][]", Type::lists_i32},
                                                         {"str[][]", Type::lists_text}};
  const auto found = std::ranges::find(types, type, &std::pair<std::string_view, Type>::first);
  WEFT_ASSERT(found != std::end(types));
  argument.type = found->second;
  argument.counted = type == "args";
  argument.slot =
      argument.type >= Type::list_u8 ? slot_of_name(dumpi_list_names, name) : slot_of_name(dumpi_field_names, name);
  return argument;
}

struct DumpiTable {
  std::array<std::vector<DumpiArgument>, dumpi_end> arguments;
  std::array<const char*, dumpi_end> names{};
  DumpiTable() {
    for (const DumpiRow& row : dumpi_rows()) {
      names.at(row.function) = row.name;
      std::string_view rest = row.arguments;
      while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        arguments[row.function].push_back(dumpi_argument_of(rest.substr(0, end)));
        rest.remove_prefix(std::min(end + 1, rest.size()));
      }
    }
  }
};

const DumpiTable& dumpi_parsed() {
  static const DumpiTable table;
  return table;
}

}  // namespace

const std::vector<DumpiArgument>* dumpi_arguments(u16 function) {
  const DumpiTable& table = dumpi_parsed();
  return function < dumpi_end && table.names[function] != nullptr ? &table.arguments[function] : nullptr;
}

std::string dumpi_name(u16 function) {
  const DumpiTable& table = dumpi_parsed();
  if (function >= dumpi_end || table.names[function] == nullptr) return fmt::format("call {}", function);
  const std::string name = table.names[function];
  return function < dumpi_enter ? "MPI_" + name : name;
}

}  // namespace weft::workloads
