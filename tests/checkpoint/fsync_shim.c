// Preloaded into the ranks of a test: notes which of them put a checkpoint that is being written on the disk, and makes that
// fail on one. Environment: WEFT_FSYNC_LOG, a file that gets the rank of each; WEFT_FSYNC_FAILS, the rank for which it fails.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int fsync(int file) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  char link[64], name[4096] = "";
  const char* rank = getenv("OMPI_COMM_WORLD_RANK");
  const char* fails = getenv("WEFT_FSYNC_FAILS");
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  if (readlink(link, name, sizeof name - 1) < 0 || rank == NULL) return real(file);
  // MPI opens the file as well, but follows links.
  if (strstr(name, ".part-") == NULL || (fcntl(file, F_GETFL) & O_NOFOLLOW) == 0) return real(file);
  FILE* log = fopen(getenv("WEFT_FSYNC_LOG"), "a");
  if (log != NULL) {
    fprintf(log, "%s\n", rank);
    fclose(log);
  }
  if (fails != NULL && strcmp(rank, fails) == 0) {
    errno = EIO;
    return -1;
  }
  return real(file);
}
