// Rows are ordered by names first, then so that links cross little; see the header.
#include "tools/fabric/report/fabric_layout.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>

#include "models/subnet/distances.hpp"

namespace weft::tools {
namespace {

using models::Subnet;

constexpr u32 most_switches = 512;

std::vector<std::vector<u32>> rows_of(const Subnet& subnet, const CableBundles& bundles,
                                      const std::vector<double>& switch_values) {
  const std::vector<u32> levels = models::fabric_levels(subnet).level;
  std::vector<std::vector<u32>> rows(levels.empty() ? 1 : *std::ranges::max_element(levels) + 1);
  for (u32 s = 0; s < subnet.switches(); ++s) rows[levels.empty() ? 0 : levels[s]].push_back(s);
  std::vector<double> busiest(subnet.switches(), 0);
  for (u32 s = 0; s < switch_values.size(); ++s) busiest[s] = switch_values[s];
  for (const auto& [ends, bundle] : bundles) {
    for (const u32 s : {ends.first, ends.second}) busiest[s] = std::max(busiest[s], bundle.value);
  }
  for (auto& row : rows) {
    const std::size_t share = std::max<std::size_t>(
        2, subnet.switches() <= most_switches ? row.size() : row.size() * most_switches / subnet.switches());
    std::ranges::stable_sort(row, [&](u32 a, u32 b) { return busiest[a] > busiest[b]; });
    if (row.size() > share) row.resize(share);
    std::ranges::sort(row, [&](u32 a, u32 b) {
      const std::string &name_a = subnet.switch_label(a), &name_b = subnet.switch_label(b);
      if (natural_less(name_a, name_b)) return true;
      return !natural_less(name_b, name_a) && a < b;
    });
  }
  return rows;
}

/// Orders rows so that links cross little: leaves that share a switch above stand together, switches above in the
/// middle of theirs.
void untangle(std::vector<std::vector<u32>>& rows, const CableBundles& bundles, u32 switches) {
  std::vector<u32> row_of(switches, UINT32_MAX), at(switches, 0);
  for (u32 r = 0; r < rows.size(); ++r) {
    for (u32 k = 0; k < rows[r].size(); ++k) row_of[rows[r][k]] = r, at[rows[r][k]] = k;
  }
  std::vector<std::vector<u32>> above(switches), below(switches);
  for (const auto& [ends, bundle] : bundles) {
    const auto [a, b] = ends;
    if (row_of[a] == UINT32_MAX || row_of[b] == UINT32_MAX) continue;
    const bool up = row_of[a] < row_of[b];
    above[up ? a : b].push_back(at[up ? b : a]);
    below[up ? b : a].push_back(up ? a : b);
  }
  for (auto& list : above) std::ranges::sort(list);
  std::ranges::stable_sort(rows[0], [&](u32 a, u32 b) { return above[a] < above[b]; });
  for (u32 r = 0; r < rows.size(); ++r) {
    std::vector<double> middle(switches, 0);
    for (const u32 s : rows[r]) {
      for (const u32 child : below[s]) middle[s] += at[child] / static_cast<double>(below[s].size());
    }
    if (r > 0) std::ranges::stable_sort(rows[r], [&](u32 a, u32 b) { return middle[a] + 1e-9 < middle[b]; });
    for (u32 k = 0; k < rows[r].size(); ++k) at[rows[r][k]] = k;
  }
}

DrawnLayout placed(const std::vector<std::vector<u32>>& rows, u32 switches) {
  DrawnLayout layout{rows, std::vector<DrawnPlace>(switches), std::vector<u8>(switches, 0), 0, 9};
  if (rows.size() == 1) layout.radius = std::clamp(12.0 * static_cast<double>(rows[0].size()), 60.0, 400.0);
  std::size_t longest = 0;
  for (const auto& row : rows) longest = std::max(longest, row.size());
  layout.size = std::clamp(
      0.6 * (layout.ring() ? 2 * std::numbers::pi * layout.radius : drawing_width) / static_cast<double>(longest), 3.0,
      10.0);
  if (layout.ring()) {
    const double middle = layout.radius + (rows[0].size() <= named_on_ring ? 130 : 40);
    for (std::size_t k = 0; k < rows[0].size(); ++k) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(rows[0].size());
      const double x = std::sin(angle), y = -std::cos(angle);
      layout.places[rows[0][k]] = {drawing_width / 2 + layout.radius * x, middle + layout.radius * y, x, y};
    }
    layout.height = 2 * middle;
  } else {
    // Levels far enough apart that lines to the other end of a wide row are still told apart.
    const double step = longest > 24 ? 230 : 170;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const double y = 50 + step * static_cast<double>(rows.size() - 1 - r);
      const double pitch = (drawing_width - 20) / static_cast<double>(rows[r].size());
      for (std::size_t k = 0; k < rows[r].size(); ++k)
        layout.places[rows[r][k]] = {10 + pitch * (static_cast<double>(k) + 0.5), y, 0, 1};
    }
    layout.height = 50 + step * static_cast<double>(rows.size() - 1) + 70;
  }
  for (const auto& row : rows) {
    for (const u32 s : row) layout.drawn[s] = 1;
  }
  return layout;
}

}  // namespace

bool natural_less(const std::string& a, const std::string& b) {
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (!digit(a[i]) || !digit(b[j])) {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i, ++j;
      continue;
    }
    std::size_t end_i = i, end_j = j;
    while (end_i < a.size() && digit(a[end_i])) ++end_i;
    while (end_j < b.size() && digit(b[end_j])) ++end_j;
    while (i + 1 < end_i && a[i] == '0') ++i;
    while (j + 1 < end_j && b[j] == '0') ++j;
    if (end_i - i != end_j - j) return end_i - i < end_j - j;
    for (; i < end_i; ++i, ++j) {
      if (a[i] != b[j]) return a[i] < b[j];
    }
  }
  return a.size() - i < b.size() - j;
}

DrawnLayout layout_of_fabric(const Subnet& subnet, const CableBundles& bundles,
                             const std::vector<double>& switch_values) {
  std::vector<std::vector<u32>> rows = rows_of(subnet, bundles, switch_values);
  if (rows.size() > 1) untangle(rows, bundles, subnet.switches());
  return placed(rows, subnet.switches());
}

}  // namespace weft::tools
