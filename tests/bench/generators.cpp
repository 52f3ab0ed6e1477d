// How fast programs of kernels, collective operations, storage and matrices give their operations, on one core. Fails
// if what is sent is not what is received. Arguments: operations of each (4000000 unless given), a part of the name.
#include <cstdlib>
#include <ctime>
#include <fmt/format.h>
#include <memory>
#include <string>

#include "workloads/generator/collective/collective.hpp"
#include "workloads/generator/collective/piece_counts.hpp"
#include "workloads/generator/kernel/kernel.hpp"
#include "workloads/generator/matrix/sparse_matrix.hpp"
#include "workloads/generator/storage.hpp"

namespace {

using namespace weft;
using namespace weft::workloads;

struct Drained {
  u64 operations = 0, sent_bytes = 0, received_bytes = 0;
  bool whole = true;  ///< all tasks to their end
  double seconds = 0;
};

/// Task after task, up to `most` operations.
Drained drain(const Program& program, u64 most) {
  Drained all;
  const std::clock_t begin = std::clock();  // of the processor: other programs do not count
  for (u32 task = 0; task < program.tasks() && all.whole; ++task) {
    const auto stream = program.open(TaskId(task));
    for (Op op = stream->next(); op.kind != OpKind::end; op = stream->next()) {
      ++all.operations;
      if (op.kind == OpKind::send) all.sent_bytes += op.amount;
      if (op.kind == OpKind::receive) all.received_bytes += op.amount;
      if (all.operations >= most) {
        all.whole = false;
        break;
      }
    }
  }
  all.seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  return all;
}

class Table {
 public:
  Table(u64 most, std::string wanted) : most_(most), wanted_(std::move(wanted)) {}
  template <class Make>
  void row(const std::string& name, Make&& make) {
    if (name.find(wanted_) == std::string::npos) return;
    const auto program = make();
    static_cast<void>(drain(*program, most_ / 10));
    const Drained found = drain(*program, most_);
    fmt::print("{:52} {:10} operations {:8.1f} M/s\n", name, found.operations,
               static_cast<double>(found.operations) / found.seconds / 1e6);
    if (!found.whole || found.sent_bytes == found.received_bytes) return;
    fmt::print("{}: {} bytes are sent, {} received\n", name, found.sent_bytes, found.received_bytes);
    failed_ = true;
  }
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  u64 most_;
  std::string wanted_;
  bool failed_ = false;
};

void kernels(Table& table) {
  for (const std::string& name : KernelRegistry::instance().names()) {
    table.row("kernel " + name, [&name] {
      KernelSpec spec;
      spec.name = name;
      spec.tasks = 4096;
      spec.message_bytes = 40'960;
      spec.repetitions = 50;
      spec.keys.set("points", std::vector<i64>{256, 256, 256});
      spec.keys.set("compute_ns", i64{100});
      return make_kernel(spec);
    });
  }
}

void collectives(Table& table) {
  const auto& registry = CollectiveRegistry::instance();
  for (const std::string& name : registry.names()) {
    table.row("collective " + name, [&] {
      CollectiveSpec spec;
      spec.operation = registry.find(name)->operation;
      spec.algorithm = registry.find(name)->algorithm;
      spec.tasks = 1024;
      spec.message_bytes = 1 << 20;
      spec.repetitions = 20;
      return make_collective(spec);
    });
  }
  for (const auto& [law, text] : {std::pair{CountsLaw::uniform, "uniform"}, std::pair{CountsLaw::zipf, "zipf"}}) {
    table.row(fmt::format("collective all-to-allv pairwise, {}", text), [law = law] {
      CollectiveSpec spec;
      spec.operation = "all-to-allv";
      spec.algorithm = "pairwise";
      spec.tasks = 1024;
      spec.repetitions = 20;
      spec.counts = drawn_counts(law, 1, 1 << 20, spec.tasks, true, 1);
      return make_collective(spec);
    });
  }
}

void storage(Table& table) {
  for (const auto& [name, mode] :
       {std::pair{"n-n", FileMode::own}, std::pair{"n-1", FileMode::shared}, std::pair{"n-m", FileMode::aggregated}}) {
    for (const u32 servers : {4U, 64U}) {
      for (const u64 bytes : {u64{64} << 20, (u64{64} << 20) + 1000}) {
        table.row(fmt::format("storage {}, {} servers, {} stripes", name, servers,
                              bytes >> 20 << 20 == bytes ? "whole" : "cut"),
                  [&, mode = mode] {
                    StorageSpec spec;
                    spec.layout = {.tasks = 512 + servers,
                                   .servers = servers,
                                   .mode = mode,
                                   .aggregators = 32,
                                   .bytes = bytes,
                                   .stripe_bytes = u64{1} << 20,
                                   .stripe_count = servers};
                    spec.service_ns = 100;
                    spec.bursts = 10;
                    return storage_program(spec, {});
                  });
      }
    }
  }
}

/// The Laplacian of a grid of 200 x 200 points.
void matrix(Table& table) {
  constexpr u32 side = 200;
  table.row("sparse-matrix, Laplacian", [] {
    std::string text = fmt::format("%%MatrixMarket matrix coordinate pattern symmetric\n{0} {0} {1}\n", side * side,
                                   3 * side * side - 2 * side);
    for (u32 point = 1; point <= side * side; ++point) {
      text += fmt::format("{0} {0}\n", point);
      if (point > side) text += fmt::format("{} {}\n", point, point - side);
      if ((point - 1) % side > 0) text += fmt::format("{} {}\n", point, point - 1);
    }
    MatrixMarketReader reader(bytes_in_memory(text, "laplacian"));
    constexpr u32 tasks = 400;
    const auto halo = std::make_shared<const MatrixHalo>(reader, tasks);
    return sparse_matrix_program(
        halo, {.tasks = tasks, .entry_bytes = 8, .nonzero_ps = 1500, .repetitions = 10'000, .limits = {}}, "laplacian");
  });
}

}  // namespace

int main(int count, char** words) {
  constexpr u64 usual = 4'000'000;
  Table table(count > 1 ? std::strtoull(words[1], nullptr, 10) : usual, count > 2 ? words[2] : "");
  kernels(table);
  collectives(table);
  storage(table);
  matrix(table);
  return table.failed() ? 1 : 0;
}
