// Points that somebody else has published, beside those of a sweep.
#pragma once

#include <string>
#include <vector>

#include "tools/run/config/study_table.hpp"
#include "tools/study/sweep_table.hpp"

namespace weft::tools::sweep {

/// Reads the [[sweep.published]] tables; axes, search and columns must be known. Throws ConfigError with file:line.
void read_published(const StudyTable& sweep, SweepStudy& study);

/// A published point and what the sweep has there.
struct PublishedPoint {
  std::size_t curve = 0;  ///< of SweepStudy::published
  double x = 0;           ///< NaN: a point without x
  double published = 0;
  double simulated = 0;  ///< mean over seeds; between two points on the line between them; NaN: not known
  [[nodiscard]] double difference() const { return simulated / published - 1; }
};
/// All of them, in the order of the study. Its columns must have been filled in.
[[nodiscard]] std::vector<PublishedPoint> published_points(const SweepTable& table);

/// What a point is of, for a cell: "8:4, 512 nodes", or the settings that say which curve it belongs to.
[[nodiscard]] std::string published_label(const PublishedCurve& curve);
/// As a table for the terminal: published | simulated | difference. Empty without any.
[[nodiscard]] std::string published_text(const SweepTable& table);

}  // namespace weft::tools::sweep
