// Communicators of DUMPI traces; see the header.
#include "workloads/trace/format/dumpi/dumpi_group.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/parsed.hpp"
#include "workloads/trace/trace_source.hpp"

namespace weft::workloads {
namespace {

using Field = DumpiField;
using Call = CommunicatorCall;

/// Members of all communicators of a file that is read alone, at most.
constexpr u64 most_members_of_one = u64{1} << 26;

u32 dumpi_id(i64 value) { return static_cast<u32>(value); }

/// What a file alone tells of its communicators.
class LoneDumpi {
 public:
  explicit LoneDumpi(const DumpiFile& file) : file_(file) {
    known_[dumpi_world] = add();
    known_[dumpi_self] = add();
  }
  DumpiTrace read() {
    DumpiBody body(file_);
    DumpiCall call;
    CommunicatorCall made;
    std::vector<i32> list;
    for (bool first = true; body.next(call); first = false) {
      if (first) trace_.has_times = call.has_wall;
      if (dumpi_makes_communicator(call.function) && dumpi_communicator_call(call, made, list)) {
        const bool none = made.result == dumpi_null;
        if (!none) known_[made.result] = add();
        trace_.gathered.made[0].push_back(none ? GatheredCommunicators::none : known_[made.result]);
      } else {
        note(call);
      }
    }
    return finish();
  }

 private:
  struct Known {
    u32 ranks = 1, rank = 0;
    bool has_rank = false;
  };
  u32 add() {
    all_.emplace_back();
    return static_cast<u32>(all_.size() - 1);
  }
  Known& of(i64 number) {
    const auto found = known_.find(dumpi_id(number));
    if (found != known_.end()) return all_[found->second];
    const u32 made = add();
    trace_.strays[dumpi_id(number)] = known_[dumpi_id(number)] = made;
    return all_[made];
  }
  /// Ranks that a call names tell how many there are at least.
  void note(const DumpiCall& call) {
    const auto* const arguments = dumpi_arguments(call.function);
    const auto has = [&](Field field) {
      return std::ranges::any_of(*arguments, [&](const DumpiArgument& argument) {
        return argument.type < DumpiArgument::Type::list_u8 && argument.slot == static_cast<u8>(field);
      });
    };
    if (arguments == nullptr || !has(Field::comm) || call.at(Field::comm) <= dumpi_null) return;
    Known& known = of(call.at(Field::comm));
    const auto reaches = [&](i64 rank) {
      if (rank >= 0 && rank < i64{max_trace_tasks}) known.ranks = std::max(known.ranks, static_cast<u32>(rank) + 1);
    };
    if (call.function == dumpi_comm_size) reaches(call.at(Field::size) - 1);
    if (call.function == dumpi_comm_rank && call.at(Field::rank) >= 0 && call.at(Field::rank) < i64{max_trace_tasks}) {
      known.rank = static_cast<u32>(call.at(Field::rank));
      known.has_rank = true;
      reaches(call.at(Field::rank));
    }
    for (const Field field : {Field::dest, Field::source, Field::root}) {
      if (has(field)) reaches(call.at(field));
    }
    for (const DumpiStatus& status : call.statuses) {
      if (call.function == dumpi_recv) reaches(status.source);
    }
  }
  DumpiTrace finish() {
    const Known world = all_[0];
    trace_.alone = true;
    trace_.only_task = world.has_rank ? world.rank : number_in_name();
    trace_.tasks = std::max(world.ranks, trace_.only_task + 1);
    u64 members = 0;
    for (const Known& each : all_) {
      trace_.tasks = std::max(trace_.tasks, each.ranks);
      members += each.ranks;
    }
    if (members > most_members_of_one)
      throw InputError(fmt::format(
          "{}: its calls name ranks as if its communicators had {} members in all (it is damaged); expected "
          "at most {} in a file that is read alone",
          file_.name, members, most_members_of_one));
    for (std::size_t i = 0; i < all_.size(); ++i) {
      GatheredCommunicators::Entry entry;
      const u32 own = all_[i].has_rank ? all_[i].rank : 0, ranks = std::max(all_[i].ranks, own + 1);
      // This task at its own rank, others in order: who they are, the file does not say.
      u32 other = 0;
      for (u32 rank = 0; rank < (i == 0 ? trace_.tasks : ranks); ++rank) {
        if (i != 0 && other == trace_.only_task) ++other;
        entry.members.push_back(i == 0 ? rank : rank == own ? trace_.only_task : other++);
      }
      trace_.gathered.communicators.push_back(std::move(entry));
    }
    return std::move(trace_);
  }
  /// "NAME-0003.bin" is of rank 3.
  [[nodiscard]] u32 number_in_name() const {
    const std::size_t dot = std::min(file_.name.find(".bin"), file_.name.size());
    const std::size_t dash = file_.name.substr(0, dot).find_last_of('-');
    if (dash == std::string::npos) return 0;
    const u32 number = parsed<u32>(std::string_view(file_.name).substr(dash + 1, dot - dash - 1)).value_or(0);
    return number < max_trace_tasks ? number : 0;
  }

