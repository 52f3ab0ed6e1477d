// Longest queue first: the greedy approximation of the matching with most weight, where a queue weighs what it holds
// (McKeown, Mekkittikul, Anantharam, Walrand: Achieving 100% Throughput in an Input-Queued Switch, 1999).
#include <algorithm>

#include "engine/random.hpp"
#include "models/arbiter/greedy.hpp"

namespace weft::models::arbiter {
namespace {

class LongestQueue final : public Scheduler {
 public:
  void grant(const Contest& contest, std::vector<u32>& granted) override {
    const auto& requests = contest.requests;
    order_.clear();
    for (u32 r = 0; r < requests.size(); ++r) {
      const u64 draw =
          engine::remix(contest.bits, u64{requests[r].input} << 32 | requests[r].output << 8 | requests[r].vc);
      order_.push_back({requests[r].queued_cells, draw, r});
    }
    std::ranges::sort(order_, [](const Entry& a, const Entry& b) {
      return a.cells != b.cells ? a.cells > b.cells : a.draw != b.draw ? a.draw < b.draw : a.request < b.request;
    });
    greedy_.grant(contest, order_, granted, &Entry::request);
  }

 private:
  struct Entry {
    u32 cells;
    u64 draw;  ///< among equals
    u32 request;
  };
  std::vector<Entry> order_;
  Greedy greedy_;
};

[[maybe_unused]] const bool longest_queue_registered = SchedulerRegistry::instance().add(
    "longest-queue", {.help = "the longest queue first, equals by random draw (greedy LQF, McKeown et al. 1999).",
                      .machines = {"switch"},
                      .make = [](const Parameters&) { return std::make_unique<LongestQueue>(); },
                      .counts_queues = true});

}  // namespace
}  // namespace weft::models::arbiter
