/* The messages that an MPI library sends for collective operations: who to whom, how many bytes. Each line of the file argv[1] is an
   operation, its bytes (as in docs/collectives.md) and whether it commutes; forms with a length for each task have pieces of these
   bytes, or, with "+uneven" behind their name, piece k of k % 3 times these (of pairs: k = sender + 2 x receiver). A rank writes "LINE DESTINATION BYTES" for each message
   that it sends into argv[2].RANK. Messages are seen where they leave the collective component: under Open MPI in the table of its
   messaging component, under MPICH (ch4:ucx) in the calls of UCX, whose endpoints are told apart by what is sent to each first. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *out;
static int line = -1; /* what is recorded; -1: nothing */

static int self = 0;

/* What a rank sends to itself is no message between tasks. */
static void sent(int destination, size_t bytes) {
  if (line >= 0 && destination != self) fprintf(out, "%d %d %lld\n", line, destination, (long long)bytes);
}

#ifdef OPEN_MPI
/* The functions of a messaging component, as in ompi/mca/pml/pml.h. */
typedef struct {
  void *add_procs, *del_procs, *enable, *progress, *add_comm, *del_comm, *irecv_init, *irecv, *recv, *isend_init, *isend, *send;
} functions;
static functions usual;
static size_t bytes_of(size_t count, MPI_Datatype type) {
  int size = 0;
  MPI_Type_size(type, &size);
  return count * (size_t)size;
}
static int start_of_send(const void *data, size_t count, MPI_Datatype type, int to, int tag, int mode, MPI_Comm comm, MPI_Request *request) {
  sent(to, bytes_of(count, type));
  return ((int (*)(const void *, size_t, MPI_Datatype, int, int, int, MPI_Comm, MPI_Request *))usual.isend)(data, count, type, to, tag, mode,
                                                                                                            comm, request);
}
static int persistent_send(const void *data, size_t count, MPI_Datatype type, int to, int tag, int mode, MPI_Comm comm,
                           MPI_Request *request) {
  sent(to, bytes_of(count, type));
  return ((int (*)(const void *, size_t, MPI_Datatype, int, int, int, MPI_Comm, MPI_Request *))usual.isend_init)(data, count, type, to, tag,
                                                                                                                 mode, comm, request);
}
static int whole_send(const void *data, size_t count, MPI_Datatype type, int to, int tag, int mode, MPI_Comm comm) {
  sent(to, bytes_of(count, type));
  return ((int (*)(const void *, size_t, MPI_Datatype, int, int, int, MPI_Comm))usual.send)(data, count, type, to, tag, mode, comm);
}
static void begin(int rank, int ranks) {
  functions *table = dlsym(RTLD_DEFAULT, "mca_pml");
  (void)rank, (void)ranks;
  if (table == NULL) {
    fprintf(stderr, "this Open MPI has no table mca_pml\n");
    MPI_Abort(MPI_COMM_WORLD, 77);
  }
  usual = *table;
  table->isend = start_of_send;
  table->isend_init = persistent_send;
  table->send = whole_send;
}
static void end(void) { *(functions *)dlsym(RTLD_DEFAULT, "mca_pml") = usual; }
#else
enum { marker = 5000, most_ranks = 1024 };
static void *endpoints[most_ranks];
static int learning = 0;
static void seen(void *endpoint, size_t bytes) {
  if (learning && bytes >= marker && bytes < marker + most_ranks) endpoints[bytes - marker] = endpoint;
  if (learning || line < 0) return;
  for (int rank = 0; rank < most_ranks; ++rank)
    if (endpoints[rank] == endpoint) {
      sent(rank, bytes);
      return;
    }
  fprintf(stderr, "a message by an unknown endpoint\n");
  abort();
}
/* As in ucp/api/ucp.h; bit 3 of the mask says that there is a datatype, whose last three bits are 0 if its data is in one piece: the
   others are its length. What is not in one piece has no length here. */
