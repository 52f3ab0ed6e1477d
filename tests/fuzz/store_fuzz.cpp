// Fuzz target of the stores of traces, which are files, too: any index and any events end in events that name only what
// their trace has, in counts and in a dry replay, or in an InputError. The first byte chooses: the index as it is (its
// checksum is put right, which no fuzzer finds by chance), or that of four tasks over any events. Two bytes say how
// many of the rest are events, which come first.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

#include "engine/base/error.hpp"
#include "engine/base/fnv1a.hpp"
#include "workloads/trace/edit/trace_stats.hpp"
#include "workloads/trace/store/trace_store.hpp"
#include "workloads/trace/trace_program.hpp"
#include "workloads/trace/trace_summary.hpp"

namespace {

namespace fs = std::filesystem;
using namespace weft;
using namespace weft::workloads;

constexpr u32 usual_tasks = 4;
/// Blocks may be of one place of the file: a small index can stand for gigabytes.
constexpr u64 most_events = 100'000, most_stored_bytes = u64{1} << 20;

/// A store that is written anew for each input; gone with the process.
class Store {
 public:
  Store() {
    std::error_code none;
    root_ = (fs::is_directory("/dev/shm", none) ? fs::path("/dev/shm") : fs::temp_directory_path()) / "weft-XXXXXX";
    if (::mkdtemp(root_.data()) == nullptr) throw std::runtime_error("no scratch folder");
    StoreIndex().save(index());
    std::getline(std::ifstream(index()), heading_);
  }
  ~Store() {
    std::error_code error;
    fs::remove_all(root_, error);
  }
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  [[nodiscard]] const std::string& folder() const { return root_; }
  void put_events(const std::string& bytes) const { std::ofstream(root_ + "/events-0", std::ios::binary) << bytes; }
  void put_index(const StoreIndex& values) const { values.save(index()); }
  void put_index(const std::string& values) const {
    const u64 sum = fnv1a(values, values.size());
    std::string checksum(sizeof sum, '\0');
    std::memcpy(checksum.data(), &sum, sizeof sum);
    std::ofstream(index(), std::ios::binary) << heading_ << '\n' << values << checksum;
  }

 private:
  [[nodiscard]] std::string index() const { return root_ + "/index"; }
  std::string root_, heading_;
};

/// An index of four tasks with equal parts of the events.
StoreIndex usual_index(u64 bytes, bool has_times, bool in_order) {
  StoreIndex index;
  index.format = "fuzz";
  index.tasks = usual_tasks;
  index.has_times = has_times;
  index.in_order = in_order;
  index.message.amount = index.computation.amount = u64{1} << 40;
  index.communicators = {{}, {{3, 1}}};
  index.names = {{"region", false}, {"call", true}};
  index.files = 1;
  for (u32 task = 0; task < usual_tasks; ++task) {
    const u64 first = bytes * task / usual_tasks, last = bytes * (task + 1) / usual_tasks;
    index.first_block.push_back(task);
    index.blocks.push_back({first, static_cast<u32>(last - first), 1, 0, 0});
  }
  index.first_block.push_back(usual_tasks);
  return index;
}

/// How many events there are, which must fit the index.
u64 read_events(const std::shared_ptr<const TraceStore>& store) {
  using Kind = TraceEvent::Kind;
  const StoreIndex& index = store->index();
  u64 count = 0;
  TraceEvent event;
  for (u32 task = 0; task < index.tasks && count < most_events; ++task) {
    const auto stream = TraceStore::events(store, task, u64{1} << 20);
    while (count < most_events && stream->next(event)) {
      ++count;
      const bool is_any = event.peer == TraceEvent::any && event.kind != Kind::send && event.kind != Kind::isend;
      WEFT_ASSERT(event.communicator < index.communicators.size());
      WEFT_ASSERT(is_any || event.peer < index.tasks);
      WEFT_ASSERT(event.root == TraceEvent::no_root || event.root < index.tasks);
      WEFT_ASSERT(event.kind < Kind::enter || event.name < index.names.size());
    }
  }
  return count;
}

void read(const std::string& input) {
  static const Store folder;
  const u8 choice = static_cast<u8>(input[0]);
  const std::size_t wanted = static_cast<u8>(input[1]) | std::size_t{static_cast<u8>(input[2])} << 8;
  const std::string events = input.substr(3, wanted);
  folder.put_events(events);
  if ((choice & 1) != 0) {
    folder.put_index(input.substr(3 + events.size()));
  } else {
    folder.put_index(usual_index(events.size(), (choice & 2) != 0, (choice & 4) != 0));
  }
  const auto store = TraceStore::open(folder.folder());
  if (read_events(store) * store->index().tasks > most_events || store->stored_bytes() > most_stored_bytes) return;
  const TraceStats stats = stats_of(store);
  WEFT_ASSERT(stats.tasks == store->index().tasks);
  const TraceCheck check = check_program(TraceProgram(store, "fuzz"));
  WEFT_ASSERT(check.messages >= stats.messages.count || !check.completes());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  try {
    read(std::string(reinterpret_cast<const char*>(data), size));
  } catch (const weft::InputError&) {
  } catch (const weft::ConfigError&) {  // a collective call without a size
  }
  return 0;
}
