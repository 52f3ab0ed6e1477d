// Reads global definitions of OTF2 archives; see the header.
#include "workloads/trace/format/otf2/otf2_definitions.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "workloads/trace/format/otf2/otf2_library.hpp"
#include "workloads/trace/trace_source.hpp"

namespace weft::workloads::otf2 {
namespace {

constexpr u64 most_nanoseconds = u64{1} << 62;
constexpr u64 most_members_in_all = u64{1} << 27;
constexpr u64 memory_of_a_list = 16;  ///< of one task, in members

/// What the archive says, in its order and with its numbers: references may come before what they name.
struct Said {
  struct NamedRegion {
    u32 region, name;
    bool is_mpi;
  };
  struct NamedCommunicator {
    u32 communicator, group_a, group_b;
    bool between;
  };
  struct MetricMember {
    u32 name;
    u32 mode;
  };
  bool has_clock = false;
  Clock clock;
  std::unordered_map<u32, MetricMember> metric_members;
  std::map<u32, std::vector<u32>> metric_classes;  ///< to their members
  std::map<u32, u32> metric_instances;             ///< to their classes
  std::unordered_map<u32, std::string> strings;
  std::vector<NamedRegion> regions;
  std::vector<NamedCommunicator> communicators;
  /// By (type, number): EZTrace has groups of one number and two types.
  std::map<std::pair<u32, u32>, std::vector<u64>> groups;
  std::vector<u64> ranks;               ///< locations of MPI ranks
  std::unordered_map<u64, u64> events;  ///< of each location
  std::string creator;
  std::exception_ptr failure;
};

/// No exception may pass through the library.
template <class Action>
OTF2_CallbackCode keeping_failure(void* data, Action action) {
  Said& said = *static_cast<Said*>(data);
  try {
    action(said);
    return OTF2_CALLBACK_SUCCESS;
  } catch (...) {
    said.failure = std::current_exception();
    return OTF2_CALLBACK_ERROR;
  }
}

OTF2_CallbackCode on_clock(void* data, uint64_t ticks_per_second, uint64_t begin, uint64_t /*length*/,
                           uint64_t /*date*/) {
  return keeping_failure(data, [&](Said& said) {
    said.has_clock = true;
    said.clock = {ticks_per_second, begin};
  });
}

OTF2_CallbackCode on_string(void* data, OTF2_StringRef self, const char* text) {
  return keeping_failure(data, [&](Said& said) { said.strings.emplace(self, text); });
}

OTF2_CallbackCode on_region(void* data, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef /*canonical*/,
                            OTF2_StringRef /*description*/, OTF2_RegionRole /*role*/, OTF2_Paradigm paradigm,
                            OTF2_RegionFlag /*flags*/, OTF2_StringRef /*file*/, uint32_t /*begin*/, uint32_t /*end*/) {
  return keeping_failure(data, [&](Said& said) {
    said.regions.push_back({self, name, paradigm == OTF2_PARADIGM_MPI});
  });
}

OTF2_CallbackCode on_location(void* data, OTF2_LocationRef self, OTF2_StringRef /*name*/, OTF2_LocationType /*type*/,
                              uint64_t events, OTF2_LocationGroupRef /*group*/) {
  return keeping_failure(data, [&](Said& said) { said.events.emplace(self, events); });
}

OTF2_CallbackCode on_group(void* data, OTF2_GroupRef self, OTF2_StringRef /*name*/, OTF2_GroupType type,
                           OTF2_Paradigm paradigm, OTF2_GroupFlag /*flags*/, uint32_t members, const uint64_t* member) {
  return keeping_failure(data, [&](Said& said) {
    if (paradigm != OTF2_PARADIGM_MPI) return;
    std::vector<u64> all(member, member + members);
    if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS && said.ranks.empty()) said.ranks = all;
    said.groups.emplace(std::pair{u32{type}, u32{self}}, std::move(all));
  });
}

OTF2_CallbackCode on_communicator(void* data, OTF2_CommRef self, OTF2_StringRef /*name*/, OTF2_GroupRef group,
                                  OTF2_CommRef /*parent*/, OTF2_CommFlag /*flags*/) {
  return keeping_failure(data, [&](Said& said) { said.communicators.push_back({self, group, group, false}); });
}

OTF2_CallbackCode on_inter_communicator(void* data, OTF2_CommRef self, OTF2_StringRef /*name*/, OTF2_GroupRef group_a,
                                        OTF2_GroupRef group_b, OTF2_CommRef /*common*/, OTF2_CommFlag /*flags*/) {
  return keeping_failure(data, [&](Said& said) { said.communicators.push_back({self, group_a, group_b, true}); });
}

OTF2_CallbackCode on_metric_member(void* data, OTF2_MetricMemberRef self, OTF2_StringRef name,
                                   OTF2_StringRef /*description*/, OTF2_MetricType /*type*/, OTF2_MetricMode mode,
                                   OTF2_Type /*value*/, OTF2_Base /*base*/, int64_t /*exponent*/,
                                   OTF2_StringRef /*unit*/) {
  return keeping_failure(data, [&](Said& said) { said.metric_members.emplace(self, Said::MetricMember{name, mode}); });
}

OTF2_CallbackCode on_metric_class(void* data, OTF2_MetricRef self, uint8_t count, const OTF2_MetricMemberRef* members,
                                  OTF2_MetricOccurrence /*occurrence*/, OTF2_RecorderKind /*recorder*/) {
  return keeping_failure(
      data, [&](Said& said) { said.metric_classes.emplace(self, std::vector<u32>(members, members + count)); });
}

OTF2_CallbackCode on_metric_instance(void* data, OTF2_MetricRef self, OTF2_MetricRef of_class,
                                     OTF2_LocationRef /*recorder*/, OTF2_MetricScope /*scope*/, uint64_t /*of*/) {
  return keeping_failure(data, [&](Said& said) { said.metric_instances.emplace(self, of_class); });
}

struct DeleteCallbacks {
  void operator()(OTF2_GlobalDefReaderCallbacks* callbacks) const { OTF2_GlobalDefReaderCallbacks_Delete(callbacks); }
};

Said listen_to(OTF2_Reader* reader, const std::string& anchor) {
  Said said;
  OTF2_GlobalDefReader* const definitions = OTF2_Reader_GetGlobalDefReader(reader);
  if (definitions == nullptr) fail_reading(anchor);
  const std::unique_ptr<OTF2_GlobalDefReaderCallbacks, DeleteCallbacks> callbacks(OTF2_GlobalDefReaderCallbacks_New());
  OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks.get(), on_clock);
  OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks.get(), on_string);
  OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks.get(), on_region);
  OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks.get(), on_location);
  OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks.get(), on_group);
  OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks.get(), on_communicator);
  OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(callbacks.get(), on_inter_communicator);
  OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback(callbacks.get(), on_metric_member);
  OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback(callbacks.get(), on_metric_class);
  OTF2_GlobalDefReaderCallbacks_SetMetricInstanceCallback(callbacks.get(), on_metric_instance);
  check_reading(anchor, OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks.get(), &said));
  uint64_t count = 0;
  const OTF2_ErrorCode code = OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &count);
  if (said.failure) std::rethrow_exception(said.failure);
  check_reading(anchor, code);
  OTF2_Reader_CloseGlobalDefReader(reader, definitions);
  char* creator = nullptr;
  if (OTF2_Reader_GetCreator(reader, &creator) == OTF2_SUCCESS && creator != nullptr) said.creator = creator;
  std::free(creator);
  return said;
}

