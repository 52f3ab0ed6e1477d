// Values of settings by name, as a topology or router that declared them gets them.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/setting.hpp"

namespace weft {

/// Values of one table of the config, by the part of the key behind the dot. What has no value reads as 0, false or
/// empty. To ask for another type than a value has is a Bug.
class Parameters {
 public:
  Parameters() = default;
  Parameters(std::initializer_list<std::pair<const std::string, SettingValue>> values) : values_(values) {}

  void set(const std::string& name, SettingValue value) { values_[name] = std::move(value); }
  /// Whether there is a value: given, or a default.
  [[nodiscard]] bool has(const std::string& name) const;
  [[nodiscard]] i64 integer(const std::string& name) const;
  [[nodiscard]] double real(const std::string& name) const;
  [[nodiscard]] bool flag(const std::string& name) const;
  [[nodiscard]] std::string text(const std::string& name) const;  ///< texts and choices
  [[nodiscard]] std::vector<i64> integers(const std::string& name) const;

 private:
  template <class Value>
  [[nodiscard]] Value get(const std::string& name) const;

  std::map<std::string, SettingValue> values_;
};

}  // namespace weft
