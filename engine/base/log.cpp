// Two sinks at most: standard error as people read it, and the file with times.
#include "engine/base/log.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <mutex>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <sstream>
#include <unistd.h>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"

namespace weft {
namespace {

/// The rank that this thread is, and how messages name it: not at all where it is the only one.
struct Speaker {
  u32 rank = 0;
  std::string name;
};
thread_local Speaker speaker;

Speaker speaker_of(u32 rank, u32 ranks) { return {rank, ranks > 1 ? fmt::format(" [rank {}]", rank) : ""}; }

/// In patterns: the name of the rank that speaks.
class SpeakerName final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& /*message*/, const std::tm& /*time*/,
              spdlog::memory_buf_t& text) override {
    text.append(speaker.name.data(), speaker.name.data() + speaker.name.size());
  }
  [[nodiscard]] std::unique_ptr<spdlog::custom_flag_formatter> clone() const override {
    return std::make_unique<SpeakerName>();
  }
};

/// "weft%*: %v" and the like, where %* is the rank that speaks.
std::unique_ptr<spdlog::formatter> formatter_of(const std::string& pattern) {
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<SpeakerName>('*').set_pattern(pattern);
  return formatter;
}

/// Standard error. What all ranks have to say is said by the first; errors are one rank's own.
class PeopleSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit PeopleSink(bool all_ranks) : all_ranks_(all_ranks) {}

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    if (speaker.rank == 0 || all_ranks_ || message.level >= spdlog::level::err) sink_.log(message);
  }
  void flush_() override { sink_.flush(); }
  void set_formatter_(std::unique_ptr<spdlog::formatter> formatter) override {
    sink_.set_formatter(std::move(formatter));
  }

  spdlog::sinks::stderr_sink_st sink_;
  bool all_ranks_;
};

spdlog::level::level_enum level_of(const LogChoice& choice) {
  if (choice.quiet) return spdlog::level::err;
  return choice.verbose ? spdlog::level::debug : spdlog::level::warn;
}

/// Why messages did not get into the file; empty while all did.
std::string lost;

/// Adds to a file, and remembers what the system says about it: spdlog's own sink has no way to tell at the end that
/// messages are missing.
class FileSink final : public spdlog::sinks::base_sink<std::mutex> {
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

std::shared_ptr<spdlog::sinks::sink> file_sink(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code none;
  if (!folder.empty() && !std::filesystem::is_directory(folder, none)) {
    throw ConfigError(
        fmt::format("cannot write the log '{}' (there is no folder '{}'); make it or choose another file "
                    "for --log",
                    path, folder.string()));
  }
  auto sink = std::make_shared<FileSink>(path);
  sink->set_formatter(formatter_of("%Y-%m-%d %H:%M:%S.%e weft%*: %l: %v"));
  sink->set_level(spdlog::level::info);
  return sink;
}

}  // namespace

void start_log(const LogChoice& choice, u32 rank, u32 ranks) {
  lost.clear();  // what a run before in this process did not get into its file
  log_as(rank, ranks);
  auto people = std::make_shared<PeopleSink>(choice.verbose);
  people->set_formatter(formatter_of("weft: %l%*: %v"));
  people->set_level(level_of(choice));
  std::vector<spdlog::sink_ptr> sinks{people};
  if (!choice.file.empty()) sinks.push_back(file_sink(choice.file));
  auto logger = std::make_shared<spdlog::logger>("weft", sinks.begin(), sinks.end());
  logger->set_level(choice.verbose ? spdlog::level::debug : spdlog::level::info);
  logger->flush_on(spdlog::level::info);
  spdlog::set_default_logger(std::move(logger));
}

void log_as(u32 rank, u32 ranks) { speaker = speaker_of(rank, ranks); }

std::string log_problem() { return lost; }

std::string error_text(const std::string& line, const std::string& detail) {
  // Errors quote names and values of the user, who may not have written them: a line stays one line of readable length.
  constexpr std::size_t most_characters = 2000;
  std::string text = shown(line, most_characters);
  std::istringstream lines(detail);
  for (std::string each; std::getline(lines, each);) text += "\n  " + shown(each, most_characters);
  return text;
}

}  // namespace weft
