// The model of docs/rotary.md once more, as a loop over cycles with nothing but lists, in two dimensions: slow, and
// without a line of the real one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <map>
#include <vector>

#include "engine/random.hpp"
#include "models/core/packet.hpp"
#include "tests/models/network/scripted_network.hpp"

namespace weft::models::testing {

/// A torus or mesh of rotary routers; one tick a cycle. Sides of a torus are odd, so that no two ways are as short.
class RotaryTwin {
 public:
  struct Setup {
    int x = 5, y = 5;
    bool wrap = true;
    Tick phits = 1, link = 1, slow = 0, buffer_cycles = 1;
    std::size_t queue = 4, injection = 12, buffer = 4, output = 2;
    int rounds = 4;
    std::size_t transit = 2;     ///< packets for each buffer that a ring takes from links
    std::size_t new_beside = 0;  ///< packets that a buffer may hold when a new one enters it
  };
  explicit RotaryTwin(Setup setup) : setup_(setup), chips_(static_cast<std::size_t>(setup.x * setup.y)) {}

  /// Runs until nothing is left, `most` cycles at most.
  void run(const std::vector<Send>& script, Tick most) {
    std::map<u32, std::deque<Send>> sources;
    std::map<u32, u64> sent;
    for (const Send& send : script) sources[send.from].push_back(send);
    for (auto& [node, sends] : sources)
      std::stable_sort(sends.begin(), sends.end(), [](const Send& a, const Send& b) { return a.tick < b.tick; });
    for (Tick now = 0; now < most && deliveries.size() < script.size(); ++now) {
      for (const Event& event : flying_[now]) arrive(event, now);
      flying_.erase(now);
      for (auto& [node, sends] : sources) {
        auto& own = chips_[node].in[node_place];
        while (!sends.empty() && sends.front().tick <= now && own.size() < setup_.injection) {
          own.push_back(packet_of(sends.front(), now, sent[node]++));
          sends.pop_front();
        }
      }
      for (int chip = 0; chip < setup_.x * setup_.y; ++chip) step(chip, now);
    }
    std::sort(deliveries.begin(), deliveries.end());
  }

  std::vector<Delivery> deliveries;
  u64 misrouted = 0, rounds_begun = 0;

 private:
  // Places: east, north, west, node, south.
  static constexpr int node_place = 3;
  static constexpr int dx[5] = {1, 0, -1, 0, 0}, dy[5] = {0, 1, 0, 0, -1}, back[5] = {2, 4, 0, 3, 1};
  static int after(int ring, int place) { return (place + (ring == 0 ? 1 : 4)) % 5; }

  struct Packet {
    models::Packet name;
    int to_x = 0, to_y = 0;  ///< hops to go
    int entered = 0, links = 0;
    Tick ready = 0;
  };
  struct Event {
    enum class Kind { header, credit, consumed } kind;
    int chip, place;
    Packet packet;
  };
  struct Buffer {
    std::array<std::deque<Packet>, 2> lanes;
    std::array<Tick, 2> read = {}, written = {};
    Tick out = 0, on = 0;
    int turn = 0;
    [[nodiscard]] std::size_t size() const { return lanes[0].size() + lanes[1].size(); }
  };
  struct Chip {
    std::array<std::deque<Packet>, 5> in;
    std::array<std::array<std::deque<Packet>, 2>, 5> out;
    std::array<std::array<Buffer, 5>, 2> rings;
    std::array<Tick, 5> link_free = {}, stage_free = {};
    std::array<std::size_t, 5> promised = {};
    std::array<int, 5> turn = {};
  };

