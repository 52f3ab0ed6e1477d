// Timelines as OTF2 archives: the events of a trace, through the store and the writer of the format of that name.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <tuple>
#include <unistd.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/result/timeline/timeline_file.hpp"
#include "workloads/trace/edit/new_store.hpp"
#include "workloads/trace/trace_source.hpp"

namespace weft::tools::timeline {
namespace {

namespace fs = std::filesystem;

using workloads::TimelineRecord;
using workloads::TraceEvent;
using Kind = TimelineRecord::Kind;

constexpr const char* archive_name = "traces";

std::string without_slash(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

/// An empty folder, or one with nothing but an archive as it is written here.
bool may_be_replaced(const fs::path& folder) {
  const std::string name = archive_name;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string file = it->path().filename().string();
    if (file != name && file != name + ".otf2" && file != name + ".def") return false;
  }
  return !error;
}

/// What happens to a task at a moment, before it is an event.
struct Moment {
  enum class What : u8 { leave, complete, begin, enter };
  Tick at = 0;
  What what = What::begin;
  u32 depth = 0;  ///< of a region
  const TimelineRecord* record = nullptr;
  u64 request = TraceEvent::no_request;
};

class ArchiveFile final : public TimelineFile {
 public:
  ArchiveFile(const std::string& path, TimelineFrame frame)
      : path_(without_slash(path)),
        made_(fmt::format("{}.new-{}", path_, ::getpid())),
        frame_(std::move(frame)),
        store_(true) {
    check_archive(path_);
  }
  ~ArchiveFile() override {
    std::error_code error;
    fs::remove_all(made_, error);
  }

  void add_task(u32 task, const std::vector<TimelineRecord>& records) override {
    const TimelineJob& job = frame_.job_of(task);
    const bool one_list = std::ranges::all_of(records, [](const TimelineRecord& r) { return r.lane == 0; });
    if (one_list && job.linear) {
      add_list(task, records, job);
    } else {
      add_concurrent(task, records, job);
    }
    tasks_ = std::max(tasks_, job.first_task + job.tasks);
  }

  std::vector<std::string> finish() override {
    workloads::TraceFrame frame;
    frame.format = fmt::format("timeline of {}, 1 ns is 1 {}", frame_.title, frame_.tick_ns > 0 ? "ns" : "cycle");
    frame.tasks = tasks_;
    frame.has_times = true;
    frame.names = names_;
    const workloads::TraceFormat* const otf2 = workloads::TraceFormats::instance().find("otf2");
    WEFT_ASSERT(otf2 != nullptr);
    std::vector<std::string> losses = otf2->write(store_.finish(std::move(frame)), made_);
    std::error_code error;
    fs::remove_all(path_, error);
    fs::rename(made_, path_, error);
    if (error)
      throw SystemError(
          fmt::format("cannot write '{}' ({}); check statistics.timeline", shown(path_), error.message()));
    if (with_lanes_) losses.emplace_back("activities of lanes beside the first");
    return losses;
  }

 private:
  void add(u32 task, const TraceEvent& event) { store_.add(task, event); }

  [[nodiscard]] TraceEvent event_of(TraceEvent::Kind kind, Tick begin, Tick end) const {
    TraceEvent event;
    event.kind = kind;
    event.begin_ns = frame_.whole_time(begin);
    event.end_ns = frame_.whole_time(end);
    return event;
  }

  /// A message of the record, with the peer's number in all of the run.
  TraceEvent message(TraceEvent::Kind kind, const TimelineRecord& record, Tick begin, Tick end) {
    TraceEvent event = event_of(kind, begin, end);
    event.peer = record.peer;
    event.tag = tag_of(record);
    event.bytes = record.bytes;
    return event;
  }

  /// Communicators of programs are told apart by tags of their own: the archive has one, of all tasks.
  u32 tag_of(const TimelineRecord& record) {
    if (record.tag == TimelineRecord::any) return record.tag;
    constexpr u32 of_a_collective = u32{1} << 31;
    if (record.communicator == 0 || record.communicator == of_a_collective) return record.tag;
    const auto [known, is_new] = tags_.try_emplace({record.communicator, record.tag}, next_tag_);
    if (is_new) ++next_tag_;
    return known->second;
  }

