// Reactive traffic: packets that make their destination send others (INSEE's triggers).
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "engine/base/bytes.hpp"
#include "engine/base/types.hpp"
#include "engine/random.hpp"

namespace weft::workloads {

/// What a delivered packet does at its destination.
struct ReactionRules {
  double fraction = 0;      ///< of the packets that trigger others; 0: none does
  u32 least = 1, most = 1;  ///< packets that one triggers, any number alike
  /// They go back to its source, and trigger nothing; else they go where the pattern says, and trigger others as well.
  bool to_source = false;
  u32 cells = 0;  ///< of those that go back, in networks that take any length; 0: as of all packets
  [[nodiscard]] bool any() const { return fraction > 0; }
  /// Packets that one triggers, on average.
  [[nodiscard]] double mean() const { return fraction * 0.5 * (static_cast<double>(least) + most); }
};

/// Packets that were triggered and are to be sent, of each entity. How many a packet triggers follows from who sent it,
/// to whom and when: packets of one tick may be counted in any order.
class Reactions {
 public:
  /// Packets for a node that sent one.
  struct Reply {
    Tick due;  ///< when the first may be sent
    u32 to, packets;
    u64 generated;  ///< when what they answer was
    bool operator<(const Reply& other) const {
      return std::tie(due, to, generated) < std::tie(other.due, other.to, other.generated);
    }
  };
  struct Waiting {
    u32 left = 0;                     ///< not sent yet
    u32 sent = 0;                     ///< so far
    Tick own_due = never;             ///< of the next packet of the source itself
    Tick due = never;                 ///< when these are looked at next, for no other reason
    Tick taken = never;               ///< when the NIC took a packet last
    bool pending = false;             ///< for which there was no free space
    std::vector<Reply> replies = {};  ///< with `to_source`: in the order in which they are sent,
    u32 answered = 0;                 ///< behind so many that are sent already
  };

  Reactions(const ReactionRules& rules, u64 seed) : rules_(rules), seed_(seed) {}
  [[nodiscard]] const ReactionRules& rules() const { return rules_; }
  /// Packets that go back to a source are told from others by this bit of their random ones: all of them take the same
  /// way round in dimensions 7 and 15 where both are equally long.
  static constexpr u8 reply_bit = 0x80;
  /// Notes replies. They are noted in any order within a tick, and taken in one.
  void reply(u32 entity, const Reply& added) {
    std::vector<Reply>& all = waiting_[entity].replies;
    all.insert(std::upper_bound(all.begin() + waiting_[entity].answered, all.end(), added), added);
  }
  /// The node that the next reply goes to, which is sent.
  [[nodiscard]] u32 next_reply(u32 entity) const { return waiting_[entity].replies[waiting_[entity].answered].to; }
  /// What is sent is taken off when it is half of all, so that each reply is moved once on average.
  void sent_reply(u32 entity) {
    Waiting& waiting = waiting_[entity];
    if (--waiting.replies[waiting.answered].packets != 0 || 2 * ++waiting.answered < waiting.replies.size()) return;
    waiting.replies.erase(waiting.replies.begin(), waiting.replies.begin() + waiting.answered);
    waiting.answered = 0;
  }
  /// What is still to be sent.
  [[nodiscard]] std::vector<Reply> unsent(u32 entity) const {
    const Waiting& waiting = waiting_[entity];
    return {waiting.replies.begin() + waiting.answered, waiting.replies.end()};
  }
  void resize(std::size_t entities) { waiting_.resize(entities); }
  [[nodiscard]] Waiting& operator[](u32 entity) { return waiting_[entity]; }
  [[nodiscard]] const Waiting& operator[](u32 entity) const { return waiting_[entity]; }
  [[nodiscard]] const std::vector<Waiting>& all() const { return waiting_; }

  /// Packets that one triggers which `from` generated for `to` at that tick.
  [[nodiscard]] u32 triggered(u32 from, u32 to, Tick generated) const {
    const u64 bits = engine::remix(engine::random_bits(seed_, to, generated, engine::Use::marking), from);
    if (engine::to_unit(bits) >= rules_.fraction) return 0;
    return rules_.least + engine::scale_to(engine::remix(bits, 1), rules_.most - rules_.least + 1);
  }
  /// Bits of the next packet of an entity's node that was triggered; those of its own have smaller numbers.
  [[nodiscard]] u64 bits_of_next(u32 node, u32 entity) const {
    return engine::random_bits(seed_, node, (u64{1} << 40) + waiting_[entity].sent, engine::Use::source_destination);
  }

 private:
  ReactionRules rules_;
  u64 seed_;
  std::vector<Waiting> waiting_;
};

}  // namespace weft::workloads
