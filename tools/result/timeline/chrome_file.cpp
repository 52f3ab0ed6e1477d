// Timelines as JSON: trace events, as chrome://tracing and Perfetto read them ("Trace Event Format").
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/result/timeline/buffered_file.hpp"
#include "tools/result/timeline/slices.hpp"
#include "tools/result/timeline/timeline_file.hpp"

namespace weft::tools::timeline {
namespace {

using workloads::TimelineRecord;

std::string json_text(const std::string& text) { return nlohmann::json(text).dump(); }

/// A process for each task, a thread for each lane; more rows of a lane have threads behind those of all lanes.
u32 thread_of(const SliceRow& row) { return row.lane + 256 * row.number; }

/// The process of all links.
constexpr const char* links_process = "\"links\"";

class ChromeFile final : public TimelineFile {
 public:
  ChromeFile(const std::string& path, TimelineFrame frame) : file_(path), frame_(std::move(frame)) {
    file_.write(
        fmt::format("{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"title\":{},\"ts\":\"{}\"}},\n\"traceEvents\":[",
                    json_text(frame_.title), frame_.tick_ns > 0 ? "microseconds" : "cycles"));
  }

  void add_task(u32 task, const std::vector<TimelineRecord>& records) override {
    const TimelineJob& job = frame_.job_of(task);
    add(fmt::format("{{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":{},\"args\":{{\"name\":{}}}}}", task,
                    json_text(frame_.name_of(task))));
    add(fmt::format("{{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":{0},\"args\":{{\"sort_index\":{0}}}}}",
                    task));
    for (const SliceRow& row : rows_of(records, job)) {
      add(fmt::format("{{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":{},\"tid\":{},\"args\":{{\"name\":{}}}}}", task,
                      thread_of(row), json_text(name_of_row(row, job))));
      for (const Slice& slice : row.slices) add_slice(task, thread_of(row), slice, job);
    }
  }

  void add_link(const std::string& name, std::span<const LinkValue> values) override {
    const auto value = [&](Tick at, double share) {
      add(fmt::format("{{\"ph\":\"C\",\"name\":{},\"pid\":{},\"ts\":{:.4f},\"args\":{{\"share of time taken\":{}}}}}",
                      json_text(name), links_process, stamp(at), share));
    };
    for (const LinkValue& one : values) value(one.begin, one.utilisation);
    if (!values.empty()) value(values.back().end, 0);
  }

  std::vector<std::string> finish() override {
    file_.write("\n]}\n");
    file_.commit();
    return {};
  }

 private:
  void add(const std::string& event) {
    file_.write(begun_ ? ",\n" : "\n");
    begun_ = true;
    file_.write(event);
  }
  /// Microseconds, or cycles.
  [[nodiscard]] double stamp(Tick tick) const {
    return frame_.tick_ns > 0 ? frame_.time(tick) / 1e3 : frame_.time(tick);
  }

  void add_slice(u32 task, u32 thread, const Slice& slice, const TimelineJob& job) {
    const std::string place = fmt::format("\"pid\":{},\"tid\":{}", task, thread);
    std::string text =
        fmt::format("{{\"name\":{},\"cat\":\"{}\",\"ph\":\"X\",\"ts\":{:.4f},\"dur\":{:.4f},{}", json_text(slice.name),
                    slice.category, stamp(slice.begin), stamp(slice.end) - stamp(slice.begin), place);
    text += arguments(slice, job);
    add(text + "}");
    if (slice.flow == Slice::Flow::none) return;
    // Numbers of JSON are exact up to 2^53 only.
    const bool begins = slice.flow == Slice::Flow::begins;
    add(fmt::format("{{\"name\":\"message\",\"cat\":\"message\",\"ph\":\"{}\",{}\"id\":\"{:#x}\",\"ts\":{:.4f},{}}}",
                    begins ? "s" : "f", begins ? "" : "\"bp\":\"e\",", slice.record->flow, stamp(slice.begin), place));
  }

  [[nodiscard]] std::string arguments(const Slice& slice, const TimelineJob& job) const {
    if (slice.record == nullptr) return {};
    const TimelineRecord& record = *slice.record;
    std::string text;
    const auto put = [&text](const char* name, const std::string& value) {
      text += fmt::format("{}\"{}\":{}", text.empty() ? "" : ",", name, value);
    };
    if (goes_to_peer(record) || comes_from_peer(record)) {
      if (record.peer != TimelineRecord::any)
        put(goes_to_peer(record) ? "to" : "from", std::to_string(record.peer - job.first_task));
      if (record.tag != TimelineRecord::any) put("tag", std::to_string(record.tag));
      put("bytes", std::to_string(record.bytes));
      if (slice.flow == Slice::Flow::ends) put("arrived", fmt::format("{:.4f}", stamp(record.arrived)));
    }
    if (slice.is_region) put("region", "1");
    if (record.finished == 0) put("unfinished", "1");
    return text.empty() ? text : ",\"args\":{" + text + "}";
  }

  BufferedFile file_;
  TimelineFrame frame_;
  bool begun_ = false;
};

}  // namespace

std::unique_ptr<TimelineFile> open_chrome(const std::string& path, TimelineFrame frame) {
  return std::make_unique<ChromeFile>(path, std::move(frame));
}

}  // namespace weft::tools::timeline
