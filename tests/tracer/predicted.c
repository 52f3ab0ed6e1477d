/* A program whose run time is to be predicted from its trace: predicted SECTIONS, on 2 ranks. Each section computes and sends: steps that
   exchange halos, a ping-pong, a reduction. Rank 0 prints lines "WHAT NANOSECONDS...", one for each batch or section: one_way_small and
   one_way_large (of a message of 8 and of 4,000 bytes), overhead (of a send), section; recording is on in the sections only. Times are those of
   processors: a rank that loses its core does not count on, and the other, which waits spinning, does; so the lesser of both is right. */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { batches = 60, most = 2000, steps = 10, small = 8, large = 4000, halo = 2000 };

static int rank;
static char from[large], to[large];
static double field[1024];

static long now(void) {
  struct timespec at;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
  return at.tv_sec * 1000000000L + at.tv_nsec;
}

static void ping_pong(int bytes, int times) {
  for (int k = 0; k < times; ++k) {
    if (rank == 0) MPI_Send(from, bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
    MPI_Recv(to, bytes, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(from, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
  }
}

static void compute(int times) {
  for (int k = 0; k < times; ++k) {
    for (int ix = 1; ix < 1023; ++ix) field[ix] = 0.25 * field[ix - 1] + 0.5 * field[ix] + 0.25 * field[ix + 1] + 1e-9 * k;
  }
}

static void section(void) {
  double sum = 0;
  for (int k = 0; k < steps; ++k) {
    MPI_Request requests[4];
    compute(1 + k % 2);
    for (int side = 0; side < 2; ++side) {
      MPI_Irecv(to + side * halo, halo, MPI_BYTE, 1 - rank, side, MPI_COMM_WORLD, &requests[side]);
      MPI_Isend(from + side * halo, halo, MPI_BYTE, 1 - rank, side, MPI_COMM_WORLD, &requests[2 + side]);
    }
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  }
  ping_pong(64, 20);
  compute(3);
  ping_pong(large, 20);
  MPI_Allreduce(&field[5], &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  field[5] = 0.5 * sum;
}

/* The lesser of both ranks' times. */
static void print(const char *what, double *times, int count) {
  static double least[most];
  MPI_Reduce(times, least, count, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
  if (rank != 0) return;
  printf("%s", what);
  for (int k = 0; k < count; ++k) printf(" %.1f", least[k]);
  printf("\n");
}

static void measure(double *times) {
  static const int lengths[2] = {small, large};
  for (int each = 0; each < 2; ++each) {
    ping_pong(lengths[each], 200);
    for (int batch = 0; batch < batches; ++batch) {
      const long begin = now();
      ping_pong(lengths[each], 50);
      times[batch] = (double)(now() - begin) / 100;
    }
    print(lengths[each] == small ? "one_way_small" : "one_way_large", times, batches);
  }
  /* What a send takes of the processor: of 20 of each rank that do not wait. */
  for (int batch = 0; batch < batches; ++batch) {
    MPI_Request requests[20];
    MPI_Barrier(MPI_COMM_WORLD);
    const long begin = now();
    for (int k = 0; k < 20; ++k) MPI_Isend(from, small, MPI_BYTE, 1 - rank, 2, MPI_COMM_WORLD, &requests[k]);
    times[batch] = (double)(now() - begin) / 20;
    for (int k = 0; k < 20; ++k) MPI_Recv(to, small, MPI_BYTE, 1 - rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(20, requests, MPI_STATUSES_IGNORE);
  }
  print("overhead", times, batches);
}

int main(int argc, char **argv) {
  const int sections = argc > 1 ? atoi(argv[1]) : 0;
  static double times[most];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (sections < 1 || sections > most) MPI_Abort(MPI_COMM_WORLD, 2);
  memset(from, rank, sizeof from);
  for (int ix = 0; ix < 1024; ++ix) field[ix] = ix % 7;
  for (int k = 0; k < 20; ++k) section();
  measure(times);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Pcontrol(1);
  for (int k = 0; k < sections; ++k) {
    const long begin = now();
    section();
    times[k] = (double)(now() - begin);
  }
  MPI_Pcontrol(0);
  print("section", times, sections);
  MPI_Finalize();
  return field[5] < -1e9;
}
