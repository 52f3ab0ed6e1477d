// Rows, lists and sizes that several kernels share.
#include "workloads/kernel/kernel_keys.hpp"

#include <fmt/format.h>
#include <utility>

#include "engine/error.hpp"
#include "engine/nearest.hpp"

namespace weft::workloads {

namespace kernel_row {

Setting compute_ns(std::string help) {
  return row::integer("workload.compute_ns", "ns", 0, {0, 1'000'000'000'000}, std::move(help));
}

Setting block(std::string help) { return row::integers("workload.block", "elements", {1, 1 << 24}, std::move(help)); }

Setting width(std::string help) { return row::integer("workload.width", "elements", 1, {1, 1 << 16}, std::move(help)); }

Setting element_bytes(std::string help) {
  return row::integer("workload.element_bytes", "bytes", 8, {1, 1 << 24}, std::move(help));
}

}  // namespace kernel_row

u64 compute_ns(const KernelSpec& spec) { return static_cast<u64>(spec.keys.integer("compute_ns")); }

std::vector<i64> sides_of(const KernelSpec& spec, const std::string& name, std::size_t sides, i64 usual) {
  std::vector<i64> given = spec.keys.integers(name);
  if (given.empty()) return std::vector<i64>(sides, usual);
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

}  // namespace weft::workloads
