/* How fast a program runs that computes between its messages: prints real nanoseconds of a round (the system's clock is asked directly).
   Arguments: rounds, loops of computing, "ring" (each sends to its right) or "pairs" (ping-pong of neighbours). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static double real_ns(void) {
  struct timespec now;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e9 + now.tv_nsec;
}

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 1000, loops = argc > 2 ? atoi(argv[2]) : 0;
  const int is_ring = argc <= 3 || !strcmp(argv[3], "ring");
  int rank, ranks;
  double value = 1, other = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = real_ns();
  double computed = 0;
  for (int k = 0; k < rounds; ++k) {
    const double before = k < 100 ? real_ns() : 0;
    for (int j = 0; j < loops; ++j) value = value * 1.0000001 + 1e-9;
    if (k < 100) computed += real_ns() - before;
    if (is_ring) {
      MPI_Sendrecv(&value, 1, MPI_DOUBLE, (rank + 1) % ranks, 1, &other, 1, MPI_DOUBLE, (rank + ranks - 1) % ranks, 1, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
    } else if (rank % 2 == 0) {
      MPI_Send(&value, 1, MPI_DOUBLE, rank + 1, 1, MPI_COMM_WORLD);
      MPI_Recv(&other, 1, MPI_DOUBLE, rank + 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(&other, 1, MPI_DOUBLE, rank - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(&value, 1, MPI_DOUBLE, rank - 1, 1, MPI_COMM_WORLD);
    }
  }
  const double took = real_ns() - begin;
  if (rank == 0) printf("round %.0f ns, computing %.0f ns (%g)\n", took / rounds, computed / (rounds < 100 ? rounds : 100), value + other);
  MPI_Finalize();
  return 0;
}
