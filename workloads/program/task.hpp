// The state of one task of an application: where it is in its program, and the messages that it has.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>

#include "engine/base/bytes.hpp"
#include "engine/base/error.hpp"
#include "engine/base/types.hpp"
#include "engine/random.hpp"
#include "workloads/program/program.hpp"

namespace weft::workloads {

/// What a receive matches on.
struct MessageKey {
  u32 source = 0, tag = 0, packets = 0;
  friend bool operator==(const MessageKey&, const MessageKey&) = default;
};
struct MessageKeyHash {
  std::size_t operator()(const MessageKey& k) const {
    return engine::remix(static_cast<u64>(k.source) << 32 | k.tag, k.packets);
  }
};

/// A task between its operations. It has at most one timer: that of a computation, of a pause before a send, or of the
/// cycle after a packet.
struct Task {
  /// received: it was in a receive, and was given the message, with which it goes on in this tick.
  enum class State : u8 { between, computing, receiving, pausing, sending, done, received };

  u32 id = 0;
  State state = State::between;
  bool recorded = false;  ///< TaskHost::timeline has it
  u32 sent_messages = 0;
  u32 packets_left = 0, message_packets = 0;  ///< of the message that it sends
  Op op;
  u64 operations = 0;  ///< taken from the stream so far
  Tick due = 0;        ///< end of a computation or a pause
  Tick earliest = 0;   ///< of its next computation or send, for what it received last (workload.turnaround_cycles)
  Tick next_send = 0;  ///< earliest start of its next message, for the last one (workload.send_gap_cycles)
  Tick finished = 0;
  std::unique_ptr<TaskStream> stream;
  std::unordered_map<MessageKey, u32, MessageKeyHash> mailbox;  ///< messages that arrived, to their number
  std::unordered_map<u64, u32> partial;                         ///< packets that arrived of (source, message)

  /// Takes a message out of the mailbox. False if there is none.
  bool take(const MessageKey& key) {
    const auto found = mailbox.find(key);
    if (found == mailbox.end()) return false;
    if (--found->second == 0) mailbox.erase(found);
    return true;
  }
  /// One more packet of a message of several. Whether it is the last.
  bool completes(u32 source, u32 message, u32 packets) {
    const u64 key = static_cast<u64>(source) << 32 | message;
    if (++partial[key] < packets) return false;
    partial.erase(key);
    return true;
  }

  void save(engine::ByteWriter& to) const {
    to.put(id);
    to.put(static_cast<u32>(state));
    to.put(sent_messages);
    to.put(packets_left);
    to.put(message_packets);
    to.put(static_cast<u32>(op.kind));
    to.put(op.peer);
    to.put(op.tag);
    to.put(op.amount);
    to.put(operations);
    to.put(due);
    to.put(earliest);
    to.put(next_send);
    to.put(finished);
    save_counts(mailbox, to);
    save_counts(partial, to);
  }
  /// Loads a task whose stream is at its begin; moves the stream to where the task was. Throws InputError if the record
  /// is of another task.
  void load(engine::ByteReader& from) {
    if (const u32 saved = from.get<u32>(); saved != id) {
      throw InputError("the checkpoint has task " + std::to_string(saved) + " where task " + std::to_string(id) +
                       " is placed; resume with the config and the files of the run that wrote it");
    }
    state = static_cast<State>(from.get<u32>());
    sent_messages = from.get<u32>();
    packets_left = from.get<u32>();
    message_packets = from.get<u32>();
    op.kind = static_cast<OpKind>(from.get<u32>());
    op.peer = from.get<u32>();
    op.tag = from.get<u32>();
    op.amount = from.get<u64>();
    operations = from.get<u64>();
    due = from.get<Tick>();
    earliest = from.get<Tick>();
    next_send = from.get<Tick>();
    finished = from.get<Tick>();
    load_counts(mailbox, from);
    load_counts(partial, from);
    if (state == State::done) {
      stream.reset();
      return;
    }
    for (u64 k = 0; k < operations; ++k) stream->next();
  }

 private:
  template <class Counts>
  static void save_counts(const Counts& counts, engine::ByteWriter& to) {
    to.put(static_cast<u64>(counts.size()));
    for (const auto& [key, count] : counts) {
      to.put(key);
      to.put(count);
    }
  }
  template <class Counts>
  static void load_counts(Counts& counts, engine::ByteReader& from) {
    for (u64 left = from.get<u64>(); left > 0; --left) {
      const auto key = from.get<typename Counts::key_type>();
      counts[key] = from.get<u32>();
    }
  }
};

/// What a task takes in memory, its stream and some messages included; for estimates.
inline constexpr u64 bytes_of_a_task = sizeof(Task) + 256;

}  // namespace weft::workloads
