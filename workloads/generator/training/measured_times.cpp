// The reader of tables of measured times.
#include "workloads/generator/training/measured_times.hpp"

#include <fmt/format.h>
#include <optional>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_line.hpp"

namespace weft::workloads {
namespace {

constexpr u64 most_pass_ns = 1'000'000'000'000'000;

/// A row for each number below `count`, of its own or of `*`.
template <class Row>
class RowOfEach {
 public:
  RowOfEach(std::string part, std::string unit, u32 count)
      : part_(std::move(part)), unit_(std::move(unit)), own_(count) {}

  void add(const TextLine& line, const Row& row) {
    const std::string_view word = line.word(1);
    if (word == "*") {
      if (all_) line.fail(fmt::format("`{} *` comes twice; remove one of them", part_));
      all_ = row;
      return;
    }
    const std::size_t dash = word.find('-');
    const u32 first = number(line, word.substr(0, dash));
    const u32 last = dash == std::string_view::npos ? first : number(line, word.substr(dash + 1));
    if (first > last) line.fail(fmt::format("{}s {} end before they begin; write {}-{}", unit_, word, last, first));
    for (u32 k = first; k <= last; ++k) {
      if (own_[k]) line.fail(fmt::format("{} of {} {} comes twice; remove one of them", part_, unit_, k));
      own_[k] = row;
    }
  }
  [[nodiscard]] std::vector<Row> rows(const std::string& file) const {
    std::vector<Row> found;
    for (std::size_t k = 0; k < own_.size(); ++k) {
      if (!own_[k] && !all_) {
        throw InputError(fmt::format("{}: no time of {} of {} {} (of {}); add a row `{} {} ...`, or `{} * ...` for all",
                                     shown(file), part_, unit_, k, own_.size(), part_, k, part_));
      }
      found.push_back(own_[k] ? *own_[k] : *all_);
    }
    return found;
  }

 private:
  [[nodiscard]] u32 number(const TextLine& line, std::string_view text) const {
    const std::optional<u32> value = parsed<u32>(text);
    if (!value) {
      line.fail(fmt::format("'{}' says no {} (a number, two with `-` between, or `*`); correct it",
                            shown(line.word(1), 24), unit_));
    }
    if (*value >= own_.size())
      line.fail(fmt::format("there is no {} {} (the last is {}); correct it", unit_, *value, own_.size() - 1));
    return *value;
  }

  std::string part_, unit_;
  std::vector<std::optional<Row>> own_;
  std::optional<Row> all_;
};

PartTimes part_times(const TextLine& line, std::size_t from) {
  return {line.whole(from, most_pass_ns, "time in ns"), line.whole(from + 1, most_pass_ns, "time in ns"),
          line.whole(from + 2, most_pass_ns, "time in ns")};
}

}  // namespace

std::shared_ptr<const PassTimes> read_pass_times(std::string_view text, const std::string& name, u32 layers,
                                                 u32 stages) {
  RowOfEach<PartTimes> attention("attention", "layer", layers), feed_forward("feed-forward", "layer", layers);
  RowOfEach<u64> optimizer("optimizer", "stage", stages);
  std::optional<PartTimes> embedding, logits;
  for_each_line_with_words(text, name, [&](const TextLine& line) {
    const std::string_view part = line.word(0);
    if (part == "attention" || part == "feed-forward") {
      line.expect_words(5, fmt::format("{} LAYERS forward_ns backward_ns weights_ns", part));
      (part == "attention" ? attention : feed_forward).add(line, part_times(line, 2));
    } else if (part == "embedding" || part == "logits") {
      line.expect_words(4, fmt::format("{} forward_ns backward_ns weights_ns", part));
      std::optional<PartTimes>& times = part == "logits" ? logits : embedding;
      if (times) line.fail(fmt::format("{} comes twice; remove one of them", part));
      times = part_times(line, 1);
    } else if (part == "optimizer") {
      line.expect_words(3, "optimizer STAGES ns");
      optimizer.add(line, line.whole(2, most_pass_ns, "time in ns"));
    } else {
      line.fail(
          fmt::format("'{}' is no part of a step; did you mean {}?", shown(part, 24),
                      nearest(std::string(part), {"attention", "feed-forward", "embedding", "logits", "optimizer"})));
    }
  });
  if (!logits) {
    throw InputError(
        fmt::format("{}: no times of logits; add a row `logits forward_ns backward_ns weights_ns`", shown(name)));
  }
  auto times = std::make_shared<PassTimes>();
  const std::vector<PartTimes> first = attention.rows(name), second = feed_forward.rows(name);
  times->layers.clear();
  for (u32 layer = 0; layer < layers; ++layer) times->layers.push_back({first[layer], second[layer]});
  times->embedding = embedding.value_or(PartTimes{});
  times->logits = *logits;
  times->optimizer = optimizer.rows(name);
  return times;
}

}  // namespace weft::workloads