/// Makes definitions of what was said.
class Resolver {
 public:
  Resolver(const Said& said, const std::string& anchor) : said_(said), anchor_(anchor) {}

  Definitions resolve() {
    if (!said_.has_clock || said_.clock.ticks_per_second == 0)
      fail("has no clock of at least one tick a second", "definition ClockProperties");
    all_.clock = said_.clock;
    find_tasks();
    find_regions();
    find_metrics();
    for (const Said::NamedCommunicator& one : said_.communicators) add(one);
    return std::move(all_);
  }

 private:
  [[noreturn]] void fail(const std::string& problem, const std::string& expected) const {
    throw InputError(fmt::format("{}: {} (damaged, or not of MPI); expected {}", anchor_, problem, expected));
  }

  void find_tasks() {
    if (said_.ranks.empty())
      fail("says of no location that it is a rank of MPI", "a group COMM_LOCATIONS of the paradigm MPI");
    if (said_.ranks.size() > max_trace_tasks)
      fail(fmt::format("has {} ranks", said_.ranks.size()), fmt::format("at most {}", max_trace_tasks));
    all_.locations = said_.ranks;
    for (const u64 location : all_.locations) {
      const auto found = said_.events.find(location);
      if (found == said_.events.end())
        fail(fmt::format("has a rank on location {}, which it does not define", location), "a definition Location");
      all_.promised_events.push_back(found->second);
    }
    std::vector<u64> sorted = all_.locations;
    std::ranges::sort(sorted);
    if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
      fail(fmt::format("has two ranks on location {}", *twice), "a location for each rank");
  }

