// Line by line: what is indented belongs to the line above that is not.
#include "tests/text_cases/case_file.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fstream>
#include <utility>

namespace weft::text_cases {
namespace {

struct Line {
  std::size_t number = 0, indent = 0;
  std::string text;
};

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \t") - begin + 1));
}

/// The first word, which is taken off.
std::string first_word(std::string& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string word = text.substr(0, end);
  text = trimmed(text.substr(end));
  return word;
}

/// Parts between separators that stand outside of texts and brackets.
std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  int depth = 0;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"' && (at == 0 || text[at - 1] != '\\')) quoted = !quoted;
    if (!quoted && std::string_view("([{").find(c) != std::string_view::npos) ++depth;
    if (!quoted && std::string_view(")]}").find(c) != std::string_view::npos) --depth;
    if (c == separator && !quoted && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  for (std::string& part : parts) part = trimmed(part);
  std::erase(parts, "");
  return parts;
}

/// Without what follows two spaces and #, outside of quotation marks.
std::string without_comment(const std::string& line) {
  bool quoted = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == '"' && (at == 0 || line[at - 1] != '\\')) quoted = !quoted;
    if (!quoted && line.compare(at, 3, "  #") == 0) return line.substr(0, at);
  }
  return line;
}

/// key=value as it is given to --set, with a dot in the key.
bool is_setting(const std::string& word) {
  const std::size_t end = word.find('=');
  return end != std::string::npos && word.substr(0, end).find('.') != std::string::npos && word[0] != '-' &&
         std::ranges::all_of(word.substr(0, end), [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$' || c == '-';
         });
}

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path) {
    std::ifstream file(path);
    if (!file) throw CaseError(path + ": cannot be read");
    std::string text;
    for (std::size_t number = 1; std::getline(file, text); ++number)
      lines_.push_back({number, std::min(text.find_first_not_of(' '), text.size()), text});
  }

  CaseFile all() {
    CaseFile found;
    while (const Line* const line = next()) {
      try {
        if (line->indent > 0) throw CaseError("indented, and belongs to no case");
        if (line->text.starts_with("case ")) {
          found.cases.push_back(text_case(*line));
        } else {
          found.shared.push_back(statement(*line));
          if (found.shared.back().kind >= Statement::Kind::command) throw CaseError("stands outside of a case");
        }
      } catch (const CaseError& error) {
        fail(*line, error);
      }
    }
    return found;
  }

 private:
  [[noreturn]] void fail(const Line& line, const CaseError& error) const {
    const std::string what = error.what();
    if (what.starts_with(path_ + ":")) throw error;
    throw CaseError(fmt::format("{}:{}: {}", path_, line.number, what));
  }
  /// The next line that says something; those that end in a backslash go on.
  const Line* next() {
    if (put_back_ != nullptr) return std::exchange(put_back_, nullptr);
    while (at_ < lines_.size() &&
           (lines_[at_].indent == lines_[at_].text.size() || lines_[at_].text[lines_[at_].indent] == '#'))
      ++at_;
    if (at_ == lines_.size()) return nullptr;
    Line& line = lines_[at_++];
    while (line.text.ends_with("\\") && at_ < lines_.size()) {
      line.text.pop_back();
      line.text += trimmed(lines_[at_++].text);
    }
    line.text = without_comment(line.text);
    return &line;
  }

  TextCase text_case(const Line& head) {
    TextCase found{head.number, trimmed(head.text.substr(5)), {}};
    if (!found.name.ends_with(":")) throw CaseError("a case begins with: case NAME:");
    found.name.pop_back();
    while (true) {
      const Line* const line = next();
      if (line == nullptr) break;
      if (line->indent == 0) {
        put_back_ = line;
        break;
      }
      try {
        found.statements.push_back(statement(*line));
      } catch (const CaseError& error) {
        fail(*line, error);
      }
    }
    if (found.statements.empty()) throw CaseError("a case of no statements");
    return found;
  }

  Statement statement(const Line& line) {
    Statement found;
    found.line = line.number;
    found.text = trimmed(line.text);
    std::string rest = found.text;
    const std::string word = first_word(rest);
    if (word == "let") return let(found, rest);
    if (word == "for") return loop(found, rest);
    if (word == "file") return file(found, rest, line);
    if (word == "expect") {
      found.kind = Statement::Kind::expect;
      const Parsed parsed = parse_expression(rest);
      found.values = {parsed.value};
      found.values.insert(found.values.end(), parsed.sides.begin(), parsed.sides.end());
      return found;
    }
    if (word == "threads") {
      found.kind = Statement::Kind::threads;
      found.values = parse_list(rest);
      return found;
    }
    return command(found);
  }

  static Statement let(Statement found, const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) throw CaseError("let NAME = VALUE or let NAME(PARAMETERS) = VALUE");
    const std::string left = trimmed(text.substr(0, equals));
    const std::size_t bracket = left.find('(');
    found.names = {trimmed(left.substr(0, bracket))};
    found.kind = Statement::Kind::let;
    found.values = {parse_expression(text.substr(equals + 1)).value};
    if (bracket == std::string::npos) return found;
    found.kind = Statement::Kind::function;
    found.function = {parts_of(left.substr(bracket + 1, left.size() - bracket - 2), ','), found.values[0]};
    return found;
  }
  static Statement loop(Statement found, const std::string& text) {
    const std::size_t in = text.find(" in ");
    if (in == std::string::npos) throw CaseError("for NAME in VALUES");
    found.kind = Statement::Kind::loop;
    found.names = parts_of(text.substr(0, in), ',');
    found.values = parse_list(text.substr(in + 4));
    return found;
  }
  Statement file(Statement found, std::string name, const Line& head) {
    found.kind = Statement::Kind::file;
    if (const std::size_t equals = name.find(" = "); equals != std::string::npos) {
      found.file_name = parse_template(name.substr(0, equals));
      found.content = parse_expression(name.substr(equals + 3)).value;
      return found;
    }
    if (!name.ends_with(":")) throw CaseError("file NAME: with its lines below, or file NAME = TEXT");
    name.pop_back();
    found.file_name = parse_template(name);
    std::string content;
    const std::size_t begin = at_;
    for (; at_ < lines_.size() && (lines_[at_].indent > head.indent || lines_[at_].indent == lines_[at_].text.size());
         ++at_) {
      const std::string& text = lines_[at_].text;
      content += text.substr(std::min(lines_[begin].indent, lines_[at_].indent)) + "\n";
    }
    while (content.ends_with("\n\n")) content.pop_back();
    found.content = parse_template(content);
    return found;
  }

  /// [NAME =] [fails CODE] run CONFIG ... [says TEXT ...]; or weft WORDS in place of run.
  static Statement command(Statement found) {
    found.kind = Statement::Kind::command;
    found.names = {""};
    std::string text = found.text;
    std::string word = first_word(text);
    if (text.starts_with("= ")) {
      found.names = {word};
      first_word(text);
      word = first_word(text);
    }
    if (word == "fails") {
      found.code = std::atoi(first_word(text).c_str());
      word = first_word(text);
      if (found.code == 0) throw CaseError("fails CODE run CONFIG ...");
    }
    if (word != "run" && word != "weft") {
      throw CaseError("a statement begins with let, for, file, threads, run, weft, fails or expect, not with '" + word +
                      "'");
    }
    const std::size_t says = text.find(" says ");
    if (says != std::string::npos) {
      for (std::string say : parts_of(text.substr(says + 6), ' ')) {
        found.says_not.push_back(say.starts_with("!"));
        found.says.push_back(parse_expression(say.substr(say.starts_with("!") ? 1 : 0)).value);
      }
    }
    std::string words = trimmed(text.substr(0, says));
    if (words.empty()) throw CaseError(word + " what?");
    found.is_run = word == "run";
    if (found.is_run) {
      const std::size_t end = std::min(words.find(' '), words.size());
      if (words.find_first_of("./$") >= end)
        words = "$root/examples/" + words.substr(0, end) + ".toml" + words.substr(end);
      words = "run " + words + " --progress never" + (found.code == 0 ? " --json -" : "");
    }
    found.words = parse_template(words);
    return found;
  }

  std::string path_;
  std::vector<Line> lines_;
  std::size_t at_ = 0;
  const Line* put_back_ = nullptr;
};

}  // namespace

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words(1), all;
  bool quoted = false;
  for (const char c : line) {
    if (c == '\'') quoted = !quoted;
    if (c == ' ' && !quoted) {
      words.emplace_back();
    } else if (c != '\'') {
      words.back() += c;
    }
  }
  std::erase(words, "");
  for (const std::string& word : words) {
    if (is_setting(word)) all.push_back("--set");
    all.push_back(word);
  }
  return all;
}

CaseFile read_case_file(const std::string& path) { return Reader(path).all(); }

}  // namespace weft::text_cases
