// What weft's own tracer recorded (weft trace record) as a format of traces: a folder with a file of each rank. It is
// registered twice: collective calls as their messages, and as calls.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <set>

#include "engine/base/error.hpp"
#include "workloads/trace/format/weft/weft_trace_reader.hpp"

namespace weft::workloads {
namespace {

bool looks_recorded(std::string_view head) {
  return head.starts_with(std::string_view(records::file_magic, sizeof records::file_magic));
}

class WeftTraceSource final : public TraceSource {
 public:
  WeftTraceSource(const TraceInput& input, InnerMessages inner) : input_(input), inner_(inner) {
    for (std::size_t number = 0; number < input.files.size(); ++number) {
      files_.push_back(read_record_file(input, number));
      const records::FileHeader& header = files_.back().header;
      if (header.ranks != files_[0].header.ranks)
        throw InputError(fmt::format("{}: of a program of {} ranks; {} is of one of {}", input.files[number],
                                     header.ranks, input.files[0], files_[0].header.ranks));
    }
    order_files();
    for (const RecordFile& file : files_) known_.insert(file.marks.begin(), file.marks.end());
    const u32 ranks = files_[0].header.ranks;
    std::vector<u32> all(ranks);
    std::iota(all.begin(), all.end(), 0U);
    communicators_ = {{}, {std::move(all), true}};
    ranks_.resize(files_.size());
    kept_->own.resize(files_.size());
    for (std::size_t part = 0; part < files_.size(); ++part) resolve(part);
    for (std::size_t part = 0; part < files_.size(); ++part) point(part);
  }

  [[nodiscard]] u32 parts() const override { return static_cast<u32>(files_.size()); }
  [[nodiscard]] std::unique_ptr<TraceReader> open(u32 part) const override {
    // Readers may outlive this.
    return std::make_unique<WeftTraceReader>(input_, numbers_[part],
                                             std::shared_ptr<const RankOfTrace>(kept_, &kept_->ranks[part]), inner_);
  }
  [[nodiscard]] std::string place(u32 part, u64 position) const override {
    return fmt::format("{}: byte {}", input_.files[numbers_[part]], position);
  }
  [[nodiscard]] std::vector<TraceCommunicator> communicators() const override { return communicators_; }
  [[nodiscard]] std::vector<TraceName> names() const override {
    std::vector<TraceName> names;
    for (const std::string_view name : records::call_names) names.push_back({std::string(name), true});
    names.push_back({"MPI_Test that finds nothing", true});
    names.push_back({"not recorded", true});
    for (const i64 mark : known_) names.push_back({fmt::format("MPI_Pcontrol {}", mark), false});
    return names;
  }
  [[nodiscard]] bool has_times() const override { return true; }
  [[nodiscard]] bool has_common_clock() const override {
    return std::ranges::all_of(files_, [](const RecordFile& of) { return of.header.clock == records::Clock::wall; });
  }
  [[nodiscard]] std::vector<std::string> notes() const override {
    std::vector<std::string> notes;
    for (const RecordFile& file : files_) {
      if (!file.note.empty()) notes.push_back(file.note);
    }
    return notes;
  }

 private:
  /// Communicators of several ranks are the same if their members are, and if each is the k-th of these.
  struct Key {
    bool is_internal;
    std::vector<u32> members;
    u32 occurrence;
    friend auto operator<=>(const Key&, const Key&) = default;
  };

  /// Sorts files by rank; one file alone may be of any.
  void order_files() {
    numbers_.resize(files_.size());
    std::iota(numbers_.begin(), numbers_.end(), std::size_t{0});
    std::ranges::sort(numbers_, {}, [&](std::size_t number) { return files_[number].header.rank; });
    std::vector<RecordFile> sorted;
    for (const std::size_t number : numbers_) sorted.push_back(std::move(files_[number]));
    files_ = std::move(sorted);
    if (!input_.several) return;
    for (u32 rank = 0; rank < files_[0].header.ranks; ++rank) {
      if (rank < files_.size() && files_[rank].header.rank == rank) continue;
      const bool twice = rank > 0 && rank < files_.size() && files_[rank].header.rank == rank - 1;
      throw InputError(fmt::format(
          "{}: {} (the program had {} ranks); give the folder as it was recorded", input_.path,
          twice ? fmt::format("rank {} is there twice", rank - 1) : fmt::format("the file of rank {} is missing", rank),
          files_[0].header.ranks));
    }
    if (files_.size() > files_[0].header.ranks)
      throw InputError(fmt::format("{}: rank {} is there twice; give the folder as it was recorded", input_.path,
                                   files_.back().header.rank));
  }

