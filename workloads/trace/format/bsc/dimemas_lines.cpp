// Lines of Dimemas:
//   #DIMEMAS:"name":1,OFFSET:TASKS(threads,...),COMMUNICATORS[,ACCELERATORS[(list)][,THREADS[(list)]]]
//   d:1:COMMUNICATOR:N:task:...          s:task:offset:...
//   1:task:thread:seconds                11:task:thread:seconds
//   2:task:thread:destination:[thread:]bytes:tag:communicator:sync
//   3:task:thread:source:[thread:]bytes:tag:communicator:type
//   10:task:thread:operation:communicator:root:root thread:sent:received[:sync]
#include "workloads/trace/format/bsc/dimemas_lines.hpp"

#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

#include "workloads/trace/trace_source.hpp"

namespace weft::workloads {
namespace {

constexpr const char* dimemas_first_line = "#DIMEMAS:\"name\":1,OFFSET:TASKS(threads,...),COMMUNICATORS";
constexpr u64 most_dimemas_number = u64{1} << 62;
constexpr u64 event_record = 20, no_record = 0, first_other = 101, last_other = 501;

void skip_list(TextCursor& text) {
  if (!text.take('(')) return;
  while (!text.take(')')) {
    if (text.at_line_end()) text.reject("a list ends early", "", ")");
    text.skip();
  }
}

void read_communicator(TextCursor& text, DimemasHeader& header) {
  const char* const expected = "d:1:COMMUNICATOR:N:task:...";
  text.expect(':', expected);
  if (text.number("the kind of a definition", 9) != 1) return text.skip_line();  // files and windows
  text.expect(':', expected);
  const u64 name = text.number("the number of a communicator", most_dimemas_number);
  text.expect(':', expected);
  const u64 size = text.number("the size of a communicator", header.tasks);
  std::vector<u32> members;
  for (u64 rank = 0; rank < size; ++rank) {
    text.expect(':', expected);
    members.push_back(static_cast<u32>(text.number("a task of a communicator", header.tasks - u64{1})));
  }
  header.groups.define(name, std::move(members), header.tasks, text);
  text.end_line(expected);
}

u64 duration_of(TextCursor& text) {
  const std::string word(text.word());
  char* end = nullptr;
  const double seconds = std::strtod(word.c_str(), &end);
  constexpr double most = static_cast<double>(max_trace_compute_ns) / 1e9;
  if (word.empty() || *end != 0 || !(seconds >= 0 && seconds <= most))
    text.reject("a duration is none", word, fmt::format("seconds, 0 to {:.0f}", most));
  return static_cast<u64>(std::llround(seconds * 1e9));
}

}  // namespace

DimemasHeader read_dimemas_header(TextCursor& text) {
  DimemasHeader header;
  if (text.word() != "#DIMEMAS") text.reject("it is no trace of Dimemas", text.word(), dimemas_first_line);
  text.expect(':', dimemas_first_line);
  if (text.take('"')) {
    for (int next = text.peek(); next != '"'; next = text.peek()) {
      if (next == '\n' || next == TextCursor::end) text.reject("the name has no end", "", dimemas_first_line);
      text.skip();
    }
    text.skip();
  } else {
    (void)text.word();
  }
  text.expect(':', dimemas_first_line);
  (void)text.number("whether there is a table of offsets", most_dimemas_number);
  if (text.take(',')) (void)text.number("the offset of the table", most_dimemas_number);
  text.expect(':', dimemas_first_line);
  header.tasks = static_cast<u32>(text.number("the number of tasks", max_trace_tasks));
  if (header.tasks == 0) text.reject("the trace has no tasks", "0", dimemas_first_line);
  skip_list(text);
  if (text.take(',')) (void)text.number("the number of communicators", most_dimemas_number);
  header.newer = text.take(',');
  text.skip_line();
  while (text.next_line() && text.peek() == 'd') {
    text.skip();
    read_communicator(text, header);
  }
  return header;
}

bool read_dimemas_line(TextCursor& text, const DimemasHeader& header, DimemasLine& line) {
  const char* const expected = "TYPE:TASK:THREAD:...";
  while (text.next_line()) {
    if (text.peek() == 's' || text.peek() == '#') {
      text.skip_line();
      continue;
    }
    if (text.peek() == 'd') text.reject("a definition comes behind records", "d", "definitions before all records");
    line.type = text.number("the type of a record", last_other);
    text.expect(':', expected);
    line.task = static_cast<u32>(text.number("the task", header.tasks - u64{1}));
    text.expect(':', expected);
    const u64 thread = text.number("the thread", max_trace_tasks);
    const bool computes = line.type == dimemas_cpu || line.type == dimemas_gpu;
    const bool speaks = line.type == dimemas_send || line.type == dimemas_receive || line.type == dimemas_collective;
    if (!computes && !speaks && line.type != event_record && line.type != no_record && line.type < first_other)
      text.reject("an unknown type of record", std::to_string(line.type), "0, 1, 2, 3, 10, 11, 20 or 101 to 501");
    if (thread != 0 && speaks)
      text.reject("a message of another thread than the first", std::to_string(thread), "thread 0");
    if (thread != 0 || (!computes && !speaks)) {
      text.skip_line();
      continue;
    }
    line.count = 0;
    if (computes) {
      text.expect(':', "seconds");
      line.duration_ns = duration_of(text);
    } else {
      while (text.take(':')) {
        if (line.count == DimemasLine::most_fields) text.reject("too many fields", text.word(), "the end of the line");
        line.fields[line.count++] = text.number_or_minus_one("a field", most_dimemas_number);
      }
    }
    if (!text.at_line_end()) text.reject("there is more on the line", text.word(), "fields between colons");
    return true;
  }
  return false;
}

}  // namespace weft::workloads
