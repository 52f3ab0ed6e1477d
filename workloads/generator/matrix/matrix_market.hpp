// Reader of sparse matrices in the Matrix Market format (Boisvert, Pozo, Remington: The Matrix Market exchange formats,
// NISTIR 5935, 1996): where non-zeros are; their values are checked and forgotten.
#pragma once

#include "engine/base/text/line_reader.hpp"

namespace weft::workloads {

/// Most rows or columns of a matrix.
inline constexpr u64 most_matrix_lines = u64{1} << 31;
/// Most entries that a file may say it has.
inline constexpr u64 most_matrix_entries = u64{1} << 40;

enum class MatrixField : u8 { pattern, integer, real, complex };
enum class MatrixSymmetry : u8 { general, symmetric, skew_symmetric, hermitian };

/// One after the other, in the order of the file, without keeping any.
class MatrixMarketReader {
 public:
  /// Reads the head. Throws InputError "file:line: problem (got ...); expected ...", as `next` does.
  explicit MatrixMarketReader(std::unique_ptr<ByteSource> source);

  [[nodiscard]] u64 rows() const { return rows_; }
  [[nodiscard]] u64 columns() const { return columns_; }
  /// Whether an entry (i, j) off the diagonal stands for one at (j, i) too, which the file does not have.
  [[nodiscard]] bool is_symmetric() const { return symmetry_ != MatrixSymmetry::general; }
  [[nodiscard]] const std::string& name() const { return lines_.name(); }
  /// The next entry of the file, from 0. False after the last one; throws if there are fewer or more than it says.
  [[nodiscard]] bool next(u32& row, u32& column);

 private:
  void read_banner();
  void read_sizes();
  u64 index(std::string_view& line, const char* what, u64 most);
  void skip_values(std::string_view line);

  LineReader lines_;
  MatrixField field_ = MatrixField::real;
  MatrixSymmetry symmetry_ = MatrixSymmetry::general;
  u64 rows_ = 0, columns_ = 0, entries_ = 0, read_ = 0;
};

}  // namespace weft::workloads
