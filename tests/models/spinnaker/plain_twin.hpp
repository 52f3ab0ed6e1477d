// The model of docs/spinnaker.md once more, as a loop over cycles with nothing but lists: slow, and without a line of
// the real one.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "tests/models/network/scripted_network.hpp"

namespace weft::models::testing {

/// A network of chips on a triangular torus; one tick a cycle.
class PlainTwin {
 public:
  struct Setup {
    int x = 4, y = 4;
    Tick phits = 1, link = 1, slow = 0, wait = 0, emergency_wait = 0;
    bool emergency = true, multicast = false;
    std::size_t queue = 4, injection = 12;
    std::set<std::pair<int, int>> failed;          ///< router, compass direction; both ends
    std::function<std::vector<u32>(u32)> targets;  ///< ascending, of multicast
    std::size_t kept = 0;                          ///< packets of a monitor core; 0: there is none
    Tick look = 1;                                 ///< cycles from one of its looks to the next
  };
  explicit PlainTwin(Setup setup) : setup_(std::move(setup)), chips_(static_cast<std::size_t>(setup_.x * setup_.y)) {
    if (setup_.multicast) plant_trees();
  }

  /// Runs until nothing is left.
  void run(const std::vector<Send>& script) {
    std::map<u32, std::deque<Send>> sources;
    for (const Send& send : script) sources[send.from].push_back(send);
    for (auto& [node, sends] : sources)
      std::stable_sort(sends.begin(), sends.end(), [](const Send& a, const Send& b) { return a.tick < b.tick; });
    for (Tick now = 0; busy_ || now == 0; ++now) {
      busy_ = false;
      arrive(now);
      for (auto& [node, sends] : sources) {
        auto& own = chips_[node].inputs[own_port];
        while (!sends.empty() && sends.front().tick <= now && own.size() < setup_.injection) {
          own.push_back(packet_of(sends.front(), now));
          sends.pop_front();
        }
        busy_ = busy_ || !sends.empty();
      }
      for (int chip = 0; chip < setup_.x * setup_.y; ++chip) step(chip, now);
      busy_ = busy_ || !flying_.empty();
    }
    std::sort(deliveries.begin(), deliveries.end());
  }

  std::vector<Delivery> deliveries;
  u64 dropped = 0, detours = 0, put_back = 0;

 private:
  enum class Kind { whole_packet, credit, consumed };
  enum class Mark { none, first_leg, second_leg };
  struct Packet {
    u32 from = 0, to = 0;
    Tick generated = 0;
    std::deque<int> way;  ///< directions left, of unicast
    Mark mark = Mark::none;
  };
  struct Event {
    Kind kind;
    int chip, port;
    Packet packet;
  };
  struct Kept {
    Packet packet;
    std::set<int> outputs;
  };
  struct Chip {
    std::deque<Packet> inputs[7];
    std::size_t promised[6] = {};  ///< packets in the far queue or on their way there, by direction
    Tick link_free[7] = {};
    std::map<int, int> last;  ///< side that an arbiter served last
    bool full = false;        ///< the engine
    Packet packet;
    int input = 0;
    std::set<int> outputs;  ///< directions, own_port
    Tick since = 0, again = 0;
    std::deque<Kept> monitor;  ///< the first one stands at the tree of arbiters if `offered`
    bool offered = false, sending = false;
  };

  // Directions go counter-clockwise from the east.
  static constexpr int own_port = 6, monitor_port = 7;
  static constexpr int dx[6] = {1, 1, 0, -1, -1, 0}, dy[6] = {0, 1, 1, 0, -1, -1};
  /// Where the topology has them, for the tree of arbiters and the order in which outputs are served.
  static constexpr int port_of[7] = {0, 4, 2, 1, 5, 3, 6}, direction_at[7] = {0, 3, 2, 5, 1, 4, 6};

  int beside(int chip, int direction) const {
    const int at_x = (chip % setup_.x + dx[direction] + setup_.x) % setup_.x;
    return (chip / setup_.x + dy[direction] + setup_.y) % setup_.y * setup_.x + at_x;
  }
  static int back(int direction) { return (direction + 3) % 6; }

