// Communication matrices from files and from programs.
#include "workloads/program/placement/task_traffic.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <tuple>
#include <unordered_map>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_file.hpp"
#include "workloads/program/program.hpp"
#include "workloads/traffic/pattern/matrix_file.hpp"

namespace weft::workloads {
namespace {

constexpr u64 most_operations = u64{1} << 28, most_pairs = u64{1} << 25;
constexpr u64 most_matrix_bytes = u64{1} << 30;

/// Bytes of pairs while the operations of a program go by.
class PairCount {
 public:
  explicit PairCount(const Program& program) : program_(program) {}

  void sent(u32 from, u32 to, u64 bytes) {
    if (from == to) return;
    WEFT_ASSERT(to < program_.tasks());
    bytes_[u64{from} << 32 | to] += static_cast<double>(std::max<u64>(bytes, 1));
    if (bytes_.size() > most_pairs) fail(fmt::format("more than {} pairs of tasks communicate", most_pairs));
  }
  void operation() {
    if (++operations_ > most_operations) fail(fmt::format("its tasks have more than {} operations", most_operations));
  }
  [[noreturn]] void fail(const std::string& why) const {
    throw ConfigError(
        fmt::format("placement.policy = \"mapped\" cannot count the messages of {} before the run ({}); give "
                    "placement.matrix_path, e.g. a table of weft trace stats --out",
                    shown(program_.name()), why));
  }
  [[nodiscard]] std::vector<PairBytes> pairs() const {
    std::vector<PairBytes> all;
    all.reserve(bytes_.size());
    for (const auto& [pair, bytes] : bytes_)
      all.push_back({static_cast<u32>(pair >> 32), static_cast<u32>(pair), bytes});
    return all;
  }

 private:
  const Program& program_;
  std::unordered_map<u64, double> bytes_;
  u64 operations_ = 0;
};

void count_graph(const Program& program, u32 task, PairCount& count) {
  for (const GraphOp& op : program.graph(TaskId(task)).ops) {
    count.operation();
    if (op.kind == GraphOp::Kind::send && op.communicator != GraphOp::by_switch) count.sent(task, op.peer, op.amount);
  }
}

void count_lanes(const Program& program, u32 task, PairCount& count) {
  for (u32 lane = 0; lane < program.lanes(); ++lane) {
    const auto stream = program.lanes() == 1 ? program.open(TaskId(task)) : program.open_lane(TaskId(task), lane);
    for (Op op = stream->next(); op.kind != OpKind::end; op = stream->next()) {
      count.operation();
      if (op.kind == OpKind::send || op.kind == OpKind::isend) count.sent(task, op.peer, op.amount);
    }
  }
}

}  // namespace

TaskTraffic task_traffic(u32 tasks, std::vector<PairBytes> pairs) {
  constexpr int most_bits = 40;
  double all = 0, least = 0;
  bool whole = true;
  for (const PairBytes& pair : pairs) {
    if (pair.from == pair.to || pair.bytes <= 0) continue;
    all += pair.bytes;
    least = least == 0 ? pair.bytes : std::min(least, pair.bytes);
    whole = whole && std::floor(pair.bytes) == pair.bytes;
  }
  TaskTraffic traffic{.tasks = tasks, .first = std::vector<u64>(tasks + u64{1}, 0), .partners = {}};
  if (all == 0) return traffic;
  // Whole numbers of bytes stay as they are if they fit; shares are made large enough to be told apart.
  const int bits = std::ilogb(all) + 1;
  if (bits > most_bits || !whole) traffic.unit_bytes = std::ldexp(1.0, bits - most_bits);
  struct Entry {
    u32 task, partner;
    u64 sends, receives;
  };
  std::vector<Entry> entries;
  entries.reserve(2 * pairs.size());
  for (const PairBytes& pair : pairs) {
    WEFT_ASSERT(pair.from < tasks && pair.to < tasks);
    if (pair.from == pair.to || pair.bytes <= 0) continue;
    const auto weight = std::max<u64>(1, static_cast<u64>(pair.bytes / traffic.unit_bytes));
    entries.push_back({pair.from, pair.to, weight, 0});
    entries.push_back({pair.to, pair.from, 0, weight});
  }
  std::ranges::sort(entries, {}, [](const Entry& e) { return std::tuple(e.task, e.partner, e.sends, e.receives); });
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const Entry& e = entries[k];
    if (k == 0 || entries[k - 1].task != e.task || entries[k - 1].partner != e.partner) {
      traffic.partners.push_back({e.partner, 0, 0});
      ++traffic.first[e.task + u64{1}];
    }
    traffic.partners.back().sends += e.sends;
    traffic.partners.back().receives += e.receives;
  }
  for (u32 task = 0; task < tasks; ++task) traffic.first[task + u64{1}] += traffic.first[task];
  return traffic;
}

TaskTraffic traffic_of_file(const std::string& path, u32 tasks) {
  const std::string text = read_text_file<InputError>(path, most_matrix_bytes, "file of placement.matrix_path");
  const TrafficMatrix matrix = read_traffic_matrix(
      text, path, tasks,
      {.column = "bytes", .of = "task", .column_key = "placement.matrix_path takes tables of pairs"});
  std::vector<PairBytes> pairs;
  pairs.reserve(matrix.to.size());
  for (u32 task = 0; task < tasks; ++task) {
    for (u64 k = matrix.first[task]; k < matrix.first[task + u64{1}]; ++k)
      pairs.push_back({task, matrix.to[k], matrix.weight[k]});
  }
  return task_traffic(tasks, std::move(pairs));
}

TaskTraffic traffic_of_program(const Program& program) {
  PairCount count(program);
  if (program.listens()) count.fail("its tasks go by what they receive");
  for (u32 task = 0; task < program.tasks(); ++task) {
    if (program.has_graphs())
      count_graph(program, task, count);
    else
      count_lanes(program, task, count);
  }
  return task_traffic(program.tasks(), count.pairs());
}

}  // namespace weft::workloads
