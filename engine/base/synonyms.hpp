// What other simulators and the literature call the things of this one: looked up by errors that say what was meant,
// and by descriptions. Which words there are is said by who adds them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// What a word is here: a key, or a value of it.
struct Meaning {
  std::string key;         ///< "router.virtual_channels", "topology.kind"
  std::string value = {};  ///< "hyperx"; empty if the key itself is meant

  /// What a config has there: the value, or the key.
  [[nodiscard]] const std::string& word() const { return value.empty() ? key : value; }
};

/// A word of elsewhere.
struct Synonym {
  std::string word;           ///< as it is written there: "num_vcs"
  std::string whose;          ///< "BookSim, SST"
  std::vector<Meaning> here;  ///< what comes nearest first; empty if nothing does
  std::string comment = {};   ///< what differs; empty if nothing does
};

/// Adds the words of a function, which is called when one is looked up for the first time. Returns true, so that it can
/// initialise a file-scope constant.
bool add_synonyms(std::vector<Synonym> (*words)());

/// The synonyms that are `word`, whatever its case and whether its parts are joined by '-', '_', '/' or nothing.
[[nodiscard]] std::vector<Synonym> synonyms_of(std::string_view word);
[[nodiscard]] const std::vector<Synonym>& all_synonyms();

/// Letters and digits of a word, in small letters: what "FAT_TREE" and "fat-tree" have in common.
[[nodiscard]] std::string plain_word(std::string_view word);

}  // namespace weft
