// Timelines in Perfetto's format: a stream of packets, each a message of protocol buffers
// (protos/perfetto/trace/trace_packet.proto and track_event/*.proto of https://github.com/google/perfetto).
#include <bit>

#include "tools/result/timeline/buffered_file.hpp"
#include "tools/result/timeline/slices.hpp"
#include "tools/result/timeline/timeline_file.hpp"

namespace weft::tools::timeline {
namespace {

using workloads::TimelineRecord;
using Kind = TimelineRecord::Kind;

/// A message of protocol buffers: numbers of fields are those of the .proto files.
class WireMessage {
 public:
  void add_number(u32 field, u64 value) {
    put(u64{field} << 3);
    put(value);
  }
  void add_fixed(u32 field, u64 value) {
    put(u64{field} << 3 | 1);
    for (u32 byte = 0; byte < 8; ++byte) bytes_ += static_cast<char>(value >> (8 * byte) & 0xFF);
  }
  void add_real(u32 field, double value) { add_fixed(field, std::bit_cast<u64>(value)); }
  void add_text(u32 field, std::string_view text) {
    put(u64{field} << 3 | 2);
    put(text.size());
    bytes_ += text;
  }
  void add_message(u32 field, const WireMessage& message) { add_text(field, message.bytes_); }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  void put(u64 value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }
  std::string bytes_;
};

// Trace
constexpr u32 packet_field = 1;
// TracePacket
constexpr u32 timestamp_field = 8, sequence_field = 10, event_field = 11, flags_field = 13, descriptor_field = 60;
constexpr u64 state_cleared = 1;
// TrackDescriptor
constexpr u32 uuid_field = 1, name_field = 2, parent_field = 5, counter_field = 8, ordering_field = 11, rank_field = 12;
constexpr u64 ordered_by_rank = 3;
// CounterDescriptor
constexpr u32 unit_name_field = 6;
// TrackEvent
constexpr u32 annotation_field = 4, type_field = 9, track_field = 11, category_field = 22, title_field = 23,
              real_value_field = 44, flow_field = 47, last_flow_field = 48;
constexpr u64 slice_begin = 1, slice_end = 2, instant = 3, counter_value = 4;
// DebugAnnotation
constexpr u32 annotation_number_field = 3, annotation_name_field = 10;

constexpr u64 tasks_track = 1, links_track = 2, first_track = 16;

class PerfettoFile final : public TimelineFile {
 public:
  PerfettoFile(const std::string& path, TimelineFrame frame) : file_(path), frame_(std::move(frame)) {
    const std::string clock = frame_.tick_ns > 0 ? "" : ", 1 ns is 1 cycle";
    add_track(tasks_track, "tasks of " + frame_.title + clock, 0, 0);
  }

  void add_task(u32 task, const std::vector<TimelineRecord>& records) override {
    const TimelineJob& job = frame_.job_of(task);
    const std::vector<SliceRow> rows = rows_of(records, job);
    const u64 track = next_track_++;
    add_track(track, frame_.name_of(task), tasks_track, task);
    u64 rank = 0;
    for (const SliceRow& row : rows) {
      // A list is the track of its task; others have one of their own below it.
      u64 of_row = track;
      if (!job.linear || row.number > 0) {
        of_row = next_track_++;
        add_track(of_row, name_of_row(row, job), track, rank++);
      }
      add_row(row, of_row, job);
    }
  }

  void add_link(const std::string& name, std::span<const LinkValue> values) override {
    if (links_++ == 0) add_track(links_track, "links, share of time taken", 0, 1);
    const u64 track = next_track_++;
    WireMessage descriptor = track_descriptor(track, name, links_track, links_);
    WireMessage counter;
    counter.add_text(unit_name_field, "share");
    descriptor.add_message(counter_field, counter);
    write_descriptor(descriptor);
    for (const LinkValue& value : values) add_value(track, value.begin, value.utilisation);
    if (!values.empty()) add_value(track, values.back().end, 0);
  }

  std::vector<std::string> finish() override {
    file_.commit();
    return {};
  }

