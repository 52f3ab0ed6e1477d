// The list of all additions. It is made when the first file registers itself, before main.
#include "engine/base/registration.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cxxabi.h>
#include <fmt/format.h>
#include <memory>

#include "engine/base/error.hpp"

namespace weft {
namespace {

struct AllRegistrations {
  std::vector<Registration> list;
  std::string registrant;
};

AllRegistrations& all_registrations() {
  static AllRegistrations all;
  return all;
}

/// "pattern kind" for weft::workloads::PatternKind; what templates are made of is left out.
std::string in_words(const std::type_info& type) {
  int failed = 0;
  const std::unique_ptr<char, void (*)(void*)> demangled(abi::__cxa_demangle(type.name(), nullptr, nullptr, &failed),
                                                         std::free);
  std::string name = failed == 0 ? demangled.get() : type.name();
  name = name.substr(0, name.find('<'));
  const auto scope = name.rfind(':');
  std::string words;
  for (const char c : scope == std::string::npos ? name : name.substr(scope + 1)) {
    const bool capital = std::isupper(static_cast<unsigned char>(c)) != 0;
    if (capital && !words.empty()) words += ' ';
    words += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return words;
}

}  // namespace

void note_registration(const std::type_info& entry, const std::string& name, bool fresh) {
  AllRegistrations& all = all_registrations();
  Registration added{in_words(entry), name, all.registrant, !fresh, ""};
  if (!fresh) {
    if (added.owner.empty()) throw Bug(fmt::format("two files register the {} \"{}\"", added.what, name));
    const auto first = std::ranges::find_if(
        all.list, [&](const Registration& one) { return one.what == added.what && one.name == name && !one.taken; });
    if (first != all.list.end()) added.instead = first->owner;
  }
  all.list.push_back(std::move(added));
}

const std::vector<Registration>& registrations() { return all_registrations().list; }

void set_registrant(const std::string& owner) { all_registrations().registrant = owner; }

}  // namespace weft
