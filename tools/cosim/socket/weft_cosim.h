/* How another simulator joins weft as an endpoint of a simulated network: `weft cosim` with cosim.endpoints = "sockets".
 * docs/cosim-sockets.md has the protocol and an example. C99 and C++; nothing else is needed.
 *
 *   int fd = weft_cosim_join(NULL, "my simulator", NULL);      // the socket is that of $WEFT_COSIM_SOCKET
 *   struct weft_cosim_frame f;
 *   while (weft_cosim_next(fd, &f, payload, sizeof payload) == WEFT_COSIM_OK && f.kind != WEFT_COSIM_END) {
 *     if (f.kind == WEFT_COSIM_MESSAGE) ...                     // it comes at f.time_ns from f.from
 *     if (f.kind == WEFT_COSIM_ADVANCE) {                       // run up to f.time_ns, then say so
 *       weft_cosim_send(fd, at_ns, to, bytes, payload, length);
 *       weft_cosim_done(fd, idle_until_ns);
 *     }
 *   }
 */
#ifndef WEFT_COSIM_H
#define WEFT_COSIM_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_COSIM_VERSION 1u
/* Most bytes of a payload. */
#define WEFT_COSIM_PAYLOAD (16u << 20)
/* As idle_until_ns: it does nothing more unless a message comes. */
#define WEFT_COSIM_NEVER UINT64_MAX

enum weft_cosim_kind {
  WEFT_COSIM_HELLO = 1,   /* to weft, first: bytes = WEFT_COSIM_VERSION; payload: name of the simulator (UTF-8) */
  WEFT_COSIM_WELCOME = 2, /* from weft: to = number of this endpoint, from = how many there are, bytes = version,
                             time_ns = length of a slice */
  WEFT_COSIM_MESSAGE = 3, /* both ways: time_ns = when it comes (or is sent), from, to, bytes = length in the network */
  WEFT_COSIM_ADVANCE = 4, /* from weft, after the messages of the slice: run up to (not including) time_ns */
  WEFT_COSIM_DONE = 5,    /* to weft, after the messages that it sent: time_ns = it does nothing before, unless a message
                             comes; 0: that is not known */
  WEFT_COSIM_END = 6      /* to weft: it has ended (in place of DONE); from weft: the run is over at time_ns */
};

/* In front of each payload; all numbers little-endian. */
struct weft_cosim_frame {
  uint32_t length; /* of the payload that follows, in bytes */
  uint32_t kind;
  uint64_t time_ns;
  uint32_t from, to;
  uint64_t bytes;
};

enum weft_cosim_result {
  WEFT_COSIM_OK = 0,
  WEFT_COSIM_CLOSED = -1,  /* weft has gone */
  WEFT_COSIM_SYSTEM = -2,  /* see errno */
  WEFT_COSIM_PROTOCOL = -3 /* another version, or a frame that is none */
};

static inline int weft_cosim_write(int fd, const void* from, size_t count) {
  const char* at = (const char*)from;
  while (count > 0) {
    const ssize_t done = send(fd, at, count, MSG_NOSIGNAL);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return errno == EPIPE || errno == ECONNRESET ? WEFT_COSIM_CLOSED : WEFT_COSIM_SYSTEM;
    at += done;
    count -= (size_t)done;
  }
  return WEFT_COSIM_OK;
}

static inline int weft_cosim_read(int fd, void* to, size_t count) {
  char* at = (char*)to;
  while (count > 0) {
    const ssize_t done = recv(fd, at, count, 0);
    if (done < 0 && errno == EINTR) continue;
    if (done == 0 || (done < 0 && errno == ECONNRESET)) return WEFT_COSIM_CLOSED;
    if (done < 0) return WEFT_COSIM_SYSTEM;
    at += done;
    count -= (size_t)done;
  }
  return WEFT_COSIM_OK;
}

