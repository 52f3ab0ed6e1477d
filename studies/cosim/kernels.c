/* What IS, CG and BT of the NAS parallel benchmarks exchange, with own arithmetic: the programs themselves are no part of weft. Per process as
   much as class A has on 64 processes, whatever their number (a square, a power of two). Prints lines "figure NAME VALUE": seconds of an
   iteration by MPI's clock, and what the systems of all nodes counted of TCP meanwhile. study.py has it compiled for guests and for processes.

   kernels is cg:2 bt   one iteration of each; behind the colon how many times 2^17 keys, vectors of 1,750 numbers or cells of 8^3 points */
#include <arpa/inet.h>
#include <dirent.h>
#include <math.h>
#include <mpi.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static int rank, ranks, side, row, column;

/* Counts of this node, from /proc/net; 0 where there is none. */
static double counted(const char *file, const char *group, const char *name) {
  static char names[8192], values[8192];
  FILE *from = fopen(file, "r");
  double found = 0;
  if (!from) return 0;
  while (fgets(names, sizeof names, from) && fgets(values, sizeof values, from)) {
    if (strncmp(names, group, strlen(group))) continue;
    char *more_names, *more_values;
    char *key = strtok_r(names, " \n", &more_names), *value = strtok_r(values, " \n", &more_values);
    for (; key && value; key = strtok_r(NULL, " \n", &more_names), value = strtok_r(NULL, " \n", &more_values))
      if (!strcmp(key, name)) found = atof(value);
  }
  fclose(from);
  return found;
}

enum { retransmitted, timeouts, spurious, jitter_us, connections, jitter_most_us, counts };

/* Of TCP: packets sent again, timers that ran out, those of them that TCP itself found wrong; mean deviation of the round trip, by connection. */
static void count_tcp(double *c) {
  c[retransmitted] = counted("/proc/net/snmp", "Tcp:", "RetransSegs");
  c[timeouts] = counted("/proc/net/netstat", "TcpExt:", "TCPTimeouts");
  c[spurious] = counted("/proc/net/netstat", "TcpExt:", "TCPSpuriousRTOs");
  c[jitter_us] = c[connections] = c[jitter_most_us] = 0;
  DIR *open_files = opendir("/proc/self/fd");
  for (struct dirent *entry; open_files && (entry = readdir(open_files));) {
    struct tcp_info info;
    socklen_t length = sizeof info;
    if (getsockopt(atoi(entry->d_name), IPPROTO_TCP, TCP_INFO, &info, &length) || info.tcpi_state != TCP_ESTABLISHED) continue;
    if (info.tcpi_rtt == 0) continue;
    c[jitter_us] += info.tcpi_rttvar;
    c[connections] += 1;
    if (info.tcpi_rttvar > c[jitter_most_us]) c[jitter_most_us] = info.tcpi_rttvar;
  }
  if (open_files) closedir(open_files);
}

