// What is wrong with a fabric: whether everything is connected, every route arrives, no cycle of full buffers can
// block it, cables are what their like are, and tables use all links alike.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/subnet/cabling.hpp"
#include "models/subnet/dependencies.hpp"
#include "models/subnet/distances.hpp"
#include "models/subnet/engine/levels.hpp"
#include "models/subnet/routes.hpp"
#include "models/subnet/speeds.hpp"
#include "tools/fabric/fabric.hpp"

namespace weft::tools {

/// How often each value occurs.
using CountHistogram = std::map<u64, u64>;
/// How often each of the counts occurs, but for 0.
[[nodiscard]] CountHistogram count_histogram(const std::vector<u64>& counts);

/// Loads of the links from one level of switches to another.
struct LevelBalance {
  std::string where;
  u64 links = 0, least = 0, most = 0, total = 0, idle = 0;
  [[nodiscard]] double mean() const { return static_cast<double>(total) / static_cast<double>(links); }
};

/// What is known of a fabric, and what is wrong with it.
struct FabricFindings {
  models::Connection connection;
  models::MajorityLevels levels;
  std::optional<models::RouteSurvey> routes;
  std::optional<models::CreditLoops> loops;
  CountHistogram destinations;  ///< by number of destinations: ports between switches
  std::vector<LevelBalance> balance;
  std::vector<u32> worst;  ///< channels with most routes
  u32 lanes = 1;
  std::vector<models::SlowLink> slow;
  std::vector<models::CrossedCables> crossed;
  std::vector<models::CableBeyondLevels> beyond_levels;
  std::vector<models::MissingCables> missing;
  std::vector<std::string> warnings;  ///< what works, but not as well as it could; a line each
  std::vector<std::string> problems;  ///< a line each
  std::string detail;                 ///< of the problems
  [[nodiscard]] bool sound() const { return problems.empty(); }
};

/// What all commands say of a fabric, on a line: "yes", "it works, but see 2 warnings", "no: 3 of 12 routes do not
/// arrive". JSON has the first word of it as `verdict`: sound, works, broken.
[[nodiscard]] std::string verdict_text(const FabricFindings& found);
/// The warnings, a line each, for people.
[[nodiscard]] std::string warnings_text(const FabricFindings& found);
[[nodiscard]] std::string verdict_word(const FabricFindings& found);

/// Verdict and warnings as the first lines that all commands print of a fabric.
[[nodiscard]] std::string verdict_lines(const FabricFindings& found);

/// Parts, cables and speeds alone: what is known of a fabric without tables.
[[nodiscard]] FabricFindings examine_cables(const Fabric& fabric);

/// "arrive", "loop"...: what routes with this end do.
[[nodiscard]] std::string route_end_name(models::RouteEnd end);

/// How packets travel.
struct RoutesInUse {
  const models::ForwardingTables* tables = nullptr;  ///< null if only cables are to be judged
  const models::SlToVl* lanes = nullptr;             ///< null for one virtual lane
  u32 service_level = 0;                             ///< of all routes
  u32 layers = 1;  ///< virtual layers in which an engine keeps the routes apart, which break credit loops of one lane
};
[[nodiscard]] FabricFindings examine_fabric(const Fabric& fabric, const RoutesInUse& in_use);
/// Findings in a fabric whose file said of some links that they could be faster.
[[nodiscard]] FabricFindings examine_fabric(const models::Subnet& subnet, std::span<const FasterLink> faster,
                                            const RoutesInUse& in_use);

}  // namespace weft::tools
