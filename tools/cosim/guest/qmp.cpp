// A client of QMP; see the header.
#include "tools/cosim/guest/qmp.hpp"

#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <poll.h>
#include <span>
#include <sys/socket.h>

#include "engine/base/error.hpp"

namespace weft::tools::cosim::guest {

QmpLine read_qmp_line(const std::string& line) {
  const nlohmann::json json = nlohmann::json::parse(line, nullptr, false);
  if (json.is_object()) {
    if (json.contains("return")) return {QmpLine::Kind::answer, json["return"], {}};
    if (json.contains("QMP")) return {QmpLine::Kind::greeting, json["QMP"], {}};
    if (json.contains("error") && json["error"].is_object())
      return {QmpLine::Kind::error, json["error"], json["error"].value("desc", "no reason given")};
    if (json.contains("event") && json["event"].is_string())
      return {QmpLine::Kind::event, json, json["event"].get<std::string>()};
  }
  throw SystemError(fmt::format("QEMU's monitor said what is not of its protocol ('{}'); use Debian's qemu-system-x86",
                                line.substr(0, 80)));
}

std::string qmp_command(const std::string& name, const nlohmann::json& arguments) {
  return nlohmann::json{{"execute", name}, {"arguments", arguments}}.dump() + "\n";
}

Qmp::Qmp(int socket, std::string who, double patience_s)
    : socket_(socket), line_(socket, patience_s), who_(std::move(who)), patience_s_(patience_s) {
  while (next().kind != QmpLine::Kind::greeting) continue;
  ask("qmp_capabilities");
}

void Qmp::check(SocketLine::Outcome outcome) const {
  if (outcome == SocketLine::Outcome::done) return;
  if (outcome == SocketLine::Outcome::ended)
    throw SystemError(fmt::format("{}: QEMU has ended; its log says why", who_));
  throw SystemError(
      fmt::format("{}: QEMU's monitor did not answer within {} s; on a machine this busy raise cosim.patience_s", who_,
                  patience_s_));
}

void Qmp::send_line(const std::string& line) const { check(line_.send(std::as_bytes(std::span(line)))); }

void Qmp::tell(const std::string& name) {
  send_line(qmp_command(name));
  ++untold_;
}

void Qmp::leave_memory_in_its_file() {
  const nlohmann::json capability = {{"capability", "x-ignore-shared"}, {"state", true}};
  ask("migrate-set-capabilities", {{"capabilities", nlohmann::json::array({capability})}});
}

nlohmann::json Qmp::ask(const std::string& name, const nlohmann::json& arguments) {
  send_line(qmp_command(name, arguments));
  for (;;) {
    QmpLine line = next();
    if (line.kind == QmpLine::Kind::answer && untold_ > 0) {
      --untold_;
      continue;
    }
    if (line.kind == QmpLine::Kind::answer) return std::move(line.content);
    if (line.kind == QmpLine::Kind::error)
      throw SystemError(fmt::format("{}: QEMU refused '{}' ({}); use Debian's qemu-system-x86", who_, name, line.text));
  }
}

QmpLine Qmp::next() {
  for (;;) {
    if (const std::size_t end = read_.find('\n'); end != std::string::npos) {
      const std::string line = read_.substr(0, end);
      read_.erase(0, end + 1);
      return read_qmp_line(line);
    }
    if (!line_.wait_for(POLLIN)) check(SocketLine::Outcome::silent);
    std::array<char, 4096> part = {};
    const ssize_t got = ::recv(socket_, part.data(), part.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) check(SocketLine::Outcome::ended);
    read_.append(part.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace weft::tools::cosim::guest
