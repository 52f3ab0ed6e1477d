// Chakra: graphs from nodes, groups, collective operations as rings, errors; real traces of ASTRA-sim.
#include <algorithm>

#include "tests/workloads/trace/trace_test_tools.hpp"
#include "workloads/program/graph_program.hpp"
#include "workloads/trace/format/chakra/chakra_reader.hpp"
#include "workloads/trace/graph_replay.hpp"

namespace weft::workloads {
namespace {

// An encoder of its own, from the description of protocol buffers.
std::string wire_varint(u64 value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}
std::string wire_number(u32 field, u64 value) { return wire_varint(field << 3) + wire_varint(value); }
std::string wire_text(u32 field, const std::string& text) {
  return wire_varint(field << 3 | 2) + wire_varint(text.size()) + text;
}
std::string wire_fixed32(u32 field, u32 value) {
  std::string bytes = wire_varint(field << 3 | 5);
  for (u32 byte = 0; byte < 4; ++byte) bytes += static_cast<char>(value >> (8 * byte));
  return bytes;
}
std::string behind_length(const std::string& message) { return wire_varint(message.size()) + message; }

/// A node with attributes; numbers are int64 unless said.
class NodeBytes {
 public:
  NodeBytes(u64 id, u64 type)
      : message_((id == 0 ? "" : wire_number(1, id)) + wire_text(2, "n") + wire_number(3, type)) {}
  NodeBytes& after(std::initializer_list<u64> ids) {
    for (const u64 id : ids) message_ += wire_number(5, id);
    return *this;
  }
  NodeBytes& after_packed(std::initializer_list<u64> ids) {
    std::string packed;
    for (const u64 id : ids) packed += wire_varint(id);
    message_ += wire_text(4, packed);
    return *this;
  }
  NodeBytes& lasts(u64 us) { return raw(wire_number(7, us)); }
  NodeBytes& with(const std::string& name, i64 value, u32 field = 9) {
    return raw(wire_text(10, wire_text(1, name) + wire_number(field, static_cast<u64>(value))));
  }
  NodeBytes& with_text(const std::string& name, const std::string& value) {
    return raw(wire_text(10, wire_text(1, name) + wire_text(29, value)));
  }
  NodeBytes& raw(const std::string& bytes) {
    message_ += bytes;
    return *this;
  }
  operator std::string() const { return behind_length(message_); }

