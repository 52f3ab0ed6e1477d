/* Random point-to-point calls under a real MPI library, with a record of each: which message every receive got, which request every
   Waitany returned. usage: mpirun -n R random_calls SEED EPOCHS FOLDER, writes FOLDER/calls.RANK.

   An epoch ends with a barrier made of messages. What is drawn from `shared` is the same on all ranks. No program waits for ever,
   however MPI matches: receives of one communicator of one rank in one epoch have wildcards of one kind, so each fits as good as
   any other, and nobody blocks in a send before all of its own receives are posted.

   A line is a call. N, M: requests, in the order in which they were made; SEQ: which send of its source the message was, from 0.
     isend N DEST TAG COMM BYTES | send DEST TAG COMM BYTES | irecv N SOURCE TAG COMM BYTES | probe SOURCE TAG COMM
     recv SOURCE TAG COMM BYTES : SOURCE TAG SEQ      what was asked (-1: any) and what came
     got N SOURCE TAG SEQ                             what came for an irecv; no call
     wait N | waitall N M... | waitany N : N M...     what it returned, of which | waitsome N... : N M... | compute NS */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMMS = 4, BARRIER = 3, MODES = 4, LARGEST = 70000, MOST_REQUESTS = 1 << 16, MOST_MESSAGES = 256 };

typedef struct {
  MPI_Request handle;
  char* data;
  int receive;
} Request;

typedef struct {
  int source, destination, tag, comm, bytes;
} Message;

static int me, ranks, sends, made; /* made: requests */
static uint64_t shared, own;
static FILE* record;
static MPI_Comm comms[COMMS];
static Request requests[MOST_REQUESTS];