static inline int weft_cosim_frame_out(int fd, uint32_t kind, uint64_t time_ns, uint32_t to, uint64_t bytes,
                                       const void* payload, uint32_t length) {
  struct weft_cosim_frame frame;
  frame.length = length;
  frame.kind = kind;
  frame.time_ns = time_ns;
  frame.from = 0; /* weft knows who it is */
  frame.to = to;
  frame.bytes = bytes;
  const int result = weft_cosim_write(fd, &frame, sizeof frame);
  return result != WEFT_COSIM_OK || length == 0 ? result : weft_cosim_write(fd, payload, length);
}

/* The next frame of weft, with as much of its payload as there is room for. */
static inline int weft_cosim_next(int fd, struct weft_cosim_frame* frame, void* payload, size_t room) {
  int result = weft_cosim_read(fd, frame, sizeof *frame);
  if (result != WEFT_COSIM_OK) return result;
  if (frame->length > WEFT_COSIM_PAYLOAD) return WEFT_COSIM_PROTOCOL;
  size_t left = frame->length;
  const size_t fits = left < room ? left : room;
  if (fits > 0) result = weft_cosim_read(fd, payload, fits);
  for (left -= fits; result == WEFT_COSIM_OK && left > 0;) {
    char skipped[4096];
    const size_t part = left < sizeof skipped ? left : sizeof skipped;
    result = weft_cosim_read(fd, skipped, part);
    left -= part;
  }
  return result;
}

/* Sends a message at a time within the slice; times of messages ascend. */
static inline int weft_cosim_send(int fd, uint64_t at_ns, uint32_t to, uint64_t bytes, const void* payload,
                                  uint32_t length) {
  return weft_cosim_frame_out(fd, WEFT_COSIM_MESSAGE, at_ns, to, bytes, payload, length);
}
/* The end of the slice has been reached. */
static inline int weft_cosim_done(int fd, uint64_t idle_until_ns) {
  return weft_cosim_frame_out(fd, WEFT_COSIM_DONE, idle_until_ns, 0, 0, NULL, 0);
}
/* It takes no more part. */
static inline int weft_cosim_over(int fd) { return weft_cosim_frame_out(fd, WEFT_COSIM_END, 0, 0, 0, NULL, 0); }

/* A connection (closed by close), or a negative weft_cosim_result. `path`: NULL for that of $WEFT_COSIM_SOCKET. `welcome`
 * may be NULL. */
static inline int weft_cosim_join(const char* path, const char* name, struct weft_cosim_frame* welcome) {
  struct weft_cosim_frame answer;
  struct sockaddr_un address;
  if (path == NULL) path = getenv("WEFT_COSIM_SOCKET");
  memset(&address, 0, sizeof address);
  address.sun_family = AF_UNIX;
  if (path == NULL || strlen(path) >= sizeof address.sun_path) {
    errno = ENOENT;
    return WEFT_COSIM_SYSTEM;
  }
  strcpy(address.sun_path, path);
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return WEFT_COSIM_SYSTEM;
  int result = connect(fd, (const struct sockaddr*)&address, sizeof address) == 0 ? WEFT_COSIM_OK : WEFT_COSIM_SYSTEM;
  if (result == WEFT_COSIM_OK)
    result = weft_cosim_frame_out(fd, WEFT_COSIM_HELLO, 0, 0, WEFT_COSIM_VERSION, name, (uint32_t)strlen(name));
  if (result == WEFT_COSIM_OK) result = weft_cosim_next(fd, &answer, NULL, 0);
  if (result == WEFT_COSIM_OK && (answer.kind != WEFT_COSIM_WELCOME || answer.bytes != WEFT_COSIM_VERSION))
    result = WEFT_COSIM_PROTOCOL;
  if (result != WEFT_COSIM_OK) {
    close(fd);
    return result;
  }
  if (welcome != NULL) *welcome = answer;
  return fd;
}

#ifdef __cplusplus
}
#endif

#endif
