// By which rule an output of a switch chooses among those that ask for it: router.scheduling.
#pragma once

#include <optional>

#include "engine/base/setting.hpp"
#include "models/arbiter/scheduler.hpp"
#include "models/routing/router_kind.hpp"
#include "models/routing/settings.hpp"

namespace weft::models::arbiter {

/// Rules of scheduling that the machines have built in, and `plugged` for all others.
enum class Scheduling : u8 { islip, age, random, vl_arbitration, plugged };

[[nodiscard]] Setting scheduling_row();
/// What is wrong with router.scheduling for a kind of router, which runs in a machine.
[[nodiscard]] std::optional<Complaint> check_scheduling(const RouterChoice& choice, const std::string& kind,
                                                        const std::string& machine);
/// What router.scheduling says.
[[nodiscard]] Scheduling scheduling_of(const RouterSettings& settings);
/// The scheduler that it names; null if that is built in.
[[nodiscard]] std::unique_ptr<Scheduler> make_scheduler(const RouterSettings& settings);
/// Whether it is to know what the queues hold (SchedulerKind::counts_queues).
[[nodiscard]] bool counts_queues(const RouterSettings& settings);

}  // namespace weft::models::arbiter
