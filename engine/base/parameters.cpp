// One look-up for all types.
#include "engine/base/parameters.hpp"

#include "engine/base/error.hpp"

namespace weft {

template <class Value>
Value Parameters::get(const std::string& name) const {
  const auto at = values_.find(name);
  if (at == values_.end() || std::holds_alternative<std::monostate>(at->second)) return {};
  const Value* const value = std::get_if<Value>(&at->second);
  WEFT_ASSERT(value != nullptr);
  return *value;
}

bool Parameters::has(const std::string& name) const {
  const auto at = values_.find(name);
  return at != values_.end() && !std::holds_alternative<std::monostate>(at->second);
}
i64 Parameters::integer(const std::string& name) const { return get<i64>(name); }
double Parameters::real(const std::string& name) const { return get<double>(name); }
bool Parameters::flag(const std::string& name) const { return get<bool>(name); }
std::string Parameters::text(const std::string& name) const { return get<std::string>(name); }
std::vector<i64> Parameters::integers(const std::string& name) const { return get<std::vector<i64>>(name); }

}  // namespace weft
