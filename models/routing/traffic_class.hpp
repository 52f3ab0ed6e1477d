// Which traffic class a packet is of.
#pragma once

#include <span>

#include "engine/base/types.hpp"
#include "engine/random.hpp"

namespace weft::models {

/// The class of the packet that `bits` were drawn for; `shares`: a weight for each class, at least one above 0.
[[nodiscard]] inline u32 traffic_class(u64 bits, std::span<const u32> shares) {
  constexpr u64 place = 0x636c617373;  // among the draws made of the same bits, by sources and by routers
  u32 all = 0;
  for (const u32 share : shares) all += share;
  u32 left = engine::scale_to(engine::remix(bits, place), all), c = 0;
  for (; left >= shares[c]; ++c) left -= shares[c];
  return c;
}

/// The class of a packet whose host may say it itself, in `job_class`: below `no_class` then; else the drawn one.
inline constexpr u8 no_class = 255;
template <class Packet>
[[nodiscard]] u32 traffic_class_of(const Packet& packet, u64 bits, std::span<const u32> shares) {
  if constexpr (requires { packet.job_class; }) {
    if (packet.job_class != no_class) return packet.job_class;
  }
  return traffic_class(bits, shares);
}

}  // namespace weft::models
