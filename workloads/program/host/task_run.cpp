// What checkpoints keep of a task.
#include "workloads/program/host/task_run.hpp"

#include <fmt/format.h>

#include "engine/base/error.hpp"

namespace weft::workloads {
namespace {

/// How far operations have come: so many in a row alike.
struct StateRun {
  u32 count = 0, state = 0;
};

void save_states(const TaskGraph& graph, engine::ByteWriter& to) {
  std::vector<StateRun> runs;
  for (const GraphOp& op : graph.ops) {
    if (runs.empty() || runs.back().state != op.state) runs.push_back({0, op.state});
    ++runs.back().count;
  }
  to.put_list(runs);
}

/// Counts down what the operations that have come so far were required for.
void load_states(TaskGraph graph, engine::ByteReader& from) {
  std::vector<StateRun> runs;
  from.get_list(runs);
  u64 operation = 0;
  for (const StateRun& run : runs) {
    if (run.count > graph.ops.size() - operation || run.state > static_cast<u32>(OpState::complete))
      throw InputError("the checkpoint is of another program; resume with the files of the run that wrote it");
    for (u32 k = 0; k < run.count; ++k) graph.ops[operation++].state = run.state;
  }
  const auto satisfy = [&](u32 dependent) {
    GraphOp& op = graph.ops[dependent];
    if (op.missing > 0) --op.missing;
  };
  for (u32 number = 0; number < graph.ops.size(); ++number) {
    const auto state = static_cast<OpState>(graph.ops[number].state);
    if (state >= OpState::started) {
      for (const u32 dependent : graph.on_start(number)) satisfy(dependent);
    }
    if (state == OpState::complete) {
      for (const u32 dependent : graph.on_completion(number)) satisfy(dependent);
    }
  }
}

}  // namespace

void Lane::save(engine::ByteWriter& to) const {
  to.put(current);
  to.put(operations);
  to.put(awaited);
  to.put(counter);
  to.put(waits);
  to.put(over);
  to.put(activity);
  to.put(kind);
  to.put(since);
  to.put(computed);
}

void Lane::load(engine::ByteReader& from) {
  current = from.get<GraphOp>();
  operations = from.get<u64>();
  awaited = from.get<u64>();
  counter = from.get<u32>();
  waits = from.get<bool>();
  over = from.get<bool>();
  activity = from.get<u8>();
  kind = from.get<OpKind>();
  since = from.get<Tick>();
  computed = from.get<u64>();
  for (u64 k = 0; k < operations; ++k) static_cast<void>(stream->next());
}

void TaskRun::open(const Program& program, TaskId task) {
  linear = program.is_linear();
  listens = linear && program.listens();
  outside = program.is_outside();
  alone = linear && !program.has_requests();
  if (linear) {
    stream = program.open(task);
  } else if (program.has_graphs()) {
    graph = program.graph(task);
  } else {
    WEFT_ASSERT(program.lanes() <= most_lanes);
    lanes.resize(program.lanes());
    counters.clear();
    activities.resize(program.activities().size());
    for (u32 number = 0; number < program.lanes(); ++number) {
      Lane fresh;
      fresh.stream = program.open_lane(task, number);
      lanes[number] = std::move(fresh);
    }
  }
}

void TaskRun::save(engine::ByteWriter& to) const {
  to.put(id);
  to.put(job);
  to.put(messages);
  to.put(rounds);
  to.put(pending);
  to.put(at_end);
  to.put(begun);
  to.put(done);
  to.put(operations);
  to.put(begin);
  to.put(finished);
  to.put(earliest);
  to.put(next_send);
  to.put(wake);
  to.put(tickets);
  to.put(packets);
  to.put(latency);
  to.put(latency_max);
  to.put(arrived);
  to.put(arrived_bytes);
  to.put(last_delivery);
  to.put(handed);
  to.put(in_flight);
  to.put(current);
  to.put(wild);
  to.put(lined_up);
  to.put(begins_request);
  to.put(awaited_request);
  to.put(next);
  to.put(first_stream);
  to.put_list(more_streams);
  to.put(static_cast<u64>(ready.size()));
  for (const WorkQueue& queue : ready) {
    to.put(queue.kind);
    to.put(queue.stream);
    to.put(queue.nic);
    queue.waiting.save(to);
  }
  to.put_list(matches);
  to.put_list(sends);
  to.put(path_out);
  to.put(path_in);
  for (const Lane& lane : lanes) lane.save(to);
  to.put_list(counters);
  to.put_list(activities);
  to.put_list(arrived_at);
  if (!linear) save_states(graph, to);
}

void TaskRun::load(engine::ByteReader& from) {
  const u32 saved = from.get<u32>(), saved_job = from.get<u32>();
  if (saved != id || saved_job != job) {
    throw InputError(
        fmt::format("the checkpoint has task {} where task {} is placed; resume with the config and the files of the "
                    "run that wrote it",
                    saved, id));
  }
  messages = from.get<u32>();
  rounds = from.get<u32>();
  pending = from.get<u32>();
  at_end = from.get<bool>();
  begun = from.get<bool>();
  done = from.get<bool>();
  operations = from.get<u64>();
  begin = from.get<Tick>();
  finished = from.get<Tick>();
  earliest = from.get<Tick>();
  next_send = from.get<Tick>();
  wake = from.get<Tick>();
  tickets = from.get<u64>();
  packets = from.get<u64>();
  latency = from.get<u64>();
  latency_max = from.get<u64>();
  arrived = from.get<u64>();
  arrived_bytes = from.get<u64>();
  last_delivery = from.get<Tick>();
  handed = from.get<u64>();
  in_flight = from.get<u64>();
  current = from.get<GraphOp>();
  wild = from.get<u32>();
  lined_up = from.get<bool>();
  begins_request = from.get<bool>();
  awaited_request = from.get<u32>();
  next = from.get<Work>();
  first_stream = from.get<ComputeStream>();
  from.get_list(more_streams);
  for (u64 left = from.get<u64>(); left > 0; --left) {
    WorkQueue queue;
    queue.kind = from.get<WorkKind>();
    queue.stream = from.get<u8>();
    queue.nic = from.get<u8>();
    queue.waiting.load(from);
    ready.push_back(std::move(queue));
  }
  from.get_list(matches);
  from.get_list(sends);
  path_out = from.get<Tick>();
  path_in = from.get<Tick>();
  for (Lane& lane : lanes) {
    lane.load(from);
    if (done) lane.stream.reset();
  }
  from.get_list(counters);
  from.get_list(activities);
  from.get_list(arrived_at);
  if (!linear) return load_states(graph, from);
  if (done) return stream.reset();
  for (u64 k = 0; k < operations; ++k) static_cast<void>(stream->next());
}

void reset(TaskGraph graph) {
  for (GraphOp& op : graph.ops) {
    op.state = 0;
    op.missing = 0;
  }
  for (const u32 dependent : graph.dependents) {
    GraphOp& op = graph.ops[dependent];
    op.missing = op.one_suffices ? 1 : op.missing + 1;
  }
}

}  // namespace weft::workloads
