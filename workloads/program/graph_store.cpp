// The graphs of many tasks in a row: of each its operations, then its dependents, in memory or in a mapped file.
#include <cstring>
#include <optional>

#include "engine/base/error.hpp"
#include "workloads/program/graph.hpp"
#include "workloads/program/store_file.hpp"

namespace weft::workloads {
namespace {

constexpr u32 no_place = ~u32{0};

}  // namespace

struct GraphStore::Impl {
  struct Place {
    u64 offset = 0;
    u32 ops = 0, dependents = 0;
  };

  void append(const void* bytes, std::size_t count) {
    if (count == 0) return;
    const u8* const from = static_cast<const u8*>(bytes);
    stored += count;
    if (file) {
      file->append(from, count);
      return;
    }
    memory.insert(memory.end(), from, from + count);
    if (memory.size() <= memory_bytes) return;
    file.emplace(StoreFile::temporary("program"));
    file->append(memory.data(), memory.size());
    memory = std::vector<u8>();  // {} would keep its memory
  }

  u64 memory_bytes = 0;
  std::vector<u32> place_of_task;  ///< [task] in places, or no_place
  std::vector<Place> places;
  u64 stored = 0;
  std::vector<u8> memory;  ///< all of it until it outgrows memory_bytes
  std::optional<StoreFile> file;
  u8* begin = nullptr;
  bool sealed = false;
};

GraphStore::GraphStore(u64 memory_bytes) : impl_(std::make_unique<Impl>()) { impl_->memory_bytes = memory_bytes; }

GraphStore::~GraphStore() = default;

void GraphStore::add(u32 task, const GraphBuilder::Finished& graph) {
  Impl& s = *impl_;
  WEFT_ASSERT(!s.sealed);
  if (task >= s.place_of_task.size()) s.place_of_task.resize(std::size_t{task} + 1, no_place);
  WEFT_ASSERT(s.place_of_task[task] == no_place);
  s.place_of_task[task] = static_cast<u32>(s.places.size());
  s.places.push_back({s.stored, static_cast<u32>(graph.ops.size()), static_cast<u32>(graph.dependents.size())});
  s.append(graph.ops.data(), graph.ops.size() * sizeof(GraphOp));
  s.append(graph.dependents.data(), graph.dependents.size() * sizeof(u32));
  // Operations begin at multiples of their alignment.
  constexpr u32 nothing[2] = {0, 0};
  s.append(nothing, (alignof(GraphOp) - s.stored % alignof(GraphOp)) % alignof(GraphOp));
}

void GraphStore::seal() {
  Impl& s = *impl_;
  WEFT_ASSERT(!s.sealed);
  s.sealed = true;
  s.places.shrink_to_fit();
  if (s.file) {
    s.file->flush();
    s.begin = s.file->map().data();
  } else {
    s.memory.shrink_to_fit();
    s.begin = s.memory.data();
  }
}

TaskGraph GraphStore::graph(u32 task) const {
  const Impl& s = *impl_;
  WEFT_ASSERT(s.sealed);
  if (task >= s.place_of_task.size() || s.place_of_task[task] == no_place) return {};
  const Impl::Place& place = s.places[s.place_of_task[task]];
  u8* const ops = s.begin + place.offset;
  const u8* const dependents = ops + place.ops * sizeof(GraphOp);
  return {{reinterpret_cast<GraphOp*>(ops), place.ops}, {reinterpret_cast<const u32*>(dependents), place.dependents}};
}

u64 GraphStore::bytes() const {
  const Impl& s = *impl_;
  return s.memory.capacity() + s.places.capacity() * sizeof(Impl::Place) + s.place_of_task.capacity() * sizeof(u32);
}

bool GraphStore::in_memory() const { return !impl_->file; }

}  // namespace weft::workloads
