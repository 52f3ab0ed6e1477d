// Nodes as operations; see the header.
#include "workloads/trace/format/chakra/chakra_reader.hpp"

#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "workloads/trace/format/chakra/chakra_collective.hpp"

namespace weft::workloads {
namespace {

constexpr u64 ns_of_us = 1000;
/// Calls of a group that go on at a time have tags far from each other.
constexpr u32 calls_apart = 2654435761U, most_collective_tag = 0x7FFF'FFFFU;
constexpr u32 most_call_operations = u32{1} << 22;
constexpr u64 minus_one_value = ~u64{0};

}  // namespace

ChakraReader::ChakraReader(const TraceInput& input, KeepTask keep, std::string library)
    : input_(input),
      keep_(std::move(keep)),
      library_(std::move(library)),
      files_(find_chakra_files(input)),
      groups_(tasks()) {
  if (!files_.groups.empty()) groups_.read(*open_bytes(files_.groups));
}

bool ChakraReader::next(u32& task, GraphBuilder& graph) {
  while (task_ < tasks() && keep_ && !keep_(task_)) ++task_;
  if (task_ == tasks()) return false;
  task = task_++;
  read_task(task, graph);
  return true;
}

void ChakraReader::read_task(u32 task, GraphBuilder& graph) {
  stream_ = std::make_unique<MessageStream>(open_input(input_, files_.of_npu[task]));
  groups_.next_task();
  spans_.clear();
  requirements_.clear();
  required_at_.clear();
  std::string_view message;
  if (!stream_->next(message)) stream_->reject("the file is empty", "nothing", "metadata, then nodes");
  while (stream_->next(message)) {
    node_.read(message);
    if (node_.problem != nullptr) reject(node_.problem, fmt::format("{} bytes", message.size()), "a node");
    if (graph.size() > GraphBuilder::most_ops / 2) reject("too many operations", "2^30", "fewer");
    if (spans_.contains(node_.id)) reject("a node has come before", fmt::format("id {}", node_.id), "each id once");
    const Span span = add_node(task, graph);
    spans_.emplace(node_.id, span);
    for (const u64 on : node_.requires_of) {
      requirements_.emplace_back(span.first, on);
      required_at_.push_back(stream_->offset());
    }
  }
  for (std::size_t ix = 0; ix < requirements_.size(); ++ix) {
    const auto found = spans_.find(requirements_[ix].second);
    if (found == spans_.end()) {
      throw InputError(
          fmt::format("{}: byte {}: a node depends on one that is not there (got id {}); expected the id "
                      "of a node of the file",
                      stream_->name(), required_at_[ix], requirements_[ix].second));
    }
    graph.require(requirements_[ix].first, found->second.last);
  }
}

ChakraReader::Span ChakraReader::add_node(u32 task, GraphBuilder& graph) {
  switch (node_.type) {
    case ChakraNode::send:
    case ChakraNode::receive:
      return add_message(task, graph);
    case ChakraNode::collective:
      // PyTorch's traces have calls of libraries of which nothing is said: they take their time.
      return node_.comm_type.kind == ChakraValue::Kind::none ? add_time(graph) : add_collective(task, graph);
    case ChakraNode::metadata: {
      const std::string problem = groups_.define(node_.input_values);
      if (!problem.empty()) reject("groups of PyTorch", problem, "[{\"pg_name\": \"1\", \"ranks\": [0, 1]}, ...]");
      const u32 op = graph.add({});
      return {op, op};
    }
    default:
      return add_time(graph);
  }
}

/// Computing, or nothing but dependencies.
ChakraReader::Span ChakraReader::add_time(GraphBuilder& graph) const {
  GraphOp op;
  if (node_.duration_us > max_trace_compute_ns / ns_of_us)
    reject("a duration is too long", fmt::format("{} us", node_.duration_us),
           fmt::format("{} us at most", max_trace_compute_ns / ns_of_us));
  if (node_.duration_us > 0) {
    op.kind = GraphOp::Kind::compute;
    op.amount = node_.duration_us * ns_of_us;
    op.stream = node_.is_cpu_op.number == 1 ? host_stream : accelerator_stream;
  }
  const u32 number = graph.add(op);
  return {number, number};
}

ChakraReader::Span ChakraReader::add_message(u32 task, GraphBuilder& graph) {
  const bool sends = node_.type == ChakraNode::send;
  const ChakraValue& own = sends ? node_.comm_src : node_.comm_dst;
  const ChakraValue& other = sends ? node_.comm_dst : node_.comm_src;
  if (own.kind != ChakraValue::Kind::none && input_.several) {
    const u64 npu = number(own, sends ? "comm_src" : "comm_dst", tasks() - u64{1});
    if (npu != task) reject("a message of another NPU", std::to_string(npu), fmt::format("{} in its file", task));
  }
  GraphOp op;
  op.kind = sends ? GraphOp::Kind::send : GraphOp::Kind::receive;
  op.stream = message_stream;
  const u64 peer = number(other, sends ? "comm_dst" : "comm_src", tasks() - u64{1}, !sends);
  op.peer = peer == minus_one_value ? GraphOp::any : static_cast<u32>(peer);
  // Partners are NPUs whatever the group; one outside of it would be a rank in the group.
  if (const ChakraGroup& group = group_of(task); op.peer != GraphOp::any && group.rank_of(op.peer) == ~u32{0})
    reject("the partner is none of its group", std::to_string(op.peer), "the number of an NPU, not of a rank");
  op.amount = number(node_.comm_size, "comm_size", max_trace_bytes);
  if (node_.comm_tag.kind != ChakraValue::Kind::none) {
    const u64 tag = number(node_.comm_tag, "comm_tag", max_trace_tag - 1, !sends);
    op.tag = tag == minus_one_value ? GraphOp::any : static_cast<u32>(tag);
  }
  const u32 added = graph.add(op);
  return {added, added};
}

ChakraGroup& ChakraReader::group_of(u32 task) {
  if (!node_.unknown_group.empty())
    reject("an attribute that may say who takes part is not known",
           fmt::format("'{}'", shown(std::string(node_.unknown_group.substr(0, 80)))),
           "its group as pg_name, comm_group or communicator_id");
  const std::string name = text_of(node_.group);
  ChakraGroup* const group = groups_.find(name);
  if (group == nullptr) {
    reject("an unknown group", fmt::format("'{}'", shown(name)),
           fmt::format("one of {} (groups come in PREFIX.json or comm_group.json)", groups_.names()));
  }
  if (group->rank_of(task) == ~u32{0})
    reject(fmt::format("NPU {} is none of its group", task), fmt::format("'{}'", shown(name)), "a group that it is in");
  if (node_.group_size.kind != ChakraValue::Kind::none) {
    const u64 size = number(node_.group_size, "the size of its group", max_trace_tasks);
    if (size != group->size(tasks()))
      reject("its group has another size", std::to_string(size),
             fmt::format("{}, the members of group '{}'", group->size(tasks()), shown(name)));
  }
  return *group;
}

ChakraReader::Span ChakraReader::add_collective(u32 task, GraphBuilder& graph) {
  ChakraGroup& group = group_of(task);
  if (node_.part_of_dimensions)
    reject("an operation of some dimensions", "involved_dim",
           "a group of NPUs (pg_name, comm_group or communicator_id): a trace has no dimensions");
  const u32 rank = group.rank_of(task);
  ChakraCollective call;
  call.ranks = group.size(tasks());
  call.type = number(node_.comm_type, "comm_type", ChakraCollective::types - 1);
  if (node_.comm_size.kind != ChakraValue::Kind::none)
    call.bytes = number(node_.comm_size, "comm_size", max_trace_bytes);
  u32 root = 0;
  const ChakraValue& named = node_.root.kind != ChakraValue::Kind::none ? node_.root : node_.comm_src;
  if (has_root(call) && named.kind != ChakraValue::Kind::none) {
    const u64 npu = number(named, "the root", tasks() - u64{1});
    root = group.rank_of(static_cast<u32>(npu));
    if (root == ~u32{0}) reject("the root is none of its group", std::to_string(npu), "an NPU of the group");
  }
  const u32 tag = static_cast<u32>(group.calls++) * calls_apart;
  const u32 first = graph.add({});
  const auto program = chakra_program(call, library_);
  if (program == nullptr) return {first, first};
  const u32 place = (rank + call.ranks - root) % call.ranks;
  const auto stream = program->open(TaskId(place));
  u32 before = first;
  std::vector<u32> sends;
  for (Op op = stream->next(); op.kind != OpKind::end; op = stream->next()) {
    GraphOp added = graph_op(op);
    if (op.kind != OpKind::compute) {
      const u32 peer = static_cast<u32>((u64{op.peer} + root) % call.ranks);
      added.peer = group.members.empty() ? peer : group.members[peer];
      added.tag = (op.tag + tag) & most_collective_tag;
      added.communicator = group.number + 1;
      added.stream = message_stream;
    }
    if (graph.size() - first > most_call_operations)
      reject("a collective operation has too many messages", fmt::format("{} bytes", call.bytes),
             fmt::format("fewer bytes: {} operations at most", most_call_operations));
    const u32 at = graph.add(added);
    // What comes after a send need not wait for it.
    graph.require(at, before, graph.op(before).kind == GraphOp::Kind::send);
    if (op.kind == OpKind::send) sends.push_back(at);
    before = at;
  }
  const u32 last = graph.add({});
  graph.require(last, before);
  for (const u32 send : sends) graph.require(last, send);
  return {first, last};
}

u64 ChakraReader::number(const ChakraValue& value, const char* name, u64 most, bool minus_one) const {
  const std::string expected =
      fmt::format("a number 0..{}{}{}", most, minus_one ? ", or -1" : "",
                  most == 0 && !input_.several ? "; of a trace of several files give the folder or a pattern" : "");
  if (value.kind == ChakraValue::Kind::none) reject(fmt::format("{} is missing", name), "nothing", expected);
  if (value.kind != ChakraValue::Kind::number) reject(fmt::format("{} is no number", name), "another type", expected);
  if (value.negative && minus_one && value.number == 1) return minus_one_value;
  if (value.negative || value.number > most)
    reject(fmt::format("{} is out of range", name), fmt::format("{}{}", value.negative ? "-" : "", value.number),
           expected);
  return value.number;
}

void ChakraReader::reject(const std::string& problem, const std::string& got, const std::string& expected) const {
  stream_->reject(fmt::format("node {} ('{}'): {}", node_.id, shown(std::string(node_.name.substr(0, 80))), problem),
                  got, expected);
}

}  // namespace weft::workloads
