// OTF2 archives from stores; see the header.
#include "workloads/trace/format/otf2/otf2_writer.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "workloads/trace/format/otf2/otf2_library.hpp"
#include "workloads/trace/format/otf2/otf2_task_writer.hpp"

namespace weft::workloads::otf2 {
namespace {

/// What the library holds in memory at a time, for each file anew, so small ones are quicker with many tasks.
constexpr u64 least_chunk_bytes = u64{256} << 10, most_chunk_bytes = u64{16} << 20;
/// A group of all tasks has to fit into a chunk of definitions.
constexpr u64 definition_bytes_per_task = 16;
constexpr u64 nanoseconds_per_second = 1'000'000'000;
constexpr u32 group_of_locations = 0;

OTF2_FlushType flush_always(void* /*data*/, OTF2_FileType /*type*/, OTF2_LocationRef /*location*/, void* /*caller*/,
                            bool /*final*/) {
  return OTF2_FLUSH;
}

/// The library keeps its address. No time after flushing: the archive gets no records of flushes.
constexpr OTF2_FlushCallbacks flush_callbacks{.otf2_pre_flush = flush_always, .otf2_post_flush = nullptr};

struct CloseArchive {
  void operator()(OTF2_Archive* archive) const {
    const std::scoped_lock held(library_lock());
    OTF2_Archive_Close(archive);
  }
};

class ArchiveWriter {
 public:
  ArchiveWriter(const std::shared_ptr<const TraceStore>& store, const std::string& path)
      : store_(store), index_(store->index()), path_(path), communicators_(index_) {
    listen();
    const std::scoped_lock held(library_lock());
    const u64 definitions = std::clamp(definition_bytes_per_task * index_.tasks, least_chunk_bytes, most_chunk_bytes);
    archive_.reset(OTF2_Archive_Open(path.c_str(), "traces", OTF2_FILEMODE_WRITE, least_chunk_bytes, definitions,
                                     OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE));
    if (!archive_) fail(OTF2_SUCCESS);
    check(OTF2_Archive_SetFlushCallbacks(archive_.get(), &flush_callbacks, nullptr));
    check(OTF2_Archive_SetSerialCollectiveCallbacks(archive_.get()));
    check(OTF2_Archive_SetCreator(archive_.get(), "weft"));
    check(OTF2_Archive_SetDescription(archive_.get(), index_.format.c_str()));
  }

  std::vector<std::string> write() {
    write_events();
    write_local_definitions();
    write_global_definitions();
    check(OTF2_Archive_Close(archive_.release()));
    std::vector<std::string> losses;
    for (const auto& [text, count] : written_.losses) losses.push_back(fmt::format(fmt::runtime(text), count));
    if (!index_.in_order) losses.push_back("that receives are matched by source, tag and size: in OTF2 by their order");
    return losses;
  }

 private:
  [[noreturn]] void fail(OTF2_ErrorCode code) const {
    throw SystemError(fmt::format("{}: the OTF2 archive cannot be written ({})", shown(path_), said(code)));
  }
  void check(OTF2_ErrorCode code) const {
    if (code != OTF2_SUCCESS) fail(code);
  }

  void write_events() {
    check(OTF2_Archive_OpenEvtFiles(archive_.get()));
    for (u32 task = 0; task < index_.tasks; ++task) {
      OTF2_EvtWriter* const to = OTF2_Archive_GetEvtWriter(archive_.get(), task);
      if (to == nullptr) fail(OTF2_SUCCESS);
      TaskWriter(to, task, index_, communicators_, written_).write(*TraceStore::events(store_, task));
      uint64_t events = 0;
      check(OTF2_EvtWriter_GetNumberOfEvents(to, &events));
      events_.push_back(events);
      check(OTF2_Archive_CloseEvtWriter(archive_.get(), to));
    }
    check(OTF2_Archive_CloseEvtFiles(archive_.get()));
  }

  /// Empty ones: numbers are the same everywhere, and there is one clock.
  void write_local_definitions() {
    check(OTF2_Archive_OpenDefFiles(archive_.get()));
    for (u32 task = 0; task < index_.tasks; ++task) {
      OTF2_DefWriter* const to = OTF2_Archive_GetDefWriter(archive_.get(), task);
      if (to == nullptr) fail(OTF2_SUCCESS);
      check(OTF2_Archive_CloseDefWriter(archive_.get(), to));
    }
    check(OTF2_Archive_CloseDefFiles(archive_.get()));
  }

  u32 text(const std::string& text) {
    check(OTF2_GlobalDefWriter_WriteString(definitions_, strings_, text.c_str()));
    return strings_++;
  }

