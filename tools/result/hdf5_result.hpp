// The result file of a run: one self-describing HDF5 file, readable with h5py and pandas without this project.
#pragma once

#include <string>

#include "tools/result/run_result.hpp"

namespace weft::tools {

/// Version of the layout below; a reader refuses files with a larger one.
inline constexpr u64 result_format_version = 1;

/// Writes everything in `result`. Layout: the root's attributes tell what ran (format = "weft-result", format_version,
/// version, digest, seed, ranks, host, started_at, stop_reason, topology, router, workload, config_toml, config_json);
/// /summary/NAME single values; /intervals, /batches, /latency_histogram, /nodes, /tasks, /bursts and /engine/ranks
/// tables as one 1-D dataset per column, with several seeds /seeds and /over_seeds; /engine/NAME single values;
/// /warnings texts. Units are attributes `unit`. In Python: pandas.DataFrame({k: v[:] for k, v in
/// h5py.File(path)["batches"].items()}). Behind its HDF5 part the file has a line with a checksum, which HDF5 ignores
/// and read_hdf5 checks. The file appears whole or not at all; throws SystemError.
void write_hdf5(const RunResult& result, const std::string& path);

/// Reads a file of write_hdf5. Throws InputError for files that are damaged, foreign or of a newer format, and for
/// values that no run can have (check_result.hpp).
[[nodiscard]] RunResult read_hdf5(const std::string& path);

}  // namespace weft::tools
