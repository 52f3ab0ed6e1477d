// Kind "sparse-matrix": the messages of y = A x with a matrix from a file, iteration after iteration.
#include "workloads/generator/matrix/sparse_matrix.hpp"

#include "workloads/generator/kind/workload_kind.hpp"

namespace weft::workloads {
namespace {

std::unique_ptr<Program> sparse_matrix_of(const WorkloadSpec& from) {
  SparseMatrixSpec spec;
  spec.tasks = from.tasks;
  spec.entry_bytes = static_cast<u64>(from.keys.integer("entry_bytes"));
  spec.nonzero_ps = static_cast<u64>(from.keys.integer("nonzero_ps"));
  spec.repetitions = count_or(from.keys, "repetitions", 1);
  spec.limits = from.limits;
  const std::string path = from.keys.text("matrix"), partition = from.keys.text("matrix_partition");
  MatrixMarketReader matrix(open_bytes(path));
  std::vector<u32> tasks;
  if (!partition.empty()) tasks = read_matrix_partition(open_bytes(partition), matrix.columns(), spec.tasks);
  return sparse_matrix_program(std::make_shared<const MatrixHalo>(matrix, spec.tasks, tasks), spec, path);
}

[[maybe_unused]] const bool sparse_matrix_registered = WorkloadRegistry::instance().add(
    "sparse-matrix",
    {.help = "the halo exchange of products of a sparse matrix and a vector",
     .place = 6,
     .settings = {row::path("workload.matrix",
                            "a sparse matrix in the Matrix Market format, which may be compressed. Rows are in blocks, "
                            "one for each task, and so are the entries of x, by columns."),
                  row::path("workload.matrix_partition",
                            "the task of each column, a number a line, in place of blocks; rows of a square matrix go "
                            "with the column of the same number."),
                  row_of::tasks(),
                  row::integer("workload.entry_bytes", "bytes", 8, {1, 1 << 16}, "size of an entry of x."),
                  row::integer("workload.nonzero_ps", "ps", 0, {0, 1'000'000'000'000},
                               "time that a task computes for each non-zero in its rows, after each exchange."),
                  row_of::repetitions("iterations; 0 = one.")},
     .check =
         [](const Parameters& keys) { return unless_given(keys, "matrix", "a matrix", "matrix = \"laplacian.mtx\""); },
     .time_key = "workload.nonzero_ps",
     .make = sparse_matrix_of});

}  // namespace
}  // namespace weft::workloads
