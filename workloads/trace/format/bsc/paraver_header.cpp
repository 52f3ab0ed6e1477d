// First lines of Paraver:
//   #Paraver (dd/mm/yy at hh:mm):TOTAL[_ns]:NODES(cpus,...):APPLICATIONS:TASKS(threads:node,...),COMMUNICATORS:...
//   c:application:communicator:N:task:...
#include "workloads/trace/format/bsc/paraver_header.hpp"

#include <fmt/format.h>

#include "workloads/trace/trace_source.hpp"

namespace weft::workloads {
namespace {

constexpr const char* paraver_first_line =
    "#Paraver (date):TOTAL[_ns]:NODES(cpus,...):APPLICATIONS:TASKS(threads:node,...),COMMUNICATORS";
constexpr u64 most_paraver_number = u64{1} << 32;

/// What is between brackets, if there are any.
void skip_brackets(TextCursor& text) {
  text.skip_blanks();
  if (!text.take('(')) return;
  while (!text.take(')')) {
    const int next = text.peek();
    if (next == '\n' || next == TextCursor::end) text.reject("brackets are not closed", "", paraver_first_line);
    text.skip();
  }
}

void read_paraver_group(TextCursor& text, ParaverHeader& header) {
  const char* const expected = "c:APPLICATION:COMMUNICATOR:N:TASK:...";
  const u64 application = paraver_index(text, "the application", header.applications());
  text.expect(':', expected);
  const u64 name = text.number("the number of a communicator", most_paraver_number - 1);
  text.expect(':', expected);
  const u32 first = header.first_task[application], count = header.first_task[application + 1] - first;
  const u64 size = text.number("the size of a communicator", count);
  std::vector<u32> members;
  for (u64 rank = 0; rank < size; ++rank) {
    text.expect(':', "a task of a communicator");
    text.skip_blanks();
    if (text.take('-')) {  // a communicator between groups, or one that was freed: Extrae does not know whose
      (void)text.number("a task of a communicator", count);
      header.unknown_tasks.insert(application << 32 | name);
    } else {
      members.push_back(first + static_cast<u32>(paraver_number(text, "a task of a communicator", count)));
    }
  }
  text.end_line(expected);
  if (!header.unknown_tasks.contains(application << 32 | name))
    header.groups.define(application << 32 | name, std::move(members), header.tasks(), text);
}

}  // namespace

u64 paraver_index(TextCursor& text, const char* field, u64 count) {
  text.expect(':', field);
  return paraver_number(text, field, count);
}

u64 paraver_number(TextCursor& text, const char* field, u64 count) {
  const u64 value = text.number(field, count);
  if (value == 0) text.reject(fmt::format("{} is 0", field), "0", fmt::format("1..{}", count));
  return value - 1;
}

u32 paraver_task(TextCursor& text, const ParaverHeader& header, u64& thread, u64* application) {
  const u64 of = paraver_index(text, "the application", header.applications());
  const u32 first = header.first_task[of];
  const u64 task = paraver_index(text, "the task", header.first_task[of + 1] - first);
  thread = paraver_index(text, "the thread", most_paraver_number);
  if (application != nullptr) *application = of;
  return first + static_cast<u32>(task);
}

ParaverHeader read_paraver_header(TextCursor& text) {
  ParaverHeader header;
  if (text.word() != "#Paraver") text.reject("it is no trace of Paraver", text.word(), paraver_first_line);
  skip_brackets(text);
  text.expect(':', paraver_first_line);
  const std::string_view total = text.word();
  if (total.ends_with("_ns")) header.unit_ns = 1;
  text.expect(':', paraver_first_line);
  (void)text.number("the number of nodes", most_paraver_number);
  skip_brackets(text);
  text.expect(':', paraver_first_line);
  const u64 applications = text.number("the number of applications", max_trace_tasks);
  header.first_task = {0};
  for (u64 application = 0; application < applications; ++application) {
    text.expect(':', paraver_first_line);
    const u64 tasks = text.number("the number of tasks", max_trace_tasks - u64{header.tasks()});
    header.first_task.push_back(header.tasks() + static_cast<u32>(tasks));
    skip_brackets(text);
    if (text.take(',')) (void)text.number("the number of communicators", most_paraver_number);
  }
  if (header.tasks() == 0) text.reject("the trace has no tasks", "0", paraver_first_line);
  text.end_line(paraver_first_line);
  while (text.next_line() && (text.peek() == 'c' || text.peek() == 'C' || text.peek() == '#')) {
    const bool group = text.peek() == 'c';
    text.skip();
    if (group) {
      read_paraver_group(text, header);
    } else {
      text.skip_line();
    }
  }
  return header;
}

}  // namespace weft::workloads
