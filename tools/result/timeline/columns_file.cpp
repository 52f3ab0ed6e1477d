// Timelines as they were recorded, in columns of HDF5: for weft explain, and for whoever counts by themselves.
#include <fmt/format.h>

#include "engine/base/file/hdf5_file.hpp"
#include "tools/result/timeline/record_columns.hpp"
#include "tools/result/timeline/timeline_file.hpp"
#include "version.hpp"

namespace weft::tools::timeline {
namespace {

using workloads::TimelineRecord;

/// Records of whole tasks, so many or more, are a block.
constexpr std::size_t block_records = std::size_t{1} << 16;

class ColumnsFile final : public TimelineFile {
 public:
  ColumnsFile(const std::string& path, const TimelineFrame& frame) : file_(path) {
    file_.attribute("/", "format", columns_format);
    file_.attribute("/", "weft", std::string(version));
    file_.attribute("/", "title", frame.title);
    file_.scalar("/clock/tick_ns", frame.tick_ns, "ns");
    file_.scalar("/clock/ticks_per_cycle", u64{frame.ticks_per_cycle}, "ticks");
    file_.scalar("/clock/end", u64{frame.end}, "ticks");
    file_.scalar("/clock/cut", u64{frame.cut}, "ticks");
    file_.column("/kinds/name", std::vector<std::string>(record_kinds.begin(), record_kinds.end()), "");
    add_jobs(frame.jobs);
  }

  void add_task(u32 /*task*/, const std::vector<TimelineRecord>& records) override {
    records_.insert(records_.end(), records.begin(), records.end());
    if (records_.size() >= block_records) write_block();
  }

  std::vector<std::string> finish() override {
    if (!records_.empty()) write_block();
    file_.scalar("/records/blocks", blocks_, "");
    file_.save();
    return {};
  }

 private:
  void add_jobs(const std::vector<TimelineJob>& jobs) {
    std::vector<std::string> names, programs, region_names;
    std::vector<u64> first, tasks, linear, rendezvous, of_job, communicates;
    for (const TimelineJob& job : jobs) {
      for (const workloads::Activity& region : job.regions) {
        of_job.push_back(names.size());
        region_names.push_back(region.name);
        communicates.push_back(region.communicates ? 1 : 0);
      }
      names.push_back(job.name);
      programs.push_back(job.program);
      first.push_back(job.first_task);
      tasks.push_back(job.tasks);
      linear.push_back(job.linear ? 1 : 0);
      rendezvous.push_back(job.rendezvous_bytes);
    }
    file_.column("/jobs/name", names, "");
    file_.column("/jobs/program", programs, "");
    file_.column("/jobs/first_task", first, "");
    file_.column("/jobs/tasks", tasks, "tasks");
    file_.column("/jobs/linear", linear, "");
    file_.column("/jobs/rendezvous_bytes", rendezvous, "bytes");
    file_.column("/regions/job", of_job, "");
    file_.column("/regions/name", region_names, "");
    file_.column("/regions/communicates", communicates, "");
  }

  void write_block() {
    visit_record_columns([this](const char* name, auto member, const char* unit) {
      std::vector<u64> values;
      values.reserve(records_.size());
      for (const TimelineRecord& record : records_) values.push_back(static_cast<u64>(record.*member));
      file_.column(fmt::format("/records/{}/{}", blocks_, name), values, unit);
    });
    ++blocks_;
    records_.clear();
  }

  files::Hdf5Writer file_;
  std::vector<TimelineRecord> records_;
  u64 blocks_ = 0;
};

}  // namespace

std::unique_ptr<TimelineFile> open_columns(const std::string& path, TimelineFrame frame) {
  return std::make_unique<ColumnsFile>(path, frame);
}

}  // namespace weft::tools::timeline
