// From keys to a schedule.
#include "tools/run/faults/run_faults.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/error.hpp"
#include "engine/base/meaning.hpp"
#include "models/routing/router_kind.hpp"
#include "tools/run/faults/fault_file.hpp"
#include "tools/run/faults/fault_text.hpp"

namespace weft::tools {
namespace {

using models::CutOff;

Tick ticks_of(const Context& context, const char* key) {
  const double ns = context.config.real(key);
  const std::string place = fmt::format("{}: {}", context.config.place(key), key);
  return static_cast<Tick>(ticks_of_ns(ns, real_text(ns) + "ns", context.time, place) + 0.5);
}

/// Throws where links change their rate in a machine in which they cannot, and unless packets take them for a time that
/// machines can count.
void check_rates(const Context& context, const std::vector<models::GivenFault>& events) {
  const models::RouterKind& kind = models::router_kind(context.router.kind);
  const bool plain = kind.routing && kind.machine.empty();
  constexpr double most = 0x1p30;
  const auto whole = static_cast<double>(context.router.longest_packet_ticks());
  for (const models::GivenFault& event : events) {
    if (event.change == models::FaultEvent::Change::rate && !plain && !kind.live_rates) {
      throw ConfigError(
          fmt::format("{}: router.kind = \"{}\" does not know links that change their rate during the run; "
                      "remove the event, or use other routers",
                      event.place, context.router.kind));
    }
    if (whole / event.rate_factor <= most) continue;
    throw ConfigError(
        fmt::format("{}: a packet would take {:.3g} ticks for the link (at most {:.0f}); the least part of "
                    "its rate is {:.2g} here, and a link that carries nothing is down",
                    event.place, whole / event.rate_factor, most, 1.01 * whole / most));
  }
}

/// Plain routers, and machines that say so.
void check_machine(const Context& context) {
  const models::RouterKind& kind = models::router_kind(context.router.kind);
  const bool plain = kind.routing && models::is_plain(*context.topology, context.router);
  if (kind.live_faults || (plain && !context.topology->joins_all())) return;
  std::vector<std::string> able;
  for (const std::string& name : models::RouterRegistry::instance().names()) {
    const models::RouterKind& other = models::router_kind(name);
    if (other.live_faults || (other.routing && other.machine.empty())) able.push_back(name);
  }
  throw ConfigError(fmt::format(
      "router.kind = \"{}\" does not know parts that fail during the run (faults.event, faults.file, faults.process); "
      "use router.kind = \"{}\", or faults from the begin of the run",
      context.router.kind, fmt::join(able, "\" or \"")));
}

}  // namespace

bool resends(const Context& context) {
  return context.faults != nullptr && context.config.text("faults.lost") == "resend";
}

Tick resend_ticks(const Context& context) {
  return std::max<Tick>(ticks_of(context, "faults.resend_ns"), context.time.ticks_per_cycle);
}

std::unique_ptr<models::LiveFaults> live_faults(const Context& context) {
  const Config& config = context.config;
  if (!has_live_faults(config)) return nullptr;
  check_machine(context);
  std::vector<models::GivenFault> events =
      fault_events(config.text("faults.event"), context.time, config.place("faults.event"));
  if (const std::string file = config.text("faults.file"); !file.empty()) {
    for (models::GivenFault& event : fault_events_of_file(config.resolve_path(file), context.time))
      events.push_back(std::move(event));
  }
  check_rates(context, events);
  const std::vector<models::FaultProcess> processes =
      fault_processes(config.text("faults.process"), context.time, config.place("faults.process"));
  models::FaultRules rules;
  rules.detection_ticks = ticks_of(context, "faults.detection_ns");
  rules.sweep_ticks = ticks_of(context, "faults.sweep_ns");
  if (const Tick timeout = ticks_of(context, "faults.path_timeout_ns"); timeout != 0)
    rules.path_timeout_ticks = timeout;
  rules.cut_off = meaning_of<CutOff>(config.text("faults.cut_off"),
                                     {{"drop", CutOff::drop}, {"wait", CutOff::wait}, {"stop", CutOff::stop}});
  rules.seed = static_cast<u64>(config.integer("faults.seed"));
  return std::make_unique<models::LiveFaults>(
      *context.topology, models::FaultSchedule(*context.topology, std::move(events), processes, rules.seed), rules);
}

}  // namespace weft::tools
