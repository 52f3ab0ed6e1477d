// How long the points of a sweep may take: so roughly that only putting points together goes by it.
#pragma once

#include <optional>
#include <vector>

#include "tools/study/sweep_folder.hpp"
#include "tools/study/sweep_networks.hpp"

namespace weft::tools::sweep {

/// Throws ConfigError that names the first point whose network has fewer routers than its run would have ranks.
void check_ranks(const SweepStudy& study, const std::vector<SweepPoint>& points,
                 const std::vector<std::optional<NetworkSize>>& sizes);

/// Cycles that a run of synthetic traffic simulates, of all its seeds; nothing where it ends by itself (bursts, tasks).
[[nodiscard]] std::optional<double> planned_cycles(const Config& config);

/// Seconds that a run of synthetic traffic or bursts takes on so many ranks, from its packets and their paths; nothing
/// for tasks, whose times a config does not say.
[[nodiscard]] std::optional<double> estimated_seconds(const Config& config, const NetworkSize& size, u32 ranks);

/// Seconds that all points take, [point]: what a done point took; else the estimate, corrected by how wrong it was
/// about done points; else the mean of done points without an estimate.
[[nodiscard]] std::vector<std::optional<double>> estimated_seconds(
    const SweepStudy& study, const std::vector<SweepPoint>& points, const std::vector<PointState>& states,
    const std::vector<std::optional<NetworkSize>>& sizes);

/// How many tasks of a job array share points that take so long, if each is to have about `task_s` of work; a point
/// whose time is not known fills a task. At least 1, at most as many as there are points.
[[nodiscard]] std::size_t tasks_for(const std::vector<std::optional<double>>& seconds, double task_s);

}  // namespace weft::tools::sweep
