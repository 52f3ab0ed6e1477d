// The command line of `weft fabric`: a part of command_line.cpp that is large enough for a file of its own.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "tools/cli/command_line.hpp"
#include "tools/cli/fabric_commands.hpp"

namespace weft::tools {

/// Adds the group `fabric` with its commands.
void add_fabric(CLI::App& app, Command& chosen);

/// What several of these commands have: the fabric, its tables, --json.
void add_fabric_choice(CLI::App* command, FabricChoice& fabric);
/// --not-hosts; add_fabric_choice adds it.
void add_not_hosts(CLI::App* command, std::vector<std::string>& not_hosts);
void add_tables(CLI::App* command, FabricChoice& fabric);
void add_json(CLI::App* command, std::string& json);

/// Commands that are declared in fabric_flow_command_line.cpp.
void add_fabric_route(CLI::App& group, Command& chosen);
void add_fabric_ebb(CLI::App& group, Command& chosen);
void add_fabric_applications(CLI::App& group, Command& chosen);
/// In fabric_page_command_line.cpp.
void add_fabric_report(CLI::App& group, Command& chosen);
void add_fabric_compare(CLI::App& group, Command& chosen);
void add_fabric_what_if(CLI::App& group, Command& chosen);

}  // namespace weft::tools
