// The file of packet events: text, written while the run goes on, and resumed where a checkpoint left it.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/types.hpp"
#include "models/core/details.hpp"
#include "models/topology/topology.hpp"

namespace weft::tools {

/// Writes lines "tick kind place queue source destination generated", see docs/results.md. Of rank 0. Throws
/// SystemError.
class EventFile {
 public:
  EventFile(std::string path, const models::Topology& topology, u32 virtual_channels, Tick cycle_ticks);
  /// A new file.
  void create();
  /// Throws InputError if the file is shorter than after so many bytes and lines; it is left as it is until `go_on`.
  void take_up(u64 bytes, u64 lines);
  /// Cuts off what the run that wrote the checkpoint had added after it.
  void go_on();
  /// Appends the events, in their order.
  void write(const std::vector<models::PacketEvent>& events);
  [[nodiscard]] u64 bytes() const { return bytes_; }
  [[nodiscard]] u64 lines() const { return lines_; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void open(const char* mode);
  void append(const std::string& text);
  [[noreturn]] void fail(const char* what) const;
  [[nodiscard]] std::string line(const models::PacketEvent& event) const;

  std::string path_;
  const models::Topology& topology_;
  u32 virtual_channels_;
  Tick cycle_ticks_;
  std::unique_ptr<std::FILE, Close> file_;
  u64 bytes_ = 0, lines_ = 0;
};

}  // namespace weft::tools
