// Loads as fractions of each link's own rate where time and rate are known, else as octets.
#include "tools/fabric/report/measured_page.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/text/numbers.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/fabric/host_rate.hpp"
#include "tools/fabric/report/fabric_figure.hpp"

namespace weft::tools {
namespace {

using models::Peer;
using models::Subnet;

constexpr std::size_t most_measured_rows = 100;

std::string carried(double octets) { return with_prefix(octets) + "B"; }

DrawingColours measured_colours(const Subnet& subnet, const MeasuredLinks& measured) {
  DrawingColours colours;
  colours.values.assign(subnet.switch_channels(), 0);
  std::vector<std::string> words(subnet.switch_channels(), "not read");
  const bool loads = !measured.channels.empty() && measured.channels.front().load > 0;
  const double most = measured.channels.empty() ? 0 : measured.channels.front().octets;
  for (const MeasuredChannel& one : measured.channels) {
    if (one.channel >= subnet.switch_channels()) continue;
    colours.values[one.channel] = loads ? one.load : one.octets;
    words[one.channel] =
        loads ? fmt::format("{} of its rate, {}", percent(one.load), carried(one.octets)) : carried(one.octets);
    if (one.wait > 0) words[one.channel] += fmt::format(", waited {} ticks", grouped(one.wait));
  }
  for (const double end : {0.1, 0.25, 0.5, 0.75, 0.9}) colours.ends.push_back(loads ? end : end * most);
  colours.heading = loads ? "Load of a link, of its own rate, the more loaded direction of the most loaded cable"
                          : "What a link carried, the direction and cable with most";
  colours.value_words = [loads](double value) { return loads ? percent(value, 0) : carried(value); };
  colours.link_words = [words](u32 channel) { return words[channel]; };
  return colours;
}

/// Names and ports of both ends of a channel.
page::Json ends_of(const Subnet& subnet, u32 channel) {
  const Peer from = subnet.owner(channel);
  const bool host = from.kind == Peer::Kind::node;
  const Peer to = host ? subnet.peer_of_host(from.id) : subnet.peer(from.id, from.port);
  page::Json cells = page::Json::array();
  const auto add = [&](const Peer& end, u32 port) {
    if (end.kind == Peer::Kind::none) {
      cells.push_back("no cable");
      cells.push_back(nullptr);
      return;
    }
    const bool of_host = end.kind == Peer::Kind::node;
    cells.push_back(shown(of_host ? subnet.host_label(end.id) : subnet.switch_label(end.id), 80));
    cells.push_back(port);
  };
  add(from, host ? subnet.host_at(from.id).port : from.port);
  add(to, to.kind == Peer::Kind::node ? subnet.host_at(to.id).port : to.port);
  return cells;
}

page::Json end_columns() {
  return {
      {{"label", "from"}, {"text", true}}, {{"label", "port"}}, {{"label", "to"}, {"text", true}}, {{"label", "port"}}};
}

std::string sentence_of(const MeasuredLinks& measured) {
  std::string text = fmt::format("Counters of {}, ", counted(measured.ports, "port"));
  text += measured.difference ? "the second reading less the first" : "since they were cleared";
  if (measured.seconds > 0) text += fmt::format("; {}", duration(measured.seconds));
  text += ". Where a port was not read, what the port at the other end received counts.";
  if (measured.seconds <= 0) text += " Loads are not known: no duration was given (--seconds).";
  return text;
}

void add_loads(page::Page& page, const Subnet& subnet, const MeasuredLinks& measured) {
  page::Json rows = page::Json::array(), columns = end_columns();
  columns.insert(columns.end(), {{{"label", "load"}, {"quantity", "share"}},
                                 {{"label", "rate"}, {"text", true}},
                                 {{"label", "octets"}},
                                 {{"label", "waited, ticks"}},
                                 {{"label", "speed"}, {"text", true}}});
  for (std::size_t ix = 0; ix < std::min(most_measured_rows, measured.channels.size()); ++ix) {
    const MeasuredChannel& one = measured.channels[ix];
    if (one.octets == 0 && one.wait == 0) break;
    page::Json row = ends_of(subnet, one.channel);
    row.push_back(one.load > 0 ? page::cell(one.load) : page::Json());
    row.push_back(one.gbps > 0 ? host_rate(1, one.gbps) : "");
    row.push_back(one.octets);
    row.push_back(one.wait);
    row.push_back(subnet.speed(one.channel).text());
    rows.push_back(row);
  }
  page.figure({{"kind", "table"},
               {"title", "Measured load, the most loaded first"},
               {"columns", columns},
               {"rows", rows},
               {"wide", true}});
}

void add_errors(page::Page& page, const Subnet& subnet, const MeasuredLinks& measured) {
  if (measured.errors.empty()) return page.note("No port that was read counted an error.");
  page::Json rows = page::Json::array(), columns = end_columns();
  columns.insert(columns.end(), {{{"label", "counter"}, {"text", true}}, {{"label", "errors"}}});
  for (const PortErrors& error : measured.errors) {
    page::Json row = ends_of(subnet, error.channel);
    row.push_back(shown(error.counter));
    row.push_back(error.count);
    rows.push_back(row);
  }
  page.figure(
      {{"kind", "table"}, {"title", "Errors, most first"}, {"columns", columns}, {"rows", rows}, {"wide", true}});
}

}  // namespace

void add_measured(page::Page& page, const Fabric& fabric, const MeasuredLinks& measured) {
  const Subnet& subnet = fabric.subnet;
  page.section("measured", "Measured");
  page.note(sentence_of(measured));
  if (measured.saturated > 0) {
    page.note(fmt::format("{} of 32 bits are full and are left out; read extended ones (perfquery -x).",
                          counted(measured.saturated, "counter")),
              "warning");
  }
  if (measured.cleared > 0) {
    page.note(fmt::format("{} lower in the second reading (cleared in between) and are left out.",
                          measured.cleared == 1 ? "1 counter is" : grouped(measured.cleared) + " counters are"),
              "warning");
  }
  add_drawing(page, subnet, draw_fabric(subnet, measured_colours(subnet, measured)), nullptr,
              "Links by what they carried");
  add_loads(page, subnet, measured);
  page.section("errors", "Errors of ports");
  add_errors(page, subnet, measured);
}

}  // namespace weft::tools
