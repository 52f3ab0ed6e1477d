// Half the round trip of messages of 1 byte to 1 MiB between ranks 0 and 1, by MPI's clock; then an allreduce of all ranks.
// Argument: the most bytes; 0 leaves the messages out.
// mpicc.mpich -O2 -o pingpong examples/cosim/pingpong.c
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { warm_up = 2 };

static void pass(char* data, int bytes, int rank) {
  const int other = 1 - rank;
  if (rank == 0) MPI_Send(data, bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD);
  if (rank <= 1) MPI_Recv(data, bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Send(data, bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD);
}

int main(int count, char** words) {
  MPI_Init(&count, &words);
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int most_bytes = count > 1 ? atoi(words[1]) : 1 << 20;
  char* const data = malloc(most_bytes + 1);
  memset(data, 1, most_bytes);
  for (int bytes = 1; bytes <= most_bytes; bytes *= 4) {
    const int repeats = bytes > 65536 ? 3 : 10;
    double start = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int k = -warm_up; k < repeats; ++k) {
      if (k == 0) start = MPI_Wtime();
      pass(data, bytes, rank);
    }
    if (rank == 0) printf("%7d bytes %12.3f us\n", bytes, (MPI_Wtime() - start) / repeats / 2 * 1e6);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  long mine = rank, sum = 0;
  for (int k = 0; k < 10; ++k) MPI_Allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("allreduce of %d ranks %.3f us, sum %ld\n", ranks, (MPI_Wtime() - start) / 10 * 1e6, sum);
  // MPICH 4.0 may hang in MPI_Finalize if a rank comes late (its pull request 6596).
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  free(data);
  return 0;
}
