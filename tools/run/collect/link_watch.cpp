// Links by name, and their counts window by window; see the header.
#include "tools/run/collect/link_watch.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "engine/base/error.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/run/collect/summarise.hpp"
#include "tools/run/config/check/suggest.hpp"

namespace weft::tools {
namespace {

constexpr const char* links_key = "statistics.timeline_links";

std::string trimmed_name(std::string text) {
  text.erase(0, text.find_first_not_of(' '));
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

/// The number behind a word: "router 12" -> 12.
std::optional<u32> number_after(const std::string& text, const std::string& word) {
  if (!text.starts_with(word + " ")) return {};
  return parsed<u32>(std::string_view(text).substr(word.size() + 1));
}

[[noreturn]] void fail_link(const std::string& name, const std::string& why, const std::string& advice) {
  throw ConfigError(fmt::format("{} has \"{}\" ({}); {}", links_key, shown(name), why, advice));
}

/// Ports of a router that lead somewhere, by name.
std::vector<std::string> ports_of(const models::Topology& topology, RouterId router) {
  std::vector<std::string> names;
  for (u32 port = 0; port < topology.ports(router); ++port) {
    const bool leads = topology.peer(router, port).kind != models::Peer::Kind::none && topology.carries(router, port);
    if (leads) names.push_back(topology.port_name(router, port));
  }
  return names;
}

WatchedLink link_of_router(const models::Topology& topology, const std::string& name, u32 router,
                           const std::string& port_name) {
  if (router >= topology.routers())
    fail_link(name, fmt::format("the network has the routers 0 to {}", topology.routers() - 1), "use one of these");
  const RouterId id(router);
  const bool has_node_port = topology.direct();
  for (u32 port = 0; port < topology.ports(id) + (has_node_port ? 1 : 0); ++port) {
    if (port_name == fmt::format("port {}", port) || port_name == topology.port_name(id, port)) {
      const bool inside = port == topology.ports(id);
      if (!inside && (topology.peer(id, port).kind == models::Peer::Kind::none || !topology.carries(id, port))) break;
      return {name, router, port};
    }
  }
  const std::vector<std::string> known = ports_of(topology, id);
  fail_link(name, fmt::format("router {} has no such link", router),
            known.empty() ? "use another router" : word_suggestion(port_name, known));
}

WatchedLink link_of_node(const Context& context, const std::string& name, u32 node) {
  const models::Topology& topology = *context.topology;
  if (node >= topology.nodes())
    fail_link(name, fmt::format("the network has the nodes 0 to {}", topology.nodes() - 1), "use one of these");
  if (!topology.direct()) return {name, topology.routers() + node, 0};
  const RouterId router = topology.router_of(NodeId(node));
  if (!context.counts_cells)
    fail_link(name, "nodes sit inside their routers here, without a link", "name links of routers");
  return {name, router.value(), topology.ports(router) + 1};
}

}  // namespace

std::vector<WatchedLink> watched_links(const Context& context) {
  std::vector<WatchedLink> links;
  const std::string text = context.config.text(links_key);
  if (text.empty()) return links;
  if (context.topology->joins_all()) {
    throw ConfigError(fmt::format("{} has no effect with topology.kind = \"{}\" (there are no links); leave it out",
                                  links_key, context.config.text("topology.kind")));
  }
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(';', at), text.size());
    const std::string name = trimmed_name(text.substr(at, end - at));
    at = end + 1;
    if (name.empty()) continue;
    if (const auto node = number_after(name, "node")) {
      links.push_back(link_of_node(context, name, *node));
      continue;
    }
    const std::size_t comma = name.find(',');
    const auto router = number_after(trimmed_name(name.substr(0, comma)), "router");
    if (!router || comma == std::string::npos)
      fail_link(name, "no name of a link", "write \"router 0, port 1\" or \"node 5\", with ; between several");
    links.push_back(link_of_router(*context.topology, name, *router, trimmed_name(name.substr(comma + 1))));
  }
  return links;
}