  /// Numbers of a rank's communicators in the whole trace.
  void resolve(std::size_t part) {
    std::map<std::pair<bool, std::vector<u32>>, u32> seen;
    for (const RecordedCommunicator& communicator : files_[part].communicators) {
      KnownCommunicator known;
      known.is_inter = communicator.is_inter;
      known.is_single = !communicator.is_inter && communicator.members.size() == 1;
      if (!known.is_single) {
        std::vector<u32> members = communicator.members;
        const std::vector<u32>& others = communicator.others;
        // Both groups of an inter-communicator, in the same order on both sides.
        if (!others.empty() && others < members)
          members.insert(members.begin(), others.begin(), others.end());
        else
          members.insert(members.end(), others.begin(), others.end());
        std::erase(members, RecordedCommunicator::no_task);
        const u32 occurrence = seen[{communicator.is_internal, members}]++;
        const auto [found, is_new] = numbers_of_.try_emplace(Key{communicator.is_internal, members, occurrence}, 0);
        if (is_new) {
          found->second = static_cast<u32>(communicators_.size());
          communicators_.push_back({members, communicator.is_internal});
          communicators_.push_back({std::move(members), true});
        }
        known.number = found->second;
      }
      ranks_[part].communicators[communicator.number] = known;
    }
  }

  /// What lies in files_ stays where it is from now on.
  void point(std::size_t part) {
    RankOfTrace& rank = ranks_[part];
    rank.file = &files_[part];
    for (const RecordedCommunicator& communicator : files_[part].communicators) {
      KnownCommunicator& known = rank.communicators[communicator.number];
      known.peers = communicator.is_inter ? &communicator.others : &communicator.members;
    }
    rank.communicators[records::world] = {.is_single = files_[0].header.ranks == 1};
    kept_->own[part] = {files_[part].header.rank};
    rank.communicators[records::self] = {.is_single = true, .peers = &kept_->own[part]};
    u32 name = first_mark_name;
    for (const i64 mark : known_) rank.marks[mark] = name++;
  }

  TraceInput input_;
  InnerMessages inner_;
  /// What readers need.
  struct Kept {
    std::vector<RecordFile> files;  ///< [part]
    std::vector<RankOfTrace> ranks;
    std::vector<std::vector<u32>> own;  ///< a rank alone
  };
  std::shared_ptr<Kept> kept_ = std::make_shared<Kept>();
  std::vector<RecordFile>& files_ = kept_->files;
  std::vector<RankOfTrace>& ranks_ = kept_->ranks;
  std::vector<std::size_t> numbers_;  ///< [part]: of input_.files
  std::vector<TraceCommunicator> communicators_;
  std::map<Key, u32> numbers_of_;
  std::set<i64> known_;  ///< marks
};

TraceFormat format_of(const char* help, InnerMessages inner, u32 place) {
  return {.help = help,
          .recognises = [](std::string_view head, const TraceInput& /*input*/) { return looks_recorded(head); },
          .open = [inner](const TraceInput& input) { return std::make_unique<WeftTraceSource>(input, inner); },
          .place = place};
}

[[maybe_unused]] const bool weft_trace_registered =
    TraceFormats::instance().add("weft", format_of("what weft trace record wrote: a folder; collective calls as the "
                                                   "messages that the MPI library sent for them, if these are there",
                                                   InnerMessages::as_recorded, 10)) &&
    TraceFormats::instance().add("weft-calls", format_of("the same, collective calls as calls, which weft carries out",
                                                         InnerMessages::as_calls, 11));

}  // namespace
}  // namespace weft::workloads
