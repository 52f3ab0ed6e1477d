// Readers of files of distances.
#include "workloads/traffic/pattern/distance_files.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_line.hpp"

namespace weft::workloads {
namespace {

constexpr u64 most_distance_of_files = 1 << 20;

u32 distance_in(const TextLine& line) {
  return static_cast<u32>(line.whole(0, most_distance_of_files, "distance in links"));
}

void check_some_distance(const std::vector<double>& weights, const std::string& name) {
  // Nobody sends to itself: distance 0 is passed over, as in INSEE.
  if (std::any_of(weights.begin() + (weights.empty() ? 0 : 1), weights.end(), [](double w) { return w > 0; })) return;
  throw InputError(fmt::format("{}: no distance from 1 on has a weight (nothing would be sent); add one", shown(name)));
}

}  // namespace

std::vector<double> read_distance_histogram(std::string_view text, const std::string& name) {
  std::vector<double> weights;
  std::vector<bool> known;
  for_each_line_with_words(text, name, [&](const TextLine& line) {
    line.expect_words(2, "distance weight");
    const u32 distance = distance_in(line);
    if (distance >= weights.size()) {
      weights.resize(distance + 1, 0.0);
      known.resize(distance + 1, false);
    }
    if (known[distance]) line.fail(fmt::format("distance {} comes twice; remove one of them", distance));
    known[distance] = true;
    weights[distance] = line.weight(1, "weight");
  });
  check_some_distance(weights, name);
  return weights;
}

std::vector<double> read_population(std::string_view text, const std::string& name) {
  std::vector<double> counts;
  for_each_line_with_words(text, name, [&](const TextLine& line) {
    line.expect_words(1, "distance");
    const u32 distance = distance_in(line);
    if (distance >= counts.size()) counts.resize(distance + 1, 0.0);
    counts[distance] += 1;
  });
  check_some_distance(counts, name);
  return counts;
}

}  // namespace weft::workloads