  u32 name(const std::string& text, bool is_call) {
    const auto [known, is_new] = numbers_.try_emplace({text, is_call}, static_cast<u32>(names_.size()));
    if (is_new) names_.push_back({text, is_call});
    return known->second;
  }
  void pass(u32 task, TraceEvent::Kind kind, Tick at, u32 name) {
    TraceEvent event = event_of(kind, at, at);
    event.name = name;
    add(task, event);
  }
  /// Time that is no computing.
  void add_wait(u32 task, const TimelineRecord& record, const std::string& what) {
    const u32 number = name(what, true);
    pass(task, TraceEvent::Kind::enter, record.begin, number);
    pass(task, TraceEvent::Kind::leave, record.end, number);
  }

  u32 region_name(const TimelineRecord& record, const TimelineJob& job) {
    if (record.peer >= job.regions.size()) return name("region", false);
    return name(job.regions[record.peer].name, job.regions[record.peer].communicates);
  }

  /// One list of operations: each is a call that blocks.
  void add_list(u32 task, const std::vector<TimelineRecord>& records, const TimelineJob& job) {
    std::vector<const TimelineRecord*> operations, regions;
    for (const TimelineRecord& record : records)
      (record.kind == Kind::region ? regions : operations).push_back(&record);
    std::ranges::stable_sort(operations, {}, &TimelineRecord::begin);
    std::ranges::stable_sort(regions, {}, [](const TimelineRecord* r) { return std::pair(r->begin, r->depth); });
    std::vector<const TimelineRecord*> open;
    auto region = regions.begin();
    const auto regions_until = [&](Tick at) {
      for (;;) {
        const bool leaves = !open.empty() && open.back()->end <= at &&
                            (region == regions.end() || open.back()->end <= (*region)->begin);
        if (leaves) {
          pass(task, TraceEvent::Kind::leave, open.back()->end, region_name(*open.back(), job));
          open.pop_back();
        } else if (region != regions.end() && (*region)->begin <= at) {
          pass(task, TraceEvent::Kind::enter, (*region)->begin, region_name(**region, job));
          open.push_back(*region++);
        } else {
          return;
        }
      }
    };
    for (const TimelineRecord* record : operations) {
      regions_until(record->begin);
      add_operation(task, *record);
    }
    regions_until(never);
  }

  void add_operation(u32 task, const TimelineRecord& record) {
    switch (record.kind) {
      case Kind::await:
        return add_wait(task, record, "wait for send");
      case Kind::send:
        if (record.flow == 0) return add_wait(task, record, "wait for send");
        return add(task, message(TraceEvent::Kind::send, record, record.begin, record.end));
      case Kind::receive:
        if (record.finished == 0 && record.flow == 0) return add_wait(task, record, "unfinished receive");
        return add(task, message(TraceEvent::Kind::receive, record, record.begin, record.end));
      case Kind::give:
        return add_wait(task, record, "give to switch");
      case Kind::get:
        return add_wait(task, record, "get from switch");
      case Kind::probe:
        return add_wait(task, record, "probe");
      case Kind::lane:
        return add_wait(task, record, "wait for mark");
      case Kind::drain:
        return add_wait(task, record, "wait for receivers");
      case Kind::outside:
        return add_wait(task, record, "wait for a time");
      case Kind::meeting:
        return add_wait(task, record, "wait in a communicator");
      case Kind::compute:  // time between calls
      case Kind::region:
      case Kind::arrival:
      case Kind::post:
        return;
    }
  }

