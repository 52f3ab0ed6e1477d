// DUMPI (SST): a .meta file and a binary file for each task, in full detail of arguments.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/line_reader.hpp"
#include "engine/base/text/line_scanner.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"
#include "workloads/trace/format/dumpi/dumpi_reader.hpp"
#include "workloads/trace/trace_source.hpp"

namespace weft::workloads {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view meta_prefix = "fileprefix=", meta_tasks = "numprocs=";

bool is_dumpi_meta(std::string_view head) {
  return head.find(meta_prefix) != std::string_view::npos && head.find(meta_tasks) != std::string_view::npos &&
         head.find('\0') == std::string_view::npos;
}

/// "NAME-0003.bin", compressed or not, is of rank 3; false without a number.
bool rank_in_name(const std::string& path, u64& rank) {
  const std::string name = fs::path(path).filename().string();
  const std::size_t end = name.find(".bin");
  if (end == std::string::npos) return false;
  std::size_t begin = end;
  while (begin > 0 && name[begin - 1] >= '0' && name[begin - 1] <= '9') --begin;
  const std::optional<u64> number = parsed<u64>(std::string_view(name).substr(begin, end - begin));
  if (!number || begin == 0 || name[begin - 1] != '-') return false;
  rank = *number;
  return true;
}

/// The files of the tasks that a .meta file names, in the order of ranks.
std::vector<std::string> files_of_meta(const std::string& path) {
  LineReader lines(open_bytes(path));
  std::string prefix;
  i64 tasks = -1;
  std::string_view line;
  while (lines.next_but("#", line)) {
    if (line.starts_with(meta_prefix)) prefix = line.substr(meta_prefix.size());
    if (line.starts_with(meta_tasks) &&
        (!read_number(line.substr(meta_tasks.size()), tasks) || tasks < 1 || tasks > i64{max_trace_tasks}))
      lines.reject("the number of tasks is none", line, fmt::format("numprocs=1..{}", max_trace_tasks));
  }
  prefix = fs::path(prefix).filename().string();  // the folder is that of another machine
  if (prefix.empty() || tasks < 0)
    throw InputError(
        fmt::format("{}: no 'fileprefix=' or 'numprocs='; expected the .meta file of a DUMPI trace", shown(path)));
  std::vector<std::string> files;
  for (i64 rank = 0; rank < tasks; ++rank) {
    files.push_back((fs::path(path).parent_path() / fmt::format("{}-{:04}.bin", prefix, rank)).string());
    std::error_code error;
    if (!fs::exists(files.back(), error))
      throw InputError(
          fmt::format("{}: the file of rank {} is missing ('{}'); give all {} of the trace, or one file to "
                      "look at that alone",
                      shown(path), rank, shown(files.back()), tasks));
  }
  return files;
}

/// The files of a trace by rank.
std::vector<std::string> dumpi_files(const TraceInput& input) {
  std::vector<std::string> metas, files;
  for (const std::string& path : input.files) {
    const std::string name = fs::path(path).filename().string();
    if (name.ends_with(".meta")) metas.push_back(path);
    if (name.find(".bin") != std::string::npos) files.push_back(path);
  }
  if (!input.several && files.empty() && metas.empty()) {
    const auto bytes = open_bytes(input.files[0]);
    (read_head(*bytes, dumpi_magic.size()) == dumpi_magic ? files : metas).push_back(input.files[0]);
  }
  if (metas.size() > 1 && !files.empty() && input.several)
    throw InputError(fmt::format("{}: holds {} traces ('{}' and '{}' among them); give one .meta file",
                                 shown(input.path), metas.size(), shown(metas[0]), shown(metas[1])));
  if (metas.size() == 1) return files_of_meta(metas[0]);
  if (files.empty()) throw InputError(fmt::format("{}: no .bin files of a DUMPI trace are there", shown(input.path)));
  u64 rank = 0;
  for (std::size_t i = 0; i < files.size() && files.size() > 1; ++i) {
    if (rank_in_name(files[i], rank) && rank != i)
      throw InputError(
          fmt::format("{}: the file of rank {} is missing ('{}' is there in its place); give all, or one "
                      "file to look at that alone",
                      shown(input.path), i, shown(files[i])));
  }
  return files;
}

class DumpiSource final : public TraceSource {
 public:
  explicit DumpiSource(const TraceInput& input) : input_(input) {
    if (input.is_file())
      files_ = dumpi_files(input);
    else if (input.once)
      throw InputError(fmt::format("{}: a pipe; DUMPI traces are read from their ends: give files", shown(input.path)));
    else
      files_ = {input.path};
    trace_ = std::make_shared<const DumpiTrace>(gather_dumpi(parts(), [&](u32 part) { return file(part); }));
  }
  [[nodiscard]] u32 parts() const override { return static_cast<u32>(files_.size()); }
  [[nodiscard]] std::unique_ptr<TraceReader> open(u32 part) const override {
    return std::make_unique<DumpiReader>(file(part), trace_, trace_->alone ? trace_->only_task : part);
  }
  [[nodiscard]] std::string place(u32 part, u64 offset) const override {
    return fmt::format("{}: byte {}", files_[part], offset);
  }
  [[nodiscard]] std::vector<TraceCommunicator> communicators() const override { return trace_->gathered.list(); }
  [[nodiscard]] std::vector<TraceName> names() const override { return dumpi_names(); }
  [[nodiscard]] bool has_times() const override { return trace_->has_times; }

 private:
  [[nodiscard]] DumpiFile file(u32 part) const {
    const std::string& path = files_[part];
    if (input_.memory) return DumpiFile::read(path, "", [input = input_] { return open_input(input); });
    return DumpiFile::read(shown(path), path, [path] { return open_bytes(path); });
  }

  TraceInput input_;
  std::vector<std::string> files_;
  std::shared_ptr<const DumpiTrace> trace_;
};

[[maybe_unused]] const bool dumpi_registered = TraceFormats::instance().add(
    "dumpi",
    {.help = "DUMPI of SST: a .meta file, a folder or pattern of its .bin files, or one of them",
     .recognises = [](std::string_view head,
                      const TraceInput& /*input*/) { return head.starts_with(dumpi_magic) || is_dumpi_meta(head); },
     .files = dumpi_files,
     .open = [](const TraceInput& input) { return std::make_unique<DumpiSource>(input); }});

}  // namespace
}  // namespace weft::workloads
