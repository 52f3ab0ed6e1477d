// Sizes of data types; see the header.
#include "workloads/trace/format/dumpi/dumpi_types.hpp"

#include <algorithm>
#include <array>

namespace weft::workloads {
namespace {

/// Bytes of the built-in types on a 64-bit machine: char to double, long double, long long twice, packed, bounds,
/// pairs.
constexpr std::array<u8, 28> dumpi_default_sizes = {0, 0,  1, 1, 1, 1, 4, 2, 2, 4,  4,  8, 8, 4,
                                                    8, 16, 8, 8, 8, 1, 0, 0, 8, 12, 12, 6, 8, 20};
constexpr std::size_t dumpi_long_long_int = 16;  // 0 in the tables of some traces
constexpr u64 most_type_bytes = u64{1} << 40;

}  // namespace

DumpiTypes::DumpiTypes(const DumpiFile& file) {
  if (file.sizes.empty()) sizes_.assign(dumpi_default_sizes.begin(), dumpi_default_sizes.end());
  for (const i32 size : file.sizes) sizes_.push_back(size < 0 ? unknown : static_cast<u64>(size));
  if (sizes_.size() > dumpi_long_long_int && sizes_[dumpi_long_long_int] == 0) sizes_[dumpi_long_long_int] = 8;
}

u64 DumpiTypes::size(i64 type) const {
  return type >= 0 && static_cast<u64>(type) < sizes_.size() ? sizes_[static_cast<std::size_t>(type)] : unknown;
}

void DumpiTypes::set(i64 type, u64 size) {
  if (size != unknown && size > most_type_bytes) size = unknown;
  if (static_cast<u64>(type) >= sizes_.size()) sizes_.resize(static_cast<std::size_t>(type) + 1, unknown);
  sizes_[static_cast<std::size_t>(type)] = size;
}

u64 DumpiTypes::bytes(i64 count, i64 type) const {
  if (count == 0) return 0;
  const u64 each = size(type);
  return each == unknown ? TraceEvent::unknown_bytes : static_cast<u64>(count) * each;
}

bool DumpiTypes::note(const DumpiCall& call) {
  using Field = DumpiField;
  using List = DumpiList;
  const auto times = [](u64 size, i64 count) {
    return size == unknown || count < 0 || size > most_type_bytes ? unknown : size * static_cast<u64>(count);
  };
  const auto sum = [](const std::vector<i32>& list) {
    i64 all = 0;
    for (const i32 each : list) all += each < 0 ? 0 : each;
    return all;
  };
  const u64 old = size(call.at(Field::oldtype));
  u64 made = unknown;
  switch (call.function) {
    case dumpi_type_contiguous:
      made = times(old, call.at(Field::count));
      break;
    case dumpi_type_vector:
    case dumpi_type_hvector:
    case dumpi_type_create_hvector:
      made = times(times(old, call.at(Field::count)), call.at(Field::blocklength));
      break;
    case dumpi_type_indexed:
    case dumpi_type_hindexed:
      made = times(old, sum(call.at(List::lengths)));
      break;
    case dumpi_type_create_hindexed:
      made = times(old, sum(call.at(List::blocklengths)));
      break;
    case dumpi_type_create_indexed_block:
      made = times(times(old, call.at(Field::count)), call.at(Field::blocklength));
      break;
    case dumpi_type_struct:
    case dumpi_type_create_struct: {
      const auto& lengths = call.at(call.function == dumpi_type_struct ? List::lengths : List::blocklengths);
      const auto& types = call.at(List::oldtypes);
      made = 0;
      for (std::size_t i = 0; i < std::min(lengths.size(), types.size()); ++i) {
        const u64 part = times(size(types[i]), lengths[i]);
        made = part == unknown || made == unknown || made > most_type_bytes ? unknown : made + part;
      }
      break;
    }
    case dumpi_type_create_subarray:
      made = old;
      for (const i32 extent : call.at(List::subsizes)) made = times(made, extent);
      break;
    case dumpi_type_create_resized:
    case dumpi_type_dup:
      made = old;
      break;
    case dumpi_type_size:
    case dumpi_type_match_size:
      made = call.at(Field::size) < 0 ? unknown : static_cast<u64>(call.at(Field::size));
      if (made != unknown && call.at(Field::datatype) >= 2) set(call.at(Field::datatype), made);
      return true;
    default:
      return false;
  }
  if (made != unknown) set(call.at(Field::newtype), made);
  return true;
}

}  // namespace weft::workloads
