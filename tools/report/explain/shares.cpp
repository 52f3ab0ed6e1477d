// Sums over the pieces of a task; see the header.
#include "tools/report/explain/shares.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace weft::tools::explain {
namespace {

void count(TaskShares& shares, const Piece& piece, Tick length) {
  shares.parts.of(piece.part) += length;
  if (piece.peer != Drawn::nobody) shares.waits[piece.peer].of(piece.part) += length;
}

/// What counts where pieces lie side by side: the least of these. Waits for other tasks go before those for times of
/// the outside world, and these before waits for other lanes.
std::tuple<u32, Tick, std::size_t> rank_of(const std::vector<Piece>& pieces, std::size_t ix) {
  const Piece& piece = pieces[ix];
  const bool waits = piece.part > Part::receive;
  const u32 of_waits = piece.part == Part::other ? 5 : piece.part == Part::idle ? 4 : 3;
  return {waits ? of_waits : static_cast<u32>(piece.part), waits ? piece.over : Tick{0}, ix};
}

/// Pieces side by side: from each begin and end to the next one.
void sweep(TaskShares& shares, const std::vector<Piece>& pieces) {
  std::vector<std::pair<Tick, std::size_t>> ends;
  for (std::size_t ix = 0; ix < pieces.size(); ++ix) ends.emplace_back(pieces[ix].end, ix);
  std::ranges::sort(ends);
  std::set<std::tuple<u32, Tick, std::size_t>> open;
  Tick now = 0;
  const auto advance = [&](Tick to) {
    if (!open.empty() && to > now) count(shares, pieces[std::get<2>(*open.begin())], to - now);
    now = std::max(now, to);
  };
  std::size_t ended = 0;
  const auto close_until = [&](Tick tick) {
    for (; ended < ends.size() && ends[ended].first <= tick; ++ended) {
      advance(ends[ended].first);
      open.erase(rank_of(pieces, ends[ended].second));
    }
  };
  for (std::size_t ix = 0; ix < pieces.size(); ++ix) {
    close_until(pieces[ix].begin);
    advance(pieces[ix].begin);
    open.insert(rank_of(pieces, ix));
  }
  close_until(never);
}

}  // namespace

TaskShares shares_of(std::vector<Piece>& pieces) {
  TaskShares shares;
  std::ranges::stable_sort(pieces, {}, &Piece::begin);
  bool in_a_row = true;
  for (const Piece& piece : pieces) {
    in_a_row = in_a_row && piece.begin >= shares.end;
    shares.begin = std::min(shares.begin, piece.begin);
    shares.end = std::max(shares.end, piece.end);
  }
  if (!in_a_row) {
    sweep(shares, pieces);
    return shares;
  }
  for (const Piece& piece : pieces) count(shares, piece, piece.end - piece.begin);
  return shares;
}

void add_calls(TaskShares& shares, const std::vector<Piece>& pieces,
               std::span<const workloads::TimelineRecord> records) {
  using workloads::TimelineRecord;
  std::vector<const TimelineRecord*> regions, open;
  for (const TimelineRecord& record : records) {
    if (record.kind == TimelineRecord::Kind::region) regions.push_back(&record);
  }
  std::ranges::sort(regions, {}, [](const TimelineRecord* r) { return std::pair(r->begin, r->depth); });
  std::size_t next = 0;
  for (const Piece& piece : pieces) {
    for (; next < regions.size() && regions[next]->begin <= piece.begin; ++next) {
      while (!open.empty() && open.back()->end <= regions[next]->begin) open.pop_back();
      open.push_back(regions[next]);
    }
    while (!open.empty() && open.back()->end <= piece.begin) open.pop_back();
    shares.calls[open.empty() ? TaskShares::none : open.back()->peer].of(piece.part) += piece.end - piece.begin;
  }
}

}  // namespace weft::tools::explain
