// Logs of MPE as records of events and messages, whatever the file looks like; what they define; opening them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "workloads/trace/format/mpe/mpe_states.hpp"
#include "workloads/trace/trace_source.hpp"

namespace weft::workloads {

/// What a task logged, but for definitions.
struct MpeRecord {
  enum class Kind : u8 { event, sent, received };
  Kind kind = Kind::event;
  u32 task = 0;
  i32 type = 0;                      ///< event: number, of the begin or end of a state or of a moment
  u32 peer = 0, tag = 0, bytes = 0;  ///< messages
  u32 communicator = 0;              ///< number in TraceSource::communicators; in the first pass that in the file
  i64 time_ns = 0;
  u64 position = 0;  ///< byte or line
};

/// How MPE numbers the events of its reserved states.
enum class MpeNumbering : u8 {
  none,
  from_one,  ///< 1 + 2 * number: CLOG-1, ALOG
  from_zero  ///< 2 * number: CLOG2
};

/// A state of a log. Its begin and its end are events.
struct MpeState {
  std::string text;
  MpeStateKind kind;
  u32 name = 0;  ///< number in TraceSource::names
  /// Collectives: some call in the log has messages in it, or another collective; it is not carried out again then.
  bool expanded = false;
  bool is_used = false;
};

/// What a log defines: states, events, communicators. Filled in a first pass, as MPE writes much of it at the end.
class MpeDefinitions {
 public:
  explicit MpeDefinitions(MpeNumbering numbering);

  /// What an event means.
  struct Meaning {
    enum class Kind : u8 { unknown, begin, end, moment };
    Kind kind = Kind::unknown;
    u32 number = 0;  ///< begin, end: in `states`; moment: in names
  };
  [[nodiscard]] Meaning meaning(i32 type) const {
    if (static_cast<u32>(type) < dense_.size()) return dense_[static_cast<u32>(type)];
    const auto found = sparse_.find(type);
    return found == sparse_.end() ? Meaning{} : found->second;
  }
  void define_state(i32 begin, i32 end, std::string name);
  void define_event(i32 type, std::string name);
  /// Members of communicators by their numbers in the file; 0 is all tasks.
  void define_member(i32 communicator, u32 rank, u32 task);
  /// The task that is `rank` in a communicator, or TraceEvent::any.
  [[nodiscard]] u32 task_of(i32 communicator, u32 rank) const;
  [[nodiscard]] u32 number_of(i32 communicator) const;
  /// What the first pass finds in a record.
  void survey(const MpeRecord& record);
  /// Ends a pass. Whether another one is needed, as collectives that were in use have been defined late.
  [[nodiscard]] bool finish_survey();
  /// No state was defined: events are not those of MPE then (files without a header).
  [[nodiscard]] bool knows_states() const { return defined_states_ > 0 || numbering_ != MpeNumbering::none; }

  std::vector<MpeState> states;
  std::vector<TraceName> names;
  std::vector<TraceCommunicator> communicators = {{}};
  u32 tasks = 0;
  i64 origin_ns = 0;  ///< of the first event, if it is before 0

 private:
  struct Group {
    std::unordered_map<u32, u32> members;  ///< rank to task, until `tasks` is complete
    std::vector<u32> tasks;                ///< [rank]
    u32 number = 0;                        ///< in communicators
    bool is_used = false;
  };
  Meaning& slot(i32 type);
  void use_group(u32 communicator);
  void number_names();
  void number_groups();

  MpeNumbering numbering_;
  u32 defined_states_ = 0;
  std::vector<Meaning> dense_;
  std::unordered_map<i32, Meaning> sparse_;
  std::map<i32, std::string> events_;               ///< moments that are defined
  std::map<i32, bool> undefined_;                   ///< events that came before a definition
  std::unordered_map<u32, std::vector<u32>> open_;  ///< collectives in which tasks are
  std::unordered_map<i32, Group> groups_;
};

/// A log, read once from front to back.
class MpeLog {
 public:
  virtual ~MpeLog() = default;
  /// Puts the records of the next piece of the log into `records`, maybe none; false at its end. Throws InputError.
  virtual bool read(std::vector<MpeRecord>& records) = 0;
  [[nodiscard]] virtual std::string place(u64 position) const = 0;
};

/// Opens a log. With `learn`, definitions are added to it and peers need not be known yet; else they are read from
/// `known`, which outlives the log.
using MpeOpener = std::function<std::unique_ptr<MpeLog>(std::unique_ptr<ByteSource> bytes, const MpeDefinitions& known,
                                                        MpeDefinitions* learn)>;

/// A log as a trace of one part. Throws InputError.
[[nodiscard]] std::unique_ptr<TraceSource> open_mpe(const TraceInput& input, MpeNumbering numbering, MpeOpener open);

}  // namespace weft::workloads