  /// Operations beside each other: each is begun, and waited for when it is over. What a task has waited before that is
  /// the time since when it has done nothing.
  void add_concurrent(u32 task, const std::vector<TimelineRecord>& records, const TimelineJob& job) {
    std::vector<Moment> moments;
    std::vector<std::pair<Tick, Tick>> busy;
    u64 requests = 0;
    for (const TimelineRecord& r : records) {
      if (r.kind == Kind::compute || r.kind == Kind::send || r.kind == Kind::give) busy.emplace_back(r.begin, r.end);
      if (r.kind == Kind::receive || r.kind == Kind::get) busy.emplace_back(r.handled, r.end);
      if (r.kind == Kind::region && r.lane > 0) with_lanes_ = true;
      const bool is_message =
          (r.kind == Kind::send && r.flow != 0) || (r.kind == Kind::receive && (r.finished != 0 || r.flow != 0));
      if (is_message) {
        moments.push_back({r.begin, Moment::What::begin, 0, &r, requests});
        moments.push_back({r.end, Moment::What::complete, 0, &r, requests++});
      } else if (r.kind == Kind::region && r.lane == 0) {
        moments.push_back({r.begin, Moment::What::enter, r.depth, &r});
        moments.push_back({r.end, Moment::What::leave, ~u32{r.depth}, &r});
      }
    }
    std::ranges::sort(busy);
    std::ranges::stable_sort(moments, {}, [](const Moment& m) {
      // What took no time begins before it is complete.
      const bool at_once = m.what == Moment::What::complete && m.record->begin == m.record->end;
      return std::tuple(m.at, at_once ? Moment::What::begin : m.what, m.depth);
    });
    Tick before = 0, idle_since = 0;
    std::size_t next = 0;
    for (const Moment& m : moments) {
      for (; next < busy.size() && busy[next].first < m.at; ++next)
        idle_since = std::max(idle_since, busy[next].second);
      add_moment(task, m, std::clamp(idle_since, std::min(before, m.at), m.at), job);
      before = m.at;
    }
  }

  void add_moment(u32 task, const Moment& m, Tick idle_since, const TimelineJob& job) {
    if (m.what == Moment::What::enter) return pass(task, TraceEvent::Kind::enter, m.at, region_name(*m.record, job));
    if (m.what == Moment::What::leave) return pass(task, TraceEvent::Kind::leave, m.at, region_name(*m.record, job));
    const bool sends = m.record->kind == Kind::send, completes = m.what == Moment::What::complete;
    const auto kind = completes ? TraceEvent::Kind::wait : sends ? TraceEvent::Kind::isend : TraceEvent::Kind::ireceive;
    TraceEvent event = message(kind, *m.record, completes ? idle_since : m.at, m.at);
    event.request = m.request;
    add(task, event);
  }

  std::string path_, made_;
  TimelineFrame frame_;
  workloads::NewStore store_;
  std::vector<workloads::TraceName> names_;
  std::map<std::pair<std::string, bool>, u32> numbers_;
  std::map<std::pair<u32, u32>, u32> tags_;  ///< by communicator and tag
  u32 next_tag_ = (u32{1} << 31) + (u32{1} << 30);
  u32 tasks_ = 0;
  bool with_lanes_ = false;
};

}  // namespace

void check_archive(const std::string& path) {
  const fs::path folder = without_slash(path);
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (fs::exists(status) && !fs::is_directory(status))
    throw ConfigError(fmt::format(
        "statistics.timeline = \"{}\" is a file (an OTF2 archive is a folder); give another name", shown(path)));
  if (fs::exists(status) && !may_be_replaced(folder)) {
    throw ConfigError(fmt::format(
        "statistics.timeline = \"{}\" is a folder with other files than an OTF2 archive of weft; give another name",
        shown(path)));
  }
  const fs::path parent = folder.has_parent_path() ? folder.parent_path() : fs::path(".");
  if (!fs::is_directory(parent, error))
    throw SystemError(
        fmt::format("cannot write '{}' (there is no folder '{}'); make it", shown(path), shown(parent.string())));
}

std::unique_ptr<TimelineFile> open_archive(const std::string& path, TimelineFrame frame) {
  return std::make_unique<ArchiveFile>(path, std::move(frame));
}

}  // namespace weft::tools::timeline