  /// Straight or round in x and y, with and without the diagonal, the first of the shortest.
  std::deque<int> shortest(u32 from, u32 to) const {
    std::deque<int> best;
    bool found = false;
    const int apart_x = static_cast<int>(to) % setup_.x - static_cast<int>(from) % setup_.x;
    const int apart_y = static_cast<int>(to) / setup_.x - static_cast<int>(from) / setup_.x;
    for (const int a : {apart_x, apart_x + (apart_x > 0 ? -setup_.x : setup_.x)}) {
      for (const int b : {apart_y, apart_y + (apart_y > 0 ? -setup_.y : setup_.y)}) {
        for (const int diagonals : {b, a, 0}) {
          std::deque<int> way;
          const auto go = [&](int steps, int up) {
            for (int k = 0; k < std::abs(steps); ++k) way.push_back(steps > 0 ? up : back(up));
          };
          go(a - diagonals, 0);
          go(b - diagonals, 2);
          go(diagonals, 1);
          if (found && way.size() >= best.size()) continue;
          best = way;
          found = true;
        }
      }
    }
    return best;
  }
  void plant_trees() {
    for (u32 source = 0; source < chips_.size(); ++source) {
      auto& tree = trees_[source];
      for (const u32 target : setup_.targets(source)) {
        const std::deque<int> way = shortest(source, target);
        std::vector<int> passed{static_cast<int>(source)};
        for (const int direction : way) passed.push_back(beside(passed.back(), direction));
        std::size_t from = way.size();
        while (from > 0 && !tree.contains(passed[from])) --from;
        for (std::size_t k = from; k < way.size(); ++k) tree[passed[k]].insert(way[k]);
        tree[passed.back()].insert(own_port);
      }
    }
  }
  Packet packet_of(const Send& send, Tick now) const {
    Packet packet{send.from, send.to, now, {}, Mark::none};
    if (!setup_.multicast) packet.way = shortest(send.from, send.to);
    return packet;
  }
  void arrive(Tick now) {
    for (const Event& event : flying_[now]) {
      Chip& chip = chips_[static_cast<std::size_t>(event.chip)];
      if (event.kind == Kind::whole_packet) chip.inputs[event.port].push_back(event.packet);
      if (event.kind == Kind::credit) --chip.promised[event.port];
      if (event.kind == Kind::consumed)
        deliveries.push_back({now - 1, event.packet.from, static_cast<u32>(event.chip), event.packet.generated});
    }
    flying_.erase(now);
  }
  bool open(int at, int direction, Tick now) const {
    const Chip& chip = chips_[static_cast<std::size_t>(at)];
    if (chip.link_free[direction] > now) return false;
    return direction == own_port ||
           (!setup_.failed.contains({at, direction}) && chip.promised[direction] < setup_.queue);
  }
  /// Input that the arbiter over [low, high) of the topology's ports lets through; -1: none.
  int merged(Chip& chip, int low, int high) {
    if (low == 7) return chip.offered ? monitor_port : -1;
    if (high - low == 1) return !chip.inputs[direction_at[low]].empty() ? direction_at[low] : -1;
    const int middle = (low + high) / 2, name = low * 8 + high;
    auto before = chip.last;  // arbiters whose packet does not get through keep their turn
    const int one = merged(chip, low, middle);
    auto after_one = chip.last;
    chip.last = before;
    const int other = merged(chip, middle, high);
    const bool second = other >= 0 && (one < 0 || (before.contains(name) && before[name] == 0));
    if (!second) chip.last = after_one;
    if (one >= 0 || other >= 0) chip.last[name] = second ? 1 : 0;
    return second ? other : one;
  }
  void take(int at, Tick now) {
    Chip& chip = chips_[static_cast<std::size_t>(at)];
    const int input = merged(chip, 0, 8);
    if (input < 0) return;
    if (input == monitor_port) {
      chip.packet = chip.monitor.front().packet;
      chip.outputs = chip.monitor.front().outputs;
      chip.monitor.pop_front();
      chip.offered = false;
      chip.since = now;
      chip.full = true;
      ++put_back;
      return;
    }
    chip.packet = chip.inputs[input].front();
    chip.inputs[input].pop_front();
    chip.input = input;
    chip.since = now;
    chip.full = true;
    if (input != own_port) flying_[now + setup_.link].push_back({Kind::credit, beside(at, input), back(input), {}});
    if (chip.packet.mark == Mark::first_leg) {
      chip.outputs = {(back(input) + 4) % 6};
    } else if (setup_.multicast) {
      chip.outputs = trees_[chip.packet.from][at];
    } else {
      chip.outputs = {chip.packet.way.empty() ? own_port : chip.packet.way.front()};
    }
  }
  void put(int at, int direction, Packet packet, Mark mark, Tick now) {
    Chip& chip = chips_[static_cast<std::size_t>(at)];
    chip.link_free[direction] = now + setup_.phits;
    if (direction == own_port) {
      flying_[now + setup_.phits].push_back({Kind::consumed, at, 0, packet});
      return;
    }
    ++chip.promised[direction];
    if (packet.mark != Mark::first_leg && !packet.way.empty()) packet.way.pop_front();
    packet.mark = mark;
    flying_[now + setup_.link + setup_.phits - 1 + setup_.slow].push_back(
        {Kind::whole_packet, beside(at, direction), back(direction), packet});
  }
  /// What is left goes to the monitor core, if it has a place and there is any hope.
  void give_up(int at) {
    Chip& chip = chips_[static_cast<std::size_t>(at)];
    Kept kept{chip.packet, {}};
    for (const int output : chip.outputs) {
      const bool straight = output == own_port || !setup_.failed.contains({at, output});
      const bool round = setup_.emergency && chip.packet.mark != Mark::first_leg && output != own_port &&
                         !setup_.failed.contains({at, (output + 1) % 6});
      if (chip.monitor.size() < setup_.kept && (straight || round)) {
        kept.outputs.insert(output);
      } else {
        ++dropped;
      }
    }
    if (!kept.outputs.empty()) chip.monitor.push_back(kept);
  }
  void step(int at, Tick now) {
    Chip& chip = chips_[static_cast<std::size_t>(at)];
    bool some = false;
    for (const auto& input : chip.inputs) some = some || !input.empty();
    if (setup_.kept > 0 && now % setup_.look == 0 && !chip.full && !chip.monitor.empty() && !chip.offered)
      chip.offered = chip.sending = true;
    some = some || chip.offered;
    if (!chip.full && some && now >= chip.again) take(at, now);
    if (chip.full) {
      const Packet packet = chip.packet;
      const auto each = [&](const std::function<bool(int)>& gone) {
        for (int port = 0; port < 7; ++port) {
          const int output = direction_at[port];
          if (chip.outputs.contains(output) && gone(output)) chip.outputs.erase(output);
        }
      };
      each([&](int output) {
        if (!open(at, output, now)) return false;
        put(at, output, packet, packet.mark == Mark::first_leg ? Mark::second_leg : Mark::none, now);
        return true;
      });
      if (setup_.emergency && packet.mark != Mark::first_leg && now >= chip.since + setup_.wait) {
        each([&](int output) {
          if (output == own_port || !open(at, (output + 1) % 6, now)) return false;
          ++detours;
          put(at, (output + 1) % 6, packet, Mark::first_leg, now);
          return true;
        });
      }
      if (now >= chip.since + setup_.wait + setup_.emergency_wait) {
        give_up(at);
        chip.outputs.clear();
      }
      if (chip.outputs.empty()) {
        chip.full = false;
        chip.again = now + 1;
      }
    }
    if (chip.sending && !chip.offered) chip.sending = chip.offered = !chip.full && !chip.monitor.empty();
    busy_ = busy_ || chip.full || !chip.monitor.empty();
    for (const auto& input : chip.inputs) busy_ = busy_ || !input.empty();
  }

  Setup setup_;
  std::vector<Chip> chips_;
  std::map<u32, std::map<int, std::set<int>>> trees_;  ///< [source][chip] outputs
  std::map<Tick, std::vector<Event>> flying_;
  bool busy_ = true;
};

}  // namespace weft::models::testing
