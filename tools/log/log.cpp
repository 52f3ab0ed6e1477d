// Two sinks at most: standard error as people read it, and the file with times.
#include "tools/log/log.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <spdlog/details/null_mutex.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <sstream>
#include <unistd.h>
#include <vector>

#include "engine/error.hpp"
#include "engine/shown.hpp"

namespace weft::tools {
namespace {

spdlog::level::level_enum level_of(const LogChoice& choice, u32 rank) {
  if (choice.quiet) return spdlog::level::err;
  if (choice.verbose) return spdlog::level::debug;
  // What all ranks have to say is said by the first; errors are one rank's own.
  return rank == 0 ? spdlog::level::warn : spdlog::level::err;
}

/// Why messages did not get into the file; empty while all did.
std::string lost;

/// Adds to a file, and remembers what the system says about it: spdlog's own sink has no way to tell at the end that
/// messages are missing.
class FileSink final : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 public:
  explicit FileSink(std::string path)
      : path_(std::move(path)), file_(::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666)) {
    if (file_ < 0) {
      throw ConfigError(
          fmt::format("cannot write the log '{}' ({}); choose another file for --log", path_, std::strerror(errno)));
    }
  }
  FileSink(const FileSink&) = delete;
  FileSink& operator=(const FileSink&) = delete;
  ~FileSink() override { ::close(file_); }

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t text;
    formatter_->format(message, text);
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t written = ::write(file_, text.data() + at, text.size() - at);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) {
        const int error = written < 0 ? errno : ENOSPC;
        const char* const advice = error == EFBIG ? "raise the limit of file sizes (ulimit -f)" : "free space";
        if (lost.empty()) {
          lost = fmt::format("cannot write the log '{}' ({}); {} or choose another file for --log", path_,
                             std::strerror(error), advice);
        }
        return;
      }
      at += static_cast<std::size_t>(written);
    }
  }
  void flush_() override {}

  std::string path_;
  int file_;
};

std::shared_ptr<spdlog::sinks::sink> file_sink(const std::string& path, const std::string& who) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code none;
  if (!folder.empty() && !std::filesystem::is_directory(folder, none)) {
    throw ConfigError(
        fmt::format("cannot write the log '{}' (there is no folder '{}'); make it or choose another file "
                    "for --log",
                    path, folder.string()));
  }
  auto sink = std::make_shared<FileSink>(path);
  sink->set_pattern("%Y-%m-%d %H:%M:%S.%e weft" + who + ": %l: %v");
  sink->set_level(spdlog::level::info);
  return sink;
}

}  // namespace

void start_log(const LogChoice& choice, u32 rank, u32 ranks) {
  const std::string who = ranks > 1 ? fmt::format(" [rank {}]", rank) : "";
  auto people = std::make_shared<spdlog::sinks::stderr_sink_st>();
  people->set_pattern("weft: %l" + who + ": %v");
  people->set_level(level_of(choice, rank));
  std::vector<spdlog::sink_ptr> sinks{people};
  if (!choice.file.empty()) sinks.push_back(file_sink(choice.file, who));
  auto logger = std::make_shared<spdlog::logger>("weft", sinks.begin(), sinks.end());
  logger->set_level(choice.verbose ? spdlog::level::debug : spdlog::level::info);
  logger->flush_on(spdlog::level::info);
  spdlog::set_default_logger(std::move(logger));
}

std::string log_problem() { return lost; }

std::string error_text(const std::string& line, const std::string& detail) {
  // Errors quote names and values of the user, who may not have written them: a line stays one line of readable length.
  constexpr std::size_t most_characters = 2000;
  std::string text = shown(line, most_characters);
  std::istringstream lines(detail);
  for (std::string each; std::getline(lines, each);) text += "\n  " + shown(each, most_characters);
  return text;
}

}  // namespace weft::tools
