// A setting of the config, declared once and completely: from its row come loading, checking, `weft describe` and the
// copy in the result. Here, below all layers, because topologies and routers declare settings of their own where they
// register.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/types.hpp"

namespace weft {

/// `ranges`: whole numbers as text, "0-15,20", or "all"; a config may write them as a list, too.
enum class SettingType : u8 { integer, real, boolean, text, choice, integers, ranges };

/// Value of a setting; monostate = none (not given and no default). Text, choice and ranges are strings.
using SettingValue = std::variant<std::monostate, i64, double, bool, std::string, std::vector<i64>>;

/// Closed range of an integer setting, or of every element of an integer list.
struct IntegerRange {
  i64 least = 0;
  i64 most = std::numeric_limits<i64>::max();
};

/// Closed range of a real setting.
struct RealRange {
  double least = 0.0;
  double most = std::numeric_limits<double>::max();
};

/// What another setting must be for a setting to have an effect.
struct Condition {
  std::string key;                  ///< "router.kind"
  std::vector<std::string> values;  ///< one of these, `auto` resolved; none: anything but the default
  bool absent = false;              ///< in place of values: it must be the default
};

/// The setting that chooses among the entries of a registry, which have keys of their own.
struct ChoiceKey {
  const char* key;  ///< "placement.policy"
  /// What another setting must be for it to be this registry's choice; null: it is always.
  const char* other = nullptr;
  const char* other_value = nullptr;
};

/// One setting of the config file.
struct Setting {
  std::string key;  ///< "table.name"; a name alone stands above all tables
  SettingType type = SettingType::integer;
  std::string unit;                  ///< empty: a pure number, or not a number
  SettingValue fallback;             ///< the default
  IntegerRange whole;                ///< integer, integers, ranges
  RealRange real;                    ///< real
  std::vector<std::string> choices;  ///< choice
  std::string help;                  ///< one or more sentences
  bool is_path = false;              ///< text: a file, relative to the config file that gives it
  std::string reason;  ///< why the range is what it is, where that is not plain; shown when a value is outside
  std::vector<Condition> conditions = {};  ///< all of which must hold for it to have an effect

  [[nodiscard]] std::string table() const;  ///< part of the key before the dot, or empty
  [[nodiscard]] std::string name() const;   ///< part of the key after the dot
  /// This row with a reason for its range.
  [[nodiscard]] Setting because(std::string why) const;
  /// This row with one more condition. Where it does not hold, the key may not be given.
  [[nodiscard]] Setting only_with(std::string other, std::vector<std::string> values = {}) const;
  /// This row without effect where the other key is given.
  [[nodiscard]] Setting not_beside(std::string other) const;
};

/// "integer", "one of", "list of integers"...
[[nodiscard]] std::string type_name(SettingType type);
/// Range or choices as shown to the user, with the unit: "1..255 packets", "auto, bubble, multistage", "any text".
[[nodiscard]] std::string range_text(const Setting& setting);
/// Shortest text that reads back as the same real, always recognisable as a real ("1.0", "0.05").
[[nodiscard]] std::string real_text(double value);
/// A value as TOML: 4, 0.3, true, "text", [8, 8]; "none" for a value that is not there.
[[nodiscard]] std::string value_text(const SettingValue& value);

/// Makers of rows; `std::nullopt` or "none"-valued defaults mean that the setting has no default.
namespace row {
/// Range of the rates of links, in phits a cycle.
inline constexpr RealRange link_rates{1e-3, 1e3};
[[nodiscard]] Setting integer(std::string key, std::string unit, std::optional<i64> fallback, IntegerRange range,
                              std::string help);
[[nodiscard]] Setting real(std::string key, std::string unit, std::optional<double> fallback, RealRange range,
                           std::string help);
[[nodiscard]] Setting boolean(std::string key, bool fallback, std::string help);
[[nodiscard]] Setting text(std::string key, std::optional<std::string> fallback, std::string help);
/// An input file; no default.
[[nodiscard]] Setting path(std::string key, std::string help);
[[nodiscard]] Setting choice(std::string key, std::string fallback, std::vector<std::string> choices, std::string help);
[[nodiscard]] Setting integers(std::string key, std::string unit, IntegerRange range, std::string help);
[[nodiscard]] Setting ranges(std::string key, IntegerRange range, std::string help);
}  // namespace row

}  // namespace weft
