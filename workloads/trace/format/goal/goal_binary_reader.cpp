// Reads binary GOAL files without believing them; see the header for the layout.
#include "workloads/trace/format/goal/goal_binary_reader.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "workloads/trace/trace_source.hpp"

namespace weft::workloads {
namespace {

constexpr std::size_t goal_binary_buffer_bytes = 256 * 1024;
constexpr u64 offsets_begin = 8;  // what starts and ends are counted from
enum GoalKind : u8 { goal_send = 1, goal_receive = 2, goal_compute = 3 };

}  // namespace

GoalBinaryReader::GoalBinaryReader(std::unique_ptr<ByteSource> source, KeepTask keep)
    : source_(std::move(source)), keep_(std::move(keep)), buffer_(goal_binary_buffer_bytes) {
  if (const u64 magic = get<u64>(); magic != goal_binary_magic) {
    reject(fmt::format("begins with {} (binary GOAL files begin with {})", magic, goal_binary_magic));
  }
  tasks_ = get<u32>();
  if (tasks_ == 0 || tasks_ > max_trace_tasks)
    reject(fmt::format("{} ranks (1..{} are possible)", tasks_, max_trace_tasks));
  get<u8>();
  get<u8>();
  for (u32 rank = 0; rank < tasks_; ++rank) {
    Extent extent;
    extent.start = get<u64>();
    extent.end = get<u64>();
    extent.rank = rank;
    if (extent.end < extent.start || extent.end - extent.start < 2 * sizeof(u32) || extent.end > ~u64{0} / 2) {
      reject(fmt::format("rank {} lies from {} to {} (a rank has 8 bytes at least)", rank, extent.start, extent.end));
    }
    extent.start += offsets_begin;
    extent.end += offsets_begin;
    extents_.push_back(extent);
  }
  std::ranges::sort(extents_, {}, &Extent::start);
  u64 from = passed_ + at_;
  for (const Extent& extent : extents_) {
    if (extent.start < from) {
      reject(fmt::format("rank {} begins at byte {} (what is before it ends at byte {})", extent.rank, extent.start,
                         from));
    }
    from = extent.end;
  }
}

bool GoalBinaryReader::next(u32& task, GraphBuilder& graph) {
  while (next_ < extents_.size()) {
    const Extent& extent = extents_[next_++];
    rank_ = extent.rank;
    if (keep_ && !keep_(extent.rank)) {
      skip_to(extent.end);
      continue;
    }
    skip_to(extent.start);
    read_rank(extent, graph);
    task = extent.rank;
    return true;
  }
  rank_ = GraphOp::any;
  fill();
  if (at_ < end_) reject("there is more after the last rank");
  return false;
}

void GoalBinaryReader::read_rank(const Extent& extent, GraphBuilder& graph) {
  const u64 bytes = extent.end - extent.start;
  const u32 ops = get<u32>();
  const u32 roots = get<u32>();
  const u64 before_appendix = 2 * sizeof(u32) + roots * sizeof(u32) + ops * goal_binary_op_bytes;
  if (ops > GraphBuilder::most_ops || roots > ops || before_appendix > bytes ||
      (bytes - before_appendix) % sizeof(u32) != 0 || (bytes - before_appendix) / sizeof(u32) > GraphOp::any) {
    reject(fmt::format("{} operations, {} of which require nothing (the rank has {} bytes)", ops, roots, bytes));
  }
  roots_.clear();
  for (u32 ix = 0; ix < roots; ++ix) {
    roots_.push_back(get<u32>());
    if (roots_.back() >= ops) reject(fmt::format("operation {} (there are {})", roots_.back(), ops));
  }
  ranges_.clear();
  requirements_.clear();
  const u64 entries = (bytes - before_appendix) / sizeof(u32);
  u64 used = 0;
  for (u32 ix = 0; ix < ops; ++ix) {
    read_op(graph);
    for (int of = 0; of < 2; ++of) {
      const Range range{.first = 0, .count = get<u32>()};
      const u32 first = get<u32>();
      // What no range begins at may be any number.
      ranges_.push_back(range.count == 0 ? range : Range{first, range.count});
      used += range.count;
      if (range.count == 0 || (first + u64{range.count} <= entries && used <= entries)) continue;
      reject(fmt::format("dependents {} to {} (the rank has {} in all)", first, first + u64{range.count}, entries));
    }
  }
  check_roots();
  appendix_.clear();
  for (u64 ix = 0; ix < entries; ++ix) {
    appendix_.push_back(get<u32>());
    if (appendix_.back() >= ops) reject(fmt::format("operation {} (there are {})", appendix_.back(), ops));
  }
  for (std::size_t ix = 0; ix < ranges_.size(); ++ix) {
    for (u32 at = 0; at < ranges_[ix].count; ++at) {
      const u32 dependent = appendix_[ranges_[ix].first + at];
      if (requirements_[dependent]-- == 0) {
        reject(fmt::format("operation {} is a dependent more often than it has requirements", dependent));
      }
      graph.require(dependent, static_cast<u32>(ix / 2), ix % 2 == 1);
    }
  }
  for (u32 op = 0; op < ops; ++op) {
    if (requirements_[op] != 0) reject(fmt::format("operation {} has requirements that are not there", op));
  }
}

/// They are the operations that require nothing.
void GoalBinaryReader::check_roots() {
  for (const u32 root : roots_) {
    if (requirements_[root] != 0)
      reject(fmt::format("operation {} has requirements (it is among those that have none)", root));
  }
  const auto free = static_cast<std::size_t>(std::ranges::count(requirements_, u32{0}));
  if (free != roots_.size()) {
    reject(fmt::format("{} operations have no requirement ({} are listed)", free, roots_.size()));
  }
}

/// What an operation is; what depends on it follows.
void GoalBinaryReader::read_op(GraphBuilder& graph) {
  requirements_.push_back(get<u32>());
  const u8 kind = get<u8>();
  GraphOp op;
  op.peer = get<u32>();
  op.amount = get<u64>();
  op.tag = get<u32>();
  op.stream = get<u8>();
  op.nic = get<u8>();
  if (kind == goal_compute) {
    op.kind = GraphOp::Kind::compute;
    op.peer = op.tag = op.nic = 0;
    if (op.amount > max_trace_compute_ns)
      reject(fmt::format("a computation of {} ns ({} are possible)", op.amount, max_trace_compute_ns));
    graph.add(op);
    return;
  }
  if (kind != goal_send && kind != goal_receive) {
    reject(fmt::format("an operation of kind {} (1 sends, 2 receives, 3 computes)", kind));
  }
  op.kind = kind == goal_send ? GraphOp::Kind::send : GraphOp::Kind::receive;
  const bool any_fits = kind == goal_receive;
  if (op.peer >= tasks_ && !(any_fits && op.peer == GraphOp::any))
    reject(fmt::format("a message of rank {} (there are {})", op.peer, tasks_));
  if (op.tag == GraphOp::any && !any_fits) reject("a message is sent with any tag (a number is needed)");
  if (op.amount > max_trace_bytes)
    reject(fmt::format("a message of {} bytes ({} are possible)", op.amount, max_trace_bytes));
  graph.add(op);
}

template <class Number>
Number GoalBinaryReader::get() {
  if (end_ - at_ < sizeof(Number)) fill();
  if (end_ - at_ < sizeof(Number)) reject("the file ends here");
  Number value = 0;
  for (std::size_t byte = 0; byte < sizeof(Number); ++byte)
    value |= static_cast<Number>(Number{static_cast<u8>(buffer_[at_ + byte])} << (8 * byte));
  at_ += sizeof(Number);
  return value;
}

/// As much as fits, so that there is a number if the file has one.
void GoalBinaryReader::fill() {
  std::memmove(buffer_.data(), buffer_.data() + at_, end_ - at_);
  passed_ += at_;
  end_ -= at_;
  at_ = 0;
  while (end_ < sizeof(u64)) {
    const std::size_t got = source_->read(buffer_.data() + end_, buffer_.size() - end_);
    if (got == 0) return;
    end_ += got;
  }
}

void GoalBinaryReader::skip_to(u64 offset) {
  const u64 ahead = offset - std::min(offset, passed_ + at_);
  const std::size_t held = static_cast<std::size_t>(std::min<u64>(end_ - at_, ahead));
  at_ += held;
  if (held == ahead) return;
  passed_ += end_;
  at_ = end_ = 0;
  const u64 skipped = source_->skip(ahead - held);
  passed_ += skipped;
  if (held + skipped < ahead) reject("the file ends here");
}

void GoalBinaryReader::reject(const std::string& problem) const {
  const std::string place = rank_ == GraphOp::any ? "" : fmt::format(", rank {}", rank_);
  throw InputError(fmt::format("{}: byte {}{}: {}; the file is damaged or cut off: make it again with txt2bin",
                               source_->name(), passed_ + at_, place, problem));
}

}  // namespace weft::workloads
