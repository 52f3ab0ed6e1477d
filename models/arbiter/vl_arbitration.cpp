// The tables as users write them, and the round through one.
#include "models/arbiter/vl_arbitration.hpp"

#include <fmt/format.h>

#include "engine/base/text/parsed.hpp"
#include "engine/base/text/words.hpp"

namespace weft::models::arbiter {
namespace {

constexpr u32 most_entries = 64, most_weight = 255, default_weight = 64;
constexpr i64 no_limit = 255;
constexpr i64 limit_unit_cells = 64;  // 4096 bytes
constexpr const char* rest_of_lanes = "auto";

struct TableRead {
  VlTables::Table table;  ///< without entries of weight 0
  std::string problem;    ///< empty: none
};

TableRead read_table(const std::string& text, u32 lanes) {
  TableRead read;
  const std::vector<std::string> words = listed_words(text);
  if (words.size() > most_entries) {
    read.problem = fmt::format("has {} entries (a table has {} at most)", words.size(), most_entries);
    return read;
  }
  for (const std::string& word : words) {
    const std::size_t colon = word.find(':');
    u32 vl = 0, weight = 0;
    if (colon == std::string::npos || !read_number(std::string_view(word).substr(0, colon), vl) ||
        !read_number(std::string_view(word).substr(colon + 1), weight)) {
      read.problem = fmt::format("has an entry '{}' that is no VL:WEIGHT", word);
    } else if (vl >= lanes) {
      read.problem = fmt::format("names VL {} (links have VLs 0 to {})", vl, lanes - 1);
    } else if (weight > most_weight) {
      read.problem = fmt::format("gives VL {} the weight {} (at most {})", vl, weight, most_weight);
    }
    if (!read.problem.empty()) return read;
    if (weight > 0) read.table.push_back({static_cast<u8>(vl), static_cast<u8>(weight)});
  }
  return read;
}

u32 lanes_of(const VlTables::Table& table) {
  u32 lanes = 0;
  for (const VlTables::Entry& entry : table) lanes |= u32{1} << entry.vl;
  return lanes;
}

}  // namespace

std::vector<Setting> vl_rows() {
  return {row::text("router.vl_high", "",
                    "VL arbitration: the table of high priority, VL:WEIGHT separated by commas, weights 0 to 255 in "
                    "cells of 64 bytes (\"0:66, 1:33\"; 0: skipped)."),
          row::text("router.vl_low", rest_of_lanes,
                    "the table of low priority; auto: all lanes that router.vl_high does not serve, 64 cells each."),
          row::integer("router.vl_high_limit", "", 0, {0, no_limit},
                       "what the table of high priority may send before a packet of the other, in units of 4096 bytes "
                       "(64 cells); 0: one packet; 255: all it has.")};
}

std::optional<Complaint> check_vl_tables(const Parameters& keys) {
  const u32 lanes = static_cast<u32>(keys.integer("virtual_channels"));
  for (const std::string name : {"vl_high", "vl_low"}) {
    const std::string text = keys.text(name);
    if (name == "vl_low" && text == rest_of_lanes) continue;
    const std::string problem = read_table(text, lanes).problem;
    if (!problem.empty()) return Complaint{"router." + name, problem, "write for example \"0:99, 1:33\""};
  }
  const VlTables tables = vl_tables(keys, lanes);
  const u32 served = lanes_of(tables.high) | lanes_of(tables.low);
  for (u32 vl = 0; vl < lanes; ++vl) {
    if ((served >> vl & 1) != 0) continue;
    return Complaint{"router.vl_low",
                     fmt::format("leaves VL {} without a weight in either table (its packets would wait for ever)", vl),
                     vl == 0 ? fmt::format("add \"{}:{}\", or use vl_low = \"{}\"", vl, default_weight, rest_of_lanes)
                             : fmt::format("add \"{}:{}\", or use virtual_channels = {}", vl, default_weight, vl)};
  }
  return {};
}

VlTables vl_tables(const Parameters& keys, u32 lanes) {
  VlTables tables;
  tables.high = read_table(keys.text("vl_high"), lanes).table;
  const std::string low = keys.text("vl_low");
  if (low == rest_of_lanes) {
    for (u32 vl = 0; vl < lanes; ++vl) {
      if ((lanes_of(tables.high) >> vl & 1) == 0) tables.low.push_back({static_cast<u8>(vl), u8{default_weight}});
    }
  } else {
    tables.low = read_table(low, lanes).table;
  }
  const i64 limit = keys.integer("vl_high_limit");
  tables.limited = limit != no_limit;
  tables.limit_cells = limit == 0 ? 1 : static_cast<i32>(limit * limit_unit_cells);
  return tables;
}

VlArbitration::VlArbitration(VlTables tables, u32 lanes)
    : lanes_(lanes),
      limited_(tables.limited),
      limit_cells_(tables.limit_cells),
      tables_{std::move(tables.high), std::move(tables.low)},
      served_{lanes_of(tables_[high]), lanes_of(tables_[low])} {}

void VlArbitration::resize(u32 ports) {
  if (!used()) return;
  Turn first;
  for (const u8 table : {high, low}) first.left[table] = tables_[table].empty() ? 0 : tables_[table].front().weight;
  first.high_left = limit_cells_;
  turns_.resize(ports, first);
  next_queue_.resize(std::size_t{ports} * lanes_, 0);
}

u8 VlArbitration::serve(Turn& turn, u8 table, u32 available) const {
  const VlTables::Table& entries = tables_[table];
  u16& place = turn.place[table];
  i32& left = turn.left[table];
  const auto there = [&] { return (available >> entries[place].vl & 1) != 0; };
  if (there() && left > 0) return entries[place].vl;
  do {
    place = static_cast<u16>(place + 1U < entries.size() ? place + 1 : 0);
    left = entries[place].weight;
  } while (!there());
  return entries[place].vl;
}

VlArbitration::Choice VlArbitration::choose(u32 port, u32 available) {
  Turn& turn = turns_[port];
  const bool high_there = (available & served_[high]) != 0, low_there = (available & served_[low]) != 0;
  u8 table = high;
  if (!high_there || (limited_ && turn.high_left <= 0)) {
    turn.high_left = limit_cells_;
    if (low_there) table = low;
  }
  return {serve(turn, table, available), table};
}

}  // namespace weft::models::arbiter