  void find_regions() {
    for (const Said::NamedRegion& region : said_.regions) {
      const auto text = said_.strings.find(region.name);
      Region made;
      made.name = static_cast<u32>(all_.names.size());
      const std::string name = text == said_.strings.end() ? fmt::format("region {}", region.region) : text->second;
      made.is_call = region.is_mpi || name.starts_with("MPI_");
      made.synchronous = name.starts_with("MPI_Ssend") || name.starts_with("MPI_Issend");
      if (!all_.regions.emplace(region.region, made).second) continue;
      all_.names.push_back({name, made.is_call});
      // Which does not say that it was the creator.
      if (name.starts_with("EZTrace") && said_.creator.empty()) all_.sizes_of_pieces = true;
    }
    const auto named = [&](const char* text, bool is_call) {
      all_.names.push_back({text, is_call});
      return static_cast<u32>(all_.names.size() - 1);
    };
    all_.program_begin = named("PROGRAM_BEGIN", false);
    all_.program_end = named("PROGRAM_END", false);
    all_.flush = named("BUFFER_FLUSH", true);
  }

  /// Metrics that grow as a location goes on; others say nothing of what was computed in between.
  void find_metrics() {
    std::map<u32, u32> counter_of;  // member
    for (const auto& [metric, members] : said_.metric_classes) {
      std::vector<u32>& values = all_.metrics[metric];
      for (const u32 member : members) {
        const auto found = said_.metric_members.find(member);
        if (found == said_.metric_members.end())
          fail(fmt::format("has metric {} of member {}, which it does not define", metric, member),
               "a definition MetricMember");
        const bool relative = (found->second.mode & OTF2_METRIC_VALUE_MASK) == OTF2_METRIC_VALUE_RELATIVE;
        const bool counts = relative || (found->second.mode & OTF2_METRIC_VALUE_MASK) == OTF2_METRIC_VALUE_ACCUMULATED;
        if (!counts) {
          values.push_back(Definitions::no_counter);
          continue;
        }
        const auto [known, is_new] = counter_of.try_emplace(member, static_cast<u32>(all_.counters.size()));
        if (is_new) {
          const auto text = said_.strings.find(found->second.name);
          all_.counters.push_back({static_cast<u32>(all_.names.size()), relative});
          all_.names.push_back(
              {text == said_.strings.end() ? fmt::format("metric {}", member) : text->second, false, true});
        }
        values.push_back(known->second);
      }
    }
    for (const auto& [metric, of_class] : said_.metric_instances) {
      const auto found = all_.metrics.find(of_class);
      if (found == all_.metrics.end())
        fail(fmt::format("has metric {} of class {}, which it does not define", metric, of_class),
             "a definition MetricClass");
      all_.metrics.try_emplace(metric, std::vector<u32>(found->second));
    }
  }

