// Finds the store of a trace, or makes it: beside the trace, or where that cannot be, in temporary files.
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <thread>
#include <unistd.h>

#include "engine/base/error.hpp"
#include "engine/base/fnv1a.hpp"
#include "workloads/trace/store/import.hpp"

namespace weft::workloads {
namespace {

namespace fs = std::filesystem;

StoreFile new_file(const std::string& directory, u32 share) {
  return directory.empty() ? StoreFile::temporary("trace")
                           : StoreFile::create(fmt::format("{}/events-{}", directory, share));
}
std::string share_path(const std::string& directory, u32 share) { return fmt::format("{}/index-{}", directory, share); }

/// The shares of this process, each by a thread of its own.
struct OwnShares {
  std::vector<StoreIndex> indices;
  std::vector<StoreFile> files;
};
OwnShares import_own(const TraceSource& source, const StoreChoice& choice, u32 first, u32 shares,
                     const std::string& directory, const KeepTask& keep) {
  OwnShares own;
  for (u32 t = 0; t < choice.threads; ++t) own.files.push_back(new_file(directory, first + t));
  own.indices.resize(choice.threads);
  std::vector<std::exception_ptr> failures(choice.threads);
  const auto import = [&](u32 t) {
    try {
      own.indices[t] =
          import_share(source, first + t, shares, own.files[t], keep, t == 0 ? choice.watch : ImportWatch{});
    } catch (...) {
      failures[t] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (u32 t = 1; t < choice.threads; ++t) threads.emplace_back(import, t);
    import(0);
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  return own;
}

std::shared_ptr<const TraceStore> in_temporary_files(const TraceSource& source, const StoreChoice& choice,
                                                     const std::string& format) {
  OwnShares own = import_own(source, choice, 0, choice.threads, "", choice.keep);
  StoreIndex index = merged(std::move(own.indices));
  index.format = format;
  return std::make_shared<const TraceStore>(std::move(index), std::move(own.files));
}

/// A store of these files as they are, if there is one.
std::shared_ptr<const TraceStore> found(const std::string& directory, const TraceIdentity& identity,
                                        const std::string& format) {
  std::error_code error;
  if (!fs::exists(directory + "/index", error)) return nullptr;
  try {
    auto store = TraceStore::open(directory);
    const StoreIndex& index = store->index();
    return index.identity == identity && format == index.format ? store : nullptr;
  } catch (const std::runtime_error&) {
    return nullptr;  // damaged, or of another version: it is made anew
  }
}

/// What imports on this machine begin the names of their directories with, before the process id.
std::string new_prefix(const std::string& directory) {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  return fmt::format("{}.new-{}-", directory, host.data());
}

/// Removes what imports have left that were ended from outside: those of processes that are no more.
void clear_left(const std::string& directory) {
  std::error_code error;
  const std::string prefix = fs::path(new_prefix(directory)).filename().string();
  const fs::path parent = fs::path(directory).parent_path();
  for (const fs::directory_entry& entry : fs::directory_iterator(parent.empty() ? "." : parent, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix)) continue;
    const pid_t process = static_cast<pid_t>(std::strtol(name.c_str() + prefix.size(), nullptr, 10));
    std::error_code ignored;
    if (process > 0 && ::kill(process, 0) != 0 && errno == ESRCH) fs::remove_all(entry.path(), ignored);
  }
}

/// A new directory beside where the store is to be, whose name is that of no other run; empty if there can be none.
std::string new_directory(const std::string& directory) {
  std::error_code error;
  fs::create_directories(fs::path(directory).parent_path(), error);
  clear_left(directory);
  std::string name = fmt::format("{}{}-XXXXXX", new_prefix(directory), ::getpid());
  if (::mkdtemp(name.data()) == nullptr) return "";
  fs::permissions(name, fs::perms::all & ~(fs::perms::group_write | fs::perms::others_write), error);
  return name;
}

/// Puts a whole store where it is to be, in place of an old one. Another run may have been first.
void put_in_place(const std::string& made, const std::string& directory) {
  std::error_code error;
  fs::rename(made, directory, error);
  if (!error) return;
  const std::string old = made + ".old";
  fs::rename(directory, old, error);
  fs::rename(made, directory, error);
  fs::remove_all(old, error);
  fs::remove_all(made, error);
}

/// Imports a trace into a directory, by all processes of the group; none of them has a store if one has failed.
bool make(const TraceSource& source, const StoreChoice& choice, const std::string& directory,
          const TraceIdentity& identity, const std::string& format) {
  const ProcessGroup& group = choice.group;
  const std::string made = group.of_first(group.number == 0 ? new_directory(directory) : "");
  if (made.empty()) return false;
  const u32 first = group.number * choice.threads, shares = group.of * choice.threads;
  bool done = false;
  try {
    OwnShares own = import_own(source, choice, first, shares, made, {});
    for (u32 t = 0; t < choice.threads; ++t) {
      own.indices[t].format = format;
      own.indices[t].identity = identity;
      own.indices[t].save(share_path(made, first + t));
    }
    done = true;
  } catch (const std::runtime_error&) {
    // The disk is full, or the trace is wrong: who reads it into temporary files finds out which.
  }
  done = group.all(done);
  if (group.number == 0) {
    try {
      if (done) {
        std::vector<StoreIndex> indices;
        for (u32 share = 0; share < shares; ++share) indices.push_back(StoreIndex::load(share_path(made, share)));
        merged(std::move(indices)).save(made + "/index");
        for (u32 share = 0; share < shares; ++share) fs::remove(share_path(made, share));
        put_in_place(made, directory);
      }
    } catch (const std::exception&) {
      done = false;
    }
    std::error_code error;
    if (!done) fs::remove_all(made, error);
  }
  return group.all(done);
}

/// The store where it is kept, the one that is there or one made by all processes of the group; null on all of them if
/// none can be kept. Who opens the trace then gets the error, if there is one.
std::shared_ptr<const TraceStore> kept_store(const TraceInput& input, const StoreChoice& choice) {
  if (!choice.kept || !input.is_file()) return nullptr;
  const std::string directory = store_directory(input, choice.cache);
  const auto on_all = [&choice](auto&& thing) { return choice.group.all(thing ? true : false); };
  std::string format;
  std::optional<TraceIdentity> identity;
  try {
    format = find_trace_format(input, choice.format);
    if (TraceFormats::instance().find(format)->open) identity = identity_of(files_of(input, format));
  } catch (const std::runtime_error&) {
  }
  if (!on_all(identity)) return nullptr;
  if (auto store = found(directory, *identity, format); on_all(store)) return store;
  std::unique_ptr<TraceSource> source;
  try {
    source = open_trace(input, format).source;
  } catch (const std::runtime_error&) {
  }
  if (!on_all(source) || !make(*source, choice, directory, *identity, format)) return nullptr;
  auto store = found(directory, *identity, format);
  return on_all(store) ? store : nullptr;
}

}  // namespace

std::string store_directory(const TraceInput& input, const std::string& cache) {
  fs::path path = input.path;
  if (!path.has_filename()) path = path.parent_path();  // "traces/run/"
  std::string name = path.filename().string();
  for (char& c : name) c = c == '*' || c == '?' ? '_' : c;
  name += ".weft-store";
  if (cache.empty()) return (path.parent_path() / name).string();
  // Traces of one name in different folders have stores of their own.
  std::error_code error;
  const std::string folder = fs::weakly_canonical(fs::absolute(path, error).parent_path(), error).string();
  return (fs::path(cache) / fmt::format("{:016x}-{}", fnv1a(folder), name)).string();
}

std::shared_ptr<const TraceStore> store_of(const TraceInput& input, const StoreChoice& choice) {
  if (auto store = kept_store(input, choice)) return store;
  const OpenedTrace trace = open_trace(input, choice.format);
  return in_temporary_files(*trace.source, choice, trace.format);
}

void prepare_store(const TraceInput& input, const StoreChoice& choice) { static_cast<void>(kept_store(input, choice)); }

}  // namespace weft::workloads