 private:
  static WireMessage track_descriptor(u64 track, const std::string& name, u64 parent, u64 rank) {
    WireMessage descriptor;
    descriptor.add_number(uuid_field, track);
    descriptor.add_text(name_field, name);
    if (parent != 0) descriptor.add_number(parent_field, parent);
    descriptor.add_number(ordering_field, ordered_by_rank);
    descriptor.add_number(rank_field, rank);
    return descriptor;
  }
  void add_track(u64 track, const std::string& name, u64 parent, u64 rank) {
    write_descriptor(track_descriptor(track, name, parent, rank));
  }
  void write_descriptor(const WireMessage& descriptor) {
    WireMessage packet;
    packet.add_message(descriptor_field, descriptor);
    write(packet);
  }
  void write_event(Tick at, const WireMessage& event) {
    WireMessage packet;
    packet.add_number(timestamp_field, frame_.whole_time(at));
    packet.add_message(event_field, event);
    write(packet);
  }
  void write(WireMessage& packet) {
    packet.add_number(sequence_field, 1);
    if (!begun_) packet.add_number(flags_field, state_cleared);
    begun_ = true;
    WireMessage whole;
    whole.add_message(packet_field, packet);
    file_.write(whole.bytes());
  }

  /// Ends come in the order of time, those inside first.
  void add_row(const SliceRow& row, u64 track, const TimelineJob& job) {
    std::vector<Tick> open;
    const auto close_until = [&](Tick until) {
      for (; !open.empty() && open.back() <= until; open.pop_back()) {
        WireMessage event;
        event.add_number(type_field, slice_end);
        event.add_number(track_field, track);
        write_event(open.back(), event);
      }
    };
    for (const Slice& slice : row.slices) {
      close_until(slice.begin);
      add_slice(slice, track, job);
      if (!is_instant(slice)) open.push_back(slice.end);
    }
    close_until(never);
  }

  [[nodiscard]] static bool is_instant(const Slice& slice) {
    return slice.record != nullptr && slice.record->kind == TimelineRecord::Kind::arrival;
  }

  void add_slice(const Slice& slice, u64 track, const TimelineJob& job) {
    WireMessage event;
    event.add_number(type_field, is_instant(slice) ? instant : slice_begin);
    event.add_number(track_field, track);
    event.add_text(category_field, slice.category);
    event.add_text(title_field, slice.name);
    if (slice.flow == Slice::Flow::begins) event.add_fixed(flow_field, slice.record->flow);
    if (slice.flow == Slice::Flow::ends) event.add_fixed(last_flow_field, slice.record->flow);
    if (slice.record != nullptr) annotate(event, slice, job);
    write_event(slice.begin, event);
  }

  void annotate(WireMessage& event, const Slice& slice, const TimelineJob& job) const {
    const TimelineRecord& record = *slice.record;
    const auto add = [&event](const char* name, u64 value) {
      WireMessage annotation;
      annotation.add_text(annotation_name_field, name);
      annotation.add_number(annotation_number_field, value);
      event.add_message(annotation_field, annotation);
    };
    if (goes_to_peer(record) || comes_from_peer(record)) {
      if (record.peer != TimelineRecord::any) add(goes_to_peer(record) ? "to" : "from", record.peer - job.first_task);
      if (record.tag != TimelineRecord::any) add("tag", record.tag);
      add("bytes", record.bytes);
      if (slice.flow == Slice::Flow::ends) add("arrived", frame_.whole_time(record.arrived));
    }
    if (record.finished == 0) add("unfinished", 1);
  }

  void add_value(u64 track, Tick at, double value) {
    WireMessage event;
    event.add_number(type_field, counter_value);
    event.add_number(track_field, track);
    event.add_real(real_value_field, value);
    write_event(at, event);
  }

  BufferedFile file_;
  TimelineFrame frame_;
  u64 next_track_ = first_track, links_ = 0;
  bool begun_ = false;
};

}  // namespace

std::unique_ptr<TimelineFile> open_perfetto(const std::string& path, TimelineFrame frame) {
  return std::make_unique<PerfettoFile>(path, std::move(frame));
}

}  // namespace weft::tools::timeline
