// Walks over UTF-8 twice: once to count what would be shown, once to write the two ends of it.
#include "engine/base/text/shown.hpp"

#include <fmt/format.h>

#include "engine/base/types.hpp"

namespace weft {
namespace {

/// One character of UTF-8 at the start of a text.
struct Character {
  u32 code = 0;
  std::size_t bytes = 0;  ///< 0: the first byte begins no character
};

/// Well-formed UTF-8 only (Unicode 15, table 3-7): nothing longer than needed, no surrogates, nothing above 10FFFF.
Character decoded(std::string_view text) {
  const auto byte = [&](std::size_t ix) { return static_cast<u32>(static_cast<unsigned char>(text[ix])); };
  const u32 first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < bytes) return {};
  u32 code = first & (0x7FU >> bytes);
  for (std::size_t ix = 1; ix < bytes; ++ix) {
    if ((byte(ix) & 0xC0U) != 0x80) return {};
    code = code << 6 | (byte(ix) & 0x3FU);
  }
  constexpr u32 least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < least[bytes] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return {};
  return {code, bytes};
}

/// Controls (C0, C1), and characters without a width of their own that change how their neighbours look.
bool is_hidden(u32 code) {
  const auto within = [code](u32 first, u32 last) { return code >= first && code <= last; };
  return code < 0x20 || within(0x7F, 0x9F) || within(0x200B, 0x200F) || within(0x2028, 0x202E) ||
         within(0x2060, 0x206F) || code == 0xFEFF;
}

/// Calls `piece(shown text, its characters)` for each character of `text`.
template <class Piece>
void for_each_piece(std::string_view text, Piece&& piece) {
  while (!text.empty()) {
    const Character character = decoded(text);
    if (character.bytes == 0) {
      piece(fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front())), 4);
    } else if (!is_hidden(character.code)) {
      piece(text.substr(0, character.bytes), 1);
    } else if (character.code == '\n' || character.code == '\t' || character.code == '\r') {
      piece(character.code == '\n' ? "\\n" : character.code == '\t' ? "\\t" : "\\r", 2);
    } else if (character.code < 0x80) {
      piece(fmt::format("\\x{:02x}", character.code), 4);
    } else {
      piece(fmt::format("\\u{:04x}", character.code), 6);
    }
    text.remove_prefix(character.bytes == 0 ? 1 : character.bytes);
  }
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = decoded(text).bytes;
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

std::string shown(std::string_view text, std::size_t most) {
  constexpr std::string_view gap = "...";
  std::size_t all = 0;
  for_each_piece(text, [&all](std::string_view, std::size_t characters) { all += characters; });
  // More of the beginning than of the end, where a path or a message says what it is about.
  const std::size_t room = most > gap.size() ? most - gap.size() : 0;
  const std::size_t tail = room / 4, head = room - tail;
  std::string result;
  std::size_t at = 0;
  bool gap_written = false;
  for_each_piece(text, [&](std::string_view piece, std::size_t characters) {
    if (all <= most || at + characters <= head || at >= all - tail) {
      result += piece;
    } else if (!gap_written) {
      result += gap;
      gap_written = true;
    }
    at += characters;
  });
  return result;
}

}  // namespace weft
