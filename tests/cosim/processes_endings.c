/* Ends of programs: the first argument says how, the last rank does it. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  int rank, ranks, level, value = 0, others;
  if (!strcmp(how, "early")) return 3;
  MPI_Init_thread(&argc, &argv, !strcmp(how, "threads") ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == ranks - 1) {
    if (!strcmp(how, "killed")) raise(SIGKILL);
    if (!strcmp(how, "exit")) exit(7);
    if (!strcmp(how, "abort")) MPI_Abort(MPI_COMM_WORLD, 9);
    if (!strcmp(how, "hang")) sleep(1000);
    if (!strcmp(how, "deadlock")) MPI_Recv(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (!strcmp(how, "window")) {
    MPI_Win window;
    MPI_Win_create(&value, sizeof value, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  }
  if (!strcmp(how, "file")) {
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "/tmp/nothing", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  }
  if (!strcmp(how, "spawn")) {
    MPI_Comm children;
    MPI_Comm_spawn("true", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
  }
  MPI_Allreduce(&rank, &others, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  while (!strcmp(how, "endless")) MPI_Allreduce(&rank, &others, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return !strcmp(how, "fails") && rank == 0 ? 5 : 0;
}
