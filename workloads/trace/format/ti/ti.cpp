// Time-independent traces of SimGrid: an index of files, a folder or pattern of them, or one file of all tasks.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/line_scanner.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"
#include "workloads/trace/format/ti/ti_reader.hpp"
#include "workloads/trace/format/ti/ti_writer.hpp"

namespace weft::workloads {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t ti_head_bytes = 4096;
/// Files that are looked into, and lines of each, to tell old traces from new ones.
constexpr std::size_t ti_files_looked_into = 16;
constexpr u64 ti_lines_looked_into = 1'000'000;

/// The first line that says something; false if there is none.
bool first_ti_line(std::string_view head, std::vector<std::string_view>& fields) {
  while (!head.empty()) {
    const std::size_t end = std::min(head.find('\n'), head.size());
    split_words(head.substr(0, end), line_blanks, fields);
    if (!fields.empty() && !fields[0].starts_with('#')) return true;
    head.remove_prefix(std::min(end + 1, head.size()));
  }
  return false;
}

/// Whether it begins with a line "RANK ACTION ..."; then `rank` is that.
bool is_ti_text(std::string_view head, i64& rank) {
  std::vector<std::string_view> fields;
  return first_ti_line(head, fields) && fields.size() > 1 && read_number(fields[0], rank) && rank >= 0 &&
         ti_call(fields[1]).action != TiAction::unknown;
}

std::string head_of_file(const std::string& path) { return read_head(*open_bytes(path), ti_head_bytes); }

/// A path of an index: from the folder of the index, or as it stands. Empty if there is no such file.
std::string file_in_index(const std::string& index, std::string_view path) {
  std::error_code error;
  for (const fs::path& candidate : {fs::path(index).parent_path() / path, fs::path(path)}) {
    if (fs::is_regular_file(candidate, error)) return candidate.string();
  }
  return {};
}

/// Whether it is an index: its first line names a file that is part of a trace.
bool is_ti_index(std::string_view head, const std::string& path) {
  std::vector<std::string_view> fields;
  i64 rank = 0;
  if (!first_ti_line(head, fields) || fields.size() != 1 || fields[0].size() > 4000) return false;
  if (fields[0].find('\0') != std::string_view::npos) return false;
  const std::string file = file_in_index(path, fields[0]);
  return !file.empty() && is_ti_text(head_of_file(file), rank);
}

std::vector<std::string> files_of_index(const std::string& path) {
  LineReader lines(open_bytes(path));
  std::vector<std::string> files;
  std::string_view line;
  while (lines.next_but("#", line)) {
    files.push_back(file_in_index(path, line));
    if (files.back().empty()) lines.reject("no such file", line, "the path of a file, from the folder of the index");
    if (files.size() > max_trace_tasks)
      lines.reject(fmt::format("more than {} files", max_trace_tasks), line, "one file a task");
  }
  return files;
}

class TiSource final : public TraceSource {
 public:
  explicit TiSource(const TraceInput& input) : input_(input) {
    if (!input.is_file()) {
      files_ = {input.path};
      if (!input.once) look_through();
      return;
    }
    if (input.several) {
      i64 rank = 0;
      for (const std::string& path : input.files) {
        const std::string head = head_of_file(path);
        if (is_ti_text(head, rank) || !is_ti_index(head, path)) files_.push_back(path);
      }
    } else {
      files_ = is_ti_index(head_of_file(input.files[0]), input.files[0]) ? files_of_index(input.files[0]) : input.files;
    }
    if (files_.size() == 1) {
      look_through();
      return;
    }
    number_files();
    for (std::size_t i = 0; i < std::min(files_.size(), ti_files_looked_into); ++i) {
      if (look_for_age(i)) break;
    }
  }
  [[nodiscard]] u32 parts() const override { return static_cast<u32>(files_.size()); }
  [[nodiscard]] std::unique_ptr<TraceReader> open(u32 part) const override {
    return std::make_unique<TiReader>(bytes_of(part), trace_, files_.size() > 1 ? ranks_[part] : TraceEvent::any);
  }
  [[nodiscard]] std::string place(u32 part, u64 line) const override {
    return fmt::format("{}:{}", files_[part], line);
  }

