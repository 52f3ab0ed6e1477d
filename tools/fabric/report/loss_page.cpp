// The page of a ranking: what was lost, and the fabric with its links or switches coloured by what their loss costs.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "engine/base/text/numbers.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/fabric/host_rate.hpp"
#include "tools/fabric/report/fabric_figure.hpp"
#include "tools/fabric/report/loss_outputs.hpp"

namespace weft::tools {
namespace {

using models::Subnet;

constexpr std::size_t marked_losses = 10;
/// A damage up to so many times the mean is no worse than the others.
constexpr double even_damage = 1.1;
/// Upper ends of the classes, as fractions of the largest damage.
constexpr std::array<double, 5> damage_ends = {0.2, 0.4, 0.6, 0.8, 0.95};

/// Fraction lost of all that hosts could do before: pairs of hosts without a route, and bandwidth of the others.
double damage_of(const Loss& loss, LossOrder order, double pairs) {
  const double kept = pairs > 0 ? 1 - static_cast<double>(loss.pairs_lost) / pairs : 1;
  const double lost = !loss.judged ? 0 : order == LossOrder::bisection ? loss.bandwidth_loss : loss.all_to_all_loss();
  return std::max(0.0, 1 - kept * (1 - lost));
}

DrawingColours damage_colours(const LossReport& report) {
  const Subnet& subnet = report.fabric.subnet;
  const LossRanking& ranking = report.ranking;
  const bool links = report.choice.each == EachOf::link;
  const double hosts = static_cast<double>(subnet.hosts()), pairs = hosts * (hosts - 1);
  DrawingColours colours;
  (links ? colours.values : colours.switch_values).assign(links ? subnet.switch_channels() : subnet.switches(), 0);
  std::vector<double>& values = links ? colours.values : colours.switch_values;
  double most = 0, total = 0;
  for (const Loss& loss : ranking.losses) {
    values[loss.element] = damage_of(loss, report.choice.order, pairs);
    most = std::max(most, values[loss.element]);
    total += values[loss.element];
  }
  // Where all cost much the same, none is worse than the others.
  const double mean = total / static_cast<double>(ranking.losses.size());
  for (std::size_t ix = 0; links && ix < std::min(marked_losses, report.listed()); ++ix) {
    if (values[ranking.losses[ix].element] > even_damage * mean) colours.marked.push_back(ranking.losses[ix].element);
  }
  for (const double end : damage_ends) colours.ends.push_back(end * most);
  colours.heading =
      fmt::format("What the loss of a {} costs of {} bandwidth, pairs of hosts without a route included",
                  links ? "link" : "switch", report.choice.order == LossOrder::bisection ? "bisection" : "all-to-all");
  colours.idle = "nothing";
  colours.value_words = [](double value) { return percent(value, 2); };
  (links ? colours.link_words : colours.switch_words) = [values](u32 element) {
    return "costs " + percent(values[element], 2);
  };
  if (!colours.marked.empty()) colours.remark = "thick: the worst, named in the table";
  colours.chosen_by = "those whose loss costs most";
  return colours;
}

page::Json row_of(const LossReport& report, std::size_t ix) {
  const LossRanking& ranking = report.ranking;
  const Loss& loss = ranking.losses[ix];
  const auto share = [&loss](double value, double ci95) {
    return loss.judged ? page::cell(value, ci95) : page::Json(loss.routed ? "n/a" : "not routed");
  };
  return {ix + 1,
          loss_name(report.fabric.subnet, report.choice.each, loss.element),
          loss.hosts_cut,
          loss.pairs_lost,
          share(loss.bandwidth_loss, loss.loss_ci95),
          share(loss.bandwidth_after, 0),
          share(loss.all_to_all_loss(), 0),
          share(loss.all_to_all_after, 0),
          loss.longest,
          loss.most_routes};
}

void add_ranking(page::Page& out, const LossReport& report) {
  page::Json rows = page::Json::array();
  for (std::size_t ix = 0; ix < report.listed(); ++ix) rows.push_back(row_of(report, ix));
  out.figure({{"kind", "table"},
              {"title", "Losses, the worst first"},
              {"columns",
               {{{"label", "#"}},
                {{"label", "without"}, {"text", true}},
                {{"label", "hosts cut off"}},
                {{"label", "pairs lost"}},
                {{"label", "bisect lost"}, {"quantity", "share"}},
                {{"label", "bisect left"}, {"quantity", "share"}},
                {{"label", "all-to-all lost"}, {"quantity", "share"}},
                {{"label", "all-to-all left"}, {"quantity", "share"}},
                {{"label", "longest route"}},
                {{"label", "most routes"}}}},
              {"rows", rows},
              {"wide", true}});
}

}  // namespace

std::string loss_page(const LossReport& report, const models::ForwardingTables& tables) {
  const LossRanking& ranking = report.ranking;
  const bool links = report.choice.each == EachOf::link;
  const std::string name = shown(report.fabric.name);
  page::Page out(fmt::format("{} without each of its {}", name, links ? "links" : "switches"));
  std::string lead = fmt::format(
      "Each of {} {} is taken away in turn and the rest routed anew by {}; {} random bisections of seed {}.",
      grouped(ranking.losses.size()), links ? "links between switches" : "switches", report.choice.engine,
      grouped(report.choice.patterns), report.choice.seed);
  const double gbps = usual_gbps(report.fabric);
  if (ranking.before.judged) {
    lead += fmt::format(" Before, a bisection has {}{} and an all-to-all {} of a link{}.",
                        percent(ranking.before.bandwidth, 2), plus_minus(100 * ranking.before.ci95),
                        percent(ranking.before.all_to_all, 2),
                        gbps > 0 ? ", " + host_rate(ranking.before.all_to_all, gbps) + " a host" : "");
  }
  out.lead(lead);
  if (!ranking.refusal.empty()) {
    out.lead(fmt::format("{} of them leave a fabric that the engine refuses: {}",
                         grouped(static_cast<u64>(std::ranges::count(ranking.losses, false, &Loss::routed))),
                         ranking.refusal),
             "warning");
  }
  out.style(drawing_style);
  const FabricDrawing drawing = draw_fabric(report.fabric.subnet, damage_colours(report));
  out.section("drawing", "Drawing");
  add_drawing(out, report.fabric.subnet, drawing, &tables);
  out.section("losses", "Losses");
  add_ranking(out, report);
  if (const std::size_t more = ranking.losses.size() - report.listed(); more > 0)
    out.note(fmt::format("{} more cost less.", grouped(more)));
  return out.html();
}

}  // namespace weft::tools