  int beside(int chip, int place) const {
    int x = chip % setup_.x + dx[place], y = chip / setup_.x + dy[place];
    if (!setup_.wrap && (x < 0 || y < 0 || x >= setup_.x || y >= setup_.y)) return -1;
    x = (x + setup_.x) % setup_.x;
    y = (y + setup_.y) % setup_.y;
    return y * setup_.x + x;
  }
  int shortest(int apart, int side) const {
    if (!setup_.wrap) return apart;
    const int up = (apart % side + side) % side;
    return up <= side / 2 ? up : up - side;
  }
  void aim(Packet& packet, int at) const {
    const int to = static_cast<int>(packet.name.to);
    packet.to_x = shortest(to % setup_.x - at % setup_.x, setup_.x);
    packet.to_y = shortest(to / setup_.x - at / setup_.x, setup_.y);
  }
  Packet packet_of(const Send& send, Tick now, u64 number) const {
    Packet packet;
    packet.name.from = send.from;
    packet.name.to = send.to;
    packet.name.ties = static_cast<u8>(engine::random_bits(7, send.from, number, engine::Use::test));  // as the host's
    packet.name.set_generated_at(now);
    aim(packet, static_cast<int>(send.from));
    return packet;
  }
  void arrive(const Event& event, Tick now) {
    Chip& chip = chips_[static_cast<std::size_t>(event.chip)];
    const auto place = static_cast<std::size_t>(event.place);
    if (event.kind == Event::Kind::header) chip.in[place].push_back(event.packet);
    if (event.kind == Event::Kind::credit) --chip.promised[place];
    if (event.kind == Event::Kind::consumed)
      deliveries.push_back(
          {now - 1, event.packet.name.from, event.packet.name.to, static_cast<Tick>(event.packet.name.generated_at())});
  }
  bool leads_nearer(const Packet& packet, int place) const {
    return dx[place] * packet.to_x > 0 || dy[place] * packet.to_y > 0;
  }
  bool may_leave(int at, int place, const Packet& packet) const {
    const bool home = packet.to_x == 0 && packet.to_y == 0;
    if (place == node_place) return home;
    if (home || beside(at, place) < 0) return false;
    if (leads_nearer(packet, place)) return true;
    const u64 what =
        static_cast<u64>(packet.links) << 32 | static_cast<u64>(packet.entered) << 8 | static_cast<u64>(place);
    return packet.entered > 5 * setup_.rounds && (engine::remix(packet.name.identity(), what) & 1) != 0;
  }
  std::size_t free_in(const Chip& chip, int ring) const {
    std::size_t free = 0;
    for (const Buffer& buffer : chip.rings[static_cast<std::size_t>(ring)]) free += setup_.buffer - buffer.size();
    return free;
  }
  void enter(Buffer& to, Packet packet, Tick now) {
    ++packet.entered;
    packet.ready = now + setup_.buffer_cycles;
    std::size_t lane = to.written[0] <= now ? 0 : 1;
    if (to.written[0] <= now && to.written[1] <= now) lane = to.lanes[1].size() < to.lanes[0].size() ? 1 : 0;
    to.lanes[lane].push_back(packet);
    to.written[lane] = now + setup_.phits;
  }
  void step(int at, Tick now) {
    Chip& chip = chips_[static_cast<std::size_t>(at)];
    for (int ring = 0; ring < 2; ++ring) {
      for (int place = 0; place < 5; ++place) turn_round(chip, at, ring, place, now);
    }
    for (int place = 0; place < 5; ++place) send(chip, at, place, now);
    for (int place = 0; place < 5; ++place) let_in(chip, at, place, now);
  }
  void turn_round(Chip& chip, int at, int ring, int place, Tick now) {
    auto& buffers = chip.rings[static_cast<std::size_t>(ring)];
    Buffer& here = buffers[static_cast<std::size_t>(place)];
    Buffer& next = buffers[static_cast<std::size_t>(after(ring, place))];
    const int first = here.turn;
    for (const int lane : {first, 1 - first}) {
      const auto l = static_cast<std::size_t>(lane);
      if (here.lanes[l].empty() || here.read[l] > now || here.lanes[l].front().ready > now) continue;
      auto& stage = chip.out[static_cast<std::size_t>(place)][static_cast<std::size_t>(ring)];
      const Packet packet = here.lanes[l].front();
      const bool out = here.out <= now && stage.size() < setup_.output && may_leave(at, place, packet);
      if (!out && (here.on > now || next.size() >= setup_.buffer || next.size() > here.size())) continue;
      here.lanes[l].pop_front();
      here.read[l] = now + setup_.phits;
      here.turn = 1 - lane;
      if (out) {
        here.out = now + setup_.phits;
        stage.push_back(packet);
      } else {
        here.on = now + setup_.phits;
        if (packet.entered == 5) ++rounds_begun;
        enter(next, packet, now);
      }
    }
  }
  void send(Chip& chip, int at, int place, Tick now) {
    const auto p = static_cast<std::size_t>(place);
    const int far = place == node_place ? at : beside(at, place);
    if (far < 0 || chip.link_free[p] > now) return;
    if (place != node_place && chip.promised[p] >= setup_.queue) return;
    int ring = chip.turn[p];
    if (chip.out[p][static_cast<std::size_t>(ring)].empty()) ring = 1 - ring;
    auto& stage = chip.out[p][static_cast<std::size_t>(ring)];
    if (stage.empty()) return;
    Packet packet = stage.front();
    stage.pop_front();
    chip.turn[p] = 1 - ring;
    chip.link_free[p] = now + setup_.phits;
    if (place == node_place) {
      flying_[now + setup_.phits].push_back({Event::Kind::consumed, at, place, packet});
      return;
    }
    ++chip.promised[p];
    if (leads_nearer(packet, place)) {
      packet.to_x -= dx[place];
      packet.to_y -= dy[place];
    } else {
      ++misrouted;
      aim(packet, far);
    }
    packet.entered = 0;
    ++packet.links;
    flying_[now + setup_.link + setup_.slow].push_back({Event::Kind::header, far, back[place], packet});
  }
  void let_in(Chip& chip, int at, int place, Tick now) {
    const auto p = static_cast<std::size_t>(place);
    if (chip.in[p].empty() || chip.stage_free[p] > now) return;
    const Packet packet = chip.in[p].front();
    std::array<bool, 2> open = {};
    std::array<std::size_t, 2> full = {}, far = {};
    for (std::size_t ring = 0; ring < 2; ++ring) {
      int to = after(static_cast<int>(ring), place);
      full[ring] = chip.rings[ring][static_cast<std::size_t>(to)].size();
      const std::size_t limit = std::min(5 * setup_.transit, 5 * setup_.buffer - 1);
      const std::size_t then = 5 * setup_.buffer - free_in(chip, static_cast<int>(ring)) + 1;
      open[ring] = full[ring] < setup_.buffer && then <= limit;
      if (place == node_place) open[ring] = open[ring] && then < limit && full[ring] <= setup_.new_beside;
      for (far[ring] = 1; far[ring] < 5 && !may_leave(at, to, packet); ++far[ring])
        to = after(static_cast<int>(ring), to);
    }
    if (!open[0] && !open[1]) return;
    std::size_t ring = open[0] ? 0 : 1;
    if (open[0] && open[1]) {
      ring = engine::remix(packet.name.identity(), static_cast<u64>(at)) & 1;
      if (far[0] != far[1]) ring = far[1] < far[0] ? 1 : 0;
      if (full[0] != full[1]) ring = full[1] < full[0] ? 1 : 0;
    }
    chip.in[p].pop_front();
    chip.stage_free[p] = now + setup_.phits;
    if (place != node_place)
      flying_[now + setup_.link].push_back({Event::Kind::credit, beside(at, place), back[place], {}});
    enter(chip.rings[ring][static_cast<std::size_t>(after(static_cast<int>(ring), place))], packet, now);
  }

  Setup setup_;
  std::vector<Chip> chips_;
  std::map<Tick, std::vector<Event>> flying_;
};

}  // namespace weft::models::testing
