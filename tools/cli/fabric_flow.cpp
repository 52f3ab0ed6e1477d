// Options of routes and patterns, and what is made of them; see the header.
#include "tools/cli/fabric_flow.hpp"

#include "engine/base/error.hpp"
#include "engine/base/meaning.hpp"
#include "models/subnet/engine/routing_engine.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/fabric/host_files.hpp"

namespace weft::tools {
namespace {

/// As many patterns as --precision may take.
constexpr u64 most_for_precision = 10'000'000;

}  // namespace

std::string engines_text() {
  return listed<models::RoutingEngineRegistry>("Engines:", [](const std::string& name, const auto&) { return name; });
}

void add_engine(CLI::App* command, std::string& engine, u32& layers, std::string& order, bool needed) {
  auto* const option = command->add_option("--engine", engine, "routing engine, see below")
                           ->type_name("E")
                           ->check(CLI::IsMember(models::RoutingEngineRegistry::instance().names()).description(""));
  if (needed) option->required();
  command->add_option("--order", order, "destinations switch by switch, or by LID as subnet managers of 2008 took them")
      ->type_name("switch|lid")
      ->capture_default_str()
      ->check(CLI::IsMember({"switch", "lid"}).description(""));
  command->add_option("--layers", layers, "virtual layers that sssp may use")
      ->type_name("N")
      ->capture_default_str()
      ->check(CLI::Range(1U, 16U).description(""));
}

void add_flow(CLI::App* command, FabricFlowOptions& flow) {
  add_fabric_choice(command, flow.fabric);
  add_tables(command, flow.fabric);
  add_engine(command, flow.engine, flow.layers, flow.order, false);
  command
      ->add_option("--count", flow.count,
                   "patterns, or random mappings of one; 1000 if neither this nor --precision is given")
      ->type_name("N")
      ->check(CLI::Range(u64{1}, u64{1} << 40).description(""));
  command
      ->add_option(
          "--precision", flow.precision,
          "stop once the mean is known to ± P (95 % confidence), P an absolute fraction of link bandwidth: 0.001 is a "
          "tenth of a point")
      ->type_name("P")
      ->check(CLI::Range(1e-9, 1.0).description(""));
  command
      ->add_option("--mapping", flow.mapping,
                   "which host runs which task: random, linear, a list of hosts (node[001-008,010]), or a file of such")
      ->type_name("random|linear|LIST|file:F")
      ->capture_default_str();
  command
      ->add_option(
          "--lid", flow.lid,
          "of hosts with several addresses: first, the average or best over all of them, or one pair after the "
          "other to the next of them")
      ->type_name("first|average|best|round-robin")
      ->capture_default_str()
      ->check(CLI::IsMember({"first", "average", "best", "round-robin"}).description(""));
  command->add_option("--seed", flow.seed, "of all random choices")->type_name("S")->capture_default_str();
  add_progress(command, flow.progress);
  add_json(command, flow.json);
}

RoutedFabric routed(const FabricFlowOptions& options) {
  return route_choice(options.fabric, options.engine,
                      {.most_layers = options.layers, .by_lid = options.order == "lid"});
}

FlowSettings settings_of(const FabricFlowOptions& options, const models::Subnet& subnet) {
  FlowSettings settings;
  settings.seed = options.seed;
  settings.lid = meaning_of<LidChoice>(options.lid, {{"first", LidChoice::first},
                                                     {"average", LidChoice::average},
                                                     {"best", LidChoice::best},
                                                     {"round-robin", LidChoice::round_robin}});
  if (options.mapping == "linear") settings.mapping = Mapping::linear;
  if (options.mapping.starts_with(file_prefix)) {
    settings.mapping = Mapping::listed;
    settings.hosts = read_host_list(options.mapping.substr(file_prefix.size()), subnet);
  } else if (options.mapping != "linear" && options.mapping != "random") {
    settings.mapping = Mapping::listed;
    settings.hosts = hosts_of_list(options.mapping, subnet);
  }
  return settings;
}

FlowLimits limits_of(const FabricFlowOptions& options, const FlowExperiment& experiment, u64 usual) {
  FlowLimits limits;
  limits.precision = options.precision;
  limits.count = options.count > 0 ? options.count : options.precision > 0 ? most_for_precision : usual;
  if (experiment.same_each_time()) limits = {.count = 1, .precision = 0};
  return limits;
}

void notes_files(files::CommandFiles& files, const FabricFlowOptions& options) {
  reads_fabric(files, options.fabric);
  if (options.mapping.starts_with(file_prefix)) files.reads("the mapping", options.mapping.substr(file_prefix.size()));
}

FlowReport report_on(const FabricFlowOptions& options, const RoutedFabric& routed, const std::string& pattern) {
  const models::Subnet& subnet = routed.fabric.subnet;
  FlowReport report;
  report.fabric = routed.fabric.name;
  report.routing = routed.routing;
  report.pattern = pattern;
  report.mapping = options.mapping;
  report.lid = options.lid;
  report.hosts = subnet.hosts();
  report.switches = subnet.switches();
  report.switch_links = subnet.switch_links();
  report.host_links = subnet.host_links();
  report.layers = routed.layers;
  report.seed = options.seed;
  if (!models::relative_rates(subnet).empty()) {
    report.speeds = models::speeds_of(subnet);
    report.usual_speed = models::usual_speed(subnet);
  }
  return report;
}

}  // namespace weft::tools
