! Calls of MPI from Fortran, by the module mpi_f08 (-DF08), the module mpi, or mpif.h (-DMPIF), for tests of the tracer: a ring of
! messages of all modes and some collective operations. The same calls in all.
program calls
#ifdef F08
  use mpi_f08
  implicit none
  type(MPI_Request) :: requests(2)
  type(MPI_Status) :: status, statuses(2)
  type(MPI_Comm) :: half
#else
#ifdef MPIF
  implicit none
  include 'mpif.h'
#else
  use mpi
  implicit none
#endif
  integer :: requests(2), status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 2), half
#endif
  integer :: rank, ranks, right, left, error, k
  double precision :: from(200), to(200)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  right = mod(rank + 1, ranks)
  left = mod(rank + ranks - 1, ranks)
  from = rank
  do k = 1, 3
    call MPI_Irecv(to, 200, MPI_DOUBLE_PRECISION, left, k, MPI_COMM_WORLD, requests(1), error)
    call MPI_Isend(from, 10 * k, MPI_DOUBLE_PRECISION, right, k, MPI_COMM_WORLD, requests(2), error)
    call MPI_Waitall(2, requests, statuses, error)
  end do
  if (mod(rank, 2) == 0) then
    call MPI_Send(from, 5, MPI_DOUBLE_PRECISION, right, 9, MPI_COMM_WORLD, error)
    call MPI_Recv(to, 200, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status, error)
  else
    call MPI_Recv(to, 200, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call MPI_Send(from, 5, MPI_DOUBLE_PRECISION, right, 9, MPI_COMM_WORLD, error)
  end if
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half, error)
  call MPI_Allreduce(from, to, 100, MPI_DOUBLE_PRECISION, MPI_SUM, half, error)
  call MPI_Bcast(from, 200, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, error)
  call MPI_Allreduce(MPI_IN_PLACE, from, 3, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  call MPI_Barrier(MPI_COMM_WORLD, error)
  call MPI_Comm_free(half, error)
  call MPI_Finalize(error)
end program calls
