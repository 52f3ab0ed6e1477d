// A name -> factory table that the last line of a file adds itself to; used at set-up only.
#pragma once

#include <map>
#include <string>
#include <typeinfo>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/registration.hpp"

namespace weft {

/// Named things of one kind (topologies, patterns, kernels...). `Entry` is any value, usually a struct with a help text
/// and a factory function. Self-registering files must be linked from a CMake OBJECT library.
template <class Entry>
class Registry {
 public:
  static Registry& instance() {
    static Registry registry;
    return registry;
  }
  /// Adds an entry unless the name is taken (see note_registration); returns a value so that it can initialise a
  /// file-scope constant.
  bool add(const std::string& name, Entry entry) {
    const bool fresh = entries_.emplace(name, std::move(entry)).second;
    note_registration(typeid(Entry), name, fresh);
    return fresh;
  }
  [[nodiscard]] const Entry* find(const std::string& name) const {
    const auto it = entries_.find(name);
    return it == entries_.end() ? nullptr : &it->second;
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const auto& [name, entry] : entries_) result.push_back(name);
    return result;
  }

 private:
  std::map<std::string, Entry> entries_;
};

}  // namespace weft
