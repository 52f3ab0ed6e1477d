// Where messages to the user go: standard error, and a file for batch jobs. Code that has something to say calls
// spdlog::warn, spdlog::info and so on; results never come this way.
#pragma once

#include <string>

#include "engine/base/types.hpp"

namespace weft {

/// What the command line says about messages.
struct LogChoice {
  bool verbose = false;  ///< what goes on in every rank, not only what rank 0 has to warn of
  bool quiet = false;    ///< nothing on standard error but errors
  std::string file;      ///< messages of all ranks, with the time, are added to this file too; empty: none
};

/// Sets up the messages of this process, one of `ranks`: "weft: warning: ..." on standard error, with the rank where
/// there are several. To be called once before ranks are known and once after. Throws ConfigError if the file cannot be
/// opened.
void start_log(const LogChoice& choice, u32 rank = 0, u32 ranks = 1);

/// What this thread says from now on, it says as this rank; for ranks that are threads of one process.
void log_as(u32 rank, u32 ranks);

/// Why messages of this process are missing in the file (disk full); empty while it has all of them. A run goes on
/// without them, and asks at its end.
[[nodiscard]] std::string log_problem();

/// What an error is shown as: its first line, the detail below it, indented. Control characters are escaped,
/// lines beyond 2,000 characters cut.
[[nodiscard]] std::string error_text(const std::string& line, const std::string& detail);

}  // namespace weft
