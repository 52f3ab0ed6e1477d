// A platform of SimGrid as its file says it: hosts, links, routes and clusters of all zones.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/types.hpp"
#include "tools/import/simgrid/given.hpp"

namespace weft::tools::simgrid {

struct Host {
  std::string name;
  double speed = 0;  ///< flop/s; 0: not said
  i64 cores = 1;
};

/// Bytes/s and seconds.
struct Cable {
  double bandwidth = 0, latency = 0;
};

struct Cluster {
  std::string id = {}, router = {}, topology = {}, parameters = {};
  std::vector<Host> hosts = {};
  Cable link = {};
  std::optional<Cable> backbone = {}, loopback = {};
  double limiter = 0;  ///< bytes/s; 0: none
  bool half_duplex = false;
  std::string place = {};  ///< "FILE:LINE"
};

struct Link {
  std::string name;
  Cable cable;
  bool is_fatpipe = false;
};

/// Between hosts or routers, which zones are joined by, too.
struct Route {
  std::string from, to;
  std::vector<std::string> links = {};
  std::string place = {};
};

/// An actor of a deployment: the next rank.
struct Actor {
  std::string file, host;
  std::vector<std::string> arguments = {};
  std::string place = {};
};

struct Platform {
  std::string file;
  std::vector<Cluster> clusters;
  std::vector<Host> hosts;
  std::vector<std::string> routers;
  std::vector<Link> links;
  std::vector<Route> routes;
  std::map<std::string, std::string> properties;  ///< of <config>
  std::map<std::string, std::string> property_places;
  std::vector<Actor> actors;

  /// Whether one cluster is all there is.
  [[nodiscard]] bool is_one_cluster() const { return clusters.size() == 1 && hosts.empty() && routes.empty(); }
};

/// Whether a text looks like a file of SimGrid's.
[[nodiscard]] bool is_platform(std::string_view text);

/// Reads an XML file, a platform, a deployment or both, on top of what is there. Throws ConfigError with file and line.
void read_platform(const ForeignFile& file, Platform& platform, Given& given);

/// Whether a text is a command of smpirun, or options of one.
[[nodiscard]] bool is_command(std::string_view text);
/// Takes its options --cfg=NAME:VALUE as properties of <config>; notes the others.
void read_command(const ForeignFile& file, Platform& platform, Given& given);

}  // namespace weft::tools::simgrid
