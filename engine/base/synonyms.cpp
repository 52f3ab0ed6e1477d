// The words are put together when one is first asked for: on the way to a message, never in a run.
#include "engine/base/synonyms.hpp"

namespace weft {
namespace {

using Words = std::vector<Synonym> (*)();

std::vector<Words>& sources() {
  static std::vector<Words> all;
  return all;
}

}  // namespace

bool add_synonyms(std::vector<Synonym> (*words)()) {
  sources().push_back(words);
  return true;
}

const std::vector<Synonym>& all_synonyms() {
  static const std::vector<Synonym> all = [] {
    std::vector<Synonym> found;
    for (const Words words : sources()) {
      for (Synonym& synonym : words()) found.push_back(std::move(synonym));
    }
    return found;
  }();
  return all;
}

std::vector<Synonym> synonyms_of(std::string_view word) {
  const std::string plain = plain_word(word);
  std::vector<Synonym> found;
  for (const Synonym& synonym : all_synonyms()) {
    if (!plain.empty() && plain_word(synonym.word) == plain) found.push_back(synonym);
  }
  return found;
}

std::string plain_word(std::string_view word) {
  std::string plain;
  for (const char letter : word) {
    if (letter >= 'A' && letter <= 'Z')
      plain += static_cast<char>(letter - 'A' + 'a');
    else if ((letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9'))
      plain += letter;
  }
  return plain;
}

}  // namespace weft
