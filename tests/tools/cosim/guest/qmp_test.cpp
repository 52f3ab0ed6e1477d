// What QEMU's monitor says, and a conversation with one that is played by the test.
#include "tools/cosim/guest/qmp.hpp"

#include <array>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

#include "engine/base/error.hpp"

namespace weft::tools::cosim::guest {
namespace {

TEST(Qmp, LinesAreGreetingsAnswersErrorsAndEvents) {
  EXPECT_EQ(read_qmp_line(R"({"QMP": {"version": {"qemu": {"major": 7}}, "capabilities": []}})").kind,
            QmpLine::Kind::greeting);
  const QmpLine answer = read_qmp_line(R"({"return": {"status": "running"}})");
  EXPECT_EQ(answer.kind, QmpLine::Kind::answer);
  EXPECT_EQ(answer.content["status"], "running");
  const QmpLine error = read_qmp_line(R"({"error": {"class": "GenericError", "desc": "no such file"}})");
  EXPECT_EQ(error.kind, QmpLine::Kind::error);
  EXPECT_EQ(error.text, "no such file");
  const QmpLine event = read_qmp_line(R"({"event": "SHUTDOWN", "data": {"guest": true}})");
  EXPECT_EQ(event.kind, QmpLine::Kind::event);
  EXPECT_EQ(event.text, "SHUTDOWN");
}

TEST(Qmp, WhatIsNoLineOfItIsNamed) {
  for (const std::string line : {"", "hello", "[1]", "{\"return\"", "{}", R"({"event": 3})", R"({"error": "x"})"})
    EXPECT_THROW(static_cast<void>(read_qmp_line(line)), SystemError) << line;
}

TEST(Qmp, CommandsAreALineOfJson) {
  EXPECT_EQ(nlohmann::json::parse(qmp_command("migrate", {{"uri", "fd:7"}})),
            nlohmann::json::parse(R"({"execute": "migrate", "arguments": {"uri": "fd:7"}})"));
  EXPECT_EQ(qmp_command("stop").back(), '\n');
}

/// Plays QEMU: says each of `lines` when a line has come to it, the first at once; then goes away.
std::thread play(int socket, std::vector<std::string> lines) {
  return std::thread([socket, lines = std::move(lines)] {
    for (const std::string& line : lines) {
      ASSERT_EQ(::write(socket, line.data(), line.size()), static_cast<ssize_t>(line.size()));
      for (char letter = 0; letter != '\n';) {
        if (::read(socket, &letter, 1) != 1) break;
      }
    }
    ::close(socket);
  });
}

struct Talk {
  explicit Talk(std::vector<std::string> lines) {
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
    player = play(ends[1], std::move(lines));
  }
  ~Talk() {
    ::close(ends[0]);
    player.join();
  }
  std::array<int, 2> ends = {};
  std::thread player;
};

const std::string greeting = "{\"QMP\": {}}\r\n";
const std::string done = "{\"return\": {}}\r\n";

TEST(Qmp, EventsBeforeAnAnswerAreSkippedAndLinesMayComeInParts) {
  Talk talk({greeting, done, "{\"event\": \"STOP\"}\r\n{\"return\": {\"status\": \"paused\"}}\r\n"});
  Qmp qmp(talk.ends[0], "guest 1", 5);
  EXPECT_EQ(qmp.ask("query-status")["status"], "paused");
}

TEST(Qmp, RefusalsSilenceAndTheEndNameTheGuest) {
  const auto problem = [](std::vector<std::string> lines, double patience_s) -> std::string {
    Talk talk(std::move(lines));
    try {
      Qmp qmp(talk.ends[0], "guest 17", patience_s);
      qmp.ask("stop");
    } catch (const SystemError& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(problem({greeting, done, "{\"error\": {\"desc\": \"not now\"}}\n"}, 5),
            "guest 17: QEMU refused 'stop' (not now); use Debian's qemu-system-x86");
  EXPECT_EQ(problem({greeting, done}, 5), "guest 17: QEMU has ended; its log says why");
  EXPECT_EQ(problem({greeting, done, ""}, 0.05).substr(0, 55),
            "guest 17: QEMU's monitor did not answer within 0.05 s; ");
}

}  // namespace
}  // namespace weft::tools::cosim::guest
