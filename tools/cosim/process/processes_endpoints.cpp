// Endpoints "processes": MPI processes of an unmodified program, which run by themselves, in simulated time.
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "engine/base/system/cores.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/cosim/process/calls.hpp"
#include "tools/cosim/process/channel_link.hpp"
#include "tools/cosim/process/instruction_counter.hpp"
#include "tools/cosim/process/mpi_processes.hpp"
#include "tools/result/run_result.hpp"
#include "tools/run/checkpoint/part_file.hpp"
#include "tools/run/config/config.hpp"
#include "tools/run/config/resolve.hpp"
#include "tools/run/endpoint_kind.hpp"
#include "workloads/program/external/process_program.hpp"
#include "workloads/program/external/process_stream.hpp"

namespace weft::tools::cosim {
namespace {

using workloads::ComputingCost;
using workloads::CostTable;
using workloads::ProcessCounts;

class ProcessCosimulation final : public Cosimulation, public workloads::ExternalTasks {
 public:
  ProcessCosimulation(const Config& config, engine::Transport& transport)
      : config_(config), transport_(transport), compute_(config.text("cosim.compute")) {
    spec_.program = config.text("cosim.program");
    spec_.output = config.text("cosim.program_output");
    spec_.patience_s = config.real("cosim.patience_s");
    if (!spec_.output.empty()) spec_.output = config.resolve_path(spec_.output);
    times_.poll_ns = static_cast<u64>(config.integer("cosim.poll_ns"));
    times_.rendezvous_bytes = static_cast<u64>(config.integer("workload.rendezvous_bytes"));
    const TimeScale time = time_scale(config);
    if (time.cycle_ns <= 0) {
      throw ConfigError(
          "processes need the length of a cycle (their times are in ns); give link.rate_gbps, for "
          "example 100");
    }
    times_.ps_of_tick = time.cycle_ns * 1000 / static_cast<double>(time.ticks_per_cycle);
  }

  [[nodiscard]] workloads::ExternalTasks& outside() override { return *this; }
  [[nodiscard]] std::unique_ptr<workloads::Program> program(u32 tasks, const workloads::TaskLimits& limits) override;
  void place(std::span<const NodeId> nodes) override;
  void finish(RunResult& result) override;

 private:
  [[nodiscard]] std::unique_ptr<workloads::TaskStream> open(u32 task);
  void start(u32 tasks);
  void add_rows(CosimResult& cosim);
  void write_costs();

