// Rows of losses; see the header.
#include "tools/fabric/report/loss_outputs.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <limits>

#include "engine/base/text/csv.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/table.hpp"
#include "tools/fabric/findings.hpp"
#include "tools/fabric/host_rate.hpp"

namespace weft::tools {
namespace {

using models::Peer;
using models::Subnet;

std::string loss_text(const Loss& loss, double fraction, double ci95) {
  if (!loss.judged) return loss.routed ? "n/a" : "not routed";
  return percent(fraction, 2) + (ci95 > 0 ? plus_minus(100 * ci95) : "");
}

/// How many losses cut hosts off, and how many the engine refuses.
std::string notes_on(const LossReport& report) {
  const auto& losses = report.ranking.losses;
  const auto cut = std::ranges::count_if(losses, [](const Loss& loss) { return loss.pairs_lost > 0; });
  const auto refused = std::ranges::count(losses, false, &Loss::routed);
  std::string text = fmt::format("{} of {} cut hosts off", grouped(static_cast<u64>(cut)),
                                 counted(losses.size(), report.choice.each == EachOf::link ? "link" : "switch"));
  if (refused > 0)
    text += fmt::format("; without {} of them {} refuses what is left ({})", grouped(static_cast<u64>(refused)),
                        report.choice.engine, report.ranking.refusal);
  return text;
}

nlohmann::json json_of(const Subnet& subnet, EachOf each, const Loss& loss) {
  nlohmann::json json = {{"name", loss_name(subnet, each, loss.element)},
                         {"hosts_cut_off", loss.hosts_cut},
                         {"pairs_lost", loss.pairs_lost},
                         {"routed", loss.routed},
                         {"bandwidth", nullptr},
                         {"all_to_all", nullptr}};
  if (each == EachOf::link) {
    const Peer from = subnet.owner(loss.element), to = subnet.peer(from.id, from.port);
    json["from"] = {{"switch", shown(subnet.switch_label(from.id))}, {"port", from.port}};
    json["to"] = {{"switch", shown(subnet.switch_label(to.id))}, {"port", to.port}};
  }
  if (loss.routed) {
    json["longest"] = loss.longest;
    json["most_routes"] = loss.most_routes;
  }
  if (!loss.judged) return json;
  json["bandwidth"] = {{"before", loss.bandwidth_before},
                       {"after", loss.bandwidth_after},
                       {"loss", loss.bandwidth_loss},
                       {"ci95", loss.loss_ci95}};
  json["all_to_all"] = {
      {"before", loss.all_to_all_before}, {"after", loss.all_to_all_after}, {"loss", loss.all_to_all_loss()}};
  return json;
}

/// Losses by which the rest gains, the largest gain first: cables that are slow, or that the engine uses badly.
std::vector<const Loss*> gains_of(const LossReport& report) {
  constexpr double least = 0.02;
  constexpr std::size_t most = 5;
  const auto gain = [](const Loss* loss) { return -std::min(loss->all_to_all_loss(), loss->bandwidth_loss); };
  std::vector<const Loss*> gains;
  for (const Loss& loss : report.ranking.losses) {
    const bool certain = loss.all_to_all_loss() < -least || loss.bandwidth_loss < -std::max(least, loss.loss_ci95);
    if (loss.judged && loss.pairs_lost == 0 && certain) gains.push_back(&loss);
  }
  std::ranges::stable_sort(gains, std::greater<>{}, gain);
  gains.resize(std::min(gains.size(), most));
  return gains;
}

std::string gains_text(const LossReport& report) {
  std::string text, heading = "gains";
  for (const Loss* const loss : gains_of(report)) {
    text += labelled(
        heading, fmt::format("without {} all-to-all has {} times as much, bisections {} times",
                             loss_name(report.fabric.subnet, report.choice.each, loss->element),
                             significant(1 - loss->all_to_all_loss(), 3), significant(1 - loss->bandwidth_loss, 3)));
    heading.clear();
  }
  return text;
}

}  // namespace

std::string text_of(const LossReport& report) {
  const Subnet& subnet = report.fabric.subnet;
  const LossRanking& ranking = report.ranking;
  std::string text = fmt::format("{}: {} hosts, {}\n", report.fabric.name, grouped(subnet.hosts()),
                                 counted(subnet.switches(), "switch"));
  const FabricFindings cables = examine_cables(report.fabric);
  text += verdict_lines(cables);
  text += labelled("routing", report.choice.engine + ", anew after each loss");
  text += labelled("patterns", fmt::format("{} of seed {}, random bisections of the hosts that remain, the same before "
                                           "and after",
                                           grouped(report.choice.patterns), report.choice.seed));
  if (ranking.before.judged) {
    text += labelled("bisect", percent(ranking.before.bandwidth, 2) + plus_minus(100 * ranking.before.ci95) +
                                   " of a link, before anything is lost (95 % confidence)");
    const double gbps = usual_gbps(report.fabric);
    text += labelled("all-to-all", percent(ranking.before.all_to_all, 2) + " of a link" +
                                       (gbps > 0 ? ", " + host_rate(ranking.before.all_to_all, gbps) + " a host" : ""));
  }
  text += labelled("losses", notes_on(report));
  text += gains_text(report);
  TextTable table{{"#", "without", "hosts cut off", "pairs lost", "bisect lost ± 95 %", "all-to-all lost", "longest",
                   "most routes"}};
  for (std::size_t ix = 0; ix < report.listed(); ++ix) {
    const Loss& loss = ranking.losses[ix];
    table.push_back({std::to_string(ix + 1), loss_name(subnet, report.choice.each, loss.element),
                     grouped(loss.hosts_cut), grouped(loss.pairs_lost),
                     loss_text(loss, loss.bandwidth_loss, loss.loss_ci95), loss_text(loss, loss.all_to_all_loss(), 0),
                     loss.routed ? grouped(loss.longest) : "", loss.routed ? grouped(loss.most_routes) : ""});
  }
  text += aligned(table);
  if (const std::size_t more = ranking.losses.size() - report.listed(); more > 0)
    text += fmt::format("and {} more that cost less\n", grouped(more));
  return text;
}

nlohmann::json json_of(const LossReport& report) {
  const Subnet& subnet = report.fabric.subnet;
  const LossRanking& ranking = report.ranking;
  nlohmann::json losses = nlohmann::json::array();
  for (std::size_t ix = 0; ix < report.listed(); ++ix)
    losses.push_back(json_of(subnet, report.choice.each, ranking.losses[ix]));
  nlohmann::json gains = nlohmann::json::array();
  for (const Loss* const loss : gains_of(report)) gains.push_back(json_of(subnet, report.choice.each, *loss));
  const FabricFindings cables = examine_cables(report.fabric);
  nlohmann::json json = {{"fabric", report.fabric.name},
                         {"hosts", subnet.hosts()},
                         {"switches", subnet.switches()},
                         {"each", report.choice.each == EachOf::link ? "link" : "switch"},
                         {"order", report.choice.order == LossOrder::bisection ? "bisect" : "all-to-all"},
                         {"engine", report.choice.engine},
                         {"patterns", report.choice.patterns},
                         {"seed", report.choice.seed},
                         {"count", ranking.losses.size()},
                         {"before", nullptr},
                         {"gains", gains},
                         {"verdict", verdict_word(cables)},
                         {"warnings", cables.warnings},
                         {"losses", losses}};
  if (ranking.before.judged) {
    json["before"] = {{"bandwidth", {{"mean", ranking.before.bandwidth}, {"ci95", ranking.before.ci95}}},
                      {"all_to_all", ranking.before.all_to_all},
                      {"most_routes", ranking.before.most_routes}};
  }
  return json;
}

std::string csv_of(const LossReport& report) {
  const Subnet& subnet = report.fabric.subnet;
  CsvText text;
  for (const char* name : {"rank", "without", "hosts_cut_off", "pairs_lost", "bandwidth_before", "bandwidth_after",
                           "bandwidth_loss", "ci95", "all_to_all_before", "all_to_all_after", "all_to_all_loss"})
    text.cell(std::string(name));
  text.end_row();
  u64 rank = 0;
  for (const Loss& loss : report.ranking.losses) {
    text.cell(++rank);
    text.cell(loss_name(subnet, report.choice.each, loss.element));
    text.cell(loss.hosts_cut);
    text.cell(loss.pairs_lost);
    for (const double value : {loss.bandwidth_before, loss.bandwidth_after, loss.bandwidth_loss, loss.loss_ci95,
                               loss.all_to_all_before, loss.all_to_all_after, loss.all_to_all_loss()}) {
      text.cell(loss.judged ? value : std::numeric_limits<double>::quiet_NaN());
    }
    text.end_row();
  }
  return text.take();
}

}  // namespace weft::tools
