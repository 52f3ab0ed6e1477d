/* Calls of MPI of all kinds, for tests of the tracer: messages of all modes, wildcards, persistent requests, probes, every collective
   operation on MPI_COMM_WORLD and on halves of it, inter-communicators. Each rank prints "sent N" and "received N": messages of its own. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks, sent = 0, received = 0;

static void messages(MPI_Comm comm) {
  int me, size, flag = 0, index, done, indices[4];
  char out[4][3000], in[4][3000];
  MPI_Request requests[4];
  MPI_Status status;
  MPI_Message message;
  MPI_Datatype every_other;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &size);
  if (size < 2) return;
  const int right = (me + 1) % size, left = (me + size - 1) % size;
  memset(out, me, sizeof out);
  MPI_Sendrecv(out[0], 100, MPI_BYTE, right, 1, in[0], 3000, MPI_BYTE, left, 1, comm, MPI_STATUS_IGNORE);
  MPI_Sendrecv(out[0], 7, MPI_INT, right, 2, in[0], 3000, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
  MPI_Sendrecv_replace(out[1], 33, MPI_BYTE, right, 3, left, 3, comm, &status);
  sent += 3, received += 3;
  MPI_Irecv(in[0], 3000, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &requests[0]);
  MPI_Isend(out[0], 512, MPI_BYTE, right, 44, comm, &requests[1]);
  requests[2] = MPI_REQUEST_NULL;
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  MPI_Irecv(in[0], 3000, MPI_BYTE, left, 5, comm, &requests[0]);
  MPI_Issend(out[0], 9, MPI_DOUBLE, right, 5, comm, &requests[1]);
  for (int k = 0; k < 2; ++k) MPI_Waitany(2, requests, &index, &status);
  MPI_Irecv(in[0], 3000, MPI_BYTE, left, 6, comm, &requests[0]);
  MPI_Isend(out[0], 1, MPI_BYTE, right, 6, comm, &requests[1]);
  for (int k = 0; k < 2; k += done) MPI_Waitsome(2, requests, &done, indices, MPI_STATUSES_IGNORE);
  MPI_Irecv(in[0], 3000, MPI_BYTE, left, 7, comm, &requests[0]);
  MPI_Send(out[0], 0, MPI_BYTE, right, 7, comm);
  while (!flag) MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
  sent += 4, received += 4;
  MPI_Send_init(out[2], 250, MPI_BYTE, right, 8, comm, &requests[0]);
  MPI_Recv_init(in[2], 250, MPI_BYTE, left, 8, comm, &requests[1]);
  for (int k = 0; k < 3; ++k) {
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    ++sent, ++received;
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  MPI_Isend(out[0], 11, MPI_BYTE, right, 9, comm, &requests[0]);
  MPI_Probe(MPI_ANY_SOURCE, 9, comm, &status);
  MPI_Recv(in[0], 3000, MPI_BYTE, status.MPI_SOURCE, 9, comm, MPI_STATUS_IGNORE);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Isend(out[0], 12, MPI_BYTE, right, 10, comm, &requests[0]);
  MPI_Mprobe(left, 10, comm, &message, MPI_STATUS_IGNORE);
  MPI_Mrecv(in[0], 3000, MPI_BYTE, &message, MPI_STATUS_IGNORE);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Isend(out[0], 13, MPI_BYTE, MPI_PROC_NULL, 10, comm, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  /* 50 bytes in 50 pieces */
  MPI_Type_vector(50, 1, 2, MPI_BYTE, &every_other);
  MPI_Type_commit(&every_other);
  MPI_Sendrecv(out[0], 1, every_other, right, 11, in[0], 1, every_other, left, 11, comm, MPI_STATUS_IGNORE);
  MPI_Bcast(in[0], 2, every_other, 0, comm);
  MPI_Type_free(&every_other);
  sent += 3, received += 3;
}

