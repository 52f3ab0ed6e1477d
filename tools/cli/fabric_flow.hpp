// Routes by an engine and patterns over them: what `weft fabric route`, `ebb` and `applications` share.
#pragma once

#include <fmt/format.h>
#include <string>
#include <string_view>

#include "tools/cli/fabric_choice.hpp"
#include "tools/fabric/report/flow_outputs.hpp"

namespace weft::tools {

/// As many patterns as are sent if nothing says how many.
inline constexpr u64 default_flows = 1000;
/// Before the name of a file, in place of a pattern or a mapping.
inline constexpr std::string_view file_prefix = "file:";

/// A heading and lines "LABEL  help" of what is registered.
template <class Registered>
std::string listed(const std::string& heading, const auto& label) {
  std::string text = heading + "\n";
  for (const std::string& name : Registered::instance().names()) {
    const auto* const entry = Registered::instance().find(name);
    text += fmt::format("  {:<20} {}\n", label(name, *entry), entry->help);
  }
  return text;
}
/// Lines "NAME  help" of the routing engines, for the help.
[[nodiscard]] std::string engines_text();
/// --engine, --order, --layers.
void add_engine(CLI::App* command, std::string& engine, u32& layers, std::string& order, bool needed);

/// Where routes come from and which patterns are sent: what ebb and applications have in common.
struct FabricFlowOptions {
  FabricChoice fabric;
  std::string engine;  ///< empty: minhop, unless there are tables
  u32 layers = 8;
  std::string order = "switch";  ///< of destinations: switch or lid
  u64 count = 0;                 ///< patterns; 0: 1,000 (50 as packets), or as many as the precision takes
  double precision = 0;
  u64 seed = 1;
  std::string mapping = "random";  ///< random, linear, file:F
  std::string lid = "first";       ///< first, average, best
  std::string progress = "auto";
  std::string json;
};

void add_flow(CLI::App* command, FabricFlowOptions& flow);

[[nodiscard]] RoutedFabric routed(const FabricFlowOptions& options);
[[nodiscard]] FlowSettings settings_of(const FabricFlowOptions& options, const models::Subnet& subnet);
/// How many patterns to send, `usual` unless the options say it. Patterns that are all the same are sent once.
[[nodiscard]] FlowLimits limits_of(const FabricFlowOptions& options, const FlowExperiment& experiment,
                                   u64 usual = default_flows);
void notes_files(files::CommandFiles& files, const FabricFlowOptions& options);
[[nodiscard]] FlowReport report_on(const FabricFlowOptions& options, const RoutedFabric& routed,
                                   const std::string& pattern);

}  // namespace weft::tools
