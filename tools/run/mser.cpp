// All figures come from integers summed over the ranks, so every rank and any number of ranks decides alike.
#include "tools/run/mser.hpp"

#include <algorithm>
#include <limits>

#include "engine/base/confidence.hpp"
#include "engine/base/deviation.hpp"
#include "engine/base/error.hpp"

namespace weft::tools {
namespace {

std::vector<double> group_means(std::span<const IntervalRow> rows, double IntervalRow::*figure) {
  std::vector<double> means;
  for (std::size_t begin = 0; begin + mser_group <= rows.size(); begin += mser_group) {
    double sum = 0;
    for (const IntervalRow& row : rows.subspan(begin, mser_group)) sum += row.*figure;
    means.push_back(sum / static_cast<double>(mser_group));
  }
  return means;
}

/// A mean of 0 is precise if nothing scatters.
bool precise(const std::vector<IntervalRow>& batches, double IntervalRow::*figure, double fraction, double percent) {
  std::vector<double> values;
  for (const IntervalRow& batch : batches) values.push_back(batch.*figure);
  return stats::half_width(values, percent) <= fraction * stats::mean_of(values);
}

}  // namespace

std::size_t mser_truncation(std::span<const double> series) {
  constexpr std::size_t least_kept = 5;
  if (series.size() <= least_kept) return 0;
  // From the end on; about the series' last value, so that little is lost where the values are close to one another.
  const double about = series.back();
  double sum = 0, squares = 0, best = std::numeric_limits<double>::infinity();
  std::size_t truncation = 0;
  for (std::size_t k = series.size(); k-- > 0;) {
    const double value = series[k] - about;
    sum += value;
    squares += value * value;
    const std::size_t kept = series.size() - k;
    if (kept < least_kept) continue;
    const double n = static_cast<double>(kept);
    const double error = std::max(0.0, squares - sum * sum / n) / (n * n);
    if (error <= best) {
      best = error;
      truncation = k;
    }
  }
  return truncation;
}

IntervalRow merged(std::span<const IntervalRow> rows) {
  IntervalRow all;
  all.begin = rows.front().begin;
  all.end = rows.back().end;
  double cycles = 0;
  for (const IntervalRow& row : rows) {
    const double length = static_cast<double>(row.end - row.begin),
                 packets = static_cast<double>(row.delivered_packets);
    cycles += length;
    all.injected_load += row.injected_load * length;
    all.accepted_load += row.accepted_load * length;
    all.latency_mean += row.latency_mean * packets;
    all.delivered_packets += row.delivered_packets;
  }
  all.injected_load /= cycles;
  all.accepted_load /= cycles;
  if (all.delivered_packets != 0) all.latency_mean /= static_cast<double>(all.delivered_packets);
  return all;
}

SteadyWindow steady_window(std::span<const IntervalRow> rows, u64 batches, double precision_fraction,
                           double confidence_percent) {
  const u64 groups = rows.size() / mser_group;
  WEFT_ASSERT(batches > 0 && rows.size() % mser_group == 0 && groups >= 2 * batches);
  const u64 truncation = std::max(mser_truncation(group_means(rows, &IntervalRow::accepted_load)),
                                  mser_truncation(group_means(rows, &IntervalRow::latency_mean)));
  SteadyWindow window;
  window.truncated_in_first_half = truncation <= groups / 2;
  const u64 kept = groups - std::min(truncation, groups / 2), per_batch = kept / batches;
  window.first = groups - per_batch * batches;
  for (u64 k = 0; k < batches; ++k)
    window.batches.push_back(merged(rows.subspan((window.first + k * per_batch) * mser_group, per_batch * mser_group)));
  window.precise = precise(window.batches, &IntervalRow::accepted_load, precision_fraction, confidence_percent) &&
                   precise(window.batches, &IntervalRow::latency_mean, precision_fraction, confidence_percent);
  return window;
}

u64 next_judgement(u64 groups, u64 batches) {
  return groups < 2 * batches ? 2 * batches : groups + std::max<u64>(1, groups / 4);
}

}  // namespace weft::tools
