// Fuzz target of the readers of sparse matrices and of their partitions: any bytes give places within the matrix, and a
// halo in which what is sent is what is received, or an InputError.
#include <algorithm>
#include <cstddef>
#include <string>

#include "engine/base/error.hpp"
#include "workloads/generator/matrix/matrix_halo.hpp"

namespace {

using namespace weft;
using namespace weft::workloads;

constexpr u64 most_entries = 100'000;  // a few compressed bytes can stand for gigabytes

std::unique_ptr<ByteSource> source(const std::string& bytes) { return decompressed(bytes_in_memory(bytes, "fuzz")); }

/// Entries up to `most_entries`; whether that is all of them.
bool read(const std::string& bytes) {
  MatrixMarketReader reader(source(bytes));
  u32 row = 0, column = 0;
  for (u64 entry = 0; entry < most_entries; ++entry) {
    if (!reader.next(row, column)) return true;
    WEFT_ASSERT(row < reader.rows() && column < reader.columns());
  }
  return false;
}

void halo(const std::string& bytes) {
  MatrixMarketReader reader(source(bytes));
  const auto tasks = static_cast<u32>(std::min<u64>({reader.rows(), reader.columns(), 5}));
  const MatrixHalo found(reader, tasks);
  for (u32 task = 0; task < tasks; ++task) {
    for (const MatrixHalo::Partner& to : found.sends(task)) {
      WEFT_ASSERT(to.task != task && to.entries > 0 && to.entries <= found.most_entries());
      WEFT_ASSERT(std::ranges::count(found.receives(to.task), MatrixHalo::Partner{task, to.entries}) == 1);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t bytes) {
  const std::string text(data, data + bytes);
  try {
    if (read(text)) halo(text);
  } catch (const InputError&) {
  }
  try {
    constexpr u64 columns = 4;
    constexpr u32 tasks = 3;
    for (const u32 task : read_matrix_partition(bytes_in_memory(text, "fuzz"), columns, tasks))
      WEFT_ASSERT(task < tasks);
  } catch (const InputError&) {
  }
  return 0;
}
