// A scheduler of crossbars from outside the source folders: docs/adding-a-scheduler.md.
#include <algorithm>

#include "models/arbiter/greedy.hpp"

namespace weft::models::arbiter {
namespace {

/// Classes in order, where packets rise by a class for each router.aging_ticks that have passed since they were
/// generated, router.aging_classes at most; equals by age.
class Aging final : public Scheduler {
 public:
  explicit Aging(const Parameters& keys)
      : ticks_(static_cast<Tick>(keys.integer("aging_ticks"))),
        most_(static_cast<Tick>(keys.integer("aging_classes"))) {}

  void grant(const Contest& contest, std::vector<u32>& granted) override {
    order_.clear();
    for (u32 r = 0; r < contest.requests.size(); ++r) order_.push_back(r);
    std::ranges::stable_sort(order_, [&](u32 a, u32 b) {
      const Request &x = contest.requests[a], &y = contest.requests[b];
      const i64 first = level(x, contest.now), second = level(y, contest.now);
      return first != second ? first < second : x.generated_at < y.generated_at;
    });
    greedy_.grant(contest, order_, granted);
  }

 private:
  [[nodiscard]] i64 level(const Request& request, Tick now) const {
    return i64{request.traffic_class} - static_cast<i64>(std::min(most_, (now - request.generated_at) / ticks_));
  }

  Tick ticks_, most_;
  std::vector<u32> order_;
  Greedy greedy_;
};

const bool aging_registered = SchedulerRegistry::instance().add(
    "aging",
    {.help = "traffic classes in order; packets rise by one for each router.aging_ticks of their age.",
     .machines = {"switch", "wormhole"},
     .make = [](const Parameters& keys) { return std::make_unique<Aging>(keys); },
     .settings = {
         row::integer("router.aging_ticks", "ticks", 1000, {1, 1 << 30}, "after which a packet rises a class."),
         row::integer("router.aging_classes", "classes", 8, {0, 255}, "that a packet rises at most.")}});

}  // namespace
}  // namespace weft::models::arbiter
