// The row, its check and its meaning.
#include "models/arbiter/scheduling.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/nearest.hpp"

namespace weft::models::arbiter {
namespace {

const SchedulerKind& kind_of(const RouterSettings& settings) {
  const SchedulerKind* const kind = SchedulerRegistry::instance().find(settings.own.text("scheduling"));
  WEFT_ASSERT(kind != nullptr);
  return *kind;
}

bool serves(const SchedulerKind& scheduler, const std::string& kind, const std::string& machine) {
  return std::ranges::any_of(scheduler.machines, [&](const std::string& one) { return one == kind || one == machine; });
}

}  // namespace

Setting scheduling_row() {
  return row::text("router.scheduling", "islip",
                   "who gets an output that several inputs ask for; `weft describe schedulers` lists them, with the "
                   "routers that each fits.");
}

std::optional<Complaint> check_scheduling(const RouterChoice& choice, const std::string& kind,
                                          const std::string& machine) {
  const std::string name = choice.keys.text("scheduling");
  const SchedulerKind* const scheduler = SchedulerRegistry::instance().find(name);
  if (scheduler != nullptr && serves(*scheduler, kind, machine)) return {};
  std::vector<std::string> fitting = SchedulerRegistry::instance().names();
  std::erase_if(fitting, [&](const std::string& one) {
    return !serves(*SchedulerRegistry::instance().find(one), kind, machine);
  });
  if (scheduler == nullptr) {
    return Complaint{"router.scheduling", "is not known (weft describe schedulers lists them)",
                     fmt::format("use scheduling = \"{}\"", nearest(name, fitting))};
  }
  return Complaint{"router.scheduling",
                   fmt::format("fits router.kind = \"{}\" alone", fmt::join(scheduler->machines, "\", \"")),
                   fmt::format("use that, or scheduling = \"{}\"", fmt::join(fitting, "\" or \""))};
}

Scheduling scheduling_of(const RouterSettings& settings) {
  const std::string name = settings.own.text("scheduling");
  if (name == "islip") return Scheduling::islip;
  if (name == "age") return Scheduling::age;
  if (name == "random") return Scheduling::random;
  if (name == "vl-arbitration") return Scheduling::vl_arbitration;
  WEFT_ASSERT(kind_of(settings).make);
  return Scheduling::plugged;
}

std::unique_ptr<Scheduler> make_scheduler(const RouterSettings& settings) {
  const SchedulerKind& kind = kind_of(settings);
  return kind.make ? kind.make(settings.own) : nullptr;
}

bool counts_queues(const RouterSettings& settings) { return kind_of(settings).counts_queues; }

}  // namespace weft::models::arbiter
