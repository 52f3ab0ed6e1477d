// Plug-in of QEMU that holds a guest's clock: the guest runs until the simulated time that weft allows, takes frames
// when their time has come, and tells weft what it sent and when. QEMU runs with -icount: its virtual clock counts
// instructions and jumps over time in which the processor waits. A timer of that clock at the end of each slice does
// all: QEMU stops the processor, or the jump, exactly there, and the timer does not return until weft allows the next
// slice.
//
// Loaded twice, by -plugin and by LD_PRELOAD: the latter puts `send` below in front of the C library's, so that frames
// leave QEMU by a call and not by a socket, which could be full, and whose other end would not know when they were
// sent. For `write` see there.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "qemu.h"
#include "wire.h"

/// Bytes that grow: frames on their way.
struct bytes {
  uint8_t* data;
  size_t used;
  size_t room;
};

static struct {
  int weft;   ///< socket to weft
  int cable;  ///< descriptor that QEMU takes for the cable
  void* netdev;
  struct qemu_timer timer;
  int64_t start_ns;            ///< of the virtual clock when the guest started from its snapshot
  int64_t start_instructions;  ///< the same for instructions
  uint64_t until_ns;
  bool armed;         ///< the timer is
  bool started;       ///< the timer has run
  struct bytes sent;  ///< headers and frames
  uint64_t sent_frames;
  struct bytes arrivals;  ///< headers and frames, ascending
  size_t taken;           ///< bytes of `arrivals` that the guest has got
  int held[4];            ///< eventfds of QEMU that were not written yet, and how many
  int held_count;
  bool stops;  ///< the machine is asked to stop
} guest = {.weft = -1, .cable = -1};

/// Weft has gone or speaks another language: there is nothing to run for.
_Noreturn static void give_up(const char* problem) {
  fprintf(stderr, "weft's plug-in: %s\n", problem);
  _exit(70);
}

static void reserve(struct bytes* bytes, size_t more) {
  if (bytes->used + more <= bytes->room) return;
  bytes->room = 2 * (bytes->used + more);
  bytes->data = realloc(bytes->data, bytes->room);
  if (!bytes->data) give_up("out of memory");
}

static void append(struct bytes* bytes, const void* data, size_t length) {
  reserve(bytes, length);
  memcpy(bytes->data + bytes->used, data, length);
  bytes->used += length;
}

/// The C library's, of which the calls below are in front.
static ssize_t write_of_c(int file, const void* data, size_t bytes) {
  static ssize_t (*usual)(int, const void*, size_t);
  if (!usual) usual = (ssize_t(*)(int, const void*, size_t))dlsym(RTLD_NEXT, "write");
  return usual(file, data, bytes);
}

static void write_all(const void* data, size_t length) {
  const char* at = data;
  while (length > 0) {
    const ssize_t done = write_of_c(guest.weft, at, length);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) _exit(0);
    at += done;
    length -= (size_t)done;
  }
}

static void read_all(void* data, size_t length) {
  char* at = data;
  while (length > 0) {
    const ssize_t done = read(guest.weft, at, length);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) _exit(0);
    at += done;
    length -= (size_t)done;
  }
}

static uint64_t now_ns(void) { return (uint64_t)(qemu_clock_get_ns(weft_clock_virtual) - guest.start_ns); }

/// Until when nothing happens in the guest unless a frame comes; 0 where its processor has something to do.
static uint64_t idle_until_ns(uint64_t now) {
  if (!all_cpu_threads_idle()) return 0;
  // The own timer is not armed here: it has just expired.
  const int64_t deadline = qemu_clock_deadline_ns_all(weft_clock_virtual, weft_all_timers);
  return deadline < 0 ? UINT64_MAX : now + (uint64_t)deadline;
}

/// What a cause of QEMU's is for weft.
static uint64_t ended(int cause) {
  switch (cause) {
    case 0:
      return weft_guest_runs;
    case weft_ended_shutdown:
      return weft_guest_powered_off;
    case weft_ended_reset:
      return weft_guest_reset;
    default:
      return weft_guest_stopped;
  }
}

