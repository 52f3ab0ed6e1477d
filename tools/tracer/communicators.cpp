// A table of handles without locks for those who look up; whoever adds waits for others that do.
#include "tools/tracer/communicators.hpp"

#include <cstdio>
#include <cstdlib>
#include <pthread.h>

#include "tools/tracer/recorder.hpp"

namespace weft::tracer {
namespace {

constexpr std::uint32_t places = 1U << 16;

/// Handles stay in their places for ever.
struct Place {
  std::atomic<std::uint64_t> handle;
  std::atomic<std::uint32_t> number_plus_1;  ///< 0 while the handle means nothing
};
Place table[places];
std::uint32_t used = 0, next_number = 2;
pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;
MPI_Group world_group;

std::uint32_t first_place(std::uint64_t handle) {
  return static_cast<std::uint32_t>((handle * 0x9E37'79B9'7F4A'7C15) >> 48) % places;
}

/// Its place, or the free one where it would be.
Place& place_of(std::uint64_t handle) {
  for (std::uint32_t at = first_place(handle);; at = (at + 1) % places) {
    const std::uint64_t there = table[at].handle.load(std::memory_order_acquire);
    if (there == handle || there == 0) return table[at];
  }
}

std::uint8_t* put_members(std::uint8_t* to, MPI_Group group, int count) {
  auto* const ranks = static_cast<int*>(std::malloc(2 * sizeof(int) * static_cast<std::size_t>(count + 1)));
  if (ranks == nullptr) return records::put(to, 0);
  int* const in_world = ranks + count;
  for (int rank = 0; rank < count; ++rank) ranks[rank] = rank;
  WEFT_REAL(Group_translate_ranks)(group, count, ranks, world_group, in_world);
  to = records::put(to, static_cast<std::uint64_t>(count));
  std::int64_t before = -1;
  for (int rank = 0; rank < count; ++rank) {
    to = records::put(to, records::zigzag(in_world[rank] - before - 1));
    before = in_world[rank];
  }
  std::free(ranks);
  return to;
}

void define(MPI_Comm communicator, std::uint32_t number, std::uint8_t flags) {
  int is_inter = 0, local = 0, remote = 0;
  MPI_Group group = {}, others = {};
  WEFT_REAL(Comm_test_inter)(communicator, &is_inter);
  WEFT_REAL(Comm_group)(communicator, &group);
  WEFT_REAL(Group_size)(group, &local);
  if (is_inter) {
    flags |= records::communicator_is_inter;
    WEFT_REAL(Comm_remote_group)(communicator, &others);
    WEFT_REAL(Group_size)(others, &remote);
  }
  auto* const block = static_cast<std::uint8_t*>(std::malloc(
      records::most_varint_bytes * (8 + static_cast<std::size_t>(local) + static_cast<std::size_t>(remote))));
  if (block != nullptr) {
    std::uint8_t* to = block;
    *to++ = static_cast<std::uint8_t>(records::Definition::communicator);
    to = records::put(to, number);
    *to++ = flags;
    to = put_members(to, group, local);
    to = is_inter ? put_members(to, others, remote) : records::put(to, 0);
    write_definition(block, static_cast<std::size_t>(to - block));
    std::free(block);
  }
  WEFT_REAL(Group_free)(&group);
  if (is_inter) WEFT_REAL(Group_free)(&others);
}

std::uint32_t add(MPI_Comm communicator, std::uint8_t flags, bool anew) {
  pthread_mutex_lock(&adding);
  const std::uint64_t handle = bits_of(communicator);
  Place& place = place_of(handle);
  std::uint32_t number = place.number_plus_1.load() - 1;
  if (anew || place.handle.load() == 0 || place.number_plus_1.load() == 0) {
    if (place.handle.load() == 0 && ++used == places / 2) {
      std::fprintf(stderr, "weft tracer: more than %u communicators at a time; nothing more is recorded\n", places / 2);
      end_recording(records::State::exited);
    }
    number = next_number++;
    define(communicator, number, flags);
    place.number_plus_1 = number + 1;
    place.handle.store(handle, std::memory_order_release);
  }
  pthread_mutex_unlock(&adding);
  return number;
}

}  // namespace

void begin_communicators() {
  WEFT_REAL(Comm_group)(handles.world, &world_group);
  const auto known = [](MPI_Comm communicator, std::uint32_t number) {
    Place& place = place_of(bits_of(communicator));
    place.number_plus_1 = number + 1;
    place.handle = bits_of(communicator);
    ++used;
  };
  known(handles.world, records::world);
  known(handles.self, records::self);
}

std::uint32_t number_of(MPI_Comm communicator) {
  if (communicator == handles.world) return records::world;
  Place& place = place_of(bits_of(communicator));
  const std::uint32_t number_plus_1 = place.number_plus_1.load(std::memory_order_acquire);
  if (place.handle.load(std::memory_order_relaxed) != 0 && number_plus_1 != 0) return number_plus_1 - 1;
  return add(communicator, records::communicator_is_internal, false);
}

void made(MPI_Comm communicator) {
  if (communicator != handles.no_comm && started) add(communicator, 0, true);
}

void freed(MPI_Comm communicator) {
  if (communicator == handles.no_comm) return;
  Place& place = place_of(bits_of(communicator));
  if (place.handle.load() != 0 && place.number_plus_1.load() > records::self + 1) place.number_plus_1 = 0;
}

}  // namespace weft::tracer