/* IS: counts of 1,024 buckets are added up, then keys go to the process of their bucket. */
static double is(double size) {
  enum { buckets = 1024 };
  const int keys = (int)(size * (1 << 17)), highest = 1 << 19;
  static unsigned seed = 1;
  int *mine = malloc(sizeof(int) * keys), *sorted = malloc(sizeof(int) * keys), local[buckets], all[buckets], at[buckets];
  int sends[ranks], send_at[ranks], receives[ranks], receive_at[ranks], owner[buckets];
  for (int k = 0; k < keys; ++k) {
    /* About a normal distribution, as the mean of four numbers of NPB's is. */
    long sum = 0;
    for (int j = 0; j < 4; ++j) sum += (seed = seed * 1664525u + 1013904223u + (unsigned)rank) >> 13;
    mine[k] = (int)(sum / 4) & (highest - 1);
  }
  memset(local, 0, sizeof local);
  for (int k = 0; k < keys; ++k) ++local[mine[k] >> 9];
  at[0] = 0;
  for (int b = 1; b < buckets; ++b) at[b] = at[b - 1] + local[b - 1];
  for (int k = 0; k < keys; ++k) sorted[at[mine[k] >> 9]++] = mine[k];
  MPI_Allreduce(local, all, buckets, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  long total = 0;
  for (int b = 0; b < buckets; ++b) {
    owner[b] = (int)(total / keys < ranks ? total / keys : ranks - 1);
    total += all[b];
  }
  memset(sends, 0, sizeof sends);
  for (int b = 0; b < buckets; ++b) sends[owner[b]] += local[b];
  MPI_Alltoall(sends, 1, MPI_INT, receives, 1, MPI_INT, MPI_COMM_WORLD);
  int come = 0, go = 0;
  for (int k = 0; k < ranks; ++k) send_at[k] = go, go += sends[k], receive_at[k] = come, come += receives[k];
  int *got = malloc(sizeof(int) * (come + 1)), *ranked = calloc(highest, sizeof(int));
  /* In MPICH's order, whatever the library: all are posted, the next process first. */
  MPI_Request requests[2 * ranks];
  for (int k = 0; k < ranks; ++k) {
    const int from = (rank + k) % ranks;
    MPI_Irecv(got + receive_at[from], receives[from], MPI_INT, from, 4, MPI_COMM_WORLD, &requests[k]);
  }
  for (int k = 0; k < ranks; ++k) {
    const int to = (rank - k + ranks) % ranks;
    MPI_Isend(sorted + send_at[to], sends[to], MPI_INT, to, 4, MPI_COMM_WORLD, &requests[ranks + k]);
  }
  MPI_Waitall(2 * ranks, requests, MPI_STATUSES_IGNORE);
  double wrong = 0;
  for (int k = 0; k < come; ++k) ++ranked[got[k]], wrong += owner[got[k] >> 9] != rank;
  for (int k = 1; k < highest; ++k) ranked[k] += ranked[k - 1];
  wrong += ranked[highest - 1] != come;
  free(mine), free(sorted), free(got), free(ranked);
  return wrong;
}

/* CG: 25 steps; the product is added up along rows of processes, then goes to where the transpose needs it, and two sums are made. */
static double cg(double size) {
  enum { steps = 25, in_row = 16 };
  const int n = (int)(size * 1750), transposed = column * side + row;
  double *p = malloc(sizeof(double) * n), *w = malloc(sizeof(double) * n), *got = malloc(sizeof(double) * n), sum = 0, other;
  int *columns = malloc(sizeof(int) * n * in_row);
  for (int k = 0; k < n * in_row; ++k) columns[k] = (int)((unsigned)k * 40503u % (unsigned)n);
  for (int k = 0; k < n; ++k) p[k] = 1;
  for (int step = 0; step <= steps; ++step) {
    for (int k = 0; k < n; ++k) {
      w[k] = 0;
      for (int j = 0; j < in_row; ++j) w[k] += p[columns[k * in_row + j]];
      w[k] /= in_row * side;
    }
    for (int with = 1; with < side; with *= 2) {
      MPI_Sendrecv(w, n, MPI_DOUBLE, row * side + (column ^ with), 1, got, n, MPI_DOUBLE, row * side + (column ^ with), 1,
                   MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (int k = 0; k < n; ++k) w[k] += got[k];
    }
    MPI_Sendrecv(w, n, MPI_DOUBLE, transposed, 2, p, n, MPI_DOUBLE, transposed, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int times = 0; times < 2; ++times) {
      sum = 0;
      for (int k = 0; k < n; ++k) sum += p[k] * w[k];
      for (int with = 1; with < side; with *= 2) {
        MPI_Sendrecv(&sum, 1, MPI_DOUBLE, row * side + (column ^ with), 3, &other, 1, MPI_DOUBLE, row * side + (column ^ with), 3,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += other;
      }
    }
  }
  free(p), free(w), free(got), free(columns);
  /* All rows add up to 1, so p stays what it was. */
  return fabs(sum / ((double)n * side) - 1) > 1e-6;
}

/* A block of 5 x 5 times another, then taken from a third: most of BT's arithmetic. */
static void block(double *restrict a, const double *restrict b, double *restrict c) {
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j) {
      double sum = 0;
      for (int k = 0; k < 5; ++k) sum += b[5 * i + k] * c[5 * k + j];
      a[5 * i + j] = 0.5 * a[5 * i + j] + 1e-3 * sum;
    }
}

/* BT: a diagonal of cells of each process, whose faces go to six neighbours; then three directions, in each of which cell after cell is
   solved forward and back, with what the cell before has found. */
static double bt(double size) {
  const int cells = side, edge = (int)(8 * cbrt(size)), points = edge * edge * edge, square = edge * edge;
  const int faces = 2 * 5 * square * cells, forward = 30 * square, backward = 5 * square;
  const int up[3] = {row * side + (column + 1) % side, (row + 1) % side * side + column,
                     (row + side - 1) % side * side + (column + side - 1) % side};
  const int down[3] = {row * side + (column + side - 1) % side, (row + side - 1) % side * side + column,
                       (row + 1) % side * side + (column + 1) % side};
  double *out = calloc(6 * faces, sizeof(double)), *in = calloc(6 * faces, sizeof(double)), a[25], b[25], c[25], sum = 0;
  for (int k = 0; k < 25; ++k) a[k] = b[k] = c[k] = 1.0 / (k + 2);
  for (int k = 0; k < 6 * faces; ++k) out[k] = rank;
  MPI_Request requests[12];
  for (int d = 0; d < 3; ++d) {
    MPI_Irecv(in + 2 * d * faces, faces, MPI_DOUBLE, down[d], d, MPI_COMM_WORLD, &requests[4 * d]);
    MPI_Irecv(in + (2 * d + 1) * faces, faces, MPI_DOUBLE, up[d], 3 + d, MPI_COMM_WORLD, &requests[4 * d + 1]);
    MPI_Isend(out + 2 * d * faces, faces, MPI_DOUBLE, up[d], d, MPI_COMM_WORLD, &requests[4 * d + 2]);
    MPI_Isend(out + (2 * d + 1) * faces, faces, MPI_DOUBLE, down[d], 3 + d, MPI_COMM_WORLD, &requests[4 * d + 3]);
  }
  MPI_Waitall(12, requests, MPI_STATUSES_IGNORE);
  double wrong = 0;
  for (int d = 0; d < 3; ++d) wrong += in[2 * d * faces] != down[d] || in[(2 * d + 2) * faces - 1] != up[d];
  for (int d = 0; d < 3; ++d) {
    for (int back = 0; back < 2; ++back) {
      const int length = back ? backward : forward, from = back ? up[d] : down[d], to = back ? down[d] : up[d];
      MPI_Request sent = MPI_REQUEST_NULL;
      for (int cell = 0; cell < cells; ++cell) {
        if (cell > 0) MPI_Recv(in, length, MPI_DOUBLE, from, 10 + d, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int k = 0; k < (back ? points / 4 : 2 * points); ++k) block(a, b, c);
        sum += a[0];
        MPI_Wait(&sent, MPI_STATUS_IGNORE);
        if (cell < cells - 1) MPI_Isend(out, length, MPI_DOUBLE, to, 10 + d, MPI_COMM_WORLD, &sent);
      }
      MPI_Wait(&sent, MPI_STATUS_IGNORE);
    }
  }
  free(out), free(in);
  return wrong + !(sum > 0);
}

typedef double (*Kernel)(double size);

static Kernel kernel_of(const char *name) {
  return !strncmp(name, "is", 2) ? is : !strncmp(name, "cg", 2) ? cg : !strncmp(name, "bt", 2) ? bt : NULL;
}

/* `told`: NAME or NAME:SIZE. */
static void measure(const char *told) {
  const Kernel kernel = kernel_of(told);
  const double size = strchr(told, ':') ? atof(strchr(told, ':') + 1) : 1;
  double before[counts], after[counts], sums[counts], most, all_wrong, longest;
  kernel(size / 8); /* connections are made, memory is there */
  MPI_Barrier(MPI_COMM_WORLD);
  count_tcp(before);
  const double begin = MPI_Wtime();
  const double wrong = kernel(size);
  const double mine = MPI_Wtime() - begin;
  count_tcp(after);
  MPI_Reduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  MPI_Reduce(&wrong, &all_wrong, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  for (int k = retransmitted; k <= spurious; ++k) after[k] -= before[k];
  MPI_Reduce(after, sums, counts, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&after[jitter_most_us], &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank > 0) return;
  const double jitter = sums[connections] > 0 ? sums[jitter_us] / sums[connections] : 0;
  const char *names[] = {"seconds", "wrong", "retransmitted", "timeouts", "spurious_timeouts", "jitter_us", "jitter_most_us", "connections"};
  const double values[] = {longest, all_wrong, sums[retransmitted], sums[timeouts], sums[spurious], jitter, most, sums[connections]};
  for (unsigned k = 0; k < sizeof names / sizeof *names; ++k) printf("figure %.2s.%s %.9g\n", told, names[k], values[k]);
  fflush(stdout);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  side = (int)lround(sqrt(ranks));
  row = rank / side, column = rank % side;
  int good = argc > 1 && side * side == ranks && !(ranks & (ranks - 1));
  for (int k = 1; k < argc; ++k) good = good && kernel_of(argv[k]);
  if (!good) {
    if (rank == 0) fprintf(stderr, "kernels is[:SIZE]|cg[:SIZE]|bt[:SIZE]...; processes: 1, 4, 16, 64\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  for (int k = 1; k < argc; ++k) measure(argv[k]);
  /* MPICH 4.0 may hang in MPI_Finalize if a rank comes late (its pull request 6596). */
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
