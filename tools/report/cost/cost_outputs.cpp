// Writes what a network costs; see the header.
#include "tools/report/cost/cost_outputs.hpp"

#include <fmt/format.h>

#include "engine/base/text/numbers.hpp"
#include "engine/base/text/table.hpp"

namespace weft::tools::cost {
namespace {

/// Whole numbers with their thousands apart, as sums of money are written.
std::string amount(double value) { return value < 1e15 ? grouped(static_cast<u64>(value + 0.5)) : significant(value); }

std::string name_of(const Part& part) { return part.name.empty() ? part.what : part.what + ", " + part.name; }

}  // namespace

std::string cost_text(const NetworkCost& cost, const Measures& measures, u64 nodes) {
  std::string text = labelled(
      "switching", fmt::format("C {} switches, L {}, Q {}: all counted with {} ports", grouped(measures.switches),
                               amount(measures.ports()), amount(measures.crosspoints()), measures.radix));
  text +=
      labelled("floor", fmt::format("{} in {}, {} m x {} m", counted(cost.racks, "rack"), counted(cost.rows(), "row"),
                                    significant(cost.width_m()), significant(cost.depth_m())));
  TextTable table{{"part", "count", "ports", "metres", "longest, m", "price, " + cost.currency, "power, W"}};
  for (const Part& part : cost.parts) {
    const bool is_cable = part.what == "cable";
    table.push_back({name_of(part), grouped(part.count), part.what == "switch" ? amount(part.units) : "-",
                     is_cable ? amount(part.units) : "-", is_cable ? significant(part.longest) : "-",
                     amount(part.price), amount(part.watts)});
  }
  table.push_back({"all", "", "", amount(cost.cable_m()), "", amount(cost.price()), amount(cost.watts())});
  const auto share = static_cast<double>(nodes);
  table.push_back({"of a node", "", "", significant(cost.cable_m() / share), "", significant(cost.price() / share),
                   significant(cost.watts() / share)});
  return text + aligned(table);
}

nlohmann::json cost_json(const NetworkCost& cost, u64 nodes) {
  nlohmann::json parts = nlohmann::json::array();
  for (const Part& part : cost.parts) {
    nlohmann::json one = {
        {"what", part.what}, {"name", part.name}, {"count", part.count}, {"price", part.price}, {"watts", part.watts}};
    if (part.what == "switch") one["ports"] = part.units;
    if (part.what == "cable") {
      one["metres"] = part.units;
      one["longest_m"] = part.longest;
    }
    parts.push_back(std::move(one));
  }
  const auto share = static_cast<double>(nodes);
  return {{"currency", cost.currency},
          {"price", cost.price()},
          {"watts", cost.watts()},
          {"price_per_node", cost.price() / share},
          {"watts_per_node", cost.watts() / share},
          {"racks", cost.racks},
          {"rows", cost.rows()},
          {"width_m", cost.width_m()},
          {"depth_m", cost.depth_m()},
          {"cable_m", cost.cable_m()},
          {"parts", parts}};
}

nlohmann::json measures_json(const Measures& measures) {
  return {{"switches", measures.switches},
          {"radix", measures.radix},
          {"ports", measures.ports()},
          {"crosspoints", measures.crosspoints()}};
}

}  // namespace weft::tools::cost
