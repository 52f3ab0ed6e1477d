// Who clears up after this process, however it ends: a process beside it that waits for its end.
#pragma once

#include <string>
#include <sys/types.h>
#include <system_error>

namespace weft::keeper {

/// Starts it, once. Call before MPI starts and before there is much memory: it is a copy of this process. Nothing here
/// does anything in a process that has not called this. The end of this process waits until all is cleared up where it
/// ends by itself; after a signal that takes a moment. Throws SystemError if it cannot be started.
void start();

/// A variable ("NAME=1") for the environment of all that is started: what has it, or inherits it, is killed when this
/// process ends, also in a group or session of its own. Empty if there is no keeper.
[[nodiscard]] std::string mark();

/// A process group that is killed when this process ends, until it is forgotten: before its number can be used anew.
void keep_group(pid_t leader);
void forget_group(pid_t leader);

/// A file, or a folder with all that is in it, that goes when this process ends, until it is forgotten.
void keep_path(const std::string& path);
void forget_path(const std::string& path);

/// A new file or folder that is kept so: `prefix` and a random number of 64 bits. Its name is told before it is made,
/// so that nothing is left of a process that is killed in between. `make` makes what is not there yet, and returns 0,
/// or -1 and why in errno, which is then in `error`.
[[nodiscard]] std::string make_kept(const std::string& prefix, int (*make)(const char* path), std::error_code& error);

}  // namespace weft::keeper
