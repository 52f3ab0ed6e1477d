// Opening logs of MPE: a first pass for what they define; pipes are kept in a file for the second.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "engine/error.hpp"
#include "workloads/trace/format/mpe/mpe_log.hpp"
#include "workloads/trace/format/mpe/mpe_reader.hpp"
#include "workloads/trace/store/store_file.hpp"

namespace weft::workloads {
namespace {

/// The bytes that a pipe gave.
class KeptSource final : public ByteSource {
 public:
  KeptSource(std::shared_ptr<const StoreFile> file, std::string name)
      : file_(std::move(file)), name_(std::move(name)) {}
  std::size_t read(char* to, std::size_t room) override {
    const std::size_t count = static_cast<std::size_t>(std::min<u64>(room, file_->bytes() - at_));
    if (count > 0) file_->read(at_, reinterpret_cast<u8*>(to), count);
    at_ += count;
    return count;
  }
  [[nodiscard]] const std::string& name() const override { return name_; }

 private:
  std::shared_ptr<const StoreFile> file_;
  std::string name_;
  u64 at_ = 0;
};

std::shared_ptr<const StoreFile> keep_pipe(const TraceInput& input) {
  const auto bytes = open_input(input);
  auto file = std::make_shared<StoreFile>(StoreFile::create(""));
  std::vector<char> buffer(std::size_t{256} * 1024);
  for (std::size_t got = bytes->read(buffer.data(), buffer.size()); got > 0;
       got = bytes->read(buffer.data(), buffer.size()))
    file->append(reinterpret_cast<const u8*>(buffer.data()), got);
  file->flush();
  return file;
}

class MpeSource final : public TraceSource {
 public:
  MpeSource(const TraceInput& input, MpeNumbering numbering, MpeOpener open) : input_(input), open_(std::move(open)) {
    if (input.several && input.files.size() > 1)
      throw InputError(
          fmt::format("{}: logs of MPE are one file (got {} files); name it", input.path, input.files.size()));
    if (input.once) kept_ = keep_pipe(input);
    const auto known = std::make_shared<MpeDefinitions>(numbering);
    std::vector<MpeRecord> records;
    bool again = true;
    while (again) {
      const auto log = open_(bytes_again(), *known, known.get());
      while (log->read(records))
        for (const MpeRecord& record : records) known->survey(record);
      again = known->finish_survey();
    }
    known_ = known;
  }
  [[nodiscard]] std::unique_ptr<TraceReader> open(u32 /*part*/) const override {
    return std::make_unique<MpeReader>(open_(bytes_again(), *known_, nullptr), known_);
  }
  [[nodiscard]] std::string place(u32 /*part*/, u64 position) const override {
    return open_(bytes_again(), *known_, nullptr)->place(position);
  }
  [[nodiscard]] std::vector<TraceCommunicator> communicators() const override { return known_->communicators; }
  [[nodiscard]] std::vector<TraceName> names() const override { return known_->names; }
  [[nodiscard]] bool has_times() const override { return true; }
  [[nodiscard]] u64 bytes() const override {
    std::error_code error;
    const auto size = input_.is_file() ? std::filesystem::file_size(input_.files[0], error) : 0;
    return error ? 0 : size;
  }

 private:
  [[nodiscard]] std::unique_ptr<ByteSource> bytes_again() const {
    if (kept_) return std::make_unique<KeptSource>(kept_, input_.files[0]);
    return open_input(input_);
  }

  TraceInput input_;
  MpeOpener open_;
  std::shared_ptr<const StoreFile> kept_;
  std::shared_ptr<const MpeDefinitions> known_;
};

}  // namespace

std::unique_ptr<TraceSource> open_mpe(const TraceInput& input, MpeNumbering numbering, MpeOpener open) {
  return std::make_unique<MpeSource>(input, numbering, std::move(open));
}

}  // namespace weft::workloads
