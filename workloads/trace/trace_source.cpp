// Finds the files of a trace, and its format from their first bytes.
#include "workloads/trace/trace_source.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fnmatch.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"

namespace weft::workloads {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t trace_head_bytes = 64 * 1024;
constexpr std::size_t most_files_looked_into = 16;
constexpr std::size_t most_trace_files = std::size_t{1} << 24;

/// Whether `a` comes before `b`: numbers in them by value, so that rank 10 comes after rank 9.
bool comes_before(const std::string& a, const std::string& b) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (!digit(a[i]) || !digit(b[j])) {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i, ++j;
      continue;
    }
    while (i < a.size() && a[i] == '0') ++i;
    while (j < b.size() && b[j] == '0') ++j;
    std::size_t end_a = i, end_b = j;
    while (end_a < a.size() && digit(a[end_a])) ++end_a;
    while (end_b < b.size() && digit(b[end_b])) ++end_b;
    if (end_a - i != end_b - j) return end_a - i < end_b - j;
    if (const int order = a.compare(i, end_a - i, b, j, end_b - j); order != 0) return order < 0;
    i = end_a, j = end_b;
  }
  if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
  return a < b;
}

/// The plain files of a folder whose names fit a pattern; hidden ones (those of a Mac's archives too) do not count, nor
/// what weft keeps there.
std::vector<std::string> files_in(const fs::path& folder, const std::string& pattern) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.starts_with('.') || ::fnmatch(pattern.c_str(), name.c_str(), 0) != 0) continue;
    if (it->is_regular_file(error)) files.push_back(it->path().string());
    if (files.size() > most_trace_files)
      throw InputError(
          fmt::format("'{}' has more than {} files; name fewer", shown(folder.string()), most_trace_files));
  }
  if (error)
    throw InputError(
        fmt::format("cannot read the folder '{}' ({}); check its path", shown(folder.string()), error.message()));
  std::ranges::sort(files, comes_before);
  return files;
}

std::string known_formats() {
  std::string list;
  for (const std::string& name : TraceFormats::instance().names()) list += (list.empty() ? "" : ", ") + name;
  return list;
}

}  // namespace

void refuse_meetings(const Program& program) {
  if (!program.meets()) return;
  throw ConfigError(
      fmt::format("'{}' has collective calls by a cost model (a file has sends, receives and computations only); leave "
                  "workload.collectives = \"cost-model\" out",
                  program.name()));
}

TraceInput find_trace(const std::string& path) {
  std::error_code error;
  TraceInput input;
  input.path = path;
  const bool exists = fs::exists(path, error);
  const bool folder = exists && fs::is_directory(path, error);
  if (folder || (!exists && path.find_first_of("*?") != std::string::npos)) {
    input.several = true;
    const fs::path parent = fs::path(path).parent_path();
    input.files = folder ? files_in(path, "*")
                         : files_in(parent.empty() ? fs::path(".") : parent, fs::path(path).filename().string());
    if (input.files.empty()) {
      throw InputError(
          fmt::format("'{}' names no trace (no plain file {}); give a file, a folder of files, or a pattern",
                      shown(path), folder ? "is in it" : "fits the pattern"));
    }
    return input;
  }
  input.files = {path};
  if (exists && !fs::is_regular_file(path, error)) input.once = std::make_shared<TraceInput::Pipe>();
  return input;
}

TraceInput trace_in_memory(std::string bytes, const std::string& name) {
  TraceInput input;
  input.path = name;
  input.files = {name};
  input.memory = std::make_shared<const std::string>(std::move(bytes));
  return input;
}

std::unique_ptr<ByteSource> open_input(const TraceInput& input, std::size_t number) {
  if (input.memory) return decompressed(bytes_in_memory(*input.memory, input.path));
  if (!input.once) return open_bytes(input.files.at(number));
  TraceInput::Pipe& pipe = *input.once;
  if (!pipe.open) pipe.bytes = open_bytes(input.files[0]);
  pipe.open = true;
  WEFT_ASSERT(pipe.bytes != nullptr);  // one reader at a time
  return std::move(pipe.bytes);
}

std::string find_trace_format(const TraceInput& input, const std::string& format) {
  const TraceFormats& formats = TraceFormats::instance();
  if (format != "auto") {
    if (formats.find(format) != nullptr) return format;
    throw ConfigError(fmt::format("trace format '{}' is unknown; use auto or one of: {}", format, known_formats()));
  }
  std::vector<std::string> names = formats.names();
  std::ranges::stable_sort(names, {}, [&](const std::string& name) { return formats.find(name)->place; });
  std::string first;
  // In a folder there may be texts about the trace, too.
  for (std::size_t file = 0; file < std::min(input.files.size(), most_files_looked_into); ++file) {
    auto bytes = open_input(input, file);
    std::string head = read_head(*bytes, trace_head_bytes);
    if (input.once) input.once->bytes = put_back(head, std::move(bytes));
    for (const std::string& name : names) {
      if (formats.find(name)->recognises(head, input)) return name;
    }
    if (file == 0) first = std::move(head);
  }
  throw InputError(fmt::format("{}: not a trace of a known format (it begins with {}); expected one of: {}",
                               shown(input.files[0]), quoted(first.data(), first.size()), known_formats()));
}

std::vector<std::string> files_of(const TraceInput& input, const std::string& format) {
  const TraceFormat& known = *TraceFormats::instance().find(format);
  std::vector<std::string> files = known.files ? known.files(input) : input.files;
  return files.empty() ? input.files : files;
}

OpenedTrace open_trace(const TraceInput& input, const std::string& format) {
  OpenedTrace opened{find_trace_format(input, format), nullptr};
  const TraceFormat& known = *TraceFormats::instance().find(opened.format);
  if (!known.open) {
    throw InputError(
        fmt::format("{}: a program of graphs (format {}), which is no list of events; give a trace like .trc",
                    shown(input.path), opened.format));
  }
  opened.source = known.open(input);
  return opened;
}

}  // namespace weft::workloads
