/* What MPI promises, with data that is checked: one program for `weft cosim` and for MPI itself. Each rank that finds something wrong
   says so; rank 0 says how many ranks found nothing. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks, wrong = 0;
#define CHECK(holds)                                                                      \
  do {                                                                                    \
    if (!(holds)) {                                                                       \
      ++wrong;                                                                            \
      printf("rank %d: line %d: %s does not hold\n", rank, __LINE__, #holds);             \
    }                                                                                     \
  } while (0)

static void fill(unsigned char *data, int bytes, int seed) {
  for (int k = 0; k < bytes; ++k) data[k] = (unsigned char)(seed + 7 * k + k / 256);
}
static int is_filled(const unsigned char *data, int bytes, int seed) {
  for (int k = 0; k < bytes; ++k)
    if (data[k] != (unsigned char)(seed + 7 * k + k / 256)) return 0;
  return 1;
}

/* All modes and lengths, to the right neighbour. */
static void modes(void) {
  static const int lengths[] = {0, 1, 100, 4000, 5000, 70000, 3000000};
  const int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
  unsigned char *out = malloc(3000000), *in = malloc(3000000);
  for (int k = 0; k < 7; ++k) {
    for (int mode = 0; mode < 4; ++mode) {
      MPI_Request request;
      MPI_Status status;
      int count;
      fill(out, lengths[k], rank + mode);
      memset(in, 0, 3000000);
      MPI_Irecv(in, 3000000, MPI_BYTE, left, k, MPI_COMM_WORLD, &request);
      if (mode == 0) MPI_Send(out, lengths[k], MPI_BYTE, right, k, MPI_COMM_WORLD);
      if (mode == 1) MPI_Ssend(out, lengths[k], MPI_BYTE, right, k, MPI_COMM_WORLD);
      if (mode == 2) MPI_Bsend(out, lengths[k], MPI_BYTE, right, k, MPI_COMM_WORLD);
      if (mode == 3) {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Rsend(out, lengths[k], MPI_BYTE, right, k, MPI_COMM_WORLD);
      }
      memset(out, 0, lengths[k]); /* it is the library's no more */
      MPI_Wait(&request, &status);
      MPI_Get_count(&status, MPI_BYTE, &count);
      CHECK(count == lengths[k] && status.MPI_SOURCE == left && status.MPI_TAG == k);
      CHECK(is_filled(in, lengths[k], left + mode));
    }
  }
  free(out), free(in);
}

