// Rows of [cosim]: endpoints outside of the simulation (`weft cosim`).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/run/config/rows/registered_rows.hpp"
#include "tools/run/config/settings.hpp"
#include "tools/run/endpoint_kind.hpp"

namespace weft::tools::rows {

std::vector<Setting> cosim() {
  const tools::cosim::EndpointRegistry& kinds = tools::cosim::EndpointRegistry::instance();
  std::vector<std::string> helps;
  for (const std::string& name : kinds.names()) helps.push_back(fmt::format("{}: {}", name, kinds.find(name)->help));
  std::vector<Setting> rows{row::choice("cosim.endpoints", "sockets", kinds.names(),
                                        fmt::format("What is at the nodes. {}.", fmt::join(helps, "; "))),
                            row::real("cosim.patience_s", "s", 60, {0.01, 1e9},
                                      "An endpoint that says nothing for so long, in real time, is given up.")};
  for (Setting& setting : registered_rows<tools::cosim::EndpointKind>()) {
    std::vector<std::string> owners = kinds_with<tools::cosim::EndpointKind>(setting.key);
    rows.push_back(setting.only_with("cosim.endpoints", std::move(owners)));
  }
  for (Setting& setting : rows) setting.conditions.insert(setting.conditions.begin(), {"workload.kind", {"cosim"}});
  return rows;
}

}  // namespace weft::tools::rows
