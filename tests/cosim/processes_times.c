/* A ping-pong of ranks 0 and 1, and what the clocks say of it. */
#include <mpi.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>

int main(int argc, char **argv) {
  enum { rounds = 100 };
  int rank, value = 0;
  struct timespec begin, end;
  struct timeval day[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  clock_gettime(CLOCK_MONOTONIC, &begin);
  gettimeofday(&day[0], NULL);
  const double start = MPI_Wtime();
  for (int k = 0; k < rounds; ++k) {
    if (rank == 0) {
      MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
      MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
      MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
  }
  const double took = MPI_Wtime() - start, again = MPI_Wtime();
  const double idle = MPI_Wtime() - again;
  clock_gettime(CLOCK_MONOTONIC, &end);
  gettimeofday(&day[1], NULL);
  if (rank == 0) {
    printf("round_ns %.3f idle_ns %.3f mpi_ns %.3f\n", took * 1e9 / rounds, idle * 1e9, (MPI_Wtime() - start) * 1e9);
    printf("monotonic_ns %.0f day_us %ld\n", (end.tv_sec - begin.tv_sec) * 1e9 + (end.tv_nsec - begin.tv_nsec),
           (day[1].tv_sec - day[0].tv_sec) * 1000000L + day[1].tv_usec - day[0].tv_usec);
  }
  MPI_Finalize();
  return 0;
}