/* Every collective operation that blocks, of a few lengths. */
static void collectives(MPI_Comm comm, int bytes) {
  int me, size;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &size);
  const size_t all = (size_t)bytes * (size_t)size + 1;
  char *from = calloc(all, 1), *to = calloc(all, 1);
  int counts[64], places[64];
  MPI_Datatype types[64];
  for (int k = 0; k < size; ++k) counts[k] = bytes / (k + 1), places[k] = k * bytes, types[k] = MPI_BYTE;
  const int mine = counts[me], root = size - 1;
  MPI_Barrier(comm);
  MPI_Bcast(from, bytes, MPI_BYTE, root, comm);
  MPI_Gather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, root, comm);
  MPI_Gatherv(from, mine, MPI_BYTE, to, counts, places, MPI_BYTE, root, comm);
  MPI_Scatter(to, bytes, MPI_BYTE, from, bytes, MPI_BYTE, root, comm);
  MPI_Scatterv(to, counts, places, MPI_BYTE, from, mine, MPI_BYTE, root, comm);
  MPI_Allgather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, comm);
  MPI_Allgatherv(from, mine, MPI_BYTE, to, counts, places, MPI_BYTE, comm);
  MPI_Alltoall(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, comm);
  for (int k = 0; k < size; ++k) counts[k] = bytes / (k + me + 1);
  MPI_Alltoallv(from, counts, places, MPI_BYTE, to, counts, places, MPI_BYTE, comm);
  MPI_Alltoallw(from, counts, places, types, to, counts, places, types, comm);
  MPI_Allreduce(from, to, bytes, MPI_BYTE, MPI_BOR, comm);
  MPI_Reduce(from, to, bytes, MPI_BYTE, MPI_BOR, root, comm);
  for (int k = 0; k < size; ++k) counts[k] = bytes;
  MPI_Reduce_scatter(from, to, counts, MPI_BYTE, MPI_BOR, comm);
  MPI_Reduce_scatter_block(from, to, bytes, MPI_BYTE, MPI_BOR, comm);
  MPI_Scan(from, to, bytes, MPI_BYTE, MPI_BOR, comm);
  MPI_Exscan(from, to, bytes, MPI_BYTE, MPI_BOR, comm);
  free(from);
  free(to);
}

/* Those that start a request. */
static void started(MPI_Comm comm) {
  char from[640] = {0}, to[640];
  MPI_Request requests[3];
  MPI_Ibarrier(comm, &requests[0]);
  MPI_Ibcast(from, 64, MPI_BYTE, 0, comm, &requests[1]);
  MPI_Iallreduce(from, to, 10, MPI_INT, MPI_SUM, comm, &requests[2]);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Comm half, twin, between, grid, row;
  int extent[2] = {0, 0}, periods[2] = {1, 0}, columns[2] = {0, 1};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  messages(MPI_COMM_WORLD);
  MPI_Pcontrol(7);
  collectives(MPI_COMM_WORLD, 40);
  collectives(MPI_COMM_WORLD, 9000);
  started(MPI_COMM_WORLD);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  messages(half);
  collectives(half, 300);
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  messages(twin);
  MPI_Barrier(MPI_COMM_SELF);
  MPI_Dims_create(ranks, 2, extent);
  MPI_Cart_create(twin, 2, extent, periods, 0, &grid);
  MPI_Cart_sub(grid, columns, &row);
  collectives(row, 100);
  if (ranks > 1) {
    int peers, me;
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 ? (ranks - 1) / 2 * 2 : (ranks / 2 - 1) * 2 + 1, 99, &between);
    MPI_Comm_remote_size(between, &peers);
    MPI_Comm_rank(between, &me);
    if (me < peers) {
      int got = 0;
      MPI_Sendrecv(&rank, 1, MPI_INT, me, 12, &got, 1, MPI_INT, me, 12, between, MPI_STATUS_IGNORE);
      ++sent, ++received;
    }
    MPI_Comm_free(&between);
  }
  MPI_Comm_free(&row);
  MPI_Comm_free(&grid);
  MPI_Comm_free(&twin);
  MPI_Comm_free(&half);
  /* Ranks write whole lines. */
  printf("rank %d: sent %d received %d\n", rank, sent, received);
  MPI_Finalize();
  return 0;
}
