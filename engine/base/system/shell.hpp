// Words as bash and sbatch take them, so that nothing in a value is read as anything but that value.
#pragma once

#include <string>

namespace weft::process {

/// A word that bash takes as it is, whatever is in it.
[[nodiscard]] std::string shell_quoted(const std::string& word);

/// Whether bash, and sbatch, take a word as it is without quotes.
[[nodiscard]] bool is_plain_word(const std::string& word);

/// A word that sbatch takes as it is on an #SBATCH line; plain words stay bare. A line break, which no quoting keeps
/// out of the script, is a Bug: check for it first.
[[nodiscard]] std::string sbatch_quoted(const std::string& word);

/// Whether the word has a control character: a line break ends a line of a script or of a list.
[[nodiscard]] bool has_control_character(const std::string& word);

}  // namespace weft::process
