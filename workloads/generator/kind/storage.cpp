// Kind "storage": compute tasks and the servers of their files.
#include "workloads/generator/storage.hpp"

#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/meaning.hpp"
#include "workloads/generator/kind/workload_kind.hpp"

namespace weft::workloads {
namespace {

/// A key of which 0 stands for `most`, which is the most it may be.
u32 up_to(const WorkloadSpec& from, const char* key, u32 most, const char* what) {
  const auto given = static_cast<u64>(from.keys.integer(key));
  if (given <= most) return given == 0 ? most : static_cast<u32>(given);
  throw ConfigError(
      fmt::format("workload.{} = {} is more than there are {} ({}); use {} or less", key, given, what, most, most));
}

StorageLayout storage_layout(const WorkloadSpec& from) {
  StorageLayout layout;
  layout.tasks = from.tasks;
  layout.servers = static_cast<u32>(from.keys.integer("io_tasks"));
  if (layout.servers >= layout.tasks) {
    throw ConfigError(fmt::format("workload.io_tasks = {} of {} tasks leave none to compute; use {}", layout.servers,
                                  layout.tasks,
                                  layout.tasks > 1 ? fmt::format("io_tasks = {} or less", layout.tasks - 1)
                                                   : fmt::format("tasks = {} or more", layout.servers + 1)));
  }
  layout.mode = meaning_of<FileMode>(
      from.keys.text("file_mode"), {{"n-1", FileMode::shared}, {"n-n", FileMode::own}, {"n-m", FileMode::aggregated}});
  if (layout.mode == FileMode::aggregated) {
    layout.aggregators = from.keys.integer("aggregators") == 0
                             ? std::min(layout.servers, layout.computing())
                             : up_to(from, "aggregators", layout.computing(), "compute tasks");
  }
  layout.bytes = static_cast<u64>(from.keys.integer("message_bytes"));
  layout.stripe_bytes = static_cast<u64>(from.keys.integer("stripe_bytes"));
  layout.stripe_count = up_to(from, "stripe_count", layout.servers, "workload.io_tasks");
  return layout;
}

void check_phase(u64 ns, const TaskLimits& limits) {
  if (ns > limits.compute_ns) throw ConfigError("workload.phase_ns: " + too_many_ticks(ns, limits));
}

std::unique_ptr<Program> storage_of(const WorkloadSpec& from) {
  StorageSpec spec;
  spec.layout = storage_layout(from);
  spec.reads = from.keys.text("access") == "read";
  spec.permission = from.keys.flag("permission");
  spec.window = static_cast<u64>(from.keys.integer("window"));
  spec.control_bytes = static_cast<u64>(from.keys.integer("control_bytes"));
  spec.phase_ns = static_cast<u64>(from.keys.integer("phase_ns"));
  spec.service_ns = static_cast<u64>(from.keys.integer("service_ns"));
  spec.storage_gbps = from.keys.real("storage_gbps");
  spec.bursts = count_or(from.keys, "repetitions", 1);
  check_phase(spec.phase_ns, from.limits);
  return storage_program(spec, from.limits);
}

constexpr i64 longest_time_ns = 1'000'000'000'000;

[[maybe_unused]] const bool storage_registered = WorkloadRegistry::instance().add(
    "storage",
    {.help = "files that compute tasks write to, or read from, tasks that serve them",
     .place = 7,
     .settings =
         {row_of::tasks(),
          row::integer("workload.io_tasks", "tasks", 1, {1, 1 << 24}, "servers: the last ones of the tasks."),
          row::choice(
              "workload.access", "write",
              {"write", "read"},
              "write: data, then an acknowledgement; read: a request, then data."),
          row::choice(
              "workload.file_mode",
              "n-n",
              {"n-1", "n-n", "n-m"},
              "n-1: a shared file, of which every compute task has a segment; n-n: a file for each; n-m: a "
              "shared file that some of them, the aggregators, handle for all."),
          row::integer("workload.aggregators", "tasks", 0, {0, 1 << 24},
                       "the first of each group of compute tasks; 0 = as many as servers.")
              .only_with("workload.file_mode", {"n-m"}),
          row_of::message_bytes("of the data of each compute task in a burst."),
          row::integer("workload.stripe_bytes", "bytes", 1 << 20, {1, 1'000'000'000'000},
                       "of a file on a server before the next one follows; a request is for what a task has of it."),
          row::integer("workload.stripe_count", "servers", 0, {0, 1 << 24}, "that a file lies on; 0 = all."),
          row::integer("workload.window", "requests", 8, {1, 1 << 30},
                       "requests of a task that are not answered, at most."),
          row::boolean("workload.permission", false, "a write is announced, and its data sent when the server asks.")
              .only_with("workload.access", {"write"}),
          row::integer("workload.control_bytes", "bytes", 64, {1, 1 << 24},
                       "size of requests, acknowledgements and permissions."),
          row::integer("workload.phase_ns", "ns", 0, {0, longest_time_ns},
                       "computing of compute tasks before each burst."),
          row::integer("workload.service_ns", "ns", 0, {0, longest_time_ns}, "time of a server for each request."),
          row::real("workload.storage_gbps", "Gbit/s", 0, {0, 1e9},
                    "at which a server stores or reads, besides that; 0 = in no time."),
          row_of::repetitions("bursts; 0 = one.")},
     .time_key = "workload.phase_ns",
     .more_time_keys = {"workload.service_ns", "workload.storage_gbps"},
     .make = storage_of});

}  // namespace
}  // namespace weft::workloads
