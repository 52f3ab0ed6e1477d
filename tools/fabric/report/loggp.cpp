// LogGP by congestion; see the header.
#include "tools/fabric/report/loggp.hpp"

#include <array>
#include <fmt/format.h>
#include <sstream>

#include "engine/base/error.hpp"
#include "engine/base/text/numbers.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/table.hpp"

namespace weft::tools {
namespace {

/// Messages whose bandwidth is told, in bytes.
constexpr std::array<u64, 6> message_sizes = {64, 1024, 16384, 262144, 1U << 20, 8U << 20};

/// MiB/s.
double bandwidth(const LogGp& model, u64 bytes, u64 congestion) {
  return static_cast<double>(bytes) / (1 << 20) / (model.time_of(bytes, congestion) * 1e-9);
}

}  // namespace

double LogGp::time_of(u64 bytes, u64 congestion) const {
  const double others = bytes == 0 ? 0 : static_cast<double>(bytes - 1);
  return latency_at(congestion) + 2 * overhead + others * byte_gap_at(congestion);
}

LogGp loggp_of(const std::string& text) {
  const auto fail = [&text](const char* problem) {
    throw ConfigError(
        fmt::format("--loggp '{}' {}; write L,o,g,G or L,o,g,G,STEP in ns (G in ns/byte, STEP what each further route "
                    "adds to L), for example 3500,800,1000,1.51",
                    shown(text), problem));
  };
  std::vector<double> numbers;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    const auto number = parsed<double>(word);
    if (!number || !(*number >= 0 && *number <= 1e15)) fail("has a part that is no number from 0 to 1e15");
    numbers.push_back(*number);
  }
  if (numbers.size() != 4 && numbers.size() != 5) fail("has not 4 or 5 numbers");
  if (numbers[3] == 0) fail("has a gap per byte G of 0, which no congestion changes");
  return {numbers[0], numbers[1], numbers[2], numbers[3], numbers.size() == 5 ? numbers[4] : 0};
}

std::string loggp_text(const LogGp& model, const std::vector<u64>& routes) {
  TextTable table{{"congestion", "routes", "L ns", "o ns", "g ns", "G ns/byte"}};
  for (const u64 bytes : message_sizes) table.front().push_back(byte_size(static_cast<double>(bytes)));
  table.front().back() += " in MiB/s";
  for (u64 c = 1; c < routes.size(); ++c) {
    table.push_back({std::to_string(c), grouped(routes[c]), significant(model.latency_at(c)),
                     significant(model.overhead), significant(model.gap), significant(model.byte_gap_at(c))});
    for (const u64 bytes : message_sizes) table.back().push_back(fixed(bandwidth(model, bytes, c), 1));
  }
  return aligned(table, 2);
}

nlohmann::json loggp_json(const LogGp& model, const std::vector<u64>& routes) {
  nlohmann::json rows = nlohmann::json::array();
  for (u64 c = 1; c < routes.size(); ++c) {
    nlohmann::json mib_per_s = nlohmann::json::array();
    for (const u64 bytes : message_sizes) mib_per_s.push_back(bandwidth(model, bytes, c));
    rows.push_back({{"congestion", c},
                    {"routes", routes[c]},
                    {"L_ns", model.latency_at(c)},
                    {"o_ns", model.overhead},
                    {"g_ns", model.gap},
                    {"G_ns_per_byte", model.byte_gap_at(c)},
                    {"mib_per_s", std::move(mib_per_s)}});
  }
  return {{"message_bytes", message_sizes}, {"rows", std::move(rows)}};
}

}  // namespace weft::tools
