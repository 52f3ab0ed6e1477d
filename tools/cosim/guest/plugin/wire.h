// What weft and the plug-in in QEMU say to each other over a pair of stream sockets, in the machine's own byte order.
// Both are on one machine and of one build. Weft lets the guest go on, the guest reports when it is there, and so on in
// turn.
#pragma once

#include <stdint.h>

/// The plug-in's arguments and this file must agree on it; weft refuses another.
enum { weft_guest_wire_version = 1 };

/// The longest frame either side takes, Ethernet header included.
enum { weft_guest_longest_frame = 65536 + 64 };

/// From weft: run until `until_ns` of the guest's simulated time (0 when it starts from its snapshot), and take
/// `frames`, which follow, each when its time has come.
/// `frames` = UINT64_MAX: stop the machine there, for good.
struct weft_guest_go {
  uint64_t until_ns;
  uint64_t frames;
};

/// Whether the guest has ended, by itself.
enum weft_guest_ended {
  weft_guest_runs = 0,
  weft_guest_powered_off = 1,
  weft_guest_reset = 2,   ///< it panicked or rebooted
  weft_guest_stopped = 3  ///< QEMU ends for a reason of its own
};

/// From the guest: the first when it is ready to start, then one after each `go`.
struct weft_guest_report {
  uint64_t now_ns;         ///< `until_ns`, or some ns later: at the end of the instruction
  uint64_t idle_until_ns;  ///< its processor waits until then for its own timers; UINT64_MAX: for ever; 0: it is busy
  uint64_t instructions;   ///< retired since it started from its snapshot
  uint64_t ended;   ///< weft_guest_ended; if so, now_ns and instructions are not exact and this is the last report
  uint64_t frames;  ///< frames sent since the last report, which follow
};

/// Before each frame.
struct weft_guest_frame {
  uint64_t at_ns;
  uint64_t bytes;
};