static void report(uint64_t now, uint64_t has_ended) {
  const struct weft_guest_report head = {.now_ns = now,
                                         .idle_until_ns = idle_until_ns(now),
                                         .instructions = (uint64_t)(icount_get_raw() - guest.start_instructions),
                                         .ended = has_ended,
                                         .frames = guest.sent_frames};
  // One write for all: a report without frames is most of them.
  uint8_t* const data = guest.sent.data;
  memcpy(data, &head, sizeof head);
  write_all(data, guest.sent.used);
  guest.sent.used = sizeof head;
  guest.sent_frames = 0;
}

/// Whether there is more to run.
static bool wait_for_go(void) {
  struct weft_guest_go go;
  read_all(&go, sizeof go);
  if (go.frames == UINT64_MAX) return false;
  if (go.until_ns <= guest.until_ns && guest.until_ns > 0) give_up("weft let the guest go back in time");
  guest.until_ns = go.until_ns;
  // What is left of the last slice is none: a frame's time is before its end.
  guest.arrivals.used = 0;
  guest.taken = 0;
  for (uint64_t k = 0; k < go.frames; ++k) {
    struct weft_guest_frame head;
    read_all(&head, sizeof head);
    if (head.bytes > weft_guest_longest_frame) give_up("weft sent a frame that is too long");
    append(&guest.arrivals, &head, sizeof head);
    reserve(&guest.arrivals, head.bytes);
    read_all(guest.arrivals.data + guest.arrivals.used, head.bytes);
    guest.arrivals.used += head.bytes;
  }
  return true;
}

/// Gives the guest the frames whose time has come; when the next one comes, or the end of the slice.
static uint64_t take_arrivals(uint64_t now) {
  while (guest.taken < guest.arrivals.used) {
    struct weft_guest_frame head;
    memcpy(&head, guest.arrivals.data + guest.taken, sizeof head);
    if (head.at_ns > now && head.at_ns < guest.until_ns) return head.at_ns;
    if (!guest.netdev) guest.netdev = qemu_find_netdev("cable");
    if (!guest.netdev) give_up("QEMU has no network device 'cable'");
    qemu_send_packet(guest.netdev, guest.arrivals.data + guest.taken + sizeof head, (int)head.bytes);
    guest.taken += sizeof head + head.bytes;
  }
  return guest.until_ns;
}

/// Of the thread that runs the guest's processor.
static _Thread_local bool is_processor;

static bool is_eventfd(int file) {
  char link[64], target[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, target, sizeof target);
  return length > 0 && memmem(target, (size_t)length, "[eventfd]", 9);
}

static bool is_held(int file) {
  for (int k = 0; k < guest.held_count; ++k) {
    if (guest.held[k] == file) return true;
  }
  return false;
}

/// In front of the C library's. At each end of a slice QEMU wakes its main loop to look for timers, which has none to run
/// (all that matters to a guest runs in its processor's thread) but wants the lock that the processor then waits for:
/// three switches between threads, several times what the slice itself costs. While the processor has something to do
/// such a call is held back until a slice ends with it idle, or some time has passed.
WEFT_EXPORTED ssize_t write(int file, const void* data, size_t bytes) {
  if (!is_processor || guest.stops || bytes != sizeof(uint64_t) || all_cpu_threads_idle()) return write_of_c(file, data, bytes);
  if (is_held(file)) return (ssize_t)bytes;
  const bool has_room = guest.held_count < (int)(sizeof guest.held / sizeof *guest.held);
  if (!has_room || !is_eventfd(file)) return write_of_c(file, data, bytes);
  guest.held[guest.held_count++] = file;
  return (ssize_t)bytes;
}

static void release_held(void) {
  const uint64_t one = 1;
  for (int k = 0; k < guest.held_count; ++k) (void)!write_of_c(guest.held[k], &one, sizeof one);
  guest.held_count = 0;
}

/// Releases what is held if the processor is idle, the guest is at its end, or 10 ms of real time have passed.
static void release_in_time(uint64_t has_ended) {
  static struct timespec last;
  if (guest.held_count == 0) return;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const int64_t passed_ns = (now.tv_sec - last.tv_sec) * 1000000000LL + (now.tv_nsec - last.tv_nsec);
  if (passed_ns < 10000000 && has_ended == weft_guest_runs && !all_cpu_threads_idle()) return;
  last = now;
  release_held();
}

