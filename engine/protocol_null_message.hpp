// The null-message protocol (Chandy, Misra, Bryant): a rank runs as far as its neighbours have promised to send
// nothing, and promises likewise. In epochs of several lookaheads, so that idle time is jumped over instead of crept
// through.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/protocol.hpp"
#include "engine/transport.hpp"

namespace weft::engine {

/// An epoch starts with the agreement of all ranks on the earliest tick with work anywhere, T: nothing is on its way,
/// and nothing can come from another rank before T + lookahead. Until its end a rank waits for those ranks only that
/// share a link with it. It advances by a lookahead, if they let it, to tick t, and sends each of them what crossed
/// with its promise, t + lookahead: events from there may still come for t, and answers to them take a lookahead. The
/// rank that is furthest behind can always advance, so nobody waits in a cycle. At the end each rank sends a last
/// message to all neighbours, with its next busy tick. Epochs grow while ticks are busy, and shrink when idle time
/// comes; an epoch of one lookahead is a window of the windowed protocol.
class NullMessageProtocol {
 public:
  /// `neighbours`: the ranks to agree with; `are_all`: that is every other rank, on every rank; `linked`: neighbours
  /// (by index) that may send events here or get some, all if empty. Who lists a rank must be listed by it.
  NullMessageProtocol(Transport& transport, const std::vector<u32>& neighbours, bool are_all,
                      const std::vector<u32>& linked, Tick lookahead)
      : transport_(transport), are_all_(are_all), lookahead_(lookahead) {
    for (const u32 rank : neighbours) peers_.push_back({.batch = {rank, {}}, .linked = linked.empty()});
    for (const u32 neighbour : linked) peers_[neighbour].linked = true;
  }

  template <class Part>
  Tick run(Part& part, Tick until) {
    for (Peer& peer : peers_) peer.last = false;
    busy_steps_ = 0;
    Tick next = agree(part);
    while (next < until) {
      const Tick end = std::min(epoch_end(next), until);
      run_epoch(part, next, end);
      const Tick begin = next;
      next = agree(part);
      adapt(begin, end, next);
    }
    return next;
  }

 private:
  struct Peer {
    Batch batch;         ///< buffer of what comes from there
    bool linked;         ///< shares a link with this rank
    bool last = false;   ///< has sent its last message of the epoch
    Tick promised = 0;   ///< nothing will come from there for an earlier tick
    Tick next = 0;       ///< its next busy tick at the end of the epoch
    u32 busy_steps = 0;  ///< its advances with events in the epoch
  };
  static constexpr u32 most_steps = 64;  ///< lookaheads in an epoch: bounds what is crept through when it gets idle

  [[nodiscard]] Tick epoch_end(Tick begin) const {
    return lookahead_ > never / most_steps ? never : later_by(begin, steps_ * lookahead_);
  }

  template <class Part>
  void run_epoch(Part& part, Tick begin, Tick end) {
    for (Peer& peer : peers_) {
      peer.promised = peer.linked ? later_by(begin, lookahead_) : never;
      peer.last = false;
    }
    busy_steps_ = 0;
    Tick promised = later_by(begin, lookahead_);
    part.promise(promised);
    for (Tick done = begin; done < end;) {
      // A lookahead at a time even if the promises go further: meanwhile others can run on with the promise for it.
      const Tick to = std::min(later_by(done, lookahead_), end);
      for (Peer& peer : peers_) {
        while (peer.promised < to) receive(part, peer);
      }
      // Large batches need the sender's help to get away: without it, who waits for one would wait until this rank has
      // run as far as it may.
      busy_steps_ += part.run_before(to, [this] { transport_.advance(); }) ? 1 : 0;
      ++part.count().windows;
      done = to;
      if (promised >= end) continue;  // the others need only the last message
      promised = later_by(done, lookahead_);
      promise(part, promised);
    }
  }

  /// Sends what crossed to all ranks that share a link with this one, and the promise.
  template <class Part>
  void promise(Part& part, Tick tick) {
    part.promise(tick);
    for (std::size_t i = 0; i < peers_.size(); ++i) {
      if (peers_[i].linked) post(part, i, {.tick = tick, .busy_steps = 0, .last = 0});
    }
  }

  /// Ends an epoch: afterwards nothing is on its way, and all ranks know the earliest tick with work anywhere and the
  /// largest number of busy steps of a rank.
  template <class Part>
  Tick agree(Part& part) {
    u64 words[2] = {std::min(part.next(), part.earliest_crossing()), ~u64{busy_steps_}};
    const BatchHeader last{.tick = words[0], .busy_steps = busy_steps_, .last = 1};
    for (std::size_t i = 0; i < peers_.size(); ++i) post(part, i, last);
    for (Peer& peer : peers_) {
      while (!peer.last) receive(part, peer);
      words[0] = std::min(words[0], peer.next);
      words[1] = std::min(words[1], ~u64{peer.busy_steps});
    }
    transport_.complete_sends();
    if (!are_all_) transport_.min(words);
    busy_steps_ = static_cast<u32>(~words[1]);
    ++part.count().exchanges;
    return words[0];
  }

  template <class Part>
  void post(Part& part, std::size_t neighbour, const BatchHeader& header) {
    part.pack(neighbour, header, out_);
    transport_.post(peers_[neighbour].batch.rank, out_);
  }

  template <class Part>
  void receive(Part& part, Peer& peer) {
    transport_.receive(peer.batch);
    const BatchHeader header = part.unpack(peer.batch.bytes);
    peer.last = header.last != 0;
    peer.promised = peer.last ? never : header.tick;
    if (peer.last) {
      peer.next = header.tick;
      peer.busy_steps = header.busy_steps;
    }
  }

  /// All ranks find the same length of the next epoch, since all know the same.
  void adapt(Tick begin, Tick end, Tick next) {
    const Tick steps = (end - begin - 1) / lookahead_ + 1;
    if (next >= later_by(end, lookahead_)) {
      steps_ = std::max(1U, steps_ / 2);
    } else if (4 * Tick{busy_steps_} >= 3 * steps) {
      steps_ = std::min(most_steps, 2 * steps_);
    }
  }

  Transport& transport_;
  bool are_all_;
  Tick lookahead_;
  std::vector<Peer> peers_;
  std::vector<std::byte> out_;
  u32 steps_ = 1, busy_steps_ = 0;
};

}  // namespace weft::engine