 private:
  [[nodiscard]] std::unique_ptr<ByteSource> bytes_of(std::size_t part) const {
    return input_.is_file() ? open_bytes(files_[part]) : open_input(input_);
  }

  /// Which rank each file is of: all of them, each once.
  void number_files() {
    std::vector<bool> seen(files_.size());
    for (const std::string& path : files_) {
      i64 rank = 0;
      if (!is_ti_text(head_of_file(path), rank))
        throw InputError(fmt::format(
            "{}: no part of a time-independent trace; expected lines 'RANK ACTION ARGUMENT...'", shown(path)));
      if (rank >= static_cast<i64>(files_.size()))
        throw InputError(fmt::format("{}: is of rank {} of a trace of {} files (some are missing); give all",
                                     shown(path), rank, files_.size()));
      if (seen[static_cast<std::size_t>(rank)])
        throw InputError(fmt::format("{}: is of rank {}, as another file is; give one file a task", shown(path), rank));
      seen[static_cast<std::size_t>(rank)] = true;
      ranks_.push_back(static_cast<u32>(rank));
    }
    trace_.tasks = static_cast<u32>(files_.size());
  }

  /// Looks through one file of all tasks: how many there are, and whether it is an old trace.
  void look_through() {
    LineReader lines(bytes_of(0), TiReader::longest_line);
    bool known = false;
    std::string_view line;
    std::vector<std::string_view> fields;
    for (u64 count = 0; lines.next_but("#", line); ++count) {
      i64 rank = 0;
      if (read_number(line.substr(0, std::min(line.find_first_of(" \t"), line.size())), rank) && rank >= 0 &&
          rank < i64{max_trace_tasks})
        trace_.tasks = std::max(trace_.tasks, static_cast<u32>(rank) + 1);
      if (known || count > ti_lines_looked_into) continue;
      split_words(line, line_blanks, fields);
      known = tells_age(fields);
    }
  }
  bool look_for_age(std::size_t part) {
    LineReader lines(bytes_of(part), TiReader::longest_line);
    std::string_view line;
    std::vector<std::string_view> fields;
    for (u64 count = 0; count < ti_lines_looked_into && lines.next_but("#", line); ++count) {
      split_words(line, line_blanks, fields);
      if (tells_age(fields)) return true;
    }
    return false;
  }
  /// Whether a line is only of old traces, or only of new ones.
  bool tells_age(const std::vector<std::string_view>& fields) {
    if (fields.size() < 2) return false;
    const std::size_t arguments = fields.size() - 2;
    switch (ti_call(fields[1]).action) {
      case TiAction::send:
      case TiAction::isend:
      case TiAction::receive:
      case TiAction::ireceive:
        trace_.old = arguments == 2 || fields[1][0] == 'I';
        return trace_.old || arguments == 4;
      case TiAction::wait:
      case TiAction::test:
        trace_.old = arguments == 0;
        return arguments == 0 || arguments == 3;
      default:
        return false;
    }
  }

  TraceInput input_;
  std::vector<std::string> files_;
  std::vector<u32> ranks_;  ///< of several files
  TiTrace trace_;
};

[[maybe_unused]] const bool ti_registered = TraceFormats::instance().add(
    "ti", {.help = "time-independent traces of SimGrid: an index of files, a folder, a pattern, or a file of all tasks",
           .recognises =
               [](std::string_view head, const TraceInput& input) {
                 i64 rank = 0;
                 return is_ti_text(head, rank) || (input.is_file() && is_ti_index(head, input.files[0]));
               },
           .files =
               [](const TraceInput& input) {
                 const std::string& path = input.files[0];
                 const bool index = !input.several && is_ti_index(head_of_file(path), path);
                 return index ? files_of_index(path) : input.files;
               },
           .open = [](const TraceInput& input) { return std::make_unique<TiSource>(input); },
           .write = write_ti,
           .ending = ".ti"});

}  // namespace
}  // namespace weft::workloads