/* Requests that start again, types with gaps, probes. */
static void requests(void) {
  const int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
  int out[300], in[300], flag = 0, count;
  MPI_Request pair[2];
  MPI_Status status;
  MPI_Message message;
  MPI_Datatype every_third;
  MPI_Send_init(out, 300, MPI_INT, right, 1, MPI_COMM_WORLD, &pair[0]);
  MPI_Recv_init(in, 300, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &pair[1]);
  for (int round = 0; round < 5; ++round) {
    for (int k = 0; k < 300; ++k) out[k] = rank * 1000 + round * 300 + k;
    MPI_Startall(2, pair);
    MPI_Waitall(2, pair, MPI_STATUSES_IGNORE);
    CHECK(in[0] == left * 1000 + round * 300 && in[299] == left * 1000 + round * 300 + 299);
  }
  MPI_Request_free(&pair[0]);
  MPI_Request_free(&pair[1]);
  MPI_Type_vector(100, 1, 3, MPI_INT, &every_third);
  MPI_Type_commit(&every_third);
  memset(in, 0xFF, sizeof in);
  for (int k = 0; k < 300; ++k) out[k] = rank * 1000 + k;
  MPI_Isend(out, 1, every_third, right, 2, MPI_COMM_WORLD, &pair[0]);
  MPI_Irecv(in, 1, every_third, left, 2, MPI_COMM_WORLD, &pair[1]);
  while (!flag) MPI_Testall(2, pair, &flag, MPI_STATUSES_IGNORE);
  for (int k = 0; k < 300; ++k) CHECK(in[k] == (k % 3 == 0 ? left * 1000 + k : -1));
  /* packed here, in gaps there */
  MPI_Sendrecv(out, 1, every_third, right, 3, in, 100, MPI_INT, left, 3, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK(count == 100 && in[99] == left * 1000 + 297);
  MPI_Type_free(&every_third);
  MPI_Isend(out, 10, MPI_INT, right, 4, MPI_COMM_WORLD, &pair[0]);
  MPI_Isend(out, 20, MPI_INT, right, 5, MPI_COMM_WORLD, &pair[1]);
  MPI_Probe(left, 5, MPI_COMM_WORLD, &status); /* behind another */
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK(count == 20);
  for (flag = 0; !flag;) MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, &status);
  CHECK(status.MPI_TAG == 4 && status.MPI_SOURCE == left);
  MPI_Recv(in, 300, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status); /* not the one that was taken */
  CHECK(status.MPI_TAG == 5);
  MPI_Mrecv(in, 300, MPI_INT, &message, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK(count == 10 && in[9] == left * 1000 + 9);
  MPI_Waitall(2, pair, MPI_STATUSES_IGNORE);
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
  CHECK(!flag);
}

/* A receive that is withdrawn, messages too long, messages to itself. */
static void corners(void) {
  const int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
  int out[20], in[20], cancelled, flag, count, error;
  MPI_Request pair[3];
  MPI_Status status;
  for (int k = 0; k < 20; ++k) out[k] = rank + k;
  MPI_Irecv(in, 20, MPI_INT, left, 6, MPI_COMM_WORLD, &pair[0]);
  MPI_Irecv(&in[10], 10, MPI_INT, left, 6, MPI_COMM_WORLD, &pair[1]);
  MPI_Irecv(in, 10, MPI_INT, left, MPI_ANY_TAG, MPI_COMM_WORLD, &pair[2]);
  MPI_Cancel(&pair[2]); /* behind others, as those behind it */
  MPI_Wait(&pair[2], &status);
  MPI_Test_cancelled(&status, &cancelled);
  CHECK(cancelled);
  MPI_Irecv(in, 10, MPI_INT, left, 6, MPI_COMM_WORLD, &pair[2]);
  MPI_Cancel(&pair[2]);
  MPI_Wait(&pair[2], &status);
  MPI_Test_cancelled(&status, &cancelled);
  CHECK(cancelled);
  MPI_Cancel(&pair[0]);
  MPI_Wait(&pair[0], &status);
  MPI_Test_cancelled(&status, &cancelled);
  CHECK(cancelled);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Send(out, 10, MPI_INT, right, 6, MPI_COMM_WORLD);
  MPI_Wait(&pair[1], MPI_STATUS_IGNORE);
  CHECK(in[10] == left && in[19] == left + 9);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Isend(out, 20, MPI_INT, right, 7, MPI_COMM_WORLD, &pair[0]);
  memset(in, 0, sizeof in);
  error = MPI_Recv(in, 5, MPI_INT, left, 7, MPI_COMM_WORLD, &status);
  MPI_Error_class(error, &error);
  CHECK(error == MPI_ERR_TRUNCATE && in[4] == left + 4 && in[5] == 0);
  MPI_Wait(&pair[0], MPI_STATUS_IGNORE);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Irecv(in, 20, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_SELF, &pair[0]);
  MPI_Send(out, 3, MPI_INT, 0, 8, MPI_COMM_SELF);
  MPI_Wait(&pair[0], &status);
  CHECK(status.MPI_SOURCE == 0 && in[2] == rank + 2);
  /* the first of two that comes: the other one is not sent before */
  MPI_Irecv(in, 5, MPI_INT, left, 9, MPI_COMM_WORLD, &pair[0]);
  MPI_Irecv(&in[5], 5, MPI_INT, left, 10, MPI_COMM_WORLD, &pair[1]);
  MPI_Send(out, 5, MPI_INT, right, 10, MPI_COMM_WORLD);
  MPI_Waitany(2, pair, &flag, &status);
  CHECK(flag == 1 && status.MPI_TAG == 10);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Request_get_status(pair[0], &flag, MPI_STATUS_IGNORE);
  CHECK(!flag);
  MPI_Send(out, 5, MPI_INT, right, 9, MPI_COMM_WORLD);
  while (!flag) MPI_Request_get_status(pair[0], &flag, &status);
  MPI_Waitsome(2, pair, &count, &flag, &status);
  CHECK(count == 1 && flag == 0 && status.MPI_TAG == 9);
}

/* Collective calls that wait and that do not, on all ranks and on halves of them. */
static void collectives(MPI_Comm comm) {
  int me, size, flag = 0, sum = 0, first = 0;
  double values[1000], sums[1000];
  MPI_Request several[3];
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &size);
  for (int k = 0; k < 1000; ++k) values[k] = me + k;
  MPI_Allreduce(values, sums, 1000, MPI_DOUBLE, MPI_SUM, comm);
  for (int k = 0; k < 1000; ++k) CHECK(sums[k] == size * (size - 1) / 2 + k * size);
  MPI_Iallreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm, &several[0]);
  first = me == size - 1 ? 99 : 0;
  MPI_Ibcast(&first, 1, MPI_INT, size - 1, comm, &several[1]);
  MPI_Ibarrier(comm, &several[2]);
  /* others go on while it waits for a message */
  MPI_Sendrecv_replace(values, 10, MPI_DOUBLE, (me + 1) % size, 1, (me + size - 1) % size, 1, comm, MPI_STATUS_IGNORE);
  CHECK(values[0] == (me + size - 1) % size);
  while (!flag) MPI_Test(&several[0], &flag, MPI_STATUS_IGNORE);
  CHECK(sum == size * (size - 1) / 2);
  MPI_Waitall(3, several, MPI_STATUSES_IGNORE);
  CHECK(first == 99);
  int *all = malloc(size * sizeof(int)), *turned = malloc(size * sizeof(int));
  MPI_Allgather(&me, 1, MPI_INT, all, 1, MPI_INT, comm);
  for (int k = 0; k < size; ++k) CHECK(all[k] == k);
  for (int k = 0; k < size; ++k) all[k] = me * size + k;
  MPI_Ialltoall(all, 1, MPI_INT, turned, 1, MPI_INT, comm, &several[0]);
  MPI_Wait(&several[0], MPI_STATUS_IGNORE);
  for (int k = 0; k < size; ++k) CHECK(turned[k] == k * size + me);
  MPI_Scan(&me, &sum, 1, MPI_INT, MPI_SUM, comm);
  CHECK(sum == me * (me + 1) / 2);
  free(all), free(turned);
}

