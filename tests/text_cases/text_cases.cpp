// `text_cases FILE.cases [PART OF A NAME]`: carries out the cases of a file; what does not hold is said with its line.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <string>

#include "tests/support/scratch_folder.hpp"
#include "tests/text_cases/case_file.hpp"
#include "tests/text_cases/run_here.hpp"

namespace weft::text_cases {
namespace {

std::string cut(const std::string& text) { return text.size() > 1500 ? text.substr(0, 1500) + "..." : text; }

std::string json_of(const Value& value) { return cut(value.dump(-1, ' ', false, Value::error_handler_t::replace)); }

/// A case that is being run.
class Running {
 public:
  Running(std::string path, const ScratchFolder& folder) : path_(std::move(path)), folder_(folder) {}

  /// Statements from number `from` on, those behind a loop for each of its values.
  void go_on(const std::vector<Statement>& all, std::size_t from, Scope& scope) {
    for (std::size_t k = from; k < all.size(); ++k) {
      const Statement& now = all[k];
      try {
        if (now.kind == Statement::Kind::loop) return go_through(all, k, scope);
        carry_out(now, scope);
      } catch (const std::exception& error) {
        throw CaseError(is_placed(error) ? error.what()
                                         : fmt::format("{}:{}: {}\n  {}", path_, now.line, error.what(), now.text));
      }
    }
  }
  [[nodiscard]] std::size_t runs() const { return runs_; }

 private:
  [[nodiscard]] bool is_placed(const std::exception& error) const {
    return std::string_view(error.what()).starts_with(path_ + ":");
  }

  void go_through(const std::vector<Statement>& all, std::size_t at, Scope& scope) {
    const Statement& loop = all[at];
    std::vector<Value> values;
    for (const Expression& each : loop.values) values.push_back(each(scope));
    if (values.size() == 1 && values[0].is_array()) values = values[0].get<std::vector<Value>>();
    for (const Value& value : values) {
      Scope inside(scope);
      std::string shown;
      for (std::size_t k = 0; k < loop.names.size(); ++k) {
        const Value& mine = loop.names.size() == 1 ? value : value.at(k);
        inside.set(loop.names[k], mine);
        shown += fmt::format(" {} = {}", loop.names[k], json_of(mine));
      }
      try {
        go_on(all, at + 1, inside);
      } catch (const CaseError& error) {
        throw CaseError(fmt::format("{}\n  with{}", error.what(), shown));
      }
    }
  }

  void carry_out(const Statement& now, Scope& scope) {
    switch (now.kind) {
      case Statement::Kind::let:
        return scope.set(now.names[0], now.values[0](scope));
      case Statement::Kind::function:
        return scope.set(now.names[0], now.function);
      case Statement::Kind::file:
        folder_.write(text_of(now.file_name(scope)), text_of(now.content(scope)));
        return;
      case Statement::Kind::threads:
        threads_.clear();
        for (const Expression& each : now.values) threads_.push_back(text_of(each(scope)));
        return;
      case Statement::Kind::command:
        return command(now, scope);
      case Statement::Kind::expect: {
        if (now.values[0](scope) == Value(true)) return;
        std::string sides;
        for (std::size_t k = 1; k < now.values.size(); ++k)
          sides += (k > 1 ? " and " : ": ") + json_of(now.values[k](scope));
        throw CaseError("does not hold" + sides);
      }
      case Statement::Kind::loop:
        break;
    }
  }

  /// On each number of threads that the case names.
  void command(const Statement& now, Scope& scope) {
    const std::vector<std::string> words = words_of(text_of(now.words(scope)));
    Value first;
    for (const std::string& threads : now.is_run ? threads_ : std::vector<std::string>{"1"}) {
      std::vector<std::string> all = words;
      if (threads != "1") all.insert(all.end(), {"--threads", threads});
      const Value found = figures_of(now, all, scope);
      if (first.is_null()) {
        first = found;
      } else if (now.code == 0 && found.value("digest", "") != first.value("digest", "")) {
        throw CaseError("another digest on " + threads + " threads");
      }
    }
    scope.set(now.names[0], first);
  }

  /// What the run prints as JSON, or as "out" where that is none.
  Value figures_of(const Statement& now, const std::vector<std::string>& words, const Scope& scope) {
    const Outcome outcome = run_here(words);
    ++runs_;
    if (outcome.code != now.code)
      throw CaseError(
          fmt::format("exit code {}, not {}:\n{}{}", outcome.code, now.code, cut(outcome.out), cut(outcome.err)));
    std::string said = outcome.err;
    if (now.code != 0) {  // one error, which the words are in
      const std::size_t error = said.find("weft: error");
      if (error == std::string::npos || said.find("weft: error", error + 1) != std::string::npos)
        throw CaseError("not one error but:\n" + cut(said));
      if (now.is_run && !outcome.out.empty()) throw CaseError("something on standard output:\n" + cut(outcome.out));
      said = said.substr(error);
    } else if (!now.is_run) {
      said += outcome.out;
    }
    for (std::size_t k = 0; k < now.says.size(); ++k) {
      const std::string part = text_of(now.says[k](scope));
      if ((said.find(part) == std::string::npos) != now.says_not[k])
        throw CaseError(fmt::format("{}'{}' in:\n{}", now.says_not[k] ? "" : "no ", part, cut(said)));
    }
    Value figures = Value::parse(outcome.out, nullptr, false);
    if (!figures.is_object()) figures = {{"out", outcome.out}};
    figures["err"] = outcome.err;
    return figures;
  }

  std::string path_;
  const ScratchFolder& folder_;
  std::vector<std::string> threads_ = {"1"};
  std::size_t runs_ = 0;
};

int carry_out(const std::string& path, const std::string& part) {
  const CaseFile file = read_case_file(path);
  std::size_t failed = 0, done = 0, runs = 0;
  for (const TextCase& one : file.cases) {
    if (one.name.find(part) == std::string::npos) continue;
    const ScratchFolder folder;
    std::filesystem::current_path(folder.path());
    Running running(path, folder);
    try {
      Scope scope;
      scope.set("root", WEFT_SOURCE_DIR);
      running.go_on(file.shared, 0, scope);
      running.go_on(one.statements, 0, scope);
    } catch (const std::exception& error) {
      ++failed;
      std::cout << fmt::format("FAILED {}:{}: {}\n{}\n", path, one.line, one.name, error.what());
    }
    std::filesystem::current_path("/");
    ++done;
    runs += running.runs();
  }
  std::cout << fmt::format("{} cases, {} runs, {} failed\n", done, runs, failed);
  return failed == 0 && done > 0 ? 0 : 1;
}

}  // namespace
}  // namespace weft::text_cases

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    std::cerr << "usage: text_cases FILE.cases [PART OF A NAME]\n";
    return 2;
  }
  try {
    return weft::text_cases::carry_out(std::filesystem::absolute(argv[1]).string(), argc > 2 ? argv[2] : "");
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}
