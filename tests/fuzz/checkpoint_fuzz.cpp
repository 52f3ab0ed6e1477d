// Fuzz target of the checkpoint reader: any bytes give records, events and a verdict on them, or an InputError.
#include <cstddef>
#include <span>

#include "engine/base/error.hpp"
#include "engine/transport.hpp"
#include "tests/fuzz/scratch_file.hpp"
#include "tools/run/checkpoint/checkpoint_file.hpp"

namespace {

using namespace weft;
using namespace weft::tools;

/// What a run that goes on from it reads, on one rank of `parts`.
void read(const std::string& path, u32 parts, engine::Transport& transport) {
  CheckpointReader file(path);
  WEFT_ASSERT(file.header().config_toml.size() < (std::size_t{1} << 24));
  file.keep([parts](u32 id) { return id % parts == 0; });
  std::size_t records = 0;
  for (const char* column : {"network", "host", "work"}) {
    file.each_record(column, [&](u32 id, std::span<const std::byte>) {
      WEFT_ASSERT(id % parts == 0);
      ++records;
    });
  }
  static_cast<void>(file.run());
  for (u32 type = 0; type < 3; ++type) {
    constexpr u32 row_bytes = 24;
    file.each_event(type, row_bytes, [](std::span<const std::byte> row) {
      WEFT_ASSERT(row.size() == row_bytes);
      return true;
    });
  }
  file.verify(transport);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t bytes) {
  static const auto alone = engine::single_process();
  const fuzz::ScratchFile file(data, bytes);
  for (const u32 parts : {1U, 3U}) {
    try {
      read(file.path(), parts, *alone);
    } catch (const InputError&) {
    }
  }
  return 0;
}