static void communicators(void) {
  MPI_Comm half, copy, later, between;
  MPI_Request request;
  int got = -1;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  collectives(half);
  MPI_Comm_dup(half, &copy);
  collectives(copy);
  MPI_Comm_idup(MPI_COMM_WORLD, &later, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  collectives(later);
  if (ranks > 1) {
    int me, there;
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, (ranks - 1) - ((ranks - 1 + 1 - rank % 2) % 2), 5, &between);
    MPI_Comm_rank(half, &me);
    MPI_Comm_remote_size(between, &there);
    if (me < there) {
      MPI_Sendrecv(&rank, 1, MPI_INT, me, 1, &got, 1, MPI_INT, me, 1, between, MPI_STATUS_IGNORE);
      CHECK(got % 2 != rank % 2);
    }
    MPI_Comm_free(&between);
  }
  MPI_Comm_free(&half);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&later);
}

int main(int argc, char **argv) {
  static char room[4 * 3000000 + 100000];
  void *buffer = room;
  int most = sizeof room, right = 0, total = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Buffer_attach(room, sizeof room);
  modes();
  requests();
  corners();
  collectives(MPI_COMM_WORLD);
  communicators();
  right = wrong == 0;
  MPI_Reduce(&right, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%d of %d ranks found nothing wrong\n", total, ranks);
  MPI_Buffer_detach(&buffer, &most);
  MPI_Finalize();
  return 0;
}
