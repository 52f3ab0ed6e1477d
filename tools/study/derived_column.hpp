// What a study says of columns that follow from others, and of points that somebody else has published.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::tools::sweep {

/// A part of a quotient: a column, or a number.
struct Operand {
  std::string column;  ///< empty: the number
  double number = 0;
};

/// [[sweep.column]]: a column that follows from others.
struct DerivedColumn {
  enum class Kind : u8 {
    relative,  ///< `of` over its value in the row that differs in `to` alone
    mean,      ///< of the rows that differ in `over` alone; so are sum, least and most
    sum,
    least,
    most,
    quotient,  ///< `of` / `by`
    product    ///< `of` * `by`
  };
  std::string name;
  Kind kind = Kind::mean;
  Operand of, by;
  std::map<std::string, std::string> to;  ///< key -> value as TOML
  std::vector<std::string> over;          ///< keys
  /// How much rows count in a mean or a sum over one key, by its value as TOML; others count 1.
  std::map<std::string, double> weights;
  /// Keys that its value does not depend on: `over`, and those of what it is made of.
  std::vector<std::string> same_over;
  bool of_curves = false;  ///< a column of the table of a search's curves, not of points
};

/// [[sweep.published]]: points of a curve as somebody else has them.
struct PublishedCurve {
  std::string figure;                     ///< a figure or a column of points
  std::map<std::string, std::string> at;  ///< which curve: key -> value as TOML
  std::string over;                       ///< key of x; empty: one point without x
  std::vector<double> x, y;
  std::string label, source;
};

}  // namespace weft::tools::sweep