typedef struct {
  uint32_t mask, flags;
  void *request, *callback;
  uint64_t datatype;
} options;
static size_t length(size_t count, const options *given) {
  if (!(given->mask & 8)) return count;
  return given->datatype % 8 == 0 ? count * (given->datatype / 8) : (size_t)-1;
}
#define SEEN(name)                                                                                        \
  void *name(void *endpoint, const void *data, size_t count, uint64_t tag, const options *parameters) {   \
    static void *(*real)(void *, const void *, size_t, uint64_t, const options *);                        \
    if (!real) real = dlsym(RTLD_NEXT, #name);                                                            \
    seen(endpoint, length(count, parameters));                                                      \
    return real(endpoint, data, count, tag, parameters);                                                  \
  }
SEEN(ucp_tag_send_nbx)
SEEN(ucp_tag_send_sync_nbx)
static void begin(int rank, int ranks) {
  static char from[marker + most_ranks], to[marker + most_ranks];
  learning = 1;
  for (int other = 0; other < ranks; ++other)
    MPI_Sendrecv(from, marker + other, MPI_BYTE, other, 1, to, sizeof to, MPI_BYTE, other, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  learning = 0;
}
static void end(void) {}
#endif

static void keep_right(void *from, void *to, int *count, MPI_Datatype *type) { (void)from, (void)to, (void)count, (void)type; }

/* MPI_Alltoallw of equal lengths, as one element of a type of its own for some pairs, as bytes for the others. */
static void exchange_by_types(char *from, char *to, int bytes, int rank, int ranks) {
  int *counts = malloc(sizeof(int) * (size_t)ranks), *places = malloc(sizeof(int) * (size_t)ranks);
  MPI_Datatype *types = malloc(sizeof(MPI_Datatype) * (size_t)ranks), whole;
  MPI_Type_contiguous(bytes, MPI_BYTE, &whole);
  MPI_Type_commit(&whole);
  for (int k = 0; k < ranks; ++k) {
    const int as_one = (rank + k) % 2;
    counts[k] = as_one ? 1 : bytes;
    types[k] = as_one ? whole : MPI_BYTE;
    places[k] = k * bytes;
  }
  MPI_Alltoallw(from, counts, places, types, to, counts, places, types, MPI_COMM_WORLD);
  MPI_Type_free(&whole);
  free(counts);
  free(places);
  free(types);
}

/* Lengths of pieces, and where they begin. */
typedef struct {
  int *bytes, *at;
  size_t all;
} pieces;
static int length_of(int bytes, int uneven, int k) { return uneven ? bytes * (k % 3) : bytes; }
/* Of each rank; or, if `paired` is not 0, of what this rank has for each (1) or gets from each (-1). */
static pieces pieces_of(int bytes, int uneven, int paired, int rank, int ranks) {
  pieces p = {malloc(sizeof(int) * (size_t)ranks), malloc(sizeof(int) * (size_t)ranks), 0};
  for (int k = 0; k < ranks; ++k) {
    const int number = paired == 0 ? k : paired == 1 ? rank + 2 * k : k + 2 * rank;
    p.bytes[k] = length_of(bytes, uneven, number);
    p.at[k] = (int)p.all;
    p.all += (size_t)p.bytes[k];
  }
  return p;
}
static void give_back(pieces p) {
  free(p.bytes);
  free(p.at);
}

/* Whether it is an operation with a length for each task, which has been done then. */
static int of_lengths(const char *operation, int bytes, int rank, int ranks) {
  const char *plus = strchr(operation, '+');
  const int uneven = plus != NULL;
  const size_t length = plus == NULL ? strlen(operation) : (size_t)(plus - operation);
#define NAMED(name) (length == strlen(name) && strncmp(operation, name, length) == 0)
  const int paired = NAMED("all-to-allv");
  if (!paired && !NAMED("gatherv") && !NAMED("scatterv") && !NAMED("allgatherv")) return 0;
  pieces own = pieces_of(bytes, uneven, paired ? 1 : 0, rank, ranks), got = pieces_of(bytes, uneven, paired ? -1 : 0, rank, ranks);
  char *from = calloc(own.all + 1, 1), *to = calloc(got.all + 1, 1);
  MPI_Comm world = MPI_COMM_WORLD;
  if (NAMED("gatherv")) MPI_Gatherv(from, own.bytes[rank], MPI_BYTE, to, own.bytes, own.at, MPI_BYTE, 0, world);
  if (NAMED("scatterv")) MPI_Scatterv(from, own.bytes, own.at, MPI_BYTE, to, own.bytes[rank], MPI_BYTE, 0, world);
  if (NAMED("allgatherv")) MPI_Allgatherv(from, own.bytes[rank], MPI_BYTE, to, own.bytes, own.at, MPI_BYTE, world);
  if (paired) MPI_Alltoallv(from, own.bytes, own.at, MPI_BYTE, to, got.bytes, got.at, MPI_BYTE, world);
  free(from);
  free(to);
  give_back(own);
  give_back(got);
  return 1;
}

int main(int argc, char **argv) {
  int rank, ranks, bytes, commutes, number = 0;
  char operation[64], path[4096];
  FILE *points;
  MPI_Op in_order;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  snprintf(path, sizeof path, "%s.%d", argv[2], rank);
  out = fopen(path, "w");
  points = fopen(argv[1], "r");
  if (out == NULL || points == NULL) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Op_create(keep_right, 0, &in_order);
  self = rank;
  begin(rank, ranks);
  while (fscanf(points, "%63s %d %d", operation, &bytes, &commutes) == 3) {
    const size_t all = (size_t)bytes * (size_t)ranks + 1;
    char *from = calloc(all, 1), *to = calloc(all, 1);
    int *counts = malloc(sizeof(int) * (size_t)ranks);
    MPI_Op op = commutes ? MPI_BOR : in_order;
    MPI_Comm world = MPI_COMM_WORLD;
    for (int k = 0; k < ranks; ++k) counts[k] = bytes;
    MPI_Barrier(world);
    line = number++;
#define IS(name) else if (strcmp(operation, name) == 0)
    if (strcmp(operation, "barrier") == 0) MPI_Barrier(world);
    else if (of_lengths(operation, bytes, rank, ranks)) {
    }
    IS("broadcast") MPI_Bcast(from, bytes, MPI_BYTE, 0, world);
    IS("reduce") MPI_Reduce(from, to, bytes, MPI_BYTE, op, 0, world);
    IS("allreduce") MPI_Allreduce(from, to, bytes, MPI_BYTE, op, world);
    IS("gather") MPI_Gather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, 0, world);
    IS("scatter") MPI_Scatter(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, 0, world);
    IS("allgather") MPI_Allgather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, world);
    IS("all-to-all") MPI_Alltoall(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, world);
    IS("all-to-allw") exchange_by_types(from, to, bytes, rank, ranks);
    IS("reduce-scatter") MPI_Reduce_scatter(from, to, counts, MPI_BYTE, op, world);
    IS("reduce-scatter-block") MPI_Reduce_scatter_block(from, to, bytes, MPI_BYTE, op, world);
    IS("scan") MPI_Scan(from, to, bytes, MPI_BYTE, op, world);
    IS("exscan") MPI_Exscan(from, to, bytes, MPI_BYTE, op, world);
    else MPI_Abort(world, 3);
    line = -1;
    free(from);
    free(to);
    free(counts);
  }
  end();
  MPI_Barrier(MPI_COMM_WORLD);
  fclose(out);
  MPI_Op_free(&in_order);
  MPI_Finalize();
  return 0;
}