  const Config& config_;
  engine::Transport& transport_;
  std::string compute_;
  ProcessSpec spec_;
  workloads::ProcessTimes times_;
  std::unique_ptr<SharedMemory> memory_;
  std::unique_ptr<MpiProcesses> processes_;
  CostTable costs_, recorded_;         ///< [task]
  std::vector<ProcessCounts> counts_;  ///< [task]; empty for those of other ranks
};

/// Nobody looks without sleeping where that would keep a core from somebody who computes.
u32 short_wait_ns(u32 tasks) { return tasks <= usable_cores() ? 100'000 : 0; }

Board board_of(const Config& config, u32 tasks, const std::string& compute) {
  Board board;
  board.sign = channel_sign;
  board.tasks = tasks;
  board.measure = compute == "instructions" ? Measure::instructions
                  : compute == "measured"   ? Measure::processor_time
                                            : Measure::nothing;
  board.ns_per_instruction = config.real("cosim.ns_per_instruction");
  board.weft_process = ::getpid();
  board.short_wait_ns = short_wait_ns(tasks);
  return board;
}

std::unique_ptr<workloads::Program> ProcessCosimulation::program(u32 tasks, const workloads::TaskLimits& limits) {
  times_.limits = limits;
  const std::string first = spec_.program.substr(0, spec_.program.find(' '));
  auto made = std::make_unique<workloads::ProcessProgram>(
      first, tasks, [this](u32 task) { return open(task); }, [this](u32 task) { return u64{counts_[task].call} + 1; },
      [](u64 call) { return std::string(call_names[std::min(call - 1, std::size(call_names) - 1)]); });
  if (memory_ != nullptr) {  // runs ask several times
    WEFT_ASSERT(tasks == counts_.size());
    return made;
  }
  counts_.assign(tasks, {});
  if (!config_.text("cosim.record_costs").empty()) recorded_.assign(tasks, {});
  if (compute_ == "table")
    costs_ = workloads::read_cost_table(config_.resolve_path(config_.text("cosim.costs")), tasks);
  start(tasks);
  return made;
}

/// For processes that ask which of them are on one node.
void ProcessCosimulation::place(std::span<const NodeId> nodes) {
  WEFT_ASSERT(memory_ != nullptr && nodes.size() == memory_->tasks());
  for (u32 task = 0; task < nodes.size(); ++task) memory_->channel(task).node.store(nodes[task].value() + 1);
}

/// On the first rank; the others open the memory that it has made.
void ProcessCosimulation::start(u32 tasks) {
  std::exception_ptr failure;
  std::string path;
  if (transport_.rank() == 0) {
    try {
      memory_ = std::make_unique<SharedMemory>(board_of(config_, tasks, compute_));
      processes_ = std::make_unique<MpiProcesses>(*memory_);
      processes_->start(spec_);
      path = memory_->path();
    } catch (...) {
      failure = std::current_exception();
    }
  }
  std::vector<std::byte> bytes(path.size());
  std::ranges::transform(path, bytes.begin(), [](char letter) { return static_cast<std::byte>(letter); });
  transport_.broadcast(bytes);
  if (failure) std::rethrow_exception(failure);
  if (transport_.rank() == 0) return;
  if (bytes.empty()) throw SystemError("the program could not be started on the first rank");
  path.resize(bytes.size());
  std::ranges::transform(bytes, path.begin(), [](std::byte letter) { return static_cast<char>(letter); });
  memory_ = std::make_unique<SharedMemory>(path, tasks);
  processes_ = std::make_unique<MpiProcesses>(*memory_);
}

std::unique_ptr<workloads::TaskStream> ProcessCosimulation::open(u32 task) {
  const bool measured = compute_ == "instructions" || compute_ == "measured";
  const bool tabled = compute_ == "table";
  const u64 fixed_ns = compute_ == "none" ? 0 : static_cast<u64>(config_.integer("cosim.compute_ns"));
  ComputingCost cost(measured ? ComputingCost::Rule::measured
                     : tabled ? ComputingCost::Rule::table
                              : ComputingCost::Rule::fixed,
                     fixed_ns, tabled ? costs_[task] : std::vector<u64>{});
  workloads::ProcessTimes times = times_;
  times.task = task;
  if (!recorded_.empty()) times.recorded = &recorded_[task];
  auto link = std::make_unique<ChannelLink>(
      memory_->channel(task), short_wait_ns(memory_->tasks()),
      [this, task](double waited_s) { processes_->look(task, waited_s, spec_.patience_s); });
  return std::make_unique<workloads::ProcessStream>(std::move(link), std::move(cost), times, counts_[task]);
}

void ProcessCosimulation::write_costs() {
  if (recorded_.empty()) return;
  CostTable all(recorded_.size());
  std::vector<u64> mine;
  for (std::size_t task = 0; task < recorded_.size(); ++task) {
    for (const u64 ns : recorded_[task]) mine.insert(mine.end(), {task, ns});
  }
  for (const std::vector<u64>& values : engine::gather_values<u64>(transport_, mine)) {
    for (std::size_t ix = 0; ix < values.size(); ix += 2) all[values[ix]].push_back(values[ix + 1]);
  }
  std::string problem;
  if (transport_.rank() == 0) {
    try {
      const std::string comment = fmt::format("computing of {} processes of: {}", all.size(), spec_.program);
      files::write_file_atomically(config_.resolve_path(config_.text("cosim.record_costs")),
                                   workloads::cost_table_text(all, comment));
    } catch (const SystemError& error) {
      problem = error.what();
    }
  }
  problem = first_problem(transport_, problem);
  if (!problem.empty()) throw SystemError(problem);
}

void ProcessCosimulation::add_rows(CosimResult& cosim) {
  std::vector<std::pair<u64, ProcessCounts>> mine;
  for (u32 task = 0; task < counts_.size(); ++task) {
    if (counts_[task].is_over) mine.emplace_back(task, counts_[task]);
  }
  u64 beyond = 0;
  for (const auto& of_rank : engine::gather_values<std::pair<u64, ProcessCounts>>(transport_, mine)) {
    for (const auto& [task, counts] : of_rank) {
      EndpointRow row;
      row.endpoint = static_cast<u32>(task);
      row.name = fmt::format("process {}", task);
      row.ended = true;
      row.time_ns = counts.end_ps / 1000;
      row.sent_messages = counts.sent;
      row.sent_bytes = counts.sent_bytes;
      row.received_messages = counts.received;
      row.received_bytes = counts.received_bytes;
      cosim.endpoints.push_back(row);
      cosim.time_ns = std::max(cosim.time_ns, row.time_ns);
      cosim.messages += counts.received;
      beyond += counts.beyond_table;
    }
  }
  std::ranges::sort(cosim.endpoints, {}, &EndpointRow::endpoint);
  if (beyond > 0) {
    spdlog::warn("cosim.costs has no time for {} of the calls of the program; cosim.compute_ns was taken for them",
                 beyond);
  }
}

void ProcessCosimulation::finish(RunResult& result) {
  CosimResult cosim;
  cosim.endpoints_are = config_.text("cosim.endpoints");
  add_rows(cosim);
  write_costs();
  const std::string ending = processes_->wait_for_end(spec_.patience_s);
  if (transport_.rank() != 0) return;
  if (!ending.empty()) {
    cosim.failure = fmt::format("the program {}; see what it wrote", ending);
    result.stop_reason = endpoint_failed;
  }
  result.cosim = std::move(cosim);
}

void check_counter() {
  const int counter = open_instruction_counter();
  if (counter < 0) {
    throw ConfigError(
        fmt::format("this machine does not count instructions (perf_event_open: {}; virtual machines often "
                    "do not); use cosim.compute = \"fixed\" or \"table\"",
                    std::strerror(errno)));
  }
  ::close(counter);
}

std::unique_ptr<Cosimulation> join_processes(const Config& config, engine::Transport& transport) {
  if (config.text("cosim.program").empty()) {
    throw ConfigError(
        "there is no program to run; give cosim.program, for example \"./heat 100\", or "
        "weft cosim MACHINE.toml --processes -- ./heat 100");
  }
  if (config.text("cosim.compute") == "table" && config.text("cosim.costs").empty())
    throw ConfigError("cosim.compute = \"table\" needs a table of computing times; give cosim.costs");
  if (config.text("cosim.compute") == "instructions") check_counter();
  return std::make_unique<ProcessCosimulation>(config, transport);
}

std::vector<Setting> rows_of_processes() {
  constexpr i64 most_ns = 1'000'000'000;
  return {
      row::text("cosim.program", "",
                "MPI program and its arguments, as a shell reads them; workload.tasks processes of it are started."),
      row::text("cosim.program_output", "", "file for what the program writes; empty: standard error of weft."),
      row::choice("cosim.compute", "fixed", {"fixed", "table", "instructions", "measured", "none"},
                  "How long processes compute between their calls of MPI, in simulated time. fixed: cosim.compute_ns "
                  "each time; table: as recorded, cosim.costs; instructions: those that were executed, by "
                  "cosim.ns_per_instruction; measured: processor time of this machine, which never repeats exactly, "
                  "to record a table by; none: no time."),
      row::integer("cosim.compute_ns", "ns", 1000, {0, most_ns},
                   "computing between two calls of MPI; of a table, where it has no time for a call.")
          .only_with("cosim.compute", {"fixed", "table"}),
      row::real("cosim.ns_per_instruction", "ns", 0.25, {1e-6, 1e6}, "time of an instruction of the program.")
          .only_with("cosim.compute", {"instructions"}),
      row::path("cosim.costs", "table of computing times that cosim.record_costs has written.")
          .only_with("cosim.compute", {"table"}),
      row::text("cosim.record_costs", "", "file for the computing times of this run; empty: none."),
      row::integer("cosim.poll_ns", "ns", 100, {1, most_ns},
                   "time of a look that does not wait (MPI_Test, MPI_Iprobe), so that loops of them come to an end."),
  };
}

[[maybe_unused]] const bool processes_registered =
    EndpointRegistry::instance().add("processes", {.help = "MPI processes of a program that is not changed (Open MPI)",
                                                   .settings = rows_of_processes(),
                                                   .make = join_processes});

}  // namespace
}  // namespace weft::tools::cosim
