// What counters of ports say about the links of a fabric: how much they carried, how long they waited, what went wrong.
#pragma once

#include <string>
#include <vector>

#include "tools/fabric/fabric.hpp"
#include "tools/fabric/read/counter_reader.hpp"

namespace weft::tools {

/// A channel, as the port at its beginning counted it, or else the port at its end.
struct MeasuredChannel {
  u32 channel = 0;
  double octets = 0;
  double gbps = 0;  ///< over the time between the readings; 0 if that is not known
  double load = 0;  ///< fraction of the link's rate; 0 if time or rate are not known
  u64 wait = 0;     ///< PortXmitWait, in ticks of the port
};

struct PortErrors {
  u32 channel = 0;  ///< out of the port
  std::string counter;
  u64 count = 0;
};

struct MeasuredLinks {
  double seconds = 0;                     ///< 0: not known
  bool difference = false;                ///< between two readings; else since the counters were cleared
  std::vector<MeasuredChannel> channels;  ///< the most loaded first, or with most octets
  std::vector<PortErrors> errors;         ///< most first
  u64 ports = 0;                          ///< that were read
  u64 saturated = 0;                      ///< counters of data that were full
  u64 cleared = 0;                        ///< counters that are lower in the second reading, which are left out
  std::vector<u32> place_of;              ///< [channel]: in channels; UINT32_MAX: nobody counted it
  [[nodiscard]] const MeasuredChannel* find(u32 channel) const {
    return place_of[channel] == UINT32_MAX ? nullptr : &channels[place_of[channel]];
  }
};

/// `before`: an earlier reading, null: none; `seconds`: between both, or since the counters were cleared; 0: not known.
[[nodiscard]] MeasuredLinks measured_links(const Fabric& fabric, const CounterReading& reading,
                                           const CounterReading* before, double seconds);

}  // namespace weft::tools
