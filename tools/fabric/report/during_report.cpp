// A row for each time in which nothing changes.
#include "tools/fabric/report/during_report.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/text/numbers.hpp"
#include "engine/base/text/table.hpp"
#include "tools/fabric/host_rate.hpp"

namespace weft::tools {
namespace {

constexpr std::size_t most_named = 20;

std::string time_text(double us) { return duration(us * 1e-6); }

const char* state_of(const LossPhase& phase) {
  if (!phase.works) return phase.new_tables ? "down, new tables" : "down, old tables";
  return phase.new_tables ? "works, not used yet" : "as before";
}

/// What a link sends in a time; "1.20 us" of a link of unknown rate.
std::string lost_text(double lost_us, double gbps) {
  return gbps > 0 ? byte_size(lost_us * gbps * 1000 / 8) : time_text(lost_us) + " of a link";
}

nlohmann::json json_of(const FlowRates& rates) {
  return {{"total", rates.total}, {"mean", rates.mean}, {"worst", rates.worst}, {"stopped", rates.stopped}};
}

nlohmann::json time_or_null(double us) { return us < no_time ? nlohmann::json(us) : nlohmann::json(); }

}  // namespace

std::string text_of(const Fabric& fabric, const LossDuring& found, const LossDuringChoice& choice) {
  std::string text = fmt::format("{}: {} hosts, {}\n", fabric.name, grouped(fabric.subnet.hosts()),
                                 counted(fabric.subnet.switches(), "switch"));
  const auto& words = found.removal.words;
  for (std::size_t k = 0; k < std::min(words.size(), most_named); ++k)
    text += labelled(k == 0 ? "fails" : "", words[k]);
  if (words.size() > most_named) text += labelled("", fmt::format("and {} more", words.size() - most_named));
  const LossTimes& times = choice.times;
  text += labelled("known", fmt::format("at its ends {} later; new tables by {} {} after that",
                                        time_text(times.detection_us), choice.engine, time_text(times.sweep_us)));
  const std::string drawn =
      found.patterns > 1 ? fmt::format(", {} patterns of seed {}", grouped(found.patterns), choice.seed) : "";
  text += labelled("flows", fmt::format("{} of {} among {}{}", counted(found.flows, "flow"), choice.pattern,
                                        counted(found.hosts.size(), "host"), drawn));
  const double gbps = usual_gbps(fabric);
  TextTable table{{"from", "to", "", "total, links", "a flow", "worst flow", "stopped", "lost"}};
  const auto row = [&](const std::string& from, const std::string& to, const char* state, const FlowRates& rates,
                       const std::string& lost) {
    table.push_back({from, to, state, fixed(rates.total, 3), percent(rates.mean, 2), percent(rates.worst, 2),
                     percent(static_cast<double>(rates.stopped) / static_cast<double>(found.flows), 2), lost});
  };
  row("", time_text(0), "whole", found.before, "");
  for (const LossPhase& phase : found.phases) {
    const bool ends = phase.until_us < no_time;
    row(time_text(phase.from_us), ends ? time_text(phase.until_us) : "", state_of(phase), phase.rates,
        ends ? lost_text(phase.lost_us, gbps) : "");
  }
  return text + aligned(table);
}

nlohmann::json json_of(const Fabric& fabric, const LossDuring& found, const LossDuringChoice& choice) {
  nlohmann::json phases = nlohmann::json::array();
  const double gbps = usual_gbps(fabric);
  for (const LossPhase& phase : found.phases) {
    const bool ends = phase.until_us < no_time;
    nlohmann::json one = {
        {"from_us", phase.from_us},
        {"until_us", time_or_null(phase.until_us)},
        {"works", phase.works},
        {"tables", phase.new_tables ? "new" : "old"},
        {"lost_link_us", ends ? nlohmann::json(phase.lost_us) : nlohmann::json()},
        {"lost_bytes", ends && gbps > 0 ? nlohmann::json(phase.lost_us * gbps * 1000 / 8) : nlohmann::json()}};
    one.update(json_of(phase.rates));
    phases.push_back(std::move(one));
  }
  return {{"fabric", fabric.name},
          {"hosts", fabric.subnet.hosts()},
          {"switches", fabric.subnet.switches()},
          {"without", found.removal.words},
          {"engine", choice.engine},
          {"pattern", choice.pattern},
          {"seed", choice.seed},
          {"patterns", found.patterns},
          {"flows", found.flows},
          {"detection_us", choice.times.detection_us},
          {"sweep_us", choice.times.sweep_us},
          {"repair_us", time_or_null(choice.times.repair_us)},
          {"before", json_of(found.before)},
          {"during", std::move(phases)}};
}

}  // namespace weft::tools
