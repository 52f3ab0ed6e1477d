// Sorts of endpoints that `weft cosim` joins; each registers itself in a file of its own.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/registry.hpp"
#include "engine/base/setting.hpp"
#include "engine/transport.hpp"
#include "workloads/program/external/external_tasks.hpp"

namespace weft::tools {

class Config;
struct RunResult;

namespace cosim {

/// RunResult::stop_reason where what ran at an endpoint has failed: CosimResult::failure says how.
inline constexpr const char* endpoint_failed = "endpoint-failed";

/// One run with what takes part in it from outside. Nothing of that is left running when it goes.
class Cosimulation {
 public:
  virtual ~Cosimulation() = default;
  [[nodiscard]] virtual workloads::ExternalTasks& outside() = 0;
  /// The run is over: ends all and adds to the result, which is whole on rank 0. Collective.
  virtual void finish(RunResult& result) = 0;
};

struct EndpointKind {
  std::string help;  ///< half a sentence: what is at the nodes
  /// Its own keys, "cosim.command"...
  std::vector<Setting> settings = {};
  /// Throws ConfigError or SystemError. Collective. The config and the transport outlive what is made.
  std::unique_ptr<Cosimulation> (*make)(const Config& config, engine::Transport& transport) = nullptr;
};
using EndpointRegistry = Registry<EndpointKind>;

}  // namespace cosim
}  // namespace weft::tools
