// Inputs read again; see the header.
#include "workloads/trace/format/kept_input.hpp"

#include <algorithm>
#include <vector>

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

}  // namespace

KeptInput::KeptInput(const TraceInput& input) : input_(input) {
  if (!input.once) return;
  const auto bytes = open_input(input);
  auto file = std::make_shared<StoreFile>(StoreFile::temporary("trace"));
  std::vector<char> buffer(std::size_t{256} * 1024);
  for (std::size_t got = bytes->read(buffer.data(), buffer.size()); got > 0;
       got = bytes->read(buffer.data(), buffer.size()))
    file->append(reinterpret_cast<const u8*>(buffer.data()), got);
  file->flush();
  kept_ = file;
}

std::unique_ptr<ByteSource> KeptInput::open() const {
  if (kept_) return std::make_unique<KeptSource>(kept_, input_.files[0]);
  return open_input(input_);
}

}  // namespace weft::workloads
