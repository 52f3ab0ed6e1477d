// Tokens of GOAL texts; see the header.
#include "workloads/trace/format/goal/goal_lexer.hpp"

#include <array>
#include <cstring>
#include <fmt/format.h>

namespace weft::workloads {
namespace {

constexpr std::size_t goal_buffer_bytes = 256 * 1024;

constexpr std::array<bool, 256> goal_word_characters() {
  std::array<bool, 256> in_word{};
  for (const char c : std::string_view("_-.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    in_word[static_cast<unsigned char>(c)] = true;
  return in_word;
}
constexpr std::array<bool, 256> in_goal_word = goal_word_characters();
constexpr bool stops_skipping(char c) { return c == '}' || c == '/' || c == '\n'; }

}  // namespace

GoalLexer::GoalLexer(std::unique_ptr<ByteSource> source) : source_(std::move(source)), buffer_(goal_buffer_bytes) {}

void GoalLexer::advance() {
  line_ = next_line_;
  for (;;) {
    begin_ = at_;
    if (at_ == end_ && !refill()) {
      kind_ = Kind::end;
      return;
    }
    const char c = buffer_[at_];
    if (in_goal_word[static_cast<unsigned char>(c)]) return word();
    ++at_;
    switch (c) {
      case ' ':
      case '\t':
      case '\r':
        continue;
      case '\n':
        kind_ = Kind::line_end;
        ++next_line_;
        return;
      case ':':
        kind_ = Kind::colon;
        return;
      case '{':
        kind_ = Kind::open;
        return;
      case '}':
        kind_ = Kind::close;
        return;
      case '/':
        skip_comment();
        line_ = next_line_;
        continue;
      default:
        reject("this has no place in a GOAL file", "words, numbers, ':', '{', '}' and comments (// or /* */)");
    }
  }
}

void GoalLexer::skip_to_close() {
  for (;;) {
    bool words = false;
    while (at_ < end_ && !stops_skipping(buffer_[at_]))
      words |= in_goal_word[static_cast<unsigned char>(buffer_[at_++])];
    if (words) without_word_ = 0;
    begin_ = at_;
    line_ = next_line_;
    if (at_ == end_) {
      kind_ = Kind::end;
      if (!refill()) return;
      continue;
    }
    const char c = buffer_[at_++];
    if (c == '\n') ++next_line_;
    if (c == '/') skip_comment();
    if (c != '}') continue;
    kind_ = Kind::close;
    return;
  }
}

void GoalLexer::word() {
  kind_ = Kind::word;
  for (;;) {
    while (at_ < end_ && in_goal_word[static_cast<unsigned char>(buffer_[at_])]) ++at_;
    if (at_ - begin_ > longest_goal_word) {
      reject(fmt::format("word is longer than {} bytes", longest_goal_word), "a label, a keyword or a number");
    }
    if (at_ < end_ || !refill()) break;
  }
  without_word_ = 0;
}

/// The first / is read.
void GoalLexer::skip_comment() {
  if (at_ < end_ || refill()) {
    const char second = buffer_[at_];
    if (second == '/') {
      if (!skip_past('\n')) return;
      // The line end is no part of the comment.
      --at_;
      --next_line_;
      return;
    }
    if (second == '*') {
      const u64 from = next_line_;
      ++at_;
      while (skip_past('*')) {
        if (at_ == end_) {
          begin_ = at_;
          if (!refill()) break;
        }
        if (buffer_[at_] == '/') {
          ++at_;
          return;
        }
      }
      reject_at(from, "this comment has no end", "/*", "*/ before the end of the file");
    }
  }
  reject("a single /", "a comment: // to the end of the line, or /* to */");
}

/// Past the next `last`, which may be a line end, counting lines; false if there is none. Keeps no token.
bool GoalLexer::skip_past(char last) {
  for (;;) {
    while (at_ < end_) {
      const char c = buffer_[at_++];
      if (c == '\n') ++next_line_;
      if (c == last) return true;
    }
    begin_ = at_;
    if (!refill()) return false;
  }
}

/// Moves the token and the unread rest to the front and appends more input; false at the end of the file.
bool GoalLexer::refill() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  at_ -= begin_;
  end_ -= begin_;
  begin_ = 0;
  if (without_word_ > most_goal_bytes_without_word) {
    reject_at(next_line_, fmt::format("more than {} bytes without a word", most_goal_bytes_without_word), "",
              "a rank or an operation");
  }
  const std::size_t got = source_->read(buffer_.data() + end_, buffer_.size() - end_);
  end_ += got;
  without_word_ += got;
  return got > 0;
}

void GoalLexer::reject(const std::string& problem, const std::string& expected) const {
  reject_at(
      line_, problem,
      kind_ == Kind::end && begin_ == at_ ? "the end of the file" : (text() == "\n" ? "the end of the line" : text()),
      expected);
}

}  // namespace weft::workloads
