// The progress line, driven by a clock that the test moves.
#include "tools/run/progress.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <sstream>

namespace weft::tools {
namespace {

struct Fixture {
  double now = 100;
  std::ostringstream out;
  Progress make(Progress::Mode mode, bool is_terminal) {
    return Progress(mode, out, is_terminal, [this] { return now; });
  }
  [[nodiscard]] auto count(char c) const {
    const std::string text = out.str();
    return std::count(text.begin(), text.end(), c);
  }
};

TEST(Progress, ShowsBarPercentCyclesRateAndTimeLeftOnATerminal) {
  Fixture f;
  Progress progress = f.make(Progress::Mode::automatic, true);
  progress.start("run", 100'000, "cycles");
  progress.update(0, 0, "");
  f.now += 10;
  progress.update(25'000, 120'000'000, "fast");
  const std::string text = f.out.str();
  const std::string last = text.substr(text.rfind('\r'));
  EXPECT_EQ(last,
            "\rrun  █████░░░░░░░░░░░░░░░ 25%  25 k/100 k cycles  ETA 0:30  12 M events/s  fast"
            "\x1b[K");
}

TEST(Progress, CountsWhatItIsToldToAsPlainLinesWithTheTimeLeft) {
  Fixture f;
  Progress progress = f.make(Progress::Mode::automatic, false);
  progress.start("run", 0, "cycles");
  progress.count(8'000'000, "records");
  progress.update(0, 0, "");
  f.now += 30;
  progress.update(2'000'000, 0, "3 M cycles");
  f.now += 1;
  progress.finish();
  EXPECT_EQ(f.out.str(), "run   25%  2 M/8 M records  ETA 1:30  3 M cycles\nrun  ended at 2 M records after 31 s\n");
}

TEST(Progress, RedrawsAtMostFiveTimesASecond) {
  Fixture f;
  Progress progress = f.make(Progress::Mode::automatic, true);
  progress.start("run", 1000, "cycles");
  for (int step = 0; step < 1000; ++step) {
    f.now += 0.001;
    progress.update(step, 0, "");
  }
  EXPECT_GE(f.count('\r'), 4);
  EXPECT_LE(f.count('\r'), 6);
}

TEST(Progress, FitsOneTerminalLineWhateverTheNote) {
  Fixture f;
  Progress progress = f.make(Progress::Mode::automatic, true);
  progress.start("run", 1000, "cycles");
  progress.update(1, 0, "two\nlines " + std::string(300, 'x'));
  const std::string text = f.out.str();
  EXPECT_EQ(text.find('\n'), std::string::npos);
  std::size_t columns = 0;
  for (const char c : text.substr(1, text.size() - 4)) columns += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  EXPECT_EQ(columns, 79u);
}

TEST(Progress, ClearsItsLineAtTheEndAndWhenItGoesOutOfScope) {
  Fixture f;
  {
    Progress progress = f.make(Progress::Mode::automatic, true);
    progress.start("run", 10, "cycles");
    progress.update(1, 0, "");
  }
  const std::string text = f.out.str();
  EXPECT_EQ(text.substr(text.size() - 4), "\r\x1b[K");
}

TEST(Progress, WritesAPlainLineEveryThirtySecondsWhereThereIsNoTerminal) {
  Fixture f;
  Progress progress = f.make(Progress::Mode::automatic, false);
  progress.start("run", 1000, "cycles");
  for (int second = 0; second < 90; ++second) {
    progress.update(second, 0, "");
    f.now += 1;
  }
  progress.update(90, 0, "");
  EXPECT_EQ(f.count('\n'), 3);
  EXPECT_EQ(f.count('\r'), 0);
  EXPECT_EQ(f.count('\x1b'), 0);
  EXPECT_NE(f.out.str().find("run    9%  90/1 k cycles  ETA 15:10\n"), std::string::npos) << f.out.str();
  progress.finish();
  EXPECT_NE(f.out.str().find("run  ended at 90 cycles after 90"), std::string::npos) << f.out.str();
}

TEST(Progress, SaysNothingOfAShortRunInALogFile) {
  Fixture f;
  Progress progress = f.make(Progress::Mode::automatic, false);
  progress.start("run", 1000, "cycles");
  f.now += 5;
  progress.update(1000, 5, "");
  progress.finish();
  EXPECT_EQ(f.out.str(), "");
}

TEST(Progress, IsSilentInNeverModeAndDrawsInAlwaysModeWithoutATerminal) {
  for (const bool is_terminal : {false, true}) {
    Fixture f;
    Progress progress = f.make(Progress::Mode::never, is_terminal);
    progress.start("run", 10, "cycles");
    f.now += 100;
    progress.update(5, 1, "");
    progress.finish();
    EXPECT_EQ(f.out.str(), "");
  }
  Fixture f;
  Progress progress = f.make(Progress::Mode::always, false);
  progress.start("run", 10, "cycles");
  progress.update(5, 1, "");
  EXPECT_EQ(f.out.str().substr(0, 1), "\r");
}

TEST(Progress, ShowsTheTimeSpentWhenTheTotalIsUnknown) {
  Fixture f;
  Progress progress = f.make(Progress::Mode::automatic, true);
  progress.start("trace", 0, "cycles");
  f.now += 65;
  progress.update(12'345, 0, "");
  EXPECT_EQ(f.out.str(), "\rtrace  12.3 k cycles  1:05\x1b[K");
}

TEST(Progress, OneLongPieceOfFewDoesNotTurnTheTimeLeftUpsideDown) {
  Fixture f;
  Progress progress = f.make(Progress::Mode::automatic, true);
  progress.start("sweep", 10, "points");
  const auto shown = [&f] {
    const std::string text = f.out.str();
    const std::size_t at = text.rfind("ETA ");
    EXPECT_NE(at, std::string::npos) << text;
    return text.substr(at, text.find(' ', at + 4) - at);
  };
  for (int second = 0; second <= 118; ++second, f.now += 1) progress.update(second / 60.0, 0, "");
  EXPECT_EQ(shown().substr(0, 7), "ETA 8:0");
  // The next one takes long: what runs counts as nearly done.
  for (int second = 0; second <= 118; ++second, f.now += 1) progress.update(1.97, 0, "1 running");
  EXPECT_GE(shown(), "ETA 16:00");
  EXPECT_LE(shown(), "ETA 16:30");
}

TEST(Progress, EstimatesTheTimeLeftOfAResumedRunFromItsPresentRate) {
  Fixture f;
  Progress progress = f.make(Progress::Mode::automatic, true);
  progress.start("run", 1000, "cycles");
  progress.update(500, 0, "");
  f.now += 10;
  progress.update(600, 0, "");
  EXPECT_NE(f.out.str().find("ETA 0:40"), std::string::npos) << f.out.str();
}

}  // namespace
}  // namespace weft::tools
