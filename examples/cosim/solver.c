/* Conjugate gradients for Laplace's equation on a square of N x N points, cut into strips: halos by requests, sums by reductions. Prints
   what it found as it is in memory, so that two runs can be compared bit for bit. Arguments: N, steps, and "time" to print
   how long the steps took by MPI's clock. For guests: mpicc.mpich -O2 -o solver examples/cosim/solver.c */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks, n, rows;

static void apply(double *in, double *out) {
  MPI_Request requests[4];
  const int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
  MPI_Irecv(in, n, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(in + (rows + 1) * n, n, MPI_DOUBLE, down, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(in + n, n, MPI_DOUBLE, up, 2, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(in + rows * n, n, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  for (int y = 1; y <= rows; ++y)
    for (int x = 0; x < n; ++x) {
      const double *at = in + y * n + x;
      out[y * n + x] = 4 * at[0] - at[-n] - at[n] - (x > 0 ? at[-1] : 0) - (x < n - 1 ? at[1] : 0);
    }
}

static double dot(const double *a, const double *b) {
  double mine = 0, all;
  for (int k = n; k < (rows + 1) * n; ++k) mine += a[k] * b[k];
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  n = argc > 1 ? atoi(argv[1]) : 64;
  const int steps = argc > 2 ? atoi(argv[2]) : 30;
  rows = n / ranks;
  double *x = calloc((rows + 2) * n, sizeof *x), *r = calloc((rows + 2) * n, sizeof *r);
  double *p = calloc((rows + 2) * n, sizeof *p), *q = calloc((rows + 2) * n, sizeof *q);
  for (int k = n; k < (rows + 1) * n; ++k) r[k] = p[k] = 1.0 / (1 + (k * 37 + rank * 11) % 101);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  double rr = dot(r, r);
  for (int step = 0; step < steps; ++step) {
    apply(p, q);
    const double alpha = rr / dot(p, q);
    for (int k = n; k < (rows + 1) * n; ++k) x[k] += alpha * p[k], r[k] -= alpha * q[k];
    const double next = dot(r, r);
    for (int k = n; k < (rows + 1) * n; ++k) p[k] = r[k] + next / rr * p[k];
    rr = next;
  }
  const double took = MPI_Wtime() - begin;
  double *all = rank == 0 ? malloc(sizeof(double) * rows * n * ranks) : NULL;
  MPI_Gather(x + n, rows * n, MPI_DOUBLE, all, rows * n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    unsigned long long bits, sum = 0;
    for (int k = 0; k < rows * n * ranks; ++k) {
      memcpy(&bits, &all[k], sizeof bits);
      sum = sum * 1099511628211ull + bits;
    }
    printf("residual %a, solution %016llx\n", rr, sum);
    if (argc > 3 && !strcmp(argv[3], "time")) printf("%d steps in %.3f us\n", steps, took * 1e6);
  }
  // MPICH 4.0 may hang in MPI_Finalize if a rank comes late (its pull request 6596).
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
