// Writes roff. Pages carry no date, so that a build is the same on any day.
#include "tools/cli/man_page.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>
#include <sstream>

#include "engine/base/file/atomic_file.hpp"
#include "version.hpp"

namespace weft::tools {
namespace {

/// Text as roff shows it: no hyphen of the typesetter, no escape, no request at the begin of a line.
std::string roff(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  return result;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string option_names(const OptionText& option) {
  std::string text;
  for (const std::string& name : option.names) text += (text.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
  if (option.value.empty()) return text;
  return text + (text.empty() ? "\\fI" : " \\fI") + roff(option.value) + "\\fR";
}

std::string option_entries(const std::vector<OptionText>& options) {
  std::string text;
  for (const OptionText& option : options) {
    text += fmt::format(".TP\n{}\n{}", option_names(option), roff(option.help));
    if (!option.fallback.empty()) text += fmt::format(" (default {})", roff(option.fallback));
    text += "\n";
  }
  return text;
}

/// What help texts end with: sentences, and examples in lines that begin with two blanks.
std::string footer_sections(const std::string& footer) {
  std::string notes, examples;
  std::istringstream lines(footer);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  ")) {
      examples += roff(line.substr(2)) + "\n";
    } else if (line != "Examples:" && !line.empty()) {
      notes += roff(line) + "\n";
    }
  }
  std::string text;
  if (!notes.empty()) text += ".SH NOTES\n" + notes;
  if (!examples.empty()) text += ".SH EXAMPLES\n.nf\n" + examples + ".fi\n";
  return text;
}

/// "weft-trace-info" for "weft trace info".
std::string page_name(std::string command) {
  std::ranges::replace(command, ' ', '-');
  return command;
}

std::string page_reference(const std::string& command) { return "\\fB" + roff(page_name(command)) + "\\fR(1)"; }

}  // namespace

std::string man_page(const CommandText& command, const std::string& parent) {
  const std::string name = page_name(command.name);
  // "weft: a simulator..." says its name again.
  const std::string own = command.name + ": ";
  const std::string help = command.help.starts_with(own) ? command.help.substr(own.size()) : command.help;
  const std::string brief = help.substr(0, help.find('\n'));
  std::string text = fmt::format(".TH {} 1 \"\" \"weft {}\" \"weft\"\n", upper(name), version);
  text += fmt::format(".SH NAME\n{} \\- {}\n", roff(name), roff(brief));
  text += fmt::format(".SH SYNOPSIS\n\\fB{}\\fR [\\fIOPTIONS\\fR]", roff(command.name));
  for (const OptionText& argument : command.arguments) {
    const std::string word = "\\fI" + roff(argument.value) + "\\fR" + (argument.repeats ? "..." : "");
    text += argument.required ? " " + word : " [" + word + "]";
  }
  text += command.commands.empty() ? "\n" : " \\fICOMMAND\\fR\n";
  if (brief.size() < help.size()) text += ".SH DESCRIPTION\n" + roff(help) + "\n";
  if (!command.commands.empty()) {
    text += ".SH COMMANDS\n";
    for (const CommandText& below : command.commands)
      text += fmt::format(".TP\n{}\n{}\n", page_reference(below.name), roff(below.help));
  }
  if (!command.arguments.empty()) text += ".SH ARGUMENTS\n" + option_entries(command.arguments);
  text += ".SH OPTIONS\n" + option_entries(command.options) + footer_sections(command.footer);
  if (!parent.empty()) text += ".SH SEE ALSO\n" + page_reference(parent) + "\n";
  return text;
}

void write_man_pages(const CommandText& command, const std::string& folder) {
  const auto last = command.name.rfind(' ');
  const std::string parent = last == std::string::npos ? "" : command.name.substr(0, last);
  const std::string path = (std::filesystem::path(folder) / (page_name(command.name) + ".1")).string();
  files::write_file_atomically(path, man_page(command, parent), files::Streams::refused);
  for (const CommandText& below : command.commands) write_man_pages(below, folder);
}

}  // namespace weft::tools
