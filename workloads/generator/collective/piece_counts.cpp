// Reads and draws the bytes of pieces that differ.
#include "workloads/generator/collective/piece_counts.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/line_reader.hpp"
#include "engine/base/text/line_scanner.hpp"
#include "engine/random.hpp"
#include "workloads/generator/collective/collective.hpp"

namespace weft::workloads {
namespace {

constexpr u64 most_bytes_of_a_piece = 1'000'000'000'000;
constexpr double most_bytes_of_all = 0x1p53;

/// Whole bytes that add up to the mean times the tasks: the first has the largest share.
std::vector<u64> zipf_shares(double exponent, u64 mean, u32 tasks) {
  const double total = static_cast<double>(mean) * tasks;
  if (total > most_bytes_of_all) {
    throw ConfigError(
        fmt::format("workload.message_bytes = {} for {} tasks is too much to be divided by counts_law = \"zipf\" (more "
                    "than 2^53 bytes in all); use {} or less",
                    mean, tasks, static_cast<u64>(most_bytes_of_all / tasks)));
  }
  double sum = 0;
  for (u32 k = 1; k <= tasks; ++k) sum += std::pow(k, -exponent);
  std::vector<u64> shares;
  double part = 0;
  u64 given = 0;
  for (u32 k = 1; k <= tasks; ++k) {
    part += std::pow(k, -exponent);
    const u64 up_to = k == tasks ? mean * tasks : static_cast<u64>(std::llround(total * std::min(1.0, part / sum)));
    shares.push_back(up_to - given);
    given = up_to;
  }
  return shares;
}

}  // namespace

PieceCounts::PieceCounts(std::vector<u64> bytes, u32 tasks) : bytes_(std::move(bytes)), tasks_(tasks) {
  WEFT_ASSERT(bytes_.size() == tasks || bytes_.size() == u64{tasks} * tasks);
  if (bytes_.size() != tasks) return;
  before_.push_back(0);
  for (const u64 one : bytes_) before_.push_back(before_.back() + one);
}

PieceCounts::PieceCounts(u32 task, std::vector<u64> sent, std::vector<u64> received)
    : bytes_(std::move(sent)), tasks_(static_cast<u32>(bytes_.size())), task_(task), received_(std::move(received)) {
  WEFT_ASSERT(task < tasks_ && received_.size() == tasks_);
}

u64 PieceCounts::of_row(u32 first, u32 count) const {
  const u32 to_the_last = tasks_ - first;
  if (count <= to_the_last) return before_[first + count] - before_[first];
  return before_[tasks_] - before_[first] + before_[count - to_the_last];
}

u64 PieceCounts::most() const {
  if (bytes_.empty()) return span_ - 1;
  const u64 most = *std::ranges::max_element(bytes_);
  return received_.empty() ? most : std::max(most, *std::ranges::max_element(received_));
}

u64 bytes_of_all(const CollectiveSpec& spec) {
  return spec.counts ? spec.counts->of_row(0, spec.tasks) : spec.message_bytes * spec.tasks;
}

u64 PieceCounts::drawn(u32 from, u32 to) const {
  const u64 bits = engine::random_bits(seed_, from, to, engine::Use::kernel);
  return static_cast<u64>((static_cast<u128>(bits) * span_) >> 64);
}

std::shared_ptr<const PieceCounts> drawn_counts(CountsLaw law, double exponent, u64 mean, u32 tasks, bool pairs,
                                                u64 seed) {
  if (law == CountsLaw::uniform) {
    auto drawn = std::make_shared<const PieceCounts>(mean, tasks, seed);
    if (pairs) return drawn;
    std::vector<u64> bytes;
    for (u32 task = 0; task < tasks; ++task) bytes.push_back(drawn->of(0, task));
    return std::make_shared<const PieceCounts>(std::move(bytes), tasks);
  }
  std::vector<u64> bytes = zipf_shares(exponent, mean, tasks);
  for (u32 left = tasks; left > 1; --left)
    std::swap(bytes[left - 1], bytes[engine::scale_to(engine::random_bits(seed, 0, left, engine::Use::kernel), left)]);
  return std::make_shared<const PieceCounts>(std::move(bytes), tasks);
}

std::shared_ptr<const PieceCounts> read_counts(std::unique_ptr<ByteSource> source, u32 tasks, bool pairs) {
  LineReader lines(std::move(source));
  const u64 square = u64{tasks} * tasks, most = pairs ? square : tasks;
  const std::string wanted = pairs && tasks > 1
                                 ? fmt::format("{} numbers, one for each task, or {}, one for each pair", tasks, square)
                                 : fmt::format("{} numbers, one for each task", tasks);
  std::vector<u64> bytes;
  for (std::string_view line; lines.next_but("#", line);) {
    for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
      u64 value = 0;
      if (!whole_number(word, most_bytes_of_a_piece, value))
        lines.reject("no number of bytes", word, fmt::format("a whole number from 0 to {}", most_bytes_of_a_piece));
      if (bytes.size() == most) lines.reject(fmt::format("more than {} numbers", most), word, wanted);
      bytes.push_back(value);
    }
  }
  if (bytes.size() != tasks && bytes.size() != most)
    throw InputError(fmt::format("{}:{}: the file ends after {} numbers; expected {}", lines.name(), lines.number(),
                                 bytes.size(), wanted));
  return std::make_shared<const PieceCounts>(std::move(bytes), tasks);
}

}  // namespace weft::workloads