 private:
  std::string message_;
};

const std::string chakra_head = behind_length(wire_text(1, "0.0.4"));
constexpr u64 meta = 1, load = 2, comp = 4, send_node = 5, recv_node = 6, coll = 7;

std::unique_ptr<Program> program_of(const std::string& nodes) {
  return TraceFormats::instance().find("chakra")->program(trace_in_memory(chakra_head + nodes, "t"), "t", {}, {}, "");
}

std::unique_ptr<Program> program_at(const std::string& path, KeepTask keep = {}, const std::string& library = "") {
  const TraceInput input = find_trace(path);
  EXPECT_EQ("chakra", find_trace_format(input));
  return TraceFormats::instance().find("chakra")->program(input, "t", std::move(keep), {}, library);
}

void expect_chakra_refused(const std::string& nodes, const std::string& problem) {
  const std::string what = error_of<InputError>([&] { (void)program_of(nodes); });
  EXPECT_TRUE(what.starts_with("t: byte ")) << what;
  EXPECT_NE(std::string::npos, what.find(problem)) << what;
  EXPECT_NE(std::string::npos, what.find("; expected ")) << what;
}

/// Bytes that each of the tasks sends.
std::vector<u64> sent_by(const Program& program) {
  std::vector<u64> sums(program.tasks());
  for (u32 task = 0; task < program.tasks(); ++task)
    for (const GraphOp& op : program.graph(TaskId(task)).ops)
      if (op.kind == GraphOp::Kind::send) sums[task] += op.amount;
  return sums;
}

/// A folder of traces of that many NPUs with the same nodes, and groups.
std::vector<u64> sent_in_all(u32 npus, const std::string& nodes, const std::string& groups = "") {
  const ScratchFolder folder;
  for (u32 npu = 0; npu < npus; ++npu) (void)folder.write("t." + std::to_string(npu) + ".et", chakra_head + nodes);
  if (!groups.empty()) (void)folder.write("t.json", groups);
  const auto program = program_at(folder.file("t.*.et"));
  std::vector<u64> sums = sent_by(*program);
  EXPECT_TRUE(check_graphs(*program).completes());
  return sums;
}

TEST(Chakra, NodesAreOperationsThatRequireOthersAlsoOnesThatComeLater) {
  const auto program = program_of(
      std::string(NodeBytes(0, comp).lasts(7)) +
      std::string(
          NodeBytes(5, send_node).after({9, 0}).with("comm_size", 100).with("comm_dst", 0, 7).with("comm_tag", 3, 11)) +
      std::string(NodeBytes(9, recv_node)
                      .after_packed({0})
                      .with("comm_size", 50, 13)
                      .with("comm_src", -1, 7)
                      .with("comm_tag", -1)) +
      std::string(NodeBytes(4, comp).lasts(2).with("is_cpu_op", 1, 27)) + std::string(NodeBytes(3, meta).after({4})) +
      std::string(NodeBytes(2, load).lasts(1)));
  const TaskGraph graph = program->graph(TaskId(0));
  ASSERT_EQ(6u, graph.ops.size());
  EXPECT_EQ(GraphOp::Kind::compute, graph.ops[0].kind);
  EXPECT_EQ(7000u, graph.ops[0].amount);
  EXPECT_EQ(ChakraReader::accelerator_stream, graph.ops[0].stream);
  EXPECT_EQ((std::vector<u32>{1, 2}), std::vector<u32>(graph.on_completion(0).begin(), graph.on_completion(0).end()));
  EXPECT_EQ(GraphOp::Kind::send, graph.ops[1].kind);
  EXPECT_EQ(2u, graph.ops[1].missing);
  EXPECT_EQ(100u, graph.ops[1].amount);
  EXPECT_EQ(3u, graph.ops[1].tag);
  EXPECT_EQ(GraphOp::any, graph.ops[2].peer);
  EXPECT_EQ(GraphOp::any, graph.ops[2].tag);
  EXPECT_EQ(ChakraReader::host_stream, graph.ops[3].stream);
  EXPECT_EQ(GraphOp::Kind::join, graph.ops[4].kind);
  EXPECT_EQ(1000u, graph.ops[5].amount);
}

TEST(Chakra, NumbersAreOfAnyIntegerType) {
  for (const std::string& value :
       {wire_number(7, 80), wire_number(9, 80), wire_number(11, 80), wire_number(13, 80), wire_number(15, 160),
        wire_number(17, 160), wire_fixed32(19, 80), wire_fixed32(23, 80)}) {
    const auto program =
        program_of(NodeBytes(1, send_node).with("comm_dst", 0).raw(wire_text(10, wire_text(1, "comm_size") + value)));
    EXPECT_EQ(80u, program->graph(TaskId(0)).ops[0].amount);
  }
}

TEST(Chakra, CollectiveOperationsSendWhatRingsSend) {
  const auto sum = [](u64 type, u64 bytes) {
    return std::string(
        NodeBytes(1, coll).with("comm_type", static_cast<i64>(type)).with("comm_size", static_cast<i64>(bytes)));
  };
  using Sums = std::vector<u64>;
  EXPECT_EQ((Sums{1500, 1500, 1500, 1500}), sent_in_all(4, sum(0, 1000)));  // allreduce: 2 (n - 1) / n
  EXPECT_EQ((Sums{3000, 3000, 3000, 3000}), sent_in_all(4, sum(2, 1000)));  // allgather: n - 1 pieces
  EXPECT_EQ((Sums{750, 750, 750, 750}), sent_in_all(4, sum(6, 1000)));      // all-to-all: a quarter to each
  EXPECT_EQ((Sums{750, 750, 750, 750}), sent_in_all(4, sum(7, 1000)));      // reduce-scatter
  EXPECT_EQ((Sums{750, 750, 750, 750}), sent_in_all(4, sum(8, 1000)));
  EXPECT_EQ((Sums{1000, 1000, 1000, 0}), sent_in_all(4, sum(5, 1000)));  // broadcast along a chain
  EXPECT_EQ((Sums{0, 1000, 1000, 1000}), sent_in_all(4, sum(1, 1000)));  // reduce
  EXPECT_EQ((Sums{0, 1000, 1000, 1000}), sent_in_all(4, sum(3, 1000)));  // gather
  EXPECT_EQ((Sums{3000, 0, 0, 0}), sent_in_all(4, sum(4, 1000)));        // scatter
  EXPECT_EQ((Sums{0, 0, 0, 0}), sent_in_all(4, sum(0, 0)));
  EXPECT_EQ((Sums{0}), sent_in_all(1, sum(0, 1000)));
  const std::string rooted = NodeBytes(1, coll).with("comm_type", 5).with("comm_size", 1000).with("root_rank", 2, 7);
  EXPECT_EQ((Sums{1000, 0, 1000, 1000}), sent_in_all(4, rooted));
}

TEST(Chakra, GroupsComeFromAFileOrFromMetadataOfPyTorch) {
  const auto in_group = [](const std::string& name) {
    return std::string(NodeBytes(1, coll).with("comm_type", 0).with("comm_size", 1000).with_text("pg_name", name));
  };
  using Sums = std::vector<u64>;
  EXPECT_EQ((Sums{1000, 1000}), sent_in_all(2, in_group("tensor"), R"({"tensor": [1, 0], "7": [0]})"));
  EXPECT_EQ((Sums{0}), sent_in_all(1, in_group("tensor"), R"({"tensor": [0]})"));
  EXPECT_EQ((Sums{1000, 1000}), sent_in_all(2, in_group("0"), R"({"0": [0]})"));
  const std::string values = R"(['[{"pg_name": "5", "ranks": [0, 1], "more": 1}, {"pg_name": "6", "ranks": []}]'])";
  const std::string defined = NodeBytes(0, meta).raw(wire_text(8, wire_text(1, values)));
  EXPECT_EQ((Sums{1000, 1000}), sent_in_all(2, defined + in_group("5")));
  EXPECT_EQ((Sums{1000, 1000}), sent_in_all(2, defined + in_group("6")));
}

TEST(Chakra, EachAttributeThatNamesAGroupIsReadOrRefused) {
  const std::string groups = R"({"1": [0, 1], "2": [2, 3]})";
  const auto call = [] { return NodeBytes(1, coll).with("comm_type", 0).with("comm_size", 1000); };
  using Sums = std::vector<u64>;
  // A ring of two sends half of the data twice, one of four a quarter six times.
  for (const char* name : {"pg_name", "comm_group", "communicator_id"}) {
    EXPECT_EQ((Sums{1000, 1000}), sent_in_all(2, call().with(name, 1), R"({"1": [0, 1]})")) << name;
    EXPECT_EQ((Sums{1000, 1000}), sent_in_all(2, call().with_text(name, "1"), R"({"1": [0, 1]})")) << name;
    EXPECT_EQ((Sums{1500, 1500, 1500, 1500}), sent_in_all(4, call().with(name, 0), groups)) << name;
    expect_chakra_refused(call().with(name, 7), "an unknown group (got '7')");
    expect_chakra_refused(call().raw(wire_text(10, wire_text(1, name) + wire_text(10, wire_number(1, 1)))),
                          "its group is neither a number nor a text");
    expect_chakra_refused(NodeBytes(1, send_node).with("comm_size", 1).with("comm_dst", 0).with(name, 7),
                          "an unknown group (got '7')");
  }
  EXPECT_EQ(
      (Sums{1000, 1000}),
      sent_in_all(2, call().with("comm_group", 1).with_text("pg_name", "1").with("pg_size", 2), R"({"1": [0, 1]})"));
  expect_chakra_refused(call().with("comm_group", 1).with_text("pg_name", "2"), "attributes name two groups");
  expect_chakra_refused(call().with("group_size", 2), "its group has another size (got 2); expected 1");
  for (const char* name :
       {"process_group", "Group", "pg", "pg_id", "comm_id", "involve_dims", "involved_npus", "ranks"})
    expect_chakra_refused(call().with(name, 1), "an attribute that may say who takes part is not known");
  expect_chakra_refused(call().with("involved_dim", 1), "involved_dim is no list of booleans");
  EXPECT_EQ((Sums{1500, 1500, 1500, 1500}),
            sent_in_all(4, call().with_text("pg_desc", "default_pg").with("comm_priority", 3), groups));
}

TEST(Chakra, PartnersOfMessagesAreNpusAlsoInAGroup) {
  const ScratchFolder folder;
  const auto with_partner = [&](i64 npu) {
    (void)folder.write(
        "t.0.et",
        chakra_head +
            std::string(NodeBytes(1, send_node).with("comm_size", 8).with("comm_dst", npu).with("comm_group", 1)));
    (void)folder.write("t.1.et", chakra_head);
    (void)folder.write("t.2.et", chakra_head);
    (void)folder.write("t.json", R"({"1": [0, 2]})");
    return program_at(folder.file("t.*.et"));
  };
  EXPECT_EQ(2u, with_partner(2)->graph(TaskId(0)).ops[0].peer);
  const std::string what = error_of<InputError>([&] { (void)with_partner(1); });
  EXPECT_NE(std::string::npos, what.find("the partner is none of its group (got 1)")) << what;
}

TEST(Chakra, CallsOfAGroupAreToldApartAndWhatDependsOnThemWaits) {
  const ScratchFolder folder;
  const std::string call = NodeBytes(1, coll).with("comm_type", 0).with("comm_size", 8);
  const std::string other = NodeBytes(2, coll).with("comm_type", 0).with("comm_size", 16);
  const std::string after = NodeBytes(3, comp).after({1, 2}).lasts(1);
  (void)folder.write("t.0.et", chakra_head + call + other + after);
  (void)folder.write("t.1.et", chakra_head + after + call + other);
  const auto program = program_at(folder.file("t.*.et"));
  std::vector<std::pair<u32, u64>> tags;
  for (const u32 task : {0U, 1U}) {
    tags.clear();
    for (const GraphOp& op : program->graph(TaskId(task)).ops)
      if (op.kind == GraphOp::Kind::send) tags.emplace_back(op.tag, op.amount);
    ASSERT_EQ(4u, tags.size());
    EXPECT_NE(tags[0].first, tags[2].first);
    EXPECT_EQ(4u, tags[0].second);
    EXPECT_EQ(8u, tags[2].second);
  }
  EXPECT_EQ(2u, program->graph(TaskId(1)).ops[0].missing);
  EXPECT_TRUE(check_graphs(*program).completes());
}

TEST(Chakra, LibrariesMayChooseTheAlgorithms) {
  const ScratchFolder folder;
  const std::string call = NodeBytes(1, coll).with("comm_type", 0).with("comm_size", 8);
  for (const char* name : {"t.0.et", "t.1.et", "t.2.et", "t.3.et"}) (void)folder.write(name, chakra_head + call);
  EXPECT_EQ((std::vector<u64>{12, 12, 12, 12}), sent_by(*program_at(folder.file("t.*.et"))));
  // Recursive doubling: all data twice.
  EXPECT_EQ((std::vector<u64>{16, 16, 16, 16}), sent_by(*program_at(folder.file("t.*.et"), {}, "mpich-4.0")));
}

TEST(Chakra, CallsOfWhichNothingIsSaidTakeTheirTime) {
  const auto program = program_of(NodeBytes(1, coll).lasts(5));
  EXPECT_EQ(5000u, program->graph(TaskId(0)).ops[0].amount);
}

TEST(Chakra, RefusesWhatCannotBe) {
  const std::string send = NodeBytes(1, send_node).with("comm_size", 5).with("comm_dst", 0);
  expect_chakra_refused(send + send, "a node has come before (got id 1)");
  expect_chakra_refused(send.substr(0, send.size() - 1), "the file ends in a message");
  expect_chakra_refused("\x80", "ends in the length");
  expect_chakra_refused(wire_varint(u64{1} << 31), "a message is too long");
  expect_chakra_refused(wire_varint(u64{1} << 40), "the length of a message is none");
  expect_chakra_refused(behind_length("\x08"), "its message is damaged");
  expect_chakra_refused(behind_length(wire_text(1, "x")), "its id has another type");
  expect_chakra_refused(NodeBytes(1, comp).raw(wire_text(10, "\x0a\x05x")), "an attribute is damaged");
  expect_chakra_refused(NodeBytes(1, comp).raw(wire_text(5, "\x80")), "a list of dependencies is damaged");
  expect_chakra_refused(NodeBytes(1, comp).lasts(~u64{0}), "a duration is too long");
  expect_chakra_refused(NodeBytes(1, comp).after({2}), "depends on one that is not there (got id 2)");
  expect_chakra_refused(NodeBytes(1, send_node).with("comm_dst", 0), "comm_size is missing");
  expect_chakra_refused(NodeBytes(1, send_node).with("comm_size", 1), "comm_dst is missing");
  expect_chakra_refused(NodeBytes(1, send_node).with("comm_size", 1).with("comm_dst", 1),
                        "give the folder or a pattern");
  expect_chakra_refused(NodeBytes(1, send_node).with("comm_size", 1).with("comm_dst", -1),
                        "comm_dst is out of range (got -1)");
  expect_chakra_refused(NodeBytes(1, send_node).with("comm_size", -5).with("comm_dst", 0), "comm_size is out of range");
  expect_chakra_refused(NodeBytes(1, send_node).with_text("comm_size", "5").with("comm_dst", 0),
                        "comm_size is no number");
  expect_chakra_refused(NodeBytes(1, coll).with("comm_type", 10), "comm_type is out of range");
  expect_chakra_refused(NodeBytes(1, coll).with("comm_type", 0).with_text("pg_name", "4"),
                        "an unknown group (got '4')");
  expect_chakra_refused(
      NodeBytes(1, coll)
          .with("comm_type", 0)
          .raw(wire_text(10, wire_text(1, "involved_dim") + wire_text(28, wire_text(1, std::string("\x01\0", 2))))),
      "an operation of some dimensions");
  expect_chakra_refused(NodeBytes(1, meta).raw(wire_text(8, wire_text(1, R"([{"pg_name": "1", "ranks": [3]}])"))),
                        "has NPU 3 of 1");
  const std::string cycle = error_of<InputError>([] {
    (void)program_of(std::string(NodeBytes(1, comp).after({2})) + std::string(NodeBytes(2, comp).after({1})));
  });
  EXPECT_NE(std::string::npos, cycle.find("a cycle")) << cycle;
  const std::string empty = error_of<InputError>(
      [] { (void)TraceFormats::instance().find("chakra")->program(trace_in_memory("", "t"), "t", {}, {}, ""); });
  EXPECT_NE(std::string::npos, empty.find("the file is empty")) << empty;
}

TEST(Chakra, FilesAreOneOfEachNpu) {
  const ScratchFolder folder;
  const std::string trace = chakra_head + std::string(NodeBytes(1, comp).lasts(1));
  const auto refused = [&](const std::string& path, const std::string& problem) {
    const std::string what = error_of<InputError>([&] { (void)program_at(path); });
    EXPECT_NE(std::string::npos, what.find(problem)) << what;
  };
  (void)folder.write("a.0.et", trace);
  (void)folder.write("a.2.et", trace);
  refused(folder.file("a.*.et"), "there is no file of NPU 1");
  (void)folder.write("a.1.et.gz", gz(trace));
  (void)folder.write("comm_group.json", R"({"1": [0, 2]})");
  // The folder, of which the first file is none of them, and the files of one of its traces.
  EXPECT_EQ(3u, program_at(folder.file(""))->tasks());
  (void)folder.write("b.0.et", trace);
  EXPECT_EQ(3u, program_at(folder.file("a.*"))->tasks());
  refused(folder.file("*.et"), "files of two traces");
  const TraceInput input = find_trace(folder.file("a.*"));
  EXPECT_EQ(4u, files_of(input, "chakra").size());
  u32 kept = 0;
  const auto some = program_at(folder.file("a.*"), [&](u32 task) { return task == 1 && ++kept > 0; });
  EXPECT_EQ(1u, kept);
  EXPECT_TRUE(some->graph(TaskId(0)).ops.empty());
  EXPECT_EQ(1u, some->graph(TaskId(1)).ops.size());
  (void)folder.write("comm_group.json", R"({"1": [0, 3]})");
  refused(folder.file("a.*"), "has NPU 3 of 3");
  (void)folder.write("comm_group.json", R"({"1": [0, 0]})");
  refused(folder.file("a.*"), "has an NPU twice");
  (void)folder.write("comm_group.json", "[1");
  refused(folder.file("a.*"), "no JSON of groups");
}

TEST(Chakra, OtherFilesAreNotTakenForTraces) {
  EXPECT_TRUE(looks_like_chakra(chakra_head));
  EXPECT_TRUE(looks_like_chakra(chakra_head + std::string(NodeBytes(0, comp).lasts(3))));
  EXPECT_FALSE(looks_like_chakra(""));
  EXPECT_FALSE(looks_like_chakra("s 0 1 2 3\nr 0 1 2 3\n"));
  EXPECT_FALSE(looks_like_chakra("1\n2\n3\n"));
  EXPECT_FALSE(looks_like_chakra("num_ranks 2\nrank 0 {\n}\n"));
  EXPECT_FALSE(looks_like_chakra("VEF3 4 20 1 0 0 0 1000\n"));
  EXPECT_FALSE(looks_like_chakra(std::string("\x7F\x10\0\0\0\0\0\0", 8)));
}

/// ASTRA-sim's allreduce in a ring of 8: the files of NPUs 0, 1 and 7 are at hand, and differ in partners only.
TEST(Chakra, ARealTraceIsARing) {
  const std::string path = shared_file("traces/chakra/custom_allreduce.0.et");
  if (path.empty()) GTEST_SKIP() << "shared test data not found (set WEFT_SHARED)";
  const auto bytes_of = [](const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const auto with_partners = [](std::string trace, u32 to, u32 from) {
    for (const auto& [name, npu] : {std::pair<std::string, u32>{"comm_dst\x38", to}, {"comm_src\x38", from}})
      for (std::size_t at = trace.find(name); at != std::string::npos; at = trace.find(name, at + 1))
        trace[at + name.size()] = static_cast<char>(npu);
    return trace;
  };
  const std::string first = bytes_of(path);
  EXPECT_EQ(bytes_of(shared_file("traces/chakra/custom_allreduce.1.et")), with_partners(first, 2, 0));
  EXPECT_EQ(bytes_of(shared_file("traces/chakra/custom_allreduce.7.et")), with_partners(first, 0, 6));
  const ScratchFolder folder;
  for (u32 npu = 0; npu < 8; ++npu)
    (void)folder.write("r." + std::to_string(npu) + ".et", with_partners(first, (npu + 1) % 8, (npu + 7) % 8));
  const auto program = program_at(folder.file("r.*.et"));
  EXPECT_EQ(std::vector<u64>(8, 14 * 131072), sent_by(*program));
  const TraceCheck check = check_graphs(*program);
  EXPECT_TRUE(check.completes());
  EXPECT_EQ(8u * 14, check.messages);
  // It is what an operation of that size becomes.
  EXPECT_EQ(std::vector<u64>(8, 14 * 131072),
            sent_in_all(8, NodeBytes(1, coll).with("comm_type", 0).with("comm_size", 1048576)));
}

}  // namespace
}  // namespace weft::workloads
