// Parser of GOAL texts; see the header for the grammar.
#include "workloads/trace/format/goal/goal_text_reader.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "workloads/trace/trace_source.hpp"

namespace weft::workloads {
namespace {

using Kind = GoalLexer::Kind;

constexpr u64 most_u8 = std::numeric_limits<u8>::max();
/// The highest number stands for `any`.
constexpr u64 most_tag = GraphOp::any - 1;
constexpr std::size_t most_compared = 1000;

constexpr const char* all_operations = "send, recv, calc, probe, join, until or pause";
const std::vector<std::string>& goal_operations() {
  static const std::vector<std::string> words = {"send", "recv", "calc", "probe", "join", "until", "pause"};
  return words;
}

/// " (nearest: recv)", or nothing if nothing is near.
std::string nearest_text(const std::string& word, const std::vector<std::string>& candidates) {
  const std::string near = nearest(word, candidates, 2);
  return near.empty() ? "" : fmt::format(" (nearest: {})", near);
}

u32 shown_line(u64 line) { return static_cast<u32>(std::min<u64>(line, std::numeric_limits<u32>::max())); }

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

GoalTextReader::GoalTextReader(std::unique_ptr<ByteSource> source, KeepTask keep)
    : lexer_(std::move(source)), keep_(std::move(keep)) {
  lexer_.advance();
  skip_line_ends();
  expect_word("num_ranks", "num_ranks and the number of ranks");
  tasks_ = static_cast<u32>(number("number of ranks", 1, max_trace_tasks));
  end_statement("the end of the line");
}

bool GoalTextReader::next(u32& task, GraphBuilder& graph) {
  for (;;) {
    skip_line_ends();
    if (lexer_.kind() == Kind::end) {
      if (rank_ == tasks_) return false;
      lexer_.reject(fmt::format("rank {} of {} is missing", rank_, tasks_), fmt::format("rank {} {{", rank_));
    }
    const bool kept = rank_ < tasks_ && (!keep_ || keep_(rank_));
    read_rank(kept ? &graph : nullptr);
    ++rank_;
    if (!kept) continue;
    task = rank_ - 1;
    return true;
  }
}

void GoalTextReader::skip_line_ends() {
  while (lexer_.kind() == Kind::line_end) lexer_.advance();
}

void GoalTextReader::expect_word(std::string_view word, const std::string& expected) {
  if (!lexer_.is(word)) {
    const std::string got(lexer_.text());
    lexer_.reject("unexpected", expected + (lexer_.kind() == Kind::word ? nearest_text(got, {std::string(word)}) : ""));
  }
  lexer_.advance();
}

u64 GoalTextReader::value(std::string_view digits, const std::string& field, u64 least, u64 most) {
  const std::string range = fmt::format("an integer {}..{}", least, most);
  const bool minus = digits.starts_with('-');
  if (!all_digits(minus ? digits.substr(1) : digits)) lexer_.reject(field + " is not an integer", range);
  if (minus) lexer_.reject(field + " is negative", range);
  u64 result = 0;
  for (const char digit : digits) {
    const u64 unit = static_cast<u64>(digit - '0');
    if (unit > most || result > (most - unit) / 10) lexer_.reject(field + " is too large", range);
    result = result * 10 + unit;
  }
  if (result < least) lexer_.reject(field + " is too small", range);
  return result;
}

u64 GoalTextReader::number(const std::string& field, u64 least, u64 most) {
  if (lexer_.kind() != Kind::word) {
    lexer_.reject(field + " is missing", fmt::format("an integer {}..{}", least, most));
  }
  const u64 result = value(lexer_.text(), field, least, most);
  lexer_.advance();
  return result;
}

/// "16b"; the b may stand apart.
u64 GoalTextReader::bytes() {
  const std::string expected = "bytes like 16b";
  if (lexer_.kind() != Kind::word) lexer_.reject("the size is missing", expected);
  std::string_view text = lexer_.text();
  const bool whole = text.ends_with('b');
  if (whole) text.remove_suffix(1);
  if (whole && !all_digits(text)) lexer_.reject("the size is not an integer with b", expected);
  const u64 result = value(text, "the size", 0, max_trace_bytes);
  lexer_.advance();
  if (whole) return result;
  if (!lexer_.is("b")) lexer_.reject("the size has no b", expected);
  lexer_.advance();
  return result;
}

u32 GoalTextReader::rank_or_any(const std::string& field, bool any_fits) {
  if (any_fits && lexer_.is("-1")) {
    lexer_.advance();
    return GraphOp::any;
  }
  return static_cast<u32>(number(field, 0, tasks_ - 1));
}

void GoalTextReader::read_rank(GraphBuilder* graph) {
  const u64 from = lexer_.line();
  const std::string expected =
      rank_ < tasks_ ? fmt::format("rank {} {{", rank_) : fmt::format("nothing more (num_ranks {})", tasks_);
  if (!lexer_.is("rank") || rank_ == tasks_) lexer_.reject(rank_ == tasks_ ? "too many ranks" : "unexpected", expected);
  lexer_.advance();
  if (lexer_.kind() != Kind::word || lexer_.text() != std::to_string(rank_)) {
    lexer_.reject("ranks come in their order, each once", fmt::format("rank {}", rank_));
  }
  lexer_.advance();
  skip_line_ends();
  if (lexer_.kind() != Kind::open) lexer_.reject(fmt::format("rank {} does not begin", rank_), "{");
  graph == nullptr ? lexer_.skip_to_close() : lexer_.advance();
  labels_.clear();
  waiting_.clear();
  one_suffices_.clear();
  for (skip_line_ends(); lexer_.kind() != Kind::close; skip_line_ends()) {
    if (lexer_.kind() == Kind::end) {
      lexer_.reject(fmt::format("rank {} of line {} has no end", rank_, from), "} after its operations");
    }
    statement(*graph);
  }
  lexer_.advance();
  if (graph != nullptr) resolve(*graph);
}

void GoalTextReader::statement(GraphBuilder& graph) {
  if (lexer_.kind() != Kind::word) lexer_.reject("unexpected", "an operation or a label");
  first_ = lexer_.text();
  const u32 line = shown_line(lexer_.line());
  const u64 at = lexer_.line();
  lexer_.advance();
  if (lexer_.kind() == Kind::colon) {
    check_label(first_);
    lexer_.advance();
    if (lexer_.kind() != Kind::word) lexer_.reject("the operation is missing", all_operations);
    kind_ = lexer_.text();
    if (std::ranges::find(goal_operations(), kind_) == goal_operations().end()) {
      lexer_.reject("unknown operation", all_operations + nearest_text(kind_, goal_operations()));
    }
    lexer_.advance();
    return operation(kind_, first_, line, graph);
  }
  if (lexer_.is("requires") || lexer_.is("irequires") || lexer_.is("requires-any")) {
    check_label(first_);
    return requirement(first_, line, graph);
  }
  if (std::ranges::find(goal_operations(), first_) != goal_operations().end()) {
    return operation(first_, "", line, graph);
  }
  // Either an unknown operation, or a label of which something unknown is said.
  static const std::vector<std::string> relations = {"requires", "irequires", "requires-any"};
  const std::string second(lexer_.kind() == Kind::word ? lexer_.text() : "");
  if (!second.empty() && !nearest(second, relations, 2).empty()) {
    lexer_.reject("unknown relation", "requires, irequires or requires-any" + nearest_text(second, relations));
  }
  lexer_.reject_at(at, "unknown operation", first_,
                   "send, recv, calc, probe, join, until, pause, 'LABEL: ...' or 'LABEL requires LABEL'" +
                       nearest_text(first_, goal_operations()));
}

void GoalTextReader::operation(const std::string& kind, const std::string& label, u32 line, GraphBuilder& graph) {
  GraphOp op;
  op.line = line;
  const u64 at = lexer_.line();
  if (kind == "send") {
    op.kind = GraphOp::Kind::send;
    op.amount = bytes();
    expect_word("to", "to and the rank that it goes to");
    op.peer = rank_or_any("the rank", false);
  } else if (kind == "recv" || kind == "probe") {
    op.kind = kind == "recv" ? GraphOp::Kind::receive : GraphOp::Kind::probe;
    op.amount = bytes();
    expect_word("from", "from and the rank that it comes from");
    op.peer = rank_or_any("the rank", true);
  } else if (kind == "calc" || kind == "until" || kind == "pause") {
    op.kind = kind == "calc" ? GraphOp::Kind::compute : kind == "until" ? GraphOp::Kind::until : GraphOp::Kind::pause;
    op.amount = number("the time", 0, max_trace_compute_ns);
  }
  options(op, kind);
  if (graph.size() == GraphBuilder::most_ops) lexer_.reject("too many operations of a rank", "2^31 at most");
  const u32 number = graph.add(op);
  if (label.empty()) return;
  GoalLabels::Label& entry = labels_[labels_.number(label, line)];
  if (entry.op != GoalLabels::none) {
    lexer_.reject_at(at, fmt::format("this label is also that of line {}", graph.op(entry.op).line), label,
                     fmt::format("labels of which rank {} has each once", rank_));
  }
  entry.op = number;
}

void GoalTextReader::options(GraphOp& op, const std::string& kind) {
  static const std::vector<std::string> of_messages = {"tag", "comm", "cpu", "nic"}, of_probes = {"tag", "comm"},
                                        of_computes = {"cpu"}, of_joins = {};
  const bool takes_time = kind == "calc" || kind == "until" || kind == "pause";
  const auto& known = takes_time ? of_computes : kind == "probe" ? of_probes : kind == "join" ? of_joins : of_messages;
  u32 given = 0;
  while (lexer_.kind() == Kind::word) {
    const std::string word(lexer_.text());
    const auto found = std::ranges::find(known, word);
    if (found == known.end()) {
      std::string expected;
      for (const std::string& option : known) expected += option + ", ";
      lexer_.reject("no option of " + kind, expected + "or the end of the line" + nearest_text(word, known));
    }
    const u32 bit = u32{1} << (found - known.begin());
    if ((given & bit) != 0) lexer_.reject("this option is given twice", "each option once");
    given |= bit;
    lexer_.advance();
    if (word == "tag") {
      const bool any_fits = op.kind != GraphOp::Kind::send;
      if (any_fits && lexer_.is("-1")) {
        op.tag = GraphOp::any;
        lexer_.advance();
      } else {
        op.tag = static_cast<u32>(number("the tag", 0, most_tag));
      }
    } else if (word == "comm") {
      op.communicator = static_cast<u32>(number("the communicator", 0, most_tag));
    } else if (word == "cpu") {
      op.stream = static_cast<u8>(number("the stream", 0, most_u8));
    } else {
      op.nic = static_cast<u8>(number("the NIC", 0, most_u8));
    }
  }
  end_statement("the end of the line");
}

void GoalTextReader::requirement(const std::string& label, u32 line, GraphBuilder& graph) {
  const bool start = lexer_.is("irequires"), any = lexer_.is("requires-any");
  const u32 first = labels_.number(label, line);
  if (any) one_suffices_.push_back(first);
  lexer_.advance();
  if (lexer_.kind() != Kind::word) lexer_.reject("what it requires is missing", "a label");
  do {
    check_label(lexer_.text());
    const u32 on = labels_.number(lexer_.text(), line);
    if (labels_[first].op != GoalLabels::none && labels_[on].op != GoalLabels::none) {
      graph.require(labels_[first].op, labels_[on].op, start);
    } else {
      waiting_.push_back({first, on, start});
    }
    lexer_.advance();
  } while (any && lexer_.kind() == Kind::word);
  end_statement("the end of the line");
}

/// What was said of labels before they were known.
void GoalTextReader::resolve(GraphBuilder& graph) {
  for (u32 label = 0; label < labels_.size(); ++label) {
    if (labels_[label].op != GoalLabels::none) continue;
    std::vector<std::string> known;
    for (u32 other = 0; other < labels_.size() && known.size() < most_compared; ++other)
      if (labels_[other].op != GoalLabels::none) known.emplace_back(labels_.name(other));
    const std::string name(labels_.name(label));
    lexer_.reject_at(labels_[label].line, fmt::format("rank {} has no operation of this label", rank_), name,
                     "the label of one of its operations" + nearest_text(name, known));
  }
  for (const Waiting& each : waiting_) graph.require(labels_[each.label].op, labels_[each.on].op, each.start);
  for (const u32 label : one_suffices_) graph.op(labels_[label].op).one_suffices = true;
}

void GoalTextReader::check_label(std::string_view label) {
  const bool letter = (label[0] >= 'a' && label[0] <= 'z') || (label[0] >= 'A' && label[0] <= 'Z');
  if (letter && label.find_first_of("-.") == std::string_view::npos) return;
  lexer_.reject_at(lexer_.line(), "this is no label", label, "a letter, then letters, digits and _");
}

void GoalTextReader::end_statement(const std::string& expected) {
  if (lexer_.kind() == Kind::line_end || lexer_.kind() == Kind::close || lexer_.kind() == Kind::end) return;
  lexer_.reject("unexpected", expected);
}

}  // namespace weft::workloads