  void write_global_definitions() {
    definitions_ = OTF2_Archive_GetGlobalDefWriter(archive_.get());
    if (definitions_ == nullptr) fail(OTF2_SUCCESS);
    check(OTF2_GlobalDefWriter_WriteClockProperties(definitions_, nanoseconds_per_second, 0, written_.end_ns,
                                                    OTF2_UNDEFINED_TIMESTAMP));
    const u32 nothing = text("");
    check(
        OTF2_GlobalDefWriter_WriteParadigm(definitions_, OTF2_PARADIGM_MPI, text("MPI"), OTF2_PARADIGM_CLASS_PROCESS));
    check(OTF2_GlobalDefWriter_WriteSystemTreeNode(definitions_, 0, text("machine"), text("machine"),
                                                   OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    for (const Written::NamedRegion& region : written_.regions) {
      const u32 name = text(region.name);
      check(OTF2_GlobalDefWriter_WriteRegion(definitions_, region.number, name, name, nothing, OTF2_REGION_ROLE_UNKNOWN,
                                             region.is_call ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER,
                                             OTF2_REGION_FLAG_NONE, nothing, 0, 0));
    }
    write_tasks();
    write_communicators(nothing);
    write_counters(nothing);
    check(OTF2_Archive_CloseGlobalDefWriter(archive_.get(), definitions_));
  }

  void write_counters(u32 nothing) {
    for (u32 number = 0; number < written_.counters.size(); ++number) {
      check(OTF2_GlobalDefWriter_WriteMetricMember(definitions_, number, text(written_.counters[number]), nothing,
                                                   OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ACCUMULATED_START,
                                                   OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0, nothing));
      check(OTF2_GlobalDefWriter_WriteMetricClass(definitions_, number, 1, &number, OTF2_METRIC_SYNCHRONOUS,
                                                  OTF2_RECORDER_KIND_CPU));
    }
  }

  void write_tasks() {
    const u32 thread = text("Master thread");
    std::vector<uint64_t> locations(index_.tasks);
    for (u32 task = 0; task < index_.tasks; ++task) {
      locations[task] = task;
      check(OTF2_GlobalDefWriter_WriteLocationGroup(definitions_, task, text(fmt::format("MPI Rank {}", task)),
                                                    OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                    OTF2_UNDEFINED_LOCATION_GROUP));
      check(OTF2_GlobalDefWriter_WriteLocation(definitions_, task, thread, OTF2_LOCATION_TYPE_CPU_THREAD, events_[task],
                                               task));
    }
    write_group(group_of_locations, OTF2_GROUP_TYPE_COMM_LOCATIONS, locations);
  }

  void write_group(u32 number, OTF2_GroupType type, const std::vector<uint64_t>& members) {
    check(OTF2_GlobalDefWriter_WriteGroup(definitions_, number, 0, type, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                          static_cast<u32>(members.size()), members.data()));
  }

  /// The group of communicator n is n + 1.
  void write_communicators(u32 nothing) {
    for (u32 number = 0; number < index_.communicators.size(); ++number) {
      if (communicators_.reference(number) != number) continue;
      const std::vector<u32>& tasks = index_.communicators[number].members;
      std::vector<uint64_t> members(tasks.begin(), tasks.end());
      if (number == 0) {
        for (u32 task = 0; task < index_.tasks; ++task) members.push_back(task);
      }
      const bool self = communicators_.is_self(number);
      write_group(number + 1, self ? OTF2_GROUP_TYPE_COMM_SELF : OTF2_GROUP_TYPE_COMM_GROUP,
                  self ? std::vector<uint64_t>{} : members);
      const u32 name = number == 0 ? text("MPI_COMM_WORLD") : self ? text("MPI_COMM_SELF") : nothing;
      check(OTF2_GlobalDefWriter_WriteComm(definitions_, number, name, number + 1,
                                           number == 0 || self ? OTF2_UNDEFINED_COMM : 0, OTF2_COMM_FLAG_NONE));
    }
  }

  std::shared_ptr<const TraceStore> store_;
  const StoreIndex& index_;
  std::string path_;
  WrittenCommunicators communicators_;
  Written written_;
  std::unique_ptr<OTF2_Archive, CloseArchive> archive_;
  OTF2_GlobalDefWriter* definitions_ = nullptr;
  std::vector<u64> events_;  ///< [task]
  u32 strings_ = 0;
};

}  // namespace

std::vector<std::string> write_archive(const std::shared_ptr<const TraceStore>& store, const std::string& path) {
  return ArchiveWriter(store, path).write();
}

}  // namespace weft::workloads::otf2
