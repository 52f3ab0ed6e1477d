// Network files of BookSim's anynet: "router 0 node 0 node 1 router 1 5", a line for each router (or node); a number
// behind a link is its latency in cycles. A link that one end names leads both ways.
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <set>

#include "engine/base/error.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_file.hpp"
#include "engine/base/text/words.hpp"
#include "tools/import/booksim/conversion.hpp"

namespace weft::tools::booksim {
namespace {

struct Links {
  std::map<i64, i64> router_of;          ///< of each node
  std::set<std::pair<i64, i64>> cables;  ///< of routers, the lower number first
  std::set<i64> routers;
  bool latencies = false;
};

class LineReader {
 public:
  LineReader(const std::string& file, Links& links) : file_(file), links_(links) {}

  void line(std::string_view text, u64 number) {
    line_ = number;
    const std::vector<std::string> words = listed_words(text, " \t\r");
    if (words.empty()) return;
    std::size_t at = 0;
    const End head = end(words, at);
    while (at < words.size()) {
      const End other = end(words, at);
      if (at < words.size() && parsed<i64>(words[at])) ++at, links_.latencies = true;
      join(head, other);
    }
  }

 private:
  struct End {
    bool is_router = false;
    i64 id = 0;
  };

  [[noreturn]] void fail(const std::string& problem) const {
    throw ConfigError(
        fmt::format("{}:{}: {}; lines are for example router 0 node 0 node 1 router 1", shown(file_), line_, problem));
  }

  End end(const std::vector<std::string>& words, std::size_t& at) const {
    const std::string kind = lower(words[at]);
    if (kind != "router" && kind != "node") fail(fmt::format("{} is neither router nor node", shown(words[at])));
    const auto id = at + 1 < words.size() ? parsed<i64>(words[at + 1]) : std::optional<i64>();
    if (!id || *id < 0 || *id > 1 << 24) fail(fmt::format("{} has no number", kind));
    at += 2;
    return {kind == "router", *id};
  }

  void join(End one, End other) {
    for (const End& end : {one, other})
      if (end.is_router) links_.routers.insert(end.id);
    if (!one.is_router && !other.is_router) fail("two nodes have a link");
    if (one.is_router && other.is_router) {
      if (one.id == other.id) fail(fmt::format("router {} has a link to itself", one.id));
      links_.cables.insert(std::minmax(one.id, other.id));
      return;
    }
    const auto [node, router] = one.is_router ? std::pair(other.id, one.id) : std::pair(one.id, other.id);
    const auto [known, fresh] = links_.router_of.emplace(node, router);
    if (!fresh && known->second != router)
      fail(fmt::format("node {} has links to routers {} and {}", node, known->second, router));
  }

  const std::string& file_;
  Links& links_;
  u64 line_ = 0;
};

}  // namespace

std::string fabric_of_anynet(std::string_view text, const std::string& file, i64& nodes, bool& latencies) {
  Links links;
  LineReader reader(file, links);
  u64 number = 0;
  for_each_line(text, [&](std::string_view line) { reader.line(line, ++number); });
  if (links.router_of.empty())
    throw ConfigError(fmt::format("{}: has no nodes; lines are for example router 0 node 0 router 1", shown(file)));
  std::map<i64, u64> ports;
  for (const auto& [one, other] : links.cables) ++ports[one], ++ports[other];
  for (const auto& [node, router] : links.router_of) ++ports[router];
  std::string fabric = "[fabric]\nname = \"anynet\"\nswitches = [\n";
  for (const i64 router : links.routers)
    fabric += fmt::format("  {{ name = \"r{}\", ports = {} }},\n", router, ports[router]);
  fabric += "]\nhosts = [\n";
  for (const auto& [node, router] : links.router_of) fabric += fmt::format("  {{ name = \"n{}\" }},\n", node);
  fabric += "]\nlinks = [\n";
  for (const auto& [node, router] : links.router_of) fabric += fmt::format("  [\"n{}\", \"r{}\"],\n", node, router);
  for (const auto& [one, other] : links.cables) fabric += fmt::format("  [\"r{}\", \"r{}\"],\n", one, other);
  nodes = static_cast<i64>(links.router_of.size());
  latencies = links.latencies;
  return fabric + "]\n";
}

}  // namespace weft::tools::booksim
