// The transport of a process alone.
#include <cstdlib>

#include "engine/base/error.hpp"
#include "engine/transport.hpp"

namespace weft::engine {
namespace {

class SingleProcess final : public Transport {
 public:
  [[nodiscard]] u32 rank() const override { return 0; }
  [[nodiscard]] u32 size() const override { return 1; }
  void exchange(std::span<const Batch>, std::span<Batch>) override {}
  void post(u32, std::vector<std::byte>&) override { throw Bug("a batch was posted although there is no other rank"); }
  void advance() override {}
  void receive(Batch&) override { throw Bug("a batch was awaited although there is no other rank"); }
  void complete_sends() override {}
  void sum(std::span<u64>) override {}
  void min(std::span<u64>) override {}
  void max(std::span<u64>) override {}
  std::vector<std::vector<std::byte>> gather(std::span<const std::byte> mine) override {
    return {{mine.begin(), mine.end()}};
  }
  void broadcast(std::vector<std::byte>&) override {}
  void barrier() override {}
  [[nodiscard]] double blocked_s() const override { return 0; }
  [[nodiscard]] double exchange_s() const override { return 0; }
  [[noreturn]] void abort(int code) override { std::_Exit(code); }
};

}  // namespace

std::unique_ptr<Transport> single_process() { return std::make_unique<SingleProcess>(); }

}  // namespace weft::engine
