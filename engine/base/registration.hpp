// Who adds what to the registries: the program itself while it starts, a plug-in while it is loaded.
#pragma once

#include <string>
#include <typeinfo>
#include <vector>

namespace weft {

/// An entry that was added to a registry, or was not because its name was taken.
struct Registration {
  std::string what;  ///< the entry's type in words: "pattern kind"
  std::string name;
  std::string owner;    ///< the plug-in that adds it; empty: the program
  bool taken = false;   ///< another entry of this type has the name
  std::string instead;  ///< owner of that one
};

/// Notes an addition; called by Registry. A name that the program itself adds twice is a Bug, and one that a plug-in
/// adds is found in `registrations` by whoever loads it: nothing may be thrown while a library is loaded.
void note_registration(const std::type_info& entry, const std::string& name, bool fresh);
/// All so far, in their order.
[[nodiscard]] const std::vector<Registration>& registrations();
/// Whose additions follow; empty: the program's.
void set_registrant(const std::string& owner);

}  // namespace weft
