// Records as slices; see the header.
#include "tools/result/timeline/slices.hpp"

#include <fmt/format.h>

namespace weft::tools::timeline {
namespace {

using workloads::TimelineRecord;
using Kind = TimelineRecord::Kind;

constexpr const char *computation = "computation", *communication = "communication", *waiting = "wait";

/// The number that a task has in its job.
std::string peer_name(const TimelineRecord& record, const TimelineJob& job) {
  return record.peer == TimelineRecord::any ? "any task" : std::to_string(record.peer - job.first_task);
}

class SliceMaker {
 public:
  explicit SliceMaker(const TimelineJob& job) : job_(job) {}

  void add(const TimelineRecord& r) {
    switch (r.kind) {
      case Kind::compute:
        return push(r, r.begin, r.end, "compute", computation);
      case Kind::send:
        if (r.flow == 0) return push(r, r.begin, r.end, "wait for send to " + peer_name(r, job_), waiting);
        return push(r, r.begin, r.end, "send to " + peer_name(r, job_), communication, Slice::Flow::begins);
      case Kind::receive:
        if (r.handled > r.begin) push(r, r.begin, r.handled, "wait for " + peer_name(r, job_), waiting);
        if (r.flow != 0 || r.handled < r.end)
          push(r, r.handled, r.end, "receive from " + peer_name(r, job_), communication, Slice::Flow::ends);
        return;
      case Kind::give:
        return push(r, r.begin, r.end, fmt::format("give to switch of group {}", r.peer), communication);
      case Kind::get:
        if (r.handled > r.begin)
          push(r, r.begin, r.handled, fmt::format("wait for switch of group {}", r.peer), waiting);
        if (r.handled < r.end)
          push(r, r.handled, r.end, fmt::format("get from switch of group {}", r.peer), communication);
        return;
      case Kind::probe:
        return push(r, r.begin, r.end, "probe for " + peer_name(r, job_), waiting);
      case Kind::lane:
        return push(r, r.begin, r.end, fmt::format("wait for mark {}", r.peer), waiting);
      case Kind::drain:
        return push(r, r.begin, r.end, "wait for receivers", waiting);
      case Kind::arrival:
        return push(r, r.begin, r.end, "message from " + peer_name(r, job_), communication, Slice::Flow::ends);
      case Kind::await:
        return push(r, r.begin, r.end, "wait for send to " + peer_name(r, job_), waiting);
      case Kind::outside:
        return push(r, r.begin, r.end, "wait for a time", waiting);
      case Kind::meeting:
        return push(r, r.begin, r.end, fmt::format("wait in communicator {}", r.communicator), waiting);
      case Kind::post:
        return;
      case Kind::region:
        break;
    }
    const bool known = r.peer < job_.regions.size();
    const bool communicates = known && job_.regions[r.peer].communicates;
    push(r, r.begin, r.end, known ? job_.regions[r.peer].name : "region", communicates ? communication : computation);
    slices.back().is_region = true;
  }

  std::vector<Slice> slices;

 private:
  void push(const TimelineRecord& r, Tick begin, Tick end, std::string name, const char* category,
            Slice::Flow flow = Slice::Flow::none) {
    slices.push_back({begin, end, std::move(name), category, false, r.flow == 0 ? Slice::Flow::none : flow, &r});
  }
  const TimelineJob& job_;
};

/// A row that is filled from left to right.
struct OpenRow {
  SliceRow row;
  std::vector<std::pair<Tick, bool>> open;  ///< ends of what the next slice may lie in, and whether they are regions

  [[nodiscard]] bool takes(const Slice& slice) {
    while (!open.empty() && open.back().first <= slice.begin) open.pop_back();
    return open.empty() || (open.back().second && open.back().first >= slice.end);
  }
  void add(Slice slice) {
    open.emplace_back(slice.end, slice.is_region);
    row.slices.push_back(std::move(slice));
  }
};

}  // namespace

std::vector<SliceRow> rows_of(const std::vector<TimelineRecord>& records, const TimelineJob& job) {
  SliceMaker maker(job);
  for (const TimelineRecord& record : records) maker.add(record);
  std::vector<Slice>& slices = maker.slices;
  if (job.regions.empty() && job.linear && !slices.empty()) {
    Slice whole{slices[0].begin, slices[0].end, job.program, communication, true, Slice::Flow::none, nullptr};
    for (const Slice& slice : slices) {
      whole.begin = std::min(whole.begin, slice.begin);
      whole.end = std::max(whole.end, slice.end);
    }
    slices.push_back(whole);
  }
  const auto lane = [](const Slice& slice) { return slice.record == nullptr ? u8{0} : slice.record->lane; };
  // Regions before what lies in them; operations that begin together as they ended: first those that took no time.
  const auto place = [&](const Slice& slice) {
    const u32 depth = slice.is_region ? slice.record == nullptr ? 0U : slice.record->depth : ~u32{0};
    return std::tuple(lane(slice), slice.begin, depth);
  };
  std::ranges::stable_sort(slices, {}, place);
  std::vector<SliceRow> rows;
  std::vector<OpenRow> of_lane;
  const auto close_lane = [&] {
    for (OpenRow& open : of_lane) rows.push_back(std::move(open.row));
    of_lane.clear();
  };
  for (Slice& slice : slices) {
    if (!of_lane.empty() && of_lane[0].row.lane != lane(slice)) close_lane();
    auto fitting = std::ranges::find_if(of_lane, [&](OpenRow& open) { return open.takes(slice); });
    if (fitting == of_lane.end()) {
      OpenRow fresh;
      fresh.row.lane = lane(slice);
      fresh.row.number = static_cast<u32>(of_lane.size());
      of_lane.push_back(std::move(fresh));
      fitting = of_lane.end() - 1;
    }
    fitting->add(std::move(slice));
  }
  close_lane();
  return rows;
}

std::string name_of_row(const SliceRow& row, const TimelineJob& job) {
  if (job.linear) return "operations";
  const std::string name = fmt::format("{} {}", job.regions.empty() ? "stream" : "lane", row.lane);
  return row.number == 0 ? name : fmt::format("{}, beside {}", name, row.number);
}

}  // namespace weft::tools::timeline
