// The wrapped wavefront arbiter (Tamir and Chi: Symmetric Crossbar Arbiters for VLSI Communication Switches, 1993):
// diagonals of the matrix of inputs and outputs are served one after the other. Where the first diagonal moves by one
// each time, an input behind one that asks for nothing gets its turn and that one's, twice what others get; so the rows
// of the matrix are in a random order each time.
#include <algorithm>
#include <numeric>

#include "engine/random.hpp"
#include "models/arbiter/greedy.hpp"

namespace weft::models::arbiter {
namespace {

class Wavefront final : public Scheduler {
 public:
  void grant(const Contest& contest, std::vector<u32>& granted) override {
    const auto& requests = contest.requests;
    const u32 ports = contest.ports;
    draw_rows(contest);
    order_.clear();
    for (u32 r = 0; r < requests.size(); ++r)
      order_.push_back({(row_[requests[r].input] + requests[r].output) % ports, r});
    std::ranges::sort(order_, [&](const Entry& a, const Entry& b) {
      if (a.diagonal != b.diagonal) return a.diagonal < b.diagonal;
      const Request &x = requests[a.request], &y = requests[b.request];
      if (x.input != y.input) return x.input < y.input;
      const u64 first = engine::remix(contest.bits, a.request), second = engine::remix(contest.bits, b.request);
      return first != second ? first < second : a.request < b.request;
    });
    greedy_.grant(contest, order_, granted, &Entry::request);
  }

 private:
  struct Entry {
    u32 diagonal, request;
  };
  void draw_rows(const Contest& contest) {
    row_.resize(contest.ports);
    std::iota(row_.begin(), row_.end(), 0U);
    for (u32 left = contest.ports; left > 1; --left) {
      const u64 draw = engine::remix(contest.bits, u64{left} << 32) >> 32;
      std::swap(row_[left - 1], row_[draw * left >> 32]);
    }
  }
  std::vector<Entry> order_;
  std::vector<u32> row_;  ///< [input]
  Greedy greedy_;
};

[[maybe_unused]] const bool wavefront_registered = SchedulerRegistry::instance().add(
    "wavefront",
    {.help = "diagonals of inputs, in a random order, and outputs (wrapped wavefront arbiter, Tamir and Chi 1993).",
     .machines = {"switch"},
     .make = [](const Parameters&) { return std::make_unique<Wavefront>(); }});

}  // namespace
}  // namespace weft::models::arbiter
