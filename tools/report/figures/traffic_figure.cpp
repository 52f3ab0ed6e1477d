// Packs pairs of senders and receivers, row by row; see matrix.js for how they are read.
#include "tools/report/figures/traffic_figure.hpp"

#include <algorithm>
#include <tuple>

#include "tools/report/figures/varint.hpp"
#include "tools/report/run_names.hpp"

namespace weft::tools {

using page::Json;
using page::Page;

Json traffic_figure(Page& page, const TrafficTable& table) {
  if (table.from.empty() || table.side == 0 || table.side > most_map_side) return nullptr;
  std::vector<u32> order;
  for (u32 ix = 0; ix < table.from.size(); ++ix) {
    if (table.from[ix] < table.side && table.to[ix] < table.side) order.push_back(ix);
  }
  const auto key = [&](u32 ix) { return std::tuple(table.from[ix], table.to[ix]); };
  if (!std::ranges::is_sorted(order, {}, key)) std::ranges::sort(order, {}, key);
  std::vector<u32> pairs(table.side, 0);
  Varints gaps;
  u32 row = 0, last = 0;
  for (const u32 ix : order) {
    if (table.from[ix] != row) last = 0;
    row = table.from[ix];
    ++pairs[row];
    gaps.add(table.to[ix] - last);
    last = table.to[ix];
  }
  Json spec = {{"kind", "matrix"}, {"wide", true}, {"side", table.side}, {"what", table.what}};
  spec["blocks"] = {{"pairs", page.block(pairs)}, {"gap", page.block(gaps.bytes)}};
  spec["values"] = Json::array();
  for (const TrafficTable::Value& value : table.values) {
    Json one = {{"name", value.name}, {"unit", value.unit}};
    if (!value.quantity.empty()) one["quantity"] = value.quantity;
    Varints counts;
    std::vector<float> means;
    for (const u32 ix : order) {
      if (value.means.empty())
        counts.add(value.counts[ix]);
      else
        means.push_back(value.means[ix]);
    }
    if (!value.means.empty()) one["weight"] = 0;
    one["block"] = (value.means.empty() ? page.block(counts.bytes) : page.block(means))["block"];
    spec["values"].push_back(std::move(one));
  }
  return spec;
}

Json traffic_figure(Page& page, const RunResult& result) {
  TrafficTable table{.what = "node",
                     .side = static_cast<u32>(std::min<u64>(result.nodes, most_map_side + 1)),
                     .from = {},
                     .to = {},
                     .values = {}};
  TrafficTable::Value packets{.name = "packets", .unit = "packets", .quantity = "", .counts = {}, .means = {}};
  TrafficTable::Value latency{.name = "mean latency", .unit = "cycles", .quantity = "time", .counts = {}, .means = {}};
  for (const PairRow& row : result.extra.pairs) {
    if (row.source >= result.nodes || row.destination >= result.nodes) continue;
    table.from.push_back(static_cast<u32>(row.source));
    table.to.push_back(static_cast<u32>(row.destination));
    packets.counts.push_back(row.packets);
    latency.means.push_back(static_cast<float>(row.latency_mean));
  }
  table.values = {std::move(packets), std::move(latency)};
  Json spec = traffic_figure(page, table);
  if (!spec.is_null()) spec["clock"] = clock_of(page, result);
  return spec;
}

}  // namespace weft::tools