  const DumpiFile& file_;
  std::vector<Known> all_;
  std::unordered_map<u32, u32> known_;
  DumpiTrace trace_ = [] {
    DumpiTrace trace;
    trace.gathered.made.resize(1);
    return trace;
  }();
};

}  // namespace

bool dumpi_makes_communicator(u16 function) {
  switch (function) {
    case dumpi_comm_dup:
    case dumpi_comm_create:
    case dumpi_comm_split:
    case dumpi_intercomm_create:
    case dumpi_intercomm_merge:
    case dumpi_cart_create:
    case dumpi_graph_create:
    case dumpi_cart_sub:
    case dumpi_comm_accept:
    case dumpi_comm_connect:
    case dumpi_comm_get_parent:
    case dumpi_comm_join:
    case dumpi_comm_spawn:
    case dumpi_comm_spawn_multiple:
      return true;
    default:
      return false;
  }
}

bool dumpi_communicator_call(const DumpiCall& call, CommunicatorCall& made, std::vector<i32>& list) {
  made = {};
  list.clear();
  const auto value = [&](Field field) { return dumpi_id(call.at(field)); };
  made.parent = value(Field::oldcomm);
  made.result = value(Field::newcomm);
  const auto group = [&](Call::Kind kind, Field from, Field to) {
    made.kind = kind;
    made.parent = value(from);
    made.result = value(to);
    return true;
  };
  const auto chosen = [&](Call::Kind kind, DumpiList ranks) {
    list = call.at(ranks);
    return group(kind, Field::group, Field::newgroup);
  };
  switch (call.function) {
    case dumpi_comm_dup:
      made.kind = Call::Kind::dup;
      return true;
    case dumpi_comm_create:
      made.kind = Call::Kind::create;
      made.other = value(Field::group);
      return true;
    case dumpi_comm_split:
      made.kind = Call::Kind::split;
      made.colour = static_cast<i32>(call.at(Field::color));
      made.key = static_cast<i32>(call.at(Field::key));
      return true;
    case dumpi_cart_create:
      made.kind = Call::Kind::cartesian;
      list = call.at(DumpiList::dims);
      return true;
    case dumpi_cart_sub:
      made.kind = Call::Kind::cartesian_part;
      list = call.at(DumpiList::remain_dims);
      return true;
    case dumpi_graph_create:
      made.kind = Call::Kind::graph;
      made.colour = static_cast<i32>(call.at(Field::nodes));
      return true;
    case dumpi_intercomm_create:
      made.kind = Call::Kind::inter;
      made.parent = value(Field::localcomm);
      made.other = value(Field::remotecomm);
      made.colour = static_cast<i32>(call.at(Field::localleader));
      made.key = static_cast<i32>(call.at(Field::remoteleader));
      made.tag = static_cast<i32>(call.at(Field::tag));
      return true;
    case dumpi_intercomm_merge:
      made.kind = Call::Kind::merge;
      made.parent = value(Field::comm);
      made.colour = call.at(Field::high) != 0 ? 1 : 0;
      return true;
    case dumpi_comm_join:
    case dumpi_comm_get_parent:
      made.result = value(call.function == dumpi_comm_join ? Field::comm : Field::parent);
      made.kind = Call::Kind::unknown;
      return true;
    case dumpi_comm_accept:
    case dumpi_comm_connect:
    case dumpi_comm_spawn:
    case dumpi_comm_spawn_multiple:
      made.kind = Call::Kind::unknown;
      return true;
    case dumpi_comm_group:
      return group(Call::Kind::group_of, Field::comm, Field::group);
    case dumpi_comm_remote_group:
      return group(Call::Kind::remote_group_of, Field::comm, Field::group);
    case dumpi_group_union:
    case dumpi_group_intersection:
    case dumpi_group_difference:
      made.other = value(Field::group2);
      return group(call.function == dumpi_group_union          ? Call::Kind::group_union
                   : call.function == dumpi_group_intersection ? Call::Kind::group_intersection
                                                               : Call::Kind::group_difference,
                   Field::group1, Field::newgroup);
    case dumpi_group_incl:
      return chosen(Call::Kind::group_include, DumpiList::ranks);
    case dumpi_group_excl:
      return chosen(Call::Kind::group_exclude, DumpiList::ranks);
    case dumpi_group_range_incl:
      return chosen(Call::Kind::group_include_ranges, DumpiList::ranges);
    case dumpi_group_range_excl:
      return chosen(Call::Kind::group_exclude_ranges, DumpiList::ranges);
    default:
      return false;
  }
}

DumpiTrace gather_dumpi(u32 files, const std::function<DumpiFile(u32 rank)>& file) {
  if (files == 1) {
    const DumpiFile only = file(0);
    return LoneDumpi(only).read();
  }
  DumpiTrace trace;
  trace.tasks = files;
  CommunicatorGatherer gatherer(files);
  CommunicatorCall made;
  DumpiCall call;
  std::vector<i32> list;
  for (u32 rank = 0; rank < files; ++rank) {
    const DumpiFile one = file(rank);
    i64 expected = 0, found = 0;  // calls that make communicators
    for (std::size_t function = 0; function < one.calls.size(); ++function)
      expected += dumpi_makes_communicator(static_cast<u16>(function)) ? one.calls[function] : 0;
    DumpiBody body(one);
    // Without such calls, the first one is enough: whether it has times.
    for (bool first = true; body.next(call) && (first || expected != 0 || one.calls.empty()); first = false) {
      if (first) trace.has_times = trace.has_times && call.has_wall;
      if (!dumpi_communicator_call(call, made, list)) continue;
      found += dumpi_makes_communicator(call.function) ? 1 : 0;
      gatherer.add(rank, made, list);
    }
    trace.gaps = trace.gaps || found < expected;
  }
  trace.gathered = gatherer.finish();
  return trace;
}

DumpiCommunicators::DumpiCommunicators(const DumpiTrace& trace, u32 task) : trace_(trace), task_(task) {
  using Kind = DumpiCommunicator::Kind;
  known_[dumpi_world] = {Kind::all, 0, 0, trace.tasks, false};
  known_[dumpi_self] = {Kind::self, 0, 0, 1, false};
}

void DumpiCommunicators::note(const DumpiCall& call) {
  CommunicatorCall made;
  std::vector<i32> list;
  if (!dumpi_communicator_call(call, made, list)) return;
  const auto& numbers = trace_.gathered.made[trace_.alone ? 0 : task_];
  if (made_ >= numbers.size()) {  // the footer says that there are none
    known_.erase(made.result);
    return;
  }
  const u32 number = numbers[made_++];
  if (number == GatheredCommunicators::none) return;
  DumpiCommunicator& known = known_[made.result] = {};
  if (number == GatheredCommunicators::unknown) return;
  const auto& entry = trace_.gathered.communicators[number];
  const u32 members = static_cast<u32>(entry.members.size());
  known = {DumpiCommunicator::Kind::gathered, number, 0, members, entry.first_side != 0};
  if (!known.inter) return;
  const auto middle = entry.members.begin() + entry.first_side;
  const bool in_first = std::find(entry.members.begin(), middle, task_) != middle;
  known.first = in_first ? entry.first_side : 0;
  known.ranks = in_first ? members - entry.first_side : entry.first_side;
}

DumpiCommunicator DumpiCommunicators::find(u32 number) const {
  const auto found = known_.find(number);
  if (found != known_.end()) return found->second;
  if (const auto stray = trace_.strays.find(number); stray != trace_.strays.end()) {
    const u32 members = static_cast<u32>(trace_.gathered.communicators[stray->second].members.size());
    return {DumpiCommunicator::Kind::gathered, stray->second, 0, members, false};
  }
  if (trace_.gaps && number > dumpi_self) return {DumpiCommunicator::Kind::all, 0, 0, trace_.tasks, false};
  return {};
}

u32 DumpiCommunicators::task_of(const DumpiCommunicator& communicator, u32 rank) const {
  if (communicator.kind == DumpiCommunicator::Kind::all) return rank;
  if (communicator.kind == DumpiCommunicator::Kind::self) return task_;
  return trace_.gathered.communicators[communicator.number].members[communicator.first + rank];
}

}  // namespace weft::workloads
