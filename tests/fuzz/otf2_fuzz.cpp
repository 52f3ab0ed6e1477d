// Fuzz target of the reader of OTF2: an archive of which one file is any bytes ends in events or in an InputError. The
// first byte says which file: the anchor, the global definitions, local ones, events.
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <unistd.h>

#include "engine/base/error.hpp"
#include "tests/fuzz/known_leaks.hpp"
#include "workloads/trace/format/otf2/otf2_writer.hpp"
#include "workloads/trace/trace_source.hpp"

namespace {

namespace fs = std::filesystem;
using namespace weft;
using namespace weft::workloads;

constexpr std::uint64_t max_events = 100'000;
constexpr std::array<const char*, 4> files = {"traces.otf2", "traces.def", "traces/0.def", "traces/0.evt"};

/// A whole archive of two tasks, and a copy of it for each input; gone with the process.
class Archive {
 public:
  Archive() {
    std::error_code none;
    root_ = fs::is_directory("/dev/shm", none) ? "/dev/shm/weft-otf2-XXXXXX"
                                               : (fs::temp_directory_path() / "weft-otf2-XXXXXX").string();
    if (::mkdtemp(root_.data()) == nullptr) throw std::runtime_error("no scratch folder");
    std::ofstream(root_ + "/t.trc") << "c 0 10\ns 0 1 2 300\nr 0 1 2 300\ns 1 0 4 5\nr 1 0 4 5\n";
    StoreChoice choice;
    choice.kept = false;
    static_cast<void>(otf2::write_archive(store_of(find_trace(root_ + "/t.trc"), choice), root_ + "/whole"));
  }
  ~Archive() {
    std::error_code error;
    fs::remove_all(root_, error);
  }
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  [[nodiscard]] std::string with(const char* file, const std::string& bytes) const {
    fs::remove_all(root_ + "/one");
    fs::copy(root_ + "/whole", root_ + "/one", fs::copy_options::recursive);
    std::ofstream(root_ + "/one/" + file, std::ios::binary) << bytes;
    return root_ + "/one/traces.otf2";
  }

 private:
  std::string root_;
};

void read(const std::string& path) {
  const OpenedTrace trace = open_trace(find_trace(path), "otf2");
  TraceRecord record;
  std::uint64_t events = 0;
  for (std::uint32_t part = 0; part < trace.source->parts() && events < max_events; ++part) {
    const auto reader = trace.source->open(part);
    while (events < max_events && reader->next(record)) ++events;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Archive archive;
  if (size == 0) return 0;
  try {
    read(archive.with(files[data[0] % files.size()], std::string(reinterpret_cast<const char*>(data) + 1, size - 1)));
  } catch (const weft::InputError&) {
  }
  return 0;
}
