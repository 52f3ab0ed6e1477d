// Guests on a network that takes the same time for each message: what tests of guests share.
#pragma once

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string>
#include <vector>

#include "engine/base/hash.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tools/cosim/guest/guests.hpp"

namespace weft::tools::cosim::guest {

/// What a run of guests came to.
struct GuestRun {
  u64 end_ns = 0;
  u64 slices = 0;
  u64 frames = 0;
  u64 hash = 0;  ///< of sender, receiver, time and content of all frames
  std::vector<u64> sent_ns;
  std::vector<EndpointReport> reports;
};

/// Runs until all guests are over, or up to `end_ns`; each frame takes `latency_ns`. Slices without events are left
/// out.
inline GuestRun run_guests(const Guests& guests, u32 count, u64 slice_ns, u64 latency_ns, u64 end_ns) {
  std::vector<std::unique_ptr<GuestEndpoint>> all;
  for (u32 k = 0; k < count; ++k) all.push_back(guests.start(k, count));
  std::vector<u64> idle_until(count, 0);
  std::vector<bool> over(count, false);
  std::multimap<u64, Parcel> flying;
  GuestRun run;
  u64 now = 0;
  while (now < end_ns && !std::all_of(over.begin(), over.end(), [](bool is) { return is; })) {
    u64 next = flying.empty() ? never : flying.begin()->first;
    for (u32 k = 0; k < count; ++k) {
      if (!over[k]) next = std::min(next, idle_until[k]);
    }
    const u64 begin = std::max(now, std::min(next, end_ns) / slice_ns * slice_ns);
    now = begin + slice_ns;
    std::vector<std::vector<Parcel>> arrivals(count);
    while (!flying.empty() && flying.begin()->first < now) {
      Parcel parcel = std::move(flying.begin()->second);
      parcel.at_ns = flying.begin()->first;
      flying.erase(flying.begin());
      arrivals[parcel.to].push_back(std::move(parcel));
    }
    for (u32 k = 0; k < count; ++k) {
      if (!over[k]) all[k]->begin_advance(now, arrivals[k]);
    }
    for (u32 k = 0; k < count; ++k) {
      if (over[k]) continue;
      Advanced done = all[k]->end_advance();
      over[k] = done.over;
      idle_until[k] = done.idle_until_ns;
      for (Parcel& parcel : done.sent) {
        const std::string head = fmt::format("{} {} {} {};", parcel.at_ns, parcel.from, parcel.to, parcel.bytes);
        run.hash = hash_bytes(parcel.payload, hash_bytes(std::as_bytes(std::span(head)), run.hash));
        run.sent_ns.push_back(parcel.at_ns);
        ++run.frames;
        flying.emplace(parcel.at_ns + latency_ns, std::move(parcel));
      }
    }
    ++run.slices;
  }
  run.end_ns = now;
  for (const auto& guest : all) {
    guest->end(now);
    run.reports.push_back(guest->report());
  }
  return run;
}

}  // namespace weft::tools::cosim::guest
