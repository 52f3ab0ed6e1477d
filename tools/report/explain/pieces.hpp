// From the records of a task to what its time goes to.
#pragma once

#include <span>
#include <vector>

#include "tools/report/explain/explanation.hpp"
#include "tools/report/explain/messages.hpp"

namespace weft::tools::explain {

/// A stretch of time of a task, of one part. A wait may be several of them, one behind the other.
struct Piece {
  Tick begin = 0, end = 0;
  Tick over = 0;             ///< when all of the wait that it belongs to is
  u32 peer = Drawn::nobody;  ///< for whom it waits; a number of all jobs
  u8 lane = 0;
  Part part = Part::compute;
};

/// What an operation, or a wait, of a task led from: where the critical path goes on if it comes to its end.
struct Step {
  Tick begin = 0, end = 0;
  Tick from = 0;  ///< when what ended it began; for a step that nobody else ended, its own begin
  u32 task = 0;   ///< whose doing that was
  Part part = Part::compute;
};
static_assert(sizeof(Step) == 32);

struct TaskPieces {
  std::vector<Piece> pieces;  ///< in the order of the records
  std::vector<Step> steps;    ///< that took time
};

/// Pieces and steps of the records of one task of a job.
[[nodiscard]] TaskPieces pieces_of(std::span<const workloads::TimelineRecord> records, const timeline::TimelineJob& job,
                                   u32 job_number, const Messages& messages);

}  // namespace weft::tools::explain
