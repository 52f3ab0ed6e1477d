// QEMU's monitor protocol (QMP): a line of JSON for each command, answer and event.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "engine/base/types.hpp"
#include "tools/cosim/socket_line.hpp"

namespace weft::tools::cosim::guest {

struct QmpLine {
  enum class Kind : u8 { greeting, answer, error, event };
  Kind kind = Kind::event;
  nlohmann::json content;  ///< of an answer: what it returns; of an event: all of it
  std::string text;        ///< of an error: QEMU's words; of an event: its name
};
/// Throws SystemError if it is no line of QMP.
[[nodiscard]] QmpLine read_qmp_line(const std::string& line);
[[nodiscard]] std::string qmp_command(const std::string& name,
                                      const nlohmann::json& arguments = nlohmann::json::object());

/// A conversation with one QEMU over a socket, whose owner closes it.
class Qmp {
 public:
  /// `who` for errors: "guest 3". Waits for the greeting.
  Qmp(int socket, std::string who, double patience_s);
  /// Sends a command and waits for its answer; events are skipped. Throws SystemError with QEMU's words if it refuses,
  /// is gone or does not answer within the patience.
  nlohmann::json ask(const std::string& name, const nlohmann::json& arguments = nlohmann::json::object());
  /// The guest's memory is a file: snapshots neither write nor read it.
  void leave_memory_in_its_file();
  /// Sends a command whose answer is skipped when it comes.
  void tell(const std::string& name);

 private:
  [[nodiscard]] QmpLine next();
  void send_line(const std::string& line) const;
  void check(SocketLine::Outcome outcome) const;
  int socket_;
  SocketLine line_;  ///< of it
  std::string who_;
  double patience_s_;
  u32 untold_ = 0;    ///< answers to skip
  std::string read_;  ///< not yet looked at
};

}  // namespace weft::tools::cosim::guest
