/* Programs that end in all ways, for tests of the tracer: endings KIND MESSAGES. Pairs of ranks send each other MESSAGES messages;
   then, by KIND, rank 1 kills itself (kill), all leave without MPI_Finalize (exit), rank 0 calls MPI_Abort (abort), files must not grow
   beyond 40,000 bytes from the begin (full), recording is switched off for the second half (off; by a signal: toggle), receives that
   nobody sends for are cancelled (cancel), or nothing happens (usual). "cost" measures a call instead: messages to itself. "threads": each of 4 threads sends. */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int rank, ranks, messages;
static MPI_Comm of_thread[4];

static void exchange(MPI_Comm comm, int count, int tag) {
  char from[100] = {0}, to[100];
  const int peer = rank ^ 1;
  for (int k = 0; k < count && peer < ranks; ++k) {
    MPI_Request request;
    MPI_Irecv(to, 100, MPI_BYTE, peer, tag, comm, &request);
    MPI_Send(from, k % 100, MPI_BYTE, peer, tag, comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

/* A receive from anyone, one from rank 0, and a persistent one, waited for one by one and with another that is met. On a communicator of
   their own, so that nothing comes. */
static void cancel(void) {
  char places[4][100];
  MPI_Comm empty;
  MPI_Request requests[4];
  MPI_Status statuses[4];
  MPI_Comm_dup(MPI_COMM_WORLD, &empty);
  for (int k = 0; k < 2; ++k) {
    MPI_Irecv(places[0], 100, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, empty, &requests[0]);
    MPI_Irecv(places[1], 100, MPI_BYTE, 0, 8, empty, &requests[1]);
    MPI_Recv_init(places[2], 100, MPI_BYTE, MPI_ANY_SOURCE, 9, empty, &requests[2]);
    MPI_Start(&requests[2]);
    for (int each = 0; each < 3; ++each) MPI_Cancel(&requests[each]);
    MPI_Irecv(places[3], 100, MPI_BYTE, rank ^ 1, 5, MPI_COMM_WORLD, &requests[3]);
    MPI_Send(places[3], 11, MPI_BYTE, rank ^ 1, 5, MPI_COMM_WORLD);
    MPI_Request persistent = requests[2];
    if (k == 0) {
      MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    } else {
      for (int each = 0; each < 4; ++each) MPI_Wait(&requests[each], &statuses[each]);
    }
    MPI_Request_free(&persistent);
  }
  MPI_Comm_free(&empty);
}

static void *run(void *number) {
  exchange(of_thread[(long)number], messages, (int)(long)number);
  return NULL;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* Nanoseconds of a call, of 3 that send 8 bytes to itself: the least and the median of 50 measurements. */
static void cost(void) {
  double times[50];
  char from[8] = {0}, to[8];
  for (int part = 0; part < 50; ++part) {
    const double begin = MPI_Wtime();
    for (int k = 0; k < messages; ++k) {
      MPI_Request request;
      MPI_Irecv(to, 8, MPI_BYTE, 0, 1, MPI_COMM_SELF, &request);
      MPI_Send(from, 8, MPI_BYTE, 0, 1, MPI_COMM_SELF);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    times[part] = (MPI_Wtime() - begin) / messages / 3 * 1e9;
  }
  qsort(times, 50, sizeof *times, ascending);
  printf("least %.1f median %.1f\n", times[0], times[25]);
}

int main(int argc, char **argv) {
  const char *kind = argv[1];
  int level = 0;
  messages = atoi(argv[2]);
  if (strcmp(kind, "threads") == 0) {
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  } else {
    MPI_Init(&argc, &argv);
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (strcmp(kind, "full") == 0) {
    const struct rlimit most = {40000, 40000};
    setrlimit(RLIMIT_FSIZE, &most);
  }
  if (strcmp(kind, "threads") == 0) {
    pthread_t threads[4];
    if (level != MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 3);
    for (long k = 0; k < 4; ++k) MPI_Comm_dup(MPI_COMM_WORLD, &of_thread[k]);
    for (long k = 0; k < 4; ++k) pthread_create(&threads[k], NULL, run, (void *)k);
    for (long k = 0; k < 4; ++k) pthread_join(threads[k], NULL);
  } else if (strcmp(kind, "cost") == 0) {
    cost();
  } else {
    if (strcmp(kind, "cancel") == 0) cancel();
    exchange(MPI_COMM_WORLD, messages, 5);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (strcmp(kind, "kill") == 0 && rank == 1) kill(getpid(), SIGKILL);
  if (strcmp(kind, "exit") == 0) exit(0);
  if (strcmp(kind, "abort") == 0 && rank == 0) MPI_Abort(MPI_COMM_WORLD, 9);
  if (strcmp(kind, "off") == 0 || strcmp(kind, "toggle") == 0) {
    if (kind[0] == 'o') MPI_Pcontrol(0);
    if (kind[0] == 't') kill(getpid(), SIGUSR2);
    exchange(MPI_COMM_WORLD, messages, 6);
    if (kind[0] == 'o') MPI_Pcontrol(1);
    if (kind[0] == 't') kill(getpid(), SIGUSR2);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
