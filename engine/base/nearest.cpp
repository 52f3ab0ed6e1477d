// What a word means, edit distance between words, and the like for shapes; runs only on the way to an error message.
#include "engine/base/nearest.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <numeric>

#include "engine/base/error.hpp"
#include "engine/base/synonyms.hpp"

namespace weft {
namespace {

/// Levenshtein distance with one row of the table kept.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

/// What is so long resembles nothing anyway, and a megabyte compared with every key takes seconds.
constexpr std::size_t longest_word = 100;

const Meaning* meaning_among(const std::vector<std::string>& candidates, const Synonym& synonym) {
  for (const Meaning& here : synonym.here) {
    if (std::find(candidates.begin(), candidates.end(), here.word()) != candidates.end()) return &here;
  }
  return nullptr;
}

/// The candidate that is the word but for case and joints, or what the word of elsewhere is here; "" if there is none.
std::string by_meaning(const std::string& word, const std::vector<std::string>& candidates) {
  const std::string plain = plain_word(word);
  for (const std::string& candidate : candidates) {
    if (!plain.empty() && plain_word(candidate) == plain) return candidate;
  }
  for (const Synonym& synonym : synonyms_of(word)) {
    if (const Meaning* const here = meaning_among(candidates, synonym)) return here->word();
  }
  return "";
}

/// A slip of the hand in so many letters is one.
constexpr std::size_t letters_for_a_slip = 4;

}  // namespace

std::string nearest(const std::string& whole_word, const std::vector<std::string>& candidates) {
  const std::string word = whole_word.substr(0, longest_word);
  std::string best = by_meaning(word, candidates);
  if (!best.empty()) return best;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance >= least) continue;
    least = distance;
    best = candidate;
  }
  // A word of elsewhere with a slip in it: "flatfli".
  for (const Synonym& synonym : all_synonyms()) {
    const Meaning* const here = meaning_among(candidates, synonym);
    if (here == nullptr || synonym.word.size() < letters_for_a_slip) continue;
    const std::size_t distance = edit_distance(word, synonym.word);
    if (distance >= least || distance > word.size() / letters_for_a_slip) continue;
    least = distance;
    best = here->word();
  }
  return best;
}

std::string nearest(const std::string& word, const std::vector<std::string>& candidates, std::size_t most) {
  if (std::string meant = by_meaning(word.substr(0, longest_word), candidates); !meant.empty()) return meant;
  const std::string best = nearest(word, candidates);
  return edit_distance(word.substr(0, best.size() + most + 1), best) > most ? "" : best;
}

u64 product_up_to(const std::vector<i64>& values, u64 limit) {
  if (std::find(values.begin(), values.end(), 0) != values.end()) return 0;
  u64 product = 1;
  for (const i64 value : values) {
    WEFT_ASSERT(value > 0);
    if (static_cast<u64>(value) > limit / product) return limit + 1;
    product *= static_cast<u64>(value);
  }
  return product;
}

std::vector<i64> nearest_factors(std::vector<i64> values, u64 limit) {
  for (i64& value : values) value = std::max<i64>(value, 1);
  while (product_up_to(values, limit) > limit) {
    const auto largest = std::max_element(values.begin(), values.end());
    *largest = 1;
    // 0 where the others alone are too many: this one stays at 1 and the next largest is cut.
    const u64 room = limit / product_up_to(values, limit);
    *largest = std::max<i64>(static_cast<i64>(room), 1);
  }
  return values;
}

std::string list_text(const std::vector<i64>& values) {
  constexpr std::size_t most = 24, first = 8;
  if (values.size() <= most) return fmt::format("[{}]", fmt::join(values, ", "));
  return fmt::format("[{}, ... ({} values)]", fmt::join(values.begin(), values.begin() + first, ", "), values.size());
}

}  // namespace weft