static uint64_t draw64(uint64_t* state) { /* splitmix64 */
  uint64_t z = (*state += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

static int draw(uint64_t* state, int below) { return (int)(draw64(state) % (uint64_t)below); }

static void shuffle(int* items, int count) {
  for (int i = count - 1; i > 0; --i) {
    int j = draw(&own, i + 1), kept = items[i];
    items[i] = items[j], items[j] = kept;
  }
}

static Request* make(int receive, int bytes) {
  if (made == MOST_REQUESTS) MPI_Abort(MPI_COMM_WORLD, 1);
  Request* r = &requests[made++];
  r->data = calloc(1, (size_t)bytes);
  r->receive = receive;
  return r;
}

static void mark(char* data) {
  int head[2] = {me, sends++};
  memcpy(data, head, sizeof head);
}

static int seq_in(const char* data, const MPI_Status* status) {
  int head[2];
  memcpy(head, data, sizeof head);
  if (head[0] != status->MPI_SOURCE) MPI_Abort(MPI_COMM_WORLD, 2); /* not the message that MPI says */
  return head[1];
}

static void isend(int destination, int tag, int comm, int bytes) {
  Request* r = make(0, bytes);
  mark(r->data);
  fprintf(record, "isend %d %d %d %d %d\n", made - 1, destination, tag, comm, bytes);
  MPI_Isend(r->data, bytes, MPI_BYTE, destination, tag, comms[comm], &r->handle);
}

static void send(int destination, int tag, int comm, int bytes) {
  char* data = calloc(1, (size_t)bytes);
  mark(data);
  fprintf(record, "send %d %d %d %d\n", destination, tag, comm, bytes);
  MPI_Send(data, bytes, MPI_BYTE, destination, tag, comms[comm]);
  free(data);
}

static int irecv(int source, int tag, int comm, int bytes) { /* of messages of so many bytes at most */
  Request* r = make(1, bytes);
  fprintf(record, "irecv %d %d %d %d %d\n", made - 1, source < 0 ? -1 : source, tag < 0 ? -1 : tag, comm, bytes);
  MPI_Irecv(r->data, bytes, MPI_BYTE, source, tag, comms[comm], &r->handle);
  return made - 1;
}

/* With a probe before it, the receive itself is of what the probe saw. The source. */
static int receive(int source, int tag, int comm, int probe) {
  static char data[LARGEST];
  MPI_Status status;
  int from = source, tagged = tag;
  if (probe) {
    fprintf(record, "probe %d %d %d\n", source < 0 ? -1 : source, tag < 0 ? -1 : tag, comm);
    for (int there = 0; !there;) {
      if (probe == 1) MPI_Probe(source, tag, comms[comm], &status), there = 1;
      if (probe == 2) MPI_Iprobe(source, tag, comms[comm], &there, &status);
    }
    from = status.MPI_SOURCE, tagged = status.MPI_TAG;
  }
  MPI_Recv(data, LARGEST, MPI_BYTE, from, tagged, comms[comm], &status);
  int bytes;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  fprintf(record, "recv %d %d %d %d : %d %d %d\n", source < 0 ? -1 : source, tag < 0 ? -1 : tag, comm, bytes,
          status.MPI_SOURCE, status.MPI_TAG, seq_in(data, &status));
  return status.MPI_SOURCE;
}

static void is_complete(int request, const MPI_Status* status) {
  Request* r = &requests[request];
  if (r->receive)
    fprintf(record, "got %d %d %d %d\n", request, status->MPI_SOURCE, status->MPI_TAG, seq_in(r->data, status));
  free(r->data);
}

static void compute(void) {
  int us = draw(&own, 50);
  fprintf(record, "compute %d\n", us * 1000);
  double end = MPI_Wtime() + us * 1e-6;
  while (MPI_Wtime() < end) continue;
}

static void take_out(int* open, int* count, int request) {
  int kept = 0;
  for (int i = 0; i < *count; ++i)
    if (open[i] != request) open[kept++] = open[i];
  *count = kept;
}

/* One call that waits for some of the open requests; what it returned is open no longer. */
static void wait_for_some(int* open, int* count) {
  static MPI_Request handles[MOST_MESSAGES];
  static MPI_Status statuses[MOST_MESSAGES];
  static int chosen[MOST_MESSAGES], returned[MOST_MESSAGES];
  shuffle(open, *count);
  int n = 1 + draw(&own, *count), done = 0, how = draw(&own, 5);
  if (how == 0 || how == 4) n = 1;
  for (int i = 0; i < n; ++i) chosen[i] = open[i], handles[i] = requests[open[i]].handle;
  if (how == 0) {
    MPI_Wait(&handles[0], &statuses[0]);
  } else if (how == 1) {
    MPI_Waitall(n, handles, statuses);
  } else if (how == 2) {
    MPI_Waitany(n, handles, &returned[0], &statuses[0]), done = 1;
  } else if (how == 3) {
    MPI_Waitsome(n, handles, &done, returned, statuses);
  } else {
    for (int there = 0; !there;) MPI_Test(&handles[0], &there, &statuses[0]);
  }
  if (how != 2 && how != 3)
    for (done = 0; done < n; ++done) returned[done] = done;
  fputs(how == 1 ? "waitall" : how == 2 ? "waitany" : how == 3 ? "waitsome" : "wait", record);
  for (int i = 0; i < done; ++i) fprintf(record, " %d", chosen[returned[i]]);
  if (how == 2 || how == 3) {
    fputs(" :", record);
    for (int i = 0; i < n; ++i) fprintf(record, " %d", chosen[i]);
  }
  fputc('\n', record);
  for (int i = 0; i < done; ++i) {
    is_complete(chosen[returned[i]], &statuses[i]);
    take_out(open, count, chosen[returned[i]]);
  }
}

/* Wildcards of the receives of a rank and communicator: 1 in the source, 2 in the tag. */
static int mode_of(int modes, const Message* m) { return (modes >> (2 * ((m->comm + m->destination) % 8))) % MODES; }

/* Everybody sends to anybody; all is posted, in any order, before anybody waits. */
static void all_at_once(void) {
  static Message messages[MOST_MESSAGES];
  static const int sizes[] = {8, 8, 64, 1000, 5000, LARGEST};
  static int items[2 * MOST_MESSAGES], open[2 * MOST_MESSAGES];
  int modes = (int)(draw64(&shared) >> 40), count = ranks * (1 + draw(&shared, 6)), mine = 0, receives = 0, opened = 0,
      probed = -1;
  if (count > MOST_MESSAGES / 2) count = MOST_MESSAGES / 2;
  for (int i = 0; i < count; ++i) {
    Message* m = &messages[i];
    m->source = draw(&shared, ranks), m->destination = draw(&shared, ranks);
    if (m->source == m->destination && draw(&shared, 4)) m->destination = (m->source + 1) % ranks;
    m->tag = draw(&shared, 3), m->comm = draw(&shared, COMMS - 1), m->bytes = sizes[draw(&shared, 6)];
  }
  for (int i = 0; i < count; ++i)
    if (messages[i].destination == me) items[mine++] = i;
  shuffle(items, mine);
  receives = mine;
  for (int i = 0; i < count; ++i)
    if (messages[i].source == me) items[mine++] = i + MOST_MESSAGES;
  int receives_first = draw(&own, 2);
  if (receives_first && receives && draw(&own, 2)) probed = --receives; /* the last receive is probed for instead */
  if (!receives_first) shuffle(items, mine);
  for (int i = 0; i < mine; ++i) {
    const Message* m = &messages[items[i] % MOST_MESSAGES];
    if (i == probed) continue;
    if (draw(&own, 6) == 0) compute();
    if (items[i] >= MOST_MESSAGES) {
      if (receives_first && probed < 0 && m->destination != me && draw(&own, 3) == 0) {
        send(m->destination, m->tag, m->comm, m->bytes);
        continue;
      }
      isend(m->destination, m->tag, m->comm, m->bytes);
    } else {
      int mode = mode_of(modes, m);
      irecv(mode & 1 ? MPI_ANY_SOURCE : m->source, mode & 2 ? MPI_ANY_TAG : m->tag, m->comm, LARGEST);
    }
    open[opened++] = made - 1;
  }
  if (probed >= 0) {
    const Message* m = &messages[items[probed]];
    int mode = mode_of(modes, m);
    receive(mode & 1 ? MPI_ANY_SOURCE : m->source, mode & 2 ? MPI_ANY_TAG : m->tag, m->comm, 1 + draw(&own, 2));
  }
  while (opened) {
    wait_for_some(open, &opened);
    if (draw(&own, 6) == 0) compute();
  }
}

/* A message goes round by blocking calls. */
static void chain(void) {
  int first = draw(&shared, ranks), tag = draw(&shared, 3), bytes = draw(&shared, 2) ? 8 : LARGEST;
  int next = (me + 1) % ranks, before = (me + ranks - 1) % ranks;
  if (me == first) send(next, tag, 0, bytes);
  receive(draw(&own, 2) ? MPI_ANY_SOURCE : before, draw(&own, 2) ? MPI_ANY_TAG : tag, 0, draw(&own, 3));
  if (me != first) send(next, tag, 0, bytes);
}

/* One answers the requests of all others as they come: with Waitany over a receive for each, or receives from any. */
static void serve(void) {
  int master = draw(&shared, ranks), each = 1 + draw(&shared, 4), any = draw(&shared, 2);
  static int waiting_for[MOST_MESSAGES], left[MOST_MESSAGES];
  static MPI_Request handles[MOST_MESSAGES];
  if (me != master) {
    for (int i = 0; i < each; ++i) {
      if (draw(&own, 2)) compute();
      send(master, 5, 1, 8);
      receive(master, 6, 1, 0);
    }
    return;
  }
  for (int r = 0; r < ranks; ++r) {
    left[r] = r == me ? 0 : each;
    waiting_for[r] = -1, handles[r] = MPI_REQUEST_NULL;
    if (!any && r != me) waiting_for[r] = irecv(r, 5, 1, LARGEST), handles[r] = requests[waiting_for[r]].handle;
  }
  for (int i = 0; i < each * (ranks - 1); ++i) {
    int who;
    MPI_Status status;
    if (any) {
      who = receive(MPI_ANY_SOURCE, 5, 1, draw(&own, 2));
    } else {
      MPI_Waitany(ranks, handles, &who, &status);
      fprintf(record, "waitany %d :", waiting_for[who]);
      for (int r = 0; r < ranks; ++r)
        if (waiting_for[r] >= 0) fprintf(record, " %d", waiting_for[r]);
      fputc('\n', record);
      is_complete(waiting_for[who], &status);
      waiting_for[who] = -1;
    }
    send(who, 6, 1, 8);
    if (--left[who] > 0 && !any)
      waiting_for[who] = irecv(who, 5, 1, LARGEST), handles[who] = requests[waiting_for[who]].handle;
  }
}

/* Of messages, so that the record has it: dissemination. */
static void barrier(void) {
  for (int distance = 1; distance < ranks; distance *= 2) {
    MPI_Status status;
    int request = irecv((me + ranks - distance) % ranks, 0, BARRIER, LARGEST);
    send((me + distance) % ranks, 0, BARRIER, 8);
    MPI_Wait(&requests[request].handle, &status);
    fprintf(record, "wait %d\n", request);
    is_complete(request, &status);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  char name[4096];
  if (argc != 4 || snprintf(name, sizeof name, "%s/calls.%d", argv[3], me) >= (int)sizeof name)
    MPI_Abort(MPI_COMM_WORLD, 3);
  record = fopen(name, "w");
  if (!record || ranks > MOST_MESSAGES / 2) MPI_Abort(MPI_COMM_WORLD, 4);
  for (int c = 0; c < COMMS; ++c) MPI_Comm_dup(MPI_COMM_WORLD, &comms[c]);
  shared = own = strtoull(argv[1], NULL, 10);
  own = draw64(&own) + (uint64_t)me;
  for (int epoch = 0; epoch < atoi(argv[2]); ++epoch) {
    int kind = draw(&shared, 5);
    if (kind == 0 && ranks > 1) {
      chain();
    } else if (kind == 1) {
      serve();
    } else {
      all_at_once();
    }
    barrier();
  }
  fclose(record);
  MPI_Finalize();
  return 0;
}
