// `weft topology --single-failures`: whether a network survives each link and each router that may fail.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/topology/topology.hpp"
#include "tools/run/config/config.hpp"

namespace weft::tools {

struct SingleFailures {
  u32 links = 0, routers = 0;  ///< that were tried
  bool bubbles = false;        ///< routes are free of deadlock by free space in rings, which no search of routes judges
  struct Part {
    std::string name;  ///< "link r0:2", "router 5"
    std::string why;   ///< nodes that do not reach each other, or a cycle
  };
  std::vector<Part> not_survived;
  u32 transitions = 0;              ///< changes of routes: to what is left, and back
  std::vector<Part> loose_changes;  ///< those that can close a cycle of old and new routes
};

/// Has the routes of the config's routers made anew for the network without each link between routers, and without each
/// router, and tries them all: every node that is left reaches every other, and nothing waits in a cycle. Throws
/// ConfigError if these routers do not make routes anew.
[[nodiscard]] SingleFailures try_single_failures(const Config& config, const models::Topology& topology);

[[nodiscard]] std::string text_of(const SingleFailures& found);
[[nodiscard]] nlohmann::json json_of(const SingleFailures& found);

}  // namespace weft::tools
