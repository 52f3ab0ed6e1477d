// What to tell a user who wrote a key, a table or a word that does not exist.
#pragma once

#include <string>
#include <vector>

namespace weft::tools {

/// "did you mean link.latency_cycles?": the known key closest to `key`. Preferred in this order: the same quantity of
/// the same table in another unit (link.latency_us), the same name in another table, the same there in another unit,
/// what another simulator calls so (router.num_vcs), the least edit distance.
[[nodiscard]] std::string key_suggestion(const std::string& key);
/// The known table closest to `table`.
[[nodiscard]] std::string table_suggestion(const std::string& table);
/// The one of `words` closest to `word`.
[[nodiscard]] std::string word_suggestion(const std::string& word, const std::vector<std::string>& words);

}  // namespace weft::tools
