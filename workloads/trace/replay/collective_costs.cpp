// Closed forms of collective calls; see the header.
#include "workloads/trace/replay/collective_costs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <optional>

#include "engine/base/error.hpp"
#include "engine/base/text/line_scanner.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_line.hpp"

namespace weft::workloads {
namespace {

using Model = CollectivePhase::Model;
using Size = CollectivePhase::Size;

template <class Value>
struct DimemasWord {
  const char* word;
  Value value;
};
constexpr std::array<DimemasWord<Model>, 4> model_words{
    {{"0", Model::null}, {"CTE", Model::constant}, {"LIN", Model::linear}, {"LOG", Model::logarithmic}}};
constexpr std::array<DimemasWord<Size>, 5> size_words{
    {{"MIN", Size::least}, {"MAX", Size::most}, {"MEAN", Size::mean}, {"2MAX", Size::twice_most}, {"S+R", Size::sum}}};

/// Dimemas' numbers.
constexpr std::array numbered_calls{Collective::barrier,        Collective::broadcast,  Collective::gather,
                                    Collective::gatherv,        Collective::scatter,    Collective::scatterv,
                                    Collective::allgather,      Collective::allgatherv, Collective::all_to_all,
                                    Collective::all_to_allv,    Collective::reduce,     Collective::allreduce,
                                    Collective::reduce_scatter, Collective::scan};

template <class Words>
auto word_of(const TextLine& line, std::size_t ix, const Words& words, const char* what) {
  std::string known;
  for (const auto& one : words) {
    if (line.word(ix) == one.word) return one.value;
    known += (known.empty() ? "" : ", ") + std::string(one.word);
  }
  line.fail(fmt::format("'{}' is no {} of a phase; use one of {}", shown(line.word(ix)), what, known));
}

Collective call_of(const TextLine& line) {
  if (const auto call = mpi_collective(line.word(0))) return *call;
  u64 number = 0;
  if (whole_number(line.word(0), numbered_calls.size() - 1, number)) return numbered_calls[number];
  line.fail(fmt::format("'{}' is no collective call; use Dimemas' number (0..{}) or a name as MPI_Allreduce",
                        shown(line.word(0)), numbered_calls.size() - 1));
}

}  // namespace

u32 CollectivePhase::factor(u32 tasks) const {
  switch (model) {
    case Model::null:
      return 0;
    case Model::constant:
      return 1;
    case Model::linear:
      return tasks;
    case Model::logarithmic:
      return tasks < 2 ? 0 : static_cast<u32>(std::bit_width(tasks - 1));
  }
  return 0;
}

u64 CollectivePhase::bytes(u64 sent, u64 received, bool out) const {
  switch (size) {
    case Size::current:
      return out ? received : sent;
    case Size::least:
      return std::min(sent, received);
    case Size::most:
      return std::max(sent, received);
    case Size::mean:
      return (sent + received) / 2;
    case Size::twice_most:
      return 2 * std::max(sent, received);
    case Size::sum:
      return sent + received;
  }
  return 0;
}

CollectiveCosts::CollectiveCosts(double latency_ns, double gbps, CollectivePhase::Model model)
    : latency_ps_(1000 * latency_ns), ps_per_byte_(gbps > 0 ? 8000 / gbps : 0) {
  phases_.fill({{.model = model, .size = Size::current}, {.model = model, .size = Size::current}});
}

void CollectiveCosts::read(std::string_view text, const std::string& name) {
  std::array<bool, collective_operations_known> told{};
  for_each_line_with_words(text, name, [&](const TextLine& line) {
    // The sixth word of Dimemas' lines, a contention, is read by nobody.
    if (line.words() != 6) line.expect_words(5, "CALL MODEL_IN SIZE_IN MODEL_OUT SIZE_OUT");
    const Collective call = call_of(line);
    const auto place = static_cast<std::size_t>(call);
    if (told[place]) line.fail(fmt::format("{} stands here for the second time; leave one line", mpi_name(call)));
    told[place] = true;
    phases_[place] = {{word_of(line, 1, model_words, "model"), word_of(line, 2, size_words, "size")},
                      {word_of(line, 3, model_words, "model"), word_of(line, 4, size_words, "size")}};
  });
  if (std::ranges::none_of(told, [](bool is_told) { return is_told; })) {
    throw InputError(
        fmt::format("{}: no line with a collective call; write lines `MPI_Allreduce LOG MAX LOG MAX`", shown(name)));
  }
}

u64 CollectiveCosts::ps(Collective call, u32 tasks, u64 sent, u64 received) const {
  const Phases& both = phases(call);
  const auto lasts = [&](const CollectivePhase& phase, bool out) {
    return (latency_ps_ + static_cast<double>(phase.bytes(sent, received, out)) * ps_per_byte_) * phase.factor(tasks);
  };
  constexpr double most = static_cast<double>(u64{1} << 60);
  return static_cast<u64>(std::min(std::round(lasts(both.in, false) + lasts(both.out, true)), most));
}

u64 CollectiveCosts::least_ps() const {
  u64 least = ~u64{0};
  for (const KnownCollective& known : known_collectives) least = std::min(least, ps(known.operation, 2, 0, 0));
  return least;
}

}  // namespace weft::workloads
