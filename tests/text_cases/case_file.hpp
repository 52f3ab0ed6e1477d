// A file of text cases as it is written: constants, files and cases of statements. README.md says how.
#pragma once

#include <string>
#include <vector>

#include "tests/text_cases/expression.hpp"

namespace weft::text_cases {

/// A line of a case and what it means. Which members count depends on the kind.
struct Statement {
  enum class Kind { let, function, loop, file, command, expect, threads };
  Kind kind = Kind::expect;
  std::size_t line = 0;
  std::string text;                ///< as it stands in the file
  std::vector<std::string> names;  ///< of let, loop: what gets the values; of function: its own; command: of the run
  Function function;               ///< of function
  std::vector<Expression> values;  ///< of let, loop, threads; expect: the one, and both sides of a comparison
  Expression file_name, content;   ///< of file
  bool is_run = false;             ///< of command: of `run`, not of `weft`
  int code = 0;                    ///< of command: the exit code that is expected
  Expression words;                ///< of command: what comes behind run or weft
  std::vector<Expression> says;    ///< of command: what it has to say
  std::vector<bool> says_not;      ///< [say]: what it must not say
};

/// Words of a command line; those that hold spaces stand between ' and '. key=value with a dot in the key is what
/// --set says.
[[nodiscard]] std::vector<std::string> words_of(const std::string& line);

struct TextCase {
  std::size_t line = 0;
  std::string name;
  std::vector<Statement> statements;
};

struct CaseFile {
  std::vector<Statement> shared;  ///< of all cases: constants, functions and files
  std::vector<TextCase> cases;
};

/// Throws CaseError with file and line.
[[nodiscard]] CaseFile read_case_file(const std::string& path);

}  // namespace weft::text_cases
