// Rows, lists and sizes that several kernels share.
#include "workloads/generator/kernel/kernel_keys.hpp"

#include <fmt/format.h>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/meaning.hpp"
#include "engine/base/nearest.hpp"
#include "workloads/generator/collective/collective.hpp"

namespace weft::workloads {

namespace kernel_row {

Setting compute_ns(std::string help) {
  return row::integer("workload.compute_ns", "ns", 0, {0, 1'000'000'000'000}, std::move(help));
}

Setting overlap() {
  return row::boolean("workload.overlap", false, "tasks compute before they wait for messages, not after it.")
      .only_with("workload.compute_ns");
}

Setting block(std::string help) { return row::integers("workload.block", "elements", {1, 1 << 24}, std::move(help)); }

Setting width(std::string help) { return row::integer("workload.width", "elements", 1, {1, 1 << 16}, std::move(help)); }

Setting element_bytes(std::string help) {
  return row::integer("workload.element_bytes", "bytes", 8, {1, 1 << 24}, std::move(help));
}

Setting reduction() {
  return row::text("workload.reduction", "auto",
                   "algorithm of the allreduce of all tasks; `weft describe allreduce` lists them, auto = its usual "
                   "one.");
}

Setting reduction_bytes() {
  return row::integer("workload.reduction_bytes", "bytes", 8, {1, 1 << 24}, "data of an allreduce of all tasks.");
}

Setting matrix_order() {
  return row::integer("workload.matrix_order", "elements", 4096, {1, 1 << 24}, "rows and columns of a dense matrix.");
}

Setting panel() {
  return row::integer("workload.panel", "elements", 128, {1, 1 << 16},
                      "columns of a panel, and rows and columns of a block of a dense matrix.");
}

Setting stage_lengths() {
  return row::choice("workload.stage_lengths", "fixed", {"fixed", "doubling", "halving"},
                     "lengths of messages from stage to stage: fixed; doubling from workload.message_bytes on; halving "
                     "down to it.");
}

Setting diagonal_neighbours() {
  return row::choice("workload.diagonal_neighbours", "all", {"all", "corners", "positive"},
                     "which diagonal neighbours: all that differ in several coordinates; corners: those that differ in "
                     "all; positive: the two at +1, and at -1, in all of them.")
      .only_with("workload.diagonals");
}

}  // namespace kernel_row

Diagonals diagonals_of(const KernelSpec& spec) {
  if (!spec.diagonals) return Diagonals::none;
  return meaning_of<Diagonals>(
      spec.keys.text("diagonal_neighbours"),
      {{"all", Diagonals::all}, {"corners", Diagonals::corners}, {"positive", Diagonals::positive}});
}

StageLengths stage_lengths(const KernelSpec& spec, u32 stages) {
  using enum StageLengths::Law;
  const StageLengths lengths{
      .law = meaning_of<StageLengths::Law>(spec.keys.text("stage_lengths"),
                                           {{"fixed", fixed}, {"doubling", doubling}, {"halving", halving}}),
      .bytes = spec.message_bytes,
      .stages = stages};
  if (lengths.law != fixed && stages > 1) {
    static_cast<void>(product_bytes(spec, {static_cast<i64>(spec.message_bytes), i64{1} << (stages - 1)},
                                    "workload.message_bytes, or fewer tasks"));
  }
  return lengths;
}

u64 compute_ns(const KernelSpec& spec) { return static_cast<u64>(spec.keys.integer("compute_ns")); }

std::vector<i64> sides_of(const KernelSpec& spec, const std::string& name, std::size_t sides, i64 fallback) {
  std::vector<i64> given = spec.keys.integers(name);
  if (given.empty()) return std::vector<i64>(sides, fallback);
  if (given.size() == sides) return given;
  const std::string text = list_text(given);
  const std::size_t count = given.size();
  given.resize(sides, given.back());
  throw ConfigError(
      fmt::format("workload.{} = {} does not fit kernel \"{}\" ({} numbers for {} dimensions); use for "
                  "example {} = {}",
                  name, text, spec.name, count, sides, name, list_text(given)));
}

u64 product_bytes(const KernelSpec& spec, const std::vector<i64>& factors, const std::string& keys) {
  constexpr u64 most = u64{1} << 53;
  const u64 bytes = product_up_to(factors, most);
  if (bytes > most) {
    throw ConfigError(
        fmt::format("kernel \"{}\" has messages of more than 2^53 bytes; use a smaller {}", spec.name, keys));
  }
  if (bytes > spec.limits.message_bytes) throw ConfigError(keys + ": " + too_many_packets(bytes, spec.limits));
  return bytes;
}

std::unique_ptr<Program> reduction_of_all(const KernelSpec& spec) {
  CollectiveSpec all;
  all.operation = "allreduce";
  all.algorithm = spec.keys.text("reduction");
  all.tasks = spec.tasks;
  all.message_bytes = static_cast<u64>(spec.keys.integer("reduction_bytes"));
  const CollectiveKind* found = nullptr;
  std::vector<std::string> known{"auto"};
  const auto& registry = CollectiveRegistry::instance();
  for (const std::string& name : registry.names()) {
    const CollectiveKind* const kind = registry.find(name);
    if (kind->operation != all.operation) continue;
    known.push_back(kind->algorithm);
    if (kind->algorithm == all.algorithm || (all.algorithm == "auto" && kind->is_default)) found = kind;
  }
  if (found == nullptr) {
    throw ConfigError(
        fmt::format("workload.reduction \"{}\" is no algorithm of allreduce (weft describe allreduce lists them); did "
                    "you mean \"{}\"?",
                    all.algorithm, nearest(all.algorithm, known)));
  }
  if (const u64 longest = longest_message_bytes(all); longest > spec.limits.message_bytes)
    throw ConfigError("workload.reduction_bytes: " + too_many_packets(longest, spec.limits));
  return make_collective(all);
}

}  // namespace weft::workloads
