// Counting records until those that are asked for.
#include "workloads/trace/replay/record_places.hpp"

#include <map>

namespace weft::workloads {

std::vector<RecordPlace> record_places(const TraceSource& source, u32 tasks,
                                       const std::vector<std::pair<u32, u64>>& records) {
  std::vector<RecordPlace> places(records.size());
  std::vector<u64> met(tasks, 0);
  std::multimap<std::pair<u32, u64>, RecordPlace*> wanted;
  for (std::size_t k = 0; k < records.size(); ++k) {
    if (records[k].second > 0) wanted.emplace(records[k], &places[k]);
  }
  TraceRecord record;
  for (u32 part = 0; part < source.parts() && !wanted.empty(); ++part) {
    const auto reader = source.open(part);
    while (!wanted.empty() && reader->next(record)) {
      if (record.task >= tasks) continue;
      const auto [first, last] = wanted.equal_range({record.task, ++met[record.task]});
      if (first == last) continue;
      const u64 position = reader->position();
      for (auto of = first; of != last; ++of) *of->second = {position, source.place(part, position)};
      wanted.erase(first, last);
    }
  }
  return places;
}

}  // namespace weft::workloads
