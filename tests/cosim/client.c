/* Fifty lines of another simulator: endpoint 0 asks all others in turn, they answer; says how long that took. */
#include <inttypes.h>
#include <stdio.h>

#include "tools/cosim/socket/weft_cosim.h"

int main(void) {
  struct weft_cosim_frame frame;
  char payload[64];
  const int fd = weft_cosim_join(NULL, "client", &frame);
  if (fd < 0) {
    fprintf(stderr, "cannot join: %d\n", fd);
    return 1;
  }
  const uint32_t me = frame.to, all = frame.from;
  uint32_t asked = 0, answers = 0;
  uint64_t ready_ns = 0, asked_ns = 0; /* when the next message may be sent */
  int to_send = me == 0;
  uint32_t to = 0;
  for (;;) {
    if (weft_cosim_next(fd, &frame, payload, sizeof payload) != WEFT_COSIM_OK) return 2;
    if (frame.kind == WEFT_COSIM_END) return 0;
    if (frame.kind == WEFT_COSIM_MESSAGE) {
      ready_ns = frame.time_ns;
      to_send = 1;
      to = frame.from;
      if (me == 0) {
        ++answers;
        printf("%" PRIu32 " answered %.*s after %" PRIu64 " ns\n", frame.from, (int)frame.length, payload,
               frame.time_ns - asked_ns);
        fflush(stdout);
      }
    }
    if (frame.kind != WEFT_COSIM_ADVANCE) continue;
    if (to_send && ready_ns < frame.time_ns && (me != 0 || asked + 1 < all)) {
      if (me == 0) {
        to = ++asked;
        asked_ns = ready_ns;
      }
      if (weft_cosim_send(fd, ready_ns, to, 1000, "hello", 5) != WEFT_COSIM_OK) return 3;
      to_send = 0;
    }
    if (me == 0 && answers + 1 == all) return weft_cosim_over(fd) == WEFT_COSIM_OK ? 0 : 4;
    if (me != 0 && !to_send && ready_ns > 0) return weft_cosim_over(fd) == WEFT_COSIM_OK ? 0 : 4;
    weft_cosim_done(fd, to_send ? ready_ns : WEFT_COSIM_NEVER);
  }
}
