// What the outputs of a CellNetwork know of the buffers behind them: credits, those that come one by one, shared
// buffers; and what routes see of it.
#pragma once

#include <algorithm>

#include "models/machine/cells/cell_network_class.hpp"

namespace weft::models::cells {

template <class Host>
inline void CellNetwork<Host>::add_credits(const Entity& s, u32 port, u32 vc, i32 by) {
  i32& own = credits(s, port, vc);
  if (switch_.shared) [[unlikely]]
    shared_left_[s.first_port + port] += std::max(0, -own) - std::max(0, -own - by);
  own += by;
}

template <class Host>
inline i64 CellNetwork<Host>::free_space(const Entity& s, u32 port, u32 vc, Tick now) {
  const Port& p = port_at(s, port);
  if (switch_.shared) [[unlikely]]
    return shared_space(s, port, vc, p.streamed(p.stream_vc, now));
  return i64{credits(s, port, vc)} + p.streamed(vc, now);
}

template <class Host>
inline i64 CellNetwork<Host>::shared_space(const Entity& s, u32 port, u32 vc, u32 streamed) {
  const Port& p = port_at(s, port);
  const i64 own = i64{credits(s, port, vc)} + (vc == p.stream_vc ? streamed : 0);
  return std::max<i64>(0, own) + shared_left_[s.first_port + port] + shared_part(s, port, streamed);
}

template <class Host>
inline u32 CellNetwork<Host>::shared_part(const Entity& s, u32 port, u32 cells) {
  const i32 own = credits(s, port, port_at(s, port).stream_vc);
  return own < 0 ? std::min(cells, static_cast<u32>(-own)) : 0;
}

template <class Host>
inline u32 CellNetwork<Host>::cells_taken(const Entity& s, u32 port, u32 vc, Tick now) {
  const Wire& wire = wire_at(s, port);
  if (!wire.connected || wire.to_node) return 0;
  const i64 free = i64{credits(s, port, vc)} + port_at(s, port).streamed(vc, now);
  return static_cast<u32>(i64{own_cells()} - free);
}

template <class Host>
inline Tick CellNetwork<Host>::free_space_at(const Entity& s, u32 port, u32 vc, u32 cells, Tick now) {
  i64 lacking = i64{cells} - credits(s, port, vc);
  if (lacking <= 0) [[likely]]
    return now;
  Port& p = port_at(s, port);
  u32 coming = vc == p.stream_vc ? p.stream_cells : 0;  // of credits that come one by one, those that are of use here
  if (switch_.shared) [[unlikely]] {
    lacking = i64{cells} - shared_space(s, port, vc, 0);
    if (vc != p.stream_vc) coming = shared_part(s, port, p.stream_cells);
  }
  if (lacking <= 0) return now;
  if (lacking > coming) {
    p.awaited = 1;
    awaits_ = true;
    return never;
  }
  return std::max(now, p.stream_start + static_cast<Tick>(lacking - 1) * p.stream_spacing);
}

template <class Host>
class CellNetwork<Host>::Outputs final : public Occupancy {
 public:
  Outputs(CellNetwork& network, u32 entity, u32 base, Tick now)
      : network_(network), s_(network.entities_[entity]), entity_(entity), base_(base), now_(now) {}
  [[nodiscard]] u32 waiting(u32 port) const override { return network_.port_at(s_, port).waiting_cells; }
  [[nodiscard]] u32 taken(u32 port, u32 channel) const override {
    return network_.cells_taken(s_, port, base_ + channel, now_);
  }
  [[nodiscard]] u32 load(u32 port) const override {
    u32 cells = waiting(port);
    for (u32 vc = 0; vc < network_.channels_; ++vc) cells += network_.cells_taken(s_, port, vc, now_);
    return cells;
  }
  [[nodiscard]] u32 remote_waiting(u32 port, u32 far_port) const override {
    return network_.remote_occupancy_.waiting(entity_, port, far_port);
  }

 private:
  CellNetwork& network_;
  const Entity& s_;
  u32 entity_, base_;
  Tick now_;
};

}  // namespace weft::models::cells