  /// Ranks of a group of communicators as tasks: positions in the group of all ranks, which are numbered so. Null if it
  /// is not of MPI.
  const std::vector<u64>* group(u32 number) const {
    for (const u32 type : {OTF2_GROUP_TYPE_COMM_GROUP, OTF2_GROUP_TYPE_COMM_SELF, OTF2_GROUP_TYPE_COMM_LOCATIONS}) {
      const auto found = said_.groups.find({type, number});
      if (found != said_.groups.end()) return &found->second;
    }
    return nullptr;
  }
  void count_members(u64 more) {
    members_ += more;
    if (members_ > most_members_in_all)
      fail("has communicators of too many members", fmt::format("at most {} in all", most_members_in_all));
  }
  std::vector<u32> members(u32 number, u32 communicator) {
    const std::vector<u64>& listed = *group(number);
    count_members(listed.size());
    std::vector<u32> tasks(listed.size());
    const bool of_all = !said_.groups.contains({OTF2_GROUP_TYPE_COMM_GROUP, number}) && !is_self(number);
    for (u32 rank = 0; rank < tasks.size(); ++rank) {
      if (!of_all && listed[rank] >= all_.tasks())
        fail(fmt::format("has rank {} in communicator {} of {} ranks in all", listed[rank], communicator, all_.tasks()),
             "a smaller one");
      tasks[rank] = of_all ? rank : static_cast<u32>(listed[rank]);
    }
    std::vector<u32> sorted = tasks;
    std::ranges::sort(sorted);
    if (std::ranges::adjacent_find(sorted) != sorted.end())
      fail(fmt::format("has a rank twice in communicator {}", communicator), "each of them once");
    return tasks;
  }
  [[nodiscard]] bool is_self(u32 number) const {
    return !said_.groups.contains({OTF2_GROUP_TYPE_COMM_GROUP, number}) &&
           said_.groups.contains({OTF2_GROUP_TYPE_COMM_SELF, number});
  }

  void add(const Said::NamedCommunicator& one) {
    if (all_.known_communicators.contains(one.communicator)) return;
    if (group(one.group_a) == nullptr || group(one.group_b) == nullptr) return;  // of something else than MPI
    Communicator made;
    made.number = static_cast<u32>(all_.communicators.size());
    if (one.between) {
      made.kind = Communicator::Kind::between;
      made.sides = static_cast<u32>(all_.sides.size());
      all_.sides.push_back({members(one.group_a, one.communicator), members(one.group_b, one.communicator)});
      std::vector<u32> all = all_.sides.back().a;
      all.insert(all.end(), all_.sides.back().b.begin(), all_.sides.back().b.end());
      all_.communicators.push_back({std::move(all)});
    } else if (is_self(one.group_a)) {
      made.kind = Communicator::Kind::self;
      count_members(memory_of_a_list * all_.tasks());
      for (u32 task = 0; task < all_.tasks(); ++task) all_.communicators.push_back({{task}});
    } else {
      std::vector<u32> tasks = members(one.group_a, one.communicator);
      bool all_in_order = !has_all_ && tasks.size() == all_.tasks();
      for (u32 rank = 0; all_in_order && rank < tasks.size(); ++rank) all_in_order = tasks[rank] == rank;
      if (all_in_order) {
        has_all_ = true;
        made.number = 0;
      } else {
        if (tasks.empty()) return;
        all_.communicators.push_back({std::move(tasks)});
      }
    }
    all_.known_communicators.emplace(one.communicator, made);
  }

  const Said& said_;
  const std::string& anchor_;
  Definitions all_;
  u64 members_ = 0;
  bool has_all_ = false;
};

}  // namespace

u64 Clock::nanoseconds(u64 ticks) const {
  if (ticks <= begin) return 0;
  const u128 all = u128{ticks - begin} * 1'000'000'000 / ticks_per_second;
  return all > most_nanoseconds ? beyond : static_cast<u64>(all);
}

u32 Definitions::size_of(const Communicator& communicator) const {
  if (communicator.kind == Communicator::Kind::self) return 1;
  const std::vector<u32>& members = communicators[communicator.number].members;
  return members.empty() ? tasks() : static_cast<u32>(members.size());
}

u32 Definitions::task_of(const Communicator& communicator, u32 rank, u32 task) const {
  if (communicator.kind == Communicator::Kind::self) return rank == 0 ? task : TraceEvent::any;
  const std::vector<u32>* members = &communicators[communicator.number].members;
  if (communicator.kind == Communicator::Kind::between) {
    const Sides& both = sides[communicator.sides];
    members = std::ranges::find(both.a, task) != both.a.end() ? &both.b : &both.a;
  }
  if (members->empty()) return rank < tasks() ? rank : TraceEvent::any;
  return rank < members->size() ? (*members)[rank] : TraceEvent::any;
}

Definitions read_definitions(const std::string& anchor) {
  check_anchor(anchor);
  const ReaderHandle reader = open_reader(anchor);
  const Said said = listen_to(reader.get(), anchor);
  return Resolver(said, anchor).resolve();
}

}  // namespace weft::workloads::otf2
