// How far a run has come: one line redrawn on a terminal, a plain line now and then in a log file.
#include "tools/run/progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <unistd.h>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/system/machine.hpp"
#include "engine/base/text/numbers.hpp"

namespace weft::tools {
namespace {

constexpr double redraw_s = 0.2;
constexpr double plain_line_s = 30;
constexpr double rate_window_s = 10;
/// So many pieces at least where they are few and long, points of a sweep: no one says how fast the others are.
constexpr double rate_window_pieces = 5;
constexpr std::size_t line_columns = 79;  // a line that wraps could not be redrawn in place
constexpr int bar_columns = 20;

/// "0:07", "12:34", "3:02:05".
std::string clock_time(double seconds) {
  const u64 whole = static_cast<u64>(std::min(seconds, 1e12) + 0.5);
  char text[40];
  if (whole < 3600) {
    std::snprintf(text, sizeof text, "%u:%02u", static_cast<u32>(whole / 60), static_cast<u32>(whole % 60));
  } else {
    std::snprintf(text, sizeof text, "%llu:%02u:%02u", static_cast<unsigned long long>(whole / 3600),
                  static_cast<u32>(whole / 60 % 60), static_cast<u32>(whole % 60));
  }
  return text;
}

std::string bar(double fraction) {
  const int eighths = static_cast<int>(fraction * bar_columns * 8);
  constexpr const char* partial[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  std::string text;
  for (int column = 0; column < bar_columns; ++column) {
    const int filled = std::clamp(eighths - column * 8, 0, 8);
    text += filled == 8 ? "█" : filled == 0 ? "░" : partial[filled];
  }
  return text;
}

/// The first `columns` characters of UTF-8 text, control characters (a line break would spoil the redrawing) as spaces.
std::string one_line(const std::string& text, std::size_t columns) {
  std::string result;
  std::size_t used = 0;
  for (const char byte : text) {
    const auto value = static_cast<unsigned char>(byte);
    const bool continues = (value & 0xC0) == 0x80;
    if (!continues && used == columns) break;
    used += continues ? 0 : 1;
    result += value < 0x20 || value == 0x7F ? ' ' : byte;
  }
  return result;
}

}  // namespace

Progress::Progress(Mode mode) : Progress(mode, std::cerr, ::isatty(STDERR_FILENO) == 1) {}

Progress::Progress(Mode mode, std::ostream& out, bool is_terminal) : Progress(mode, out, is_terminal, wall_s) {}

Progress::Progress(Mode mode, std::ostream& out, bool is_terminal, Clock clock)
    : in_place_(mode == Mode::always || (mode == Mode::automatic && is_terminal)),
      silent_(mode == Mode::never),
      out_(out),
      clock_(std::move(clock)) {}

Progress::~Progress() {
  try {
    finish();
  } catch (...) {  // a stream that throws must not end the program while an error is on its way
    active_ = false;
  }
}

void Progress::start(const std::string& what, double total, const std::string& unit) {
  finish();
  if (silent_) return;
  what_ = what;
  unit_ = unit;
  note_.clear();
  total_ = std::isfinite(total) && total > 0 ? total : 0;
  done_ = 0;
  samples_.clear();
  drawn_ = false;
  active_ = true;
  started_s_ = clock_();
  // The first redrawn line comes at once, the first plain one only if the run turns out to be long.
  shown_s_ = in_place_ ? started_s_ - redraw_s : started_s_;
}

void Progress::count(double total, const std::string& unit) {
  if (!active_) return;
  unit_ = unit;
  total_ = std::isfinite(total) && total > 0 ? total : 0;
  done_ = 0;
  samples_.clear();
}

void Progress::remember(const Sample& sample) {
  if (!samples_.empty() && sample.at_s - samples_.back().at_s < redraw_s) return;
  samples_.push_back(sample);
  const auto enough = [&](const Sample& from) {
    return sample.at_s - from.at_s >= rate_window_s && sample.done - from.done >= rate_window_pieces;
  };
  while (samples_.size() > 2 && enough(samples_[1])) samples_.pop_front();
}

void Progress::update(double done, u64 events, const std::string& note) {
  if (!active_) return;
  const double now = clock_();
  done_ = done;
  remember({now, done, static_cast<double>(events)});
  // The small allowance keeps "every 30 s" from becoming every 60 s by rounding of the clock.
  if (now - shown_s_ < (in_place_ ? redraw_s : plain_line_s) - 1e-9) return;
  shown_s_ = now;
  drawn_ = true;
  note_ = note;
  if (in_place_) {
    out_ << '\r' << one_line(line(now, true), line_columns) << "\x1b[K" << std::flush;
  } else {
    out_ << one_line(line(now, false), 2 * line_columns) << std::endl;
  }
}

std::string Progress::line(double now, bool with_bar) const {
  std::string text = what_ + "  ";
  if (total_ > 0) {
    const double fraction = std::clamp(done_ / total_, 0.0, 1.0);
    char percent[8];
    std::snprintf(percent, sizeof percent, "%3d%%", static_cast<int>(fraction * 100));
    text += (with_bar ? bar(fraction) : "") + percent + "  " + with_prefix(done_) + "/" + with_prefix(total_);
  } else {
    text += with_prefix(done_);
  }
  text += " " + unit_;
  const Sample& first = samples_.front();
  const Sample& last = samples_.back();
  const double span = last.at_s - first.at_s;
  if (total_ > 0 && span > 0 && last.done > first.done && done_ < total_) {
    text += "  ETA " + clock_time((total_ - done_) * span / (last.done - first.done));
  } else {
    text += "  " + clock_time(now - started_s_);
  }
  if (span > 0 && last.events > first.events) {
    const double rate = (last.events - first.events) / span;
    text += "  " + (rate < 1e6 ? with_prefix(rate) + " " : significant(rate / 1e6, 3) + " M ") + "events/s";
  }
  return note_.empty() ? text : text + "  " + note_;
}

void Progress::finish() {
  if (!active_) return;
  active_ = false;
  if (!drawn_) return;
  if (in_place_) {
    out_ << "\r\x1b[K" << std::flush;
  } else {
    out_ << what_ << "  ended at " << with_prefix(done_) << ' ' << unit_ << " after " << duration(clock_() - started_s_)
         << std::endl;
  }
}

Progress::Mode progress_mode(const std::string& word) {
  if (word == "always") return Progress::Mode::always;
  if (word == "never") return Progress::Mode::never;
  WEFT_ASSERT(word == "auto");
  return Progress::Mode::automatic;
}

}  // namespace weft::tools
