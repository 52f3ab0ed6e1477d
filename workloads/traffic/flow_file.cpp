// Readers of files of flows.
#include "workloads/traffic/flow_file.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "engine/base/error.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_line.hpp"

namespace weft::workloads {
namespace {

constexpr u64 most_flow_bytes = 1'000'000'000'000'000;
constexpr double most_start_ns = 1e18;

void check_start(const TextLine& line, double start_ns) {
  if (start_ns > most_start_ns)
    line.fail(fmt::format("a start at {:.6g} ns is too late (at most {:.6g}); correct it", start_ns, most_start_ns));
}

void check_flow(const TextLine& line, const ListedFlow& flow) {
  if (flow.from == flow.to)
    line.fail(fmt::format("node {} sends to itself; remove the line, or correct it", flow.from));
  if (flow.bytes == 0) line.fail("a flow of 0 bytes; give it one at least");
}

ListedFlow flow_of_line(const TextLine& line, u32 nodes) {
  line.expect_words(4, "start_ns source destination bytes");
  ListedFlow flow;
  flow.start_ns = line.weight(0, "start in ns");
  flow.from = static_cast<u32>(line.whole(1, nodes - 1, "node"));
  flow.to = static_cast<u32>(line.whole(2, nodes - 1, "node"));
  flow.bytes = line.whole(3, most_flow_bytes, "size in bytes");
  check_start(line, flow.start_ns);
  check_flow(line, flow);
  return flow;
}

u32 node_of_connection(const TextLine& line, std::string_view text, u32 nodes) {
  const std::optional<u32> node = parsed<u32>(text);
  if (!node || *node >= nodes) {
    line.fail(
        fmt::format("'{}' is none of the {} nodes, which are numbered from 0; correct it", shown(text, 24), nodes));
  }
  return *node;
}

/// `SOURCE->DESTINATION start PS size BYTES` and words that change nothing here.
ListedFlow connection_of_line(const TextLine& line, u32 nodes) {
  const std::string_view pair = line.word(0);
  const std::size_t arrow = pair.find("->");
  ListedFlow flow;
  flow.from = node_of_connection(line, pair.substr(0, arrow), nodes);
  flow.to = node_of_connection(line, pair.substr(arrow + 2), nodes);
  bool starts = false, sized = false;
  for (std::size_t k = 1; k < line.words(); k += 2) {
    const std::string_view key = line.word(k);
    if (k + 1 == line.words()) line.fail(fmt::format("'{}' without a value; add it", shown(key, 24)));
    if (key == "start") {
      constexpr double ns_ps = 1000;
      flow.start_ns = line.weight(k + 1, "start in ps") / ns_ps;
      check_start(line, flow.start_ns);
      starts = true;
    } else if (key == "size") {
      flow.bytes = line.whole(k + 1, most_flow_bytes, "size in bytes");
      if (flow.bytes == 0) {
        line.fail(
            "size 0 is a flow without end for htsim, and flows end here; give it a size in bytes, as many as it "
            "would send until the run is over");
      }
      sized = true;
    } else if (key == "trigger" || key == "send_done_trigger" || key == "recv_done_trigger") {
      line.fail(
          fmt::format("'{}' is not simulated (flows start at times, not after others); write a program of tasks, "
                      "for example as GOAL",
                      key));
    } else if (key != "id" && key != "prio") {
      line.fail(fmt::format("unknown word '{}'; expected start, size, id or prio", shown(key, 24)));
    }
  }
  if (!starts) line.fail("a connection without a start; add `start PICOSECONDS`");
  if (!sized) line.fail("a connection without a size; add `size BYTES`");
  check_flow(line, flow);
  return flow;
}

/// A line of a connection matrix that is none of a connection. False for anything else.
bool is_head_of_connections(const TextLine& line, u32 nodes, std::optional<u64>& connections) {
  const std::string_view word = line.word(0);
  constexpr u64 most_count = u64{1} << 40;
  if (word == "Nodes") {
    line.expect_words(2, "Nodes COUNT");
    const u64 count = line.whole(1, most_count, "number of nodes");
    if (count > nodes) {
      line.fail(fmt::format("the connections are of {} nodes, and there are {}; use a larger network", count, nodes));
    }
    return true;
  }
  if (word == "Connections") {
    line.expect_words(2, "Connections COUNT");
    connections = line.whole(1, most_count, "number of connections");
    return true;
  }
  if (word == "Triggers" || word == "Failures") {
    line.expect_words(2, fmt::format("{} COUNT", word));
    if (line.whole(1, most_count, "number") == 0) return true;
  }
  if (word == "Triggers" || word == "Failures" || word == "trigger" || word == "failure") {
    line.fail(fmt::format("'{}' is not simulated; use a file without, {}", word,
                          word == "Failures" || word == "failure" ? "and [faults] for links that have failed"
                                                                  : "or a program of tasks, for example as GOAL"));
  }
  return false;
}

}  // namespace

std::vector<ListedFlow> read_flows(std::string_view text, const std::string& name, u32 nodes) {
  std::vector<ListedFlow> flows;
  std::optional<u64> connections;
  bool is_matrix = false, first = true;
  for_each_line_with_words(text, name, [&](const TextLine& line) {
    if (first) {
      const std::string_view word = line.word(0);
      is_matrix = word == "Nodes" || word == "Connections" || word.find("->") != std::string_view::npos;
    }
    first = false;
    if (!is_matrix) {
      flows.push_back(flow_of_line(line, nodes));
    } else if (line.word(0).find("->") != std::string_view::npos) {
      flows.push_back(connection_of_line(line, nodes));
    } else if (!is_head_of_connections(line, nodes, connections)) {
      line.fail(fmt::format("unknown word '{}'; expected SOURCE->DESTINATION, Nodes or Connections",
                            shown(line.word(0), 24)));
    }
  });
  if (connections && *connections != flows.size()) {
    throw InputError(
        fmt::format("{}: {} connections where {} are announced; correct the number, or add what is missing",
                    shown(name), flows.size(), *connections));
  }
  if (flows.empty()) throw InputError(fmt::format("{}: no flows; add one a line", shown(name)));
  std::ranges::stable_sort(flows, {}, &ListedFlow::start_ns);
  return flows;
}

}  // namespace weft::workloads
