// What the plug-in calls of QEMU 7.2, declared by hand since Debian ships no headers. The clock, the network and the
// counters are no part of QEMU's plug-in interface: Debian's QEMU has modules, so its program gives all of its
// functions to what it loads. Weak: where one is missing, the plug-in says so instead of failing to load.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define WEFT_EXPORTED __attribute__((visibility("default")))
#define WEFT_WEAK __attribute__((weak))

// The plug-in interface, version 1.
typedef uint64_t qemu_plugin_id_t;
struct qemu_info {
  const char* target_name;
  struct {
    int min;
    int current;
  } version;
  bool system_emulation;
  struct {
    int cpus;
    int max_cpus;
  } system;
};
WEFT_WEAK void qemu_plugin_register_vcpu_init_cb(qemu_plugin_id_t id, void (*call)(qemu_plugin_id_t, unsigned cpu));

// Clocks and timers. A QEMUTimer has 56 bytes in QEMU 7.2.
enum { weft_clock_virtual = 1, weft_scale_ns = 1, weft_all_timers = ~0 };
struct qemu_timer {
  uint64_t room[32];
};
WEFT_WEAK int64_t qemu_clock_get_ns(int clock);
WEFT_WEAK int64_t qemu_clock_deadline_ns_all(int clock, int attributes);
WEFT_WEAK void timer_init_full(struct qemu_timer* timer, void* group, int clock, int scale, int attributes,
                               void (*call)(void*), void* argument);
WEFT_WEAK void timer_mod_ns(struct qemu_timer* timer, int64_t when_ns);
WEFT_WEAK int64_t icount_get_raw(void);
WEFT_WEAK bool all_cpu_threads_idle(void);

// Called, with all of QEMU's locks held, before a stopped machine goes on (`running`) and after it has stopped.
WEFT_WEAK void* qemu_add_vm_change_state_handler(void (*call)(void*, bool running, int state), void* argument);

// Why the machine is to end (0: it is not), set at the instruction that asks for it; QEMU's main loop sees to it later,
// forgets it and tells those who asked to be told.
enum { weft_ended_shutdown = 6, weft_ended_reset = 7 };
struct qemu_notifier {
  void (*call)(struct qemu_notifier*, void* cause);  ///< an int
  void* links[2];
};
WEFT_WEAK int qemu_shutdown_requested_get(void);
WEFT_WEAK void qemu_register_shutdown_notifier(struct qemu_notifier* notifier);

// Stops the machine before its next instruction; waits for that unless it is the processor's own thread that asks.
enum { weft_paused = 4 };
WEFT_WEAK int vm_stop(int state);

// The network: frames go into the guest from the cable's side.
WEFT_WEAK void* qemu_find_netdev(const char* name);
WEFT_WEAK ssize_t qemu_send_packet(void* cable, const uint8_t* frame, int bytes);
