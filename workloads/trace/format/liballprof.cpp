// Text traces of liballprof (Hoefler, Indiana University), the input of Schedgen: a file for each task.
#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "workloads/trace/format/liballprof_reader.hpp"

namespace weft::workloads {
namespace {

constexpr std::size_t liballprof_head_bytes = 4096;
constexpr u64 most_splits = u64{1} << 24;
constexpr u32 liballprof_world = 2, liballprof_other = 4;

/// By the first line that is no comment: a call of MPI with its time.
bool is_liballprof(std::string_view head) {
  while (!head.empty()) {
    const std::size_t end = std::min(head.find('\n'), head.size());
    std::string_view line = head.substr(0, end);
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t' || line.front() == '\r'))
      line.remove_prefix(1);
    if (!line.empty() && line.front() != '#') {
      const std::size_t colon = line.find(':');
      return line.starts_with("MPI_") && colon != std::string_view::npos &&
             line.substr(0, colon).find_first_of(" \t=;") == std::string_view::npos;
    }
    head.remove_prefix(std::min(end + 1, head.size()));
  }
  return false;
}

class LiballprofSource final : public TraceSource {
 public:
  explicit LiballprofSource(const TraceInput& input) : input_(input), files_(input.files) {
    if (input.once)
      throw InputError(fmt::format("{}: a pipe; traces of liballprof are read twice: give files", shown(input.path)));
    if (input.several) {
      std::erase_if(files_, [](const std::string& path) {
        return !is_liballprof(read_head(*open_bytes(path), liballprof_head_bytes));
      });
    }
    gather();
  }
  [[nodiscard]] u32 parts() const override { return static_cast<u32>(files_.size()); }
  [[nodiscard]] std::unique_ptr<TraceReader> open(u32 part) const override {
    return std::make_unique<LiballprofReader>(bytes_of(part), trace_, ranks_[part]);
  }
  [[nodiscard]] std::string place(u32 part, u64 line) const override {
    return fmt::format("{}:{}", files_[part], line);
  }
  [[nodiscard]] std::vector<TraceCommunicator> communicators() const override { return trace_->gathered.list(); }
  [[nodiscard]] std::vector<TraceName> names() const override { return liballprof_names(); }
  [[nodiscard]] bool has_times() const override { return true; }

 private:
  [[nodiscard]] std::unique_ptr<ByteSource> bytes_of(std::size_t part) const {
    return input_.is_file() ? open_bytes(files_[part]) : open_input(input_);
  }

  /// Reads all files for how large their largest communicator is, which is that of all tasks, and for what they split.
  void gather() {
    struct Split {
      LiballprofLine::Communicator parent;
      i32 colour, key;
    };
    auto trace = std::make_shared<LiballprofTrace>();
    std::vector<std::vector<Split>> splits(files_.size());
    std::vector<LiballprofLine::Communicator> largest(files_.size());
    u64 split_calls = 0;
    for (std::size_t i = 0; i < files_.size(); ++i) {
      LiballprofLines lines(bytes_of(i));
      LiballprofLine line;
      while (lines.next(line)) {
        if (line.call == nullptr || line.call->arguments.find('c') == std::string_view::npos) continue;
        if (line.communicator.size > largest[i].size) largest[i] = line.communicator;
        if (line.call->kind != LiballprofCall::Kind::split) continue;
        if (split_calls++ == most_splits)
          lines.reject(fmt::format("more than {} calls of MPI_Comm_split", most_splits), line.name, "fewer");
        splits[i].push_back({line.communicator, static_cast<i32>(line.at('n')), static_cast<i32>(line.at('N'))});
      }
    }
    trace->alone = files_.size() == 1;
    trace->tasks = trace->alone ? std::max(1u, largest[0].size) : static_cast<u32>(files_.size());
    std::vector<bool> seen(trace->tasks);
    bool each_once = true;
    for (std::size_t i = 0; i < files_.size(); ++i) {
      if (largest[i].size > trace->tasks)
        throw InputError(
            fmt::format("{}: has a communicator of {} tasks, but there are {} files; give the files of all "
                        "tasks, or one to look at that alone",
                        shown(files_[i]), largest[i].size, files_.size()));
      ranks_.push_back(largest[i].size == trace->tasks ? largest[i].rank : static_cast<u32>(i));
      each_once = each_once && !seen[ranks_.back()];
      seen[ranks_.back()] = true;
    }
    // Traces that were made by copying the file of one task are of the ranks in their names.
    const bool copies = std::ranges::count(ranks_, ranks_[0]) == std::ssize(ranks_);
    if (!each_once && !copies)
      throw InputError(
          fmt::format("{}: two of its files are of one rank; give each task's file once", shown(input_.path)));
    if (copies && !trace->alone) std::iota(ranks_.begin(), ranks_.end(), 0);
    if (trace->alone) {
      trace->gathered.made.resize(1);
      trace->gathered.communicators.resize(1);
    } else {
      CommunicatorGatherer gatherer(trace->tasks);
      for (std::size_t i = 0; i < files_.size(); ++i) {
        for (const Split& split : splits[i]) {
          CommunicatorCall call;
          const bool of_all = split.parent.size == trace->tasks && split.parent.rank == ranks_[i];
          call.kind = of_all ? CommunicatorCall::Kind::split : CommunicatorCall::Kind::unknown;
          call.parent = liballprof_world;
          call.result = liballprof_other;
          call.colour = split.colour;
          call.key = split.key;
          gatherer.add(ranks_[i], call);
        }
      }
      trace->gathered = gatherer.finish();
    }
    trace_ = std::move(trace);
  }

  TraceInput input_;
  std::vector<std::string> files_;
  std::vector<u32> ranks_;  ///< by file
  std::shared_ptr<const LiballprofTrace> trace_;
};

[[maybe_unused]] const bool liballprof_registered = TraceFormats::instance().add(
    "liballprof", {.help = "liballprof text, the input of Schedgen: a folder or pattern of a file for each task",
                   .recognises = [](std::string_view head, const TraceInput& /*input*/) { return is_liballprof(head); },
                   .open = [](const TraceInput& input) { return std::make_unique<LiballprofSource>(input); }});

}  // namespace
}  // namespace weft::workloads