/// The timer: at the start, when a frame comes, at the end of a slice.
static void tick(void* unused) {
  (void)unused;
  is_processor = true;
  if (!guest.started) {
    guest.started = true;
    guest.start_ns = qemu_clock_get_ns(weft_clock_virtual);
    guest.start_instructions = icount_get_raw();
    reserve(&guest.sent, sizeof(struct weft_guest_report));
    guest.sent.used = sizeof(struct weft_guest_report);
  }
  for (;;) {
    const uint64_t now = now_ns();
    const uint64_t next = take_arrivals(now);
    if (now < next) {
      timer_mod_ns(&guest.timer, guest.start_ns + (int64_t)next);
      return;
    }
    const uint64_t has_ended = ended(qemu_shutdown_requested_get());
    release_in_time(has_ended);
    report(now, has_ended);
    if (!wait_for_go()) {
      guest.stops = true;
      release_held();
      vm_stop(weft_paused);
      return;
    }
  }
}

/// In front of the C library's: what QEMU sends into the cable is kept until the end of the slice; all else is sent.
WEFT_EXPORTED ssize_t send(int socket, const void* data, size_t bytes, int flags) {
  static ssize_t (*others)(int, const void*, size_t, int);
  if (guest.cable < 0 || socket != guest.cable) {
    if (!others) others = (ssize_t(*)(int, const void*, size_t, int))dlsym(RTLD_NEXT, "send");
    return others(socket, data, bytes, flags);
  }
  // Before it starts nobody listens.
  if (!guest.started) return (ssize_t)bytes;
  const struct weft_guest_frame head = {.at_ns = now_ns(), .bytes = bytes};
  append(&guest.sent, &head, sizeof head);
  append(&guest.sent, data, bytes);
  ++guest.sent_frames;
  return (ssize_t)bytes;
}

/// QEMU's main loop may see to the end of the guest before the slice ends: the sooner reports it.
static void on_shutdown(struct qemu_notifier* unused, void* cause) {
  (void)unused;
  if (guest.started) report(now_ns(), ended(*(const int*)cause));
}

/// The machine, new or from a snapshot, is about to go on for the first time: before its first instruction.
static void on_change(void* unused, bool running, int state) {
  (void)unused;
  (void)state;
  if (!running || guest.armed) return;
  guest.armed = true;
  timer_init_full(&guest.timer, NULL, weft_clock_virtual, weft_scale_ns, 0, tick, NULL);
  timer_mod_ns(&guest.timer, qemu_clock_get_ns(weft_clock_virtual));
}

/// When the processor is made: QEMU's clocks are there by then, but a timer could not be heard yet.
static void on_processor(qemu_plugin_id_t id, unsigned cpu) {
  (void)id;
  if (cpu != 0) give_up("a guest has one processor; start QEMU with -smp 1");
  static struct qemu_notifier notifier = {.call = on_shutdown};
  qemu_register_shutdown_notifier(&notifier);
  qemu_add_vm_change_state_handler(on_change, NULL);
}

WEFT_EXPORTED int qemu_plugin_version = 1;

WEFT_EXPORTED int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info* info, int words, char** arguments) {
  (void)info;
  int version = 0;
  for (int k = 0; k < words; ++k) {
    if (sscanf(arguments[k], "weft=%d", &guest.weft) == 1) continue;
    if (sscanf(arguments[k], "cable=%d", &guest.cable) == 1) continue;
    if (sscanf(arguments[k], "version=%d", &version) == 1) continue;
    fprintf(stderr, "weft's plug-in: unknown argument '%s'\n", arguments[k]);
    return 1;
  }
  if (version != weft_guest_wire_version || guest.weft < 0 || guest.cable < 0) {
    fprintf(stderr, "weft's plug-in: it is of another build than the program that started it\n");
    return 1;
  }
  if (!qemu_plugin_register_vcpu_init_cb || !qemu_register_shutdown_notifier || !qemu_shutdown_requested_get ||
      !qemu_clock_get_ns || !qemu_clock_deadline_ns_all || !timer_init_full || !timer_mod_ns || !icount_get_raw ||
      !all_cpu_threads_idle || !qemu_add_vm_change_state_handler || !vm_stop || !qemu_find_netdev ||
      !qemu_send_packet) {
    fprintf(stderr,
            "weft's plug-in: this QEMU keeps its clock's functions to itself; Debian's qemu-system-x86 does not\n");
    return 1;
  }
  qemu_plugin_register_vcpu_init_cb(id, on_processor);
  return 0;
}
