// simplenet, simplep2p and loggp, which have no links: the ideal network.
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_file.hpp"
#include "engine/base/text/words.hpp"
#include "tools/import/codes/conversion.hpp"

namespace weft::tools::codes {
namespace {

constexpr double mib = 1048576;
/// What [ideal] takes at most.
constexpr double most_ns = 1e8;

struct Loggp {
  double latency_us = 0, overhead_us = 0, gap_us = 0, byte_gap_us = 0;
};

/// The row of the longest message of a table of the program netgauge: size, n, three times, L, o_s, o_r, g, G, fit.
Loggp read_loggp(const ForeignFile& file) {
  Loggp last;
  double longest = -1;
  u64 number = 0;
  for_each_line(file.text, [&](std::string_view whole) {
    ++number;
    const std::string_view line = trimmed(whole);
    if (line.empty() || line.front() == '#') return;
    const std::vector<std::string> words = listed_words(line, line_blanks);
    std::vector<double> values;
    for (const std::string& word : words) {
      double value = 0;
      if (!read_number(word, value) && word.find("nan") == std::string::npos) {
        throw ConfigError(fmt::format("{}:{}: {} is no number; lines are size, n, three times, L, o_s, o_r, g, G",
                                      shown(file.path), number, shown(word)));
      }
      values.push_back(value);
    }
    if (values.size() < 10) {
      throw ConfigError(
          fmt::format("{}:{}: has {} numbers in place of 10 or more (the file may be cut off); lines are "
                      "size, n, three times, L, o_s, o_r, g, G",
                      shown(file.path), number, values.size()));
    }
    if (values[0] < longest || values[8] < 0 || values[9] < 0) return;
    longest = values[0];
    last = {values[5], 0, values[8], values[9]};
  });
  if (longest < 0)
    throw ConfigError(fmt::format("{}: has no row with g and G above 0; give a whole table", shown(file.path)));
  return last;
}

/// The mean of the numbers of a matrix above 0: those of the diagonal are 0.
double mean_of_matrix(const ForeignFile& file) {
  double sum = 0;
  u64 count = 0, number = 0;
  for_each_line(file.text, [&](std::string_view line) {
    ++number;
    for (const std::string& word : listed_words(line, ", \t\r")) {
      double value = 0;
      if (!read_number(word, value) || value < 0)
        throw ConfigError(fmt::format("{}:{}: {} is no number from 0 on; lines are those of a matrix", shown(file.path),
                                      number, shown(word)));
      if (value > 0) sum += value, ++count;
    }
  });
  if (count == 0) throw ConfigError(fmt::format("{}: has no number above 0; give a whole matrix", shown(file.path)));
  return sum / static_cast<double>(count);
}

}  // namespace

Network convert_ideal(Conversion& all) {
  Values& in = all.in;
  Network network{.nodes = in.terminals()};
  if (network.nodes < 2) in.fail("modelnet_order", "is of a network of fewer than two nodes; use more repetitions");
  all.out.set("topology", "kind", "ideal");
  all.out.set("topology", "nodes", network.nodes);
  const auto set = [&](const char* key, double value) { all.out.set("ideal", key, std::min(value, most_ns)); };
  const auto file = [&](const std::string& name) {
    const ForeignFile* const found = all.file_named(in.text(name, ""));
    if (found == nullptr)
      in.fail(name, "is not among the files; add it to the command: weft import FILE.conf THAT-FILE");
    return found;
  };
  if (in.model() == "loggp") {
    const Loggp costs = read_loggp(*file("net_config_file"));
    set("latency_ns", costs.latency_us * 1000);
    set("gap_ns", costs.gap_us * 1000);
    set("byte_gap_ns", costs.byte_gap_us * 1000);
  } else if (in.model() == "simplenet") {
    set("latency_ns", in.real("net_startup_ns", 0));
    set("byte_gap_ns", 1e9 / (in.real("net_bw_mbps", 0, 1e-3) * mib));
    if (!in.given("net_bw_mbps")) static_cast<void>(in.integer("net_bw_mbps"));
  } else {
    set("latency_ns", mean_of_matrix(*file(in.one_of({"net_latency_ns_file", "net_startup_ns_file"}))));
    set("byte_gap_ns", 1e9 / (mean_of_matrix(*file("net_bw_mbps_file")) * mib));
  }
  for (const char* const name : {"packet_size", "chunk_size"})
    in.note(name, "the ideal network carries messages whole", OptionState::same);
  const i64 processes = in.processes();
  if (processes > network.nodes && processes % network.nodes == 0 && processes / network.nodes <= 64) {
    network.tasks_per_node = processes / network.nodes;
    all.out.set("node", "tasks", network.tasks_per_node);
  }
  return network;
}

}  // namespace weft::tools::codes