std::vector<models::WatchedChannel> channels_of(const std::vector<WatchedLink>& links, u32 channels) {
  std::vector<models::WatchedChannel> all;
  for (const WatchedLink& link : links) {
    for (u32 channel = 0; channel < channels; ++channel) all.push_back({link.entity, link.port * channels + channel});
  }
  return all;
}

LinkWatch::LinkWatch(Context& context, Simulation& simulation)
    : context_(context), simulation_(simulation), links_(watched_links(context)) {
  if (links_.empty()) return;
  const Config& config = context.config;
  const Tick cycle = context.router.cycle_ticks;
  window_ticks_ = static_cast<Tick>(config.integer("statistics.timeline_links_cycles")) * cycle;
  from_ = static_cast<Tick>(config.integer("statistics.timeline_from_cycles")) * cycle;
  const Tick to = static_cast<Tick>(config.integer("statistics.timeline_to_cycles")) * cycle;
  if (to != 0) to_ = to;
  most_ = std::max<u64>(1, static_cast<u64>(config.integer("statistics.most_timeline")) / links_.size());
  begin_.resize(links_.size());
}

Tick LinkWatch::next_after(Tick now) const {
  if (links_.empty() || now >= to_ || is_full()) return never;
  const Tick first = from_ / window_ticks_ * window_ticks_;
  return now < first ? first : (now / window_ticks_ + 1) * window_ticks_;
}

/// Counts of all ranks.
std::vector<LinkWatch::Count> LinkWatch::counted() {
  const std::vector<models::LinkCount> channels = simulation_.details()->watched();
  const std::size_t each = channels.size() / links_.size();
  std::vector<u64> sums(2 * links_.size());
  for (std::size_t k = 0; k < channels.size(); ++k) {
    sums[2 * (k / each)] += channels[k].packets;
    sums[2 * (k / each) + 1] += channels[k].busy;
  }
  context_.transport.sum(sums);
  std::vector<Count> counts(links_.size());
  for (std::size_t link = 0; link < links_.size(); ++link) counts[link] = {sums[2 * link], sums[2 * link + 1]};
  return counts;
}

void LinkWatch::stopped(Tick now, bool at_the_end) {
  if (links_.empty() || now <= window_begin_ || is_full()) return;
  if (now % window_ticks_ != 0 && !at_the_end) return;
  const std::vector<Count> counts = counted();
  const Tick begin = std::exchange(window_begin_, now);
  const std::vector<Count> before = std::exchange(begin_, counts);
  if (now <= from_ || begin >= to_) return;
  begins_.push_back(begin);
  ends_.push_back(now);
  for (std::size_t link = 0; link < links_.size(); ++link)
    counts_.push_back({counts[link].packets - before[link].packets, counts[link].busy - before[link].busy});
}

void LinkWatch::put(engine::ByteWriter& to) {
  to.put(window_begin_);
  to.put_list(begins_);
  to.put_list(ends_);
  to.put_list(counts_);
  // Counting begins anew: what the window has had so far is what is missing then.
  std::vector<Count> so_far;
  if (!links_.empty()) so_far = counted();
  for (std::size_t link = 0; link < so_far.size(); ++link) {
    so_far[link].packets = begin_[link].packets - so_far[link].packets;
    so_far[link].busy = begin_[link].busy - so_far[link].busy;
  }
  to.put_list(so_far);
}

void LinkWatch::get(engine::ByteReader& from) {
  window_begin_ = from.get<Tick>();
  from.get_list(begins_);
  from.get_list(ends_);
  from.get_list(counts_);
  from.get_list(begin_);
}

std::vector<timeline::LinkValue> LinkWatch::values(std::size_t link) const {
  const LoadScale scale = load_scale(context_);
  std::vector<timeline::LinkValue> values;
  for (std::size_t window = 0; window < begins_.size(); ++window) {
    const Count& count = counts_[window * links_.size() + link];
    const double ticks = static_cast<double>(ends_[window] - begins_[window]);
    const double busy = scale.busy_cycles(count.packets, count.busy) * static_cast<double>(context_.router.cycle_ticks);
    values.push_back({begins_[window], ends_[window], busy / ticks});
  }
  return values;
}

}  // namespace weft::tools
