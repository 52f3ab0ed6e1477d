// A figure of a result is one row: name, unit, help, where it comes from, how those of several seeds become one. All
// that writes, reads, merges or explains results goes by such rows (figures.hpp).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::tools {

struct RunResult;

/// How figures of runs with several seeds become one.
enum class Merge : u8 {
  first,  ///< that of the first run: texts, what the network is, histories in time
  sum,    ///< counts
  mean,   ///< over the runs that have the figure
  share,  ///< mean over all runs, with 0 for those that do not have the row
  least,
  most,
  every,  ///< whether it is so in all runs
  any,    ///< whether it is so in one
};

/// Which outputs have a figure.
enum class In : u8 { both, summary, file };

/// Where a figure is kept in its owner: RunResult, a part of it, or the row of a table. Nowhere, if it is worked out.
template <class Owner>
using FigureMember =
    std::variant<std::monostate, bool Owner::*, u32 Owner::*, u64 Owner::*, double Owner::*, std::string Owner::*,
                 std::vector<u64> Owner::*, std::vector<double> Owner::*, std::vector<std::string> Owner::*>;

template <class Owner>
struct Figure {
  using Shown = nlohmann::json (*)(const RunResult&, const Owner&);

  const char* name;  ///< as in the JSON summary, dots between its objects
  const char* unit;  ///< "" has none
  const char* help;
  FigureMember<Owner> member = {};
  Merge merge = Merge::first;
  In in = In::both;
  const char* path = "";  ///< in the file, where the name does not say it (figure_path); "@name": an attribute of it
  const char* old_path = "";  ///< in files of older versions
  bool optional = false;      ///< files of older versions may lack it; so may all in groups of their own
  bool (*is_there)(const RunResult&) = nullptr;  ///< whether a run has it; null: every run
  /// What the summary shows instead of the member: null where it is not known, `discarded` where it has no place. The
  /// file has it where there is no member, and 0 for null.
  Shown shown = nullptr;

  // For rows: what only some figures need.
  Figure& only_in(In one) { return in = one, *this; }
  Figure& at(const char* where) { return path = where, *this; }
  Figure& was(const char* where) { return old_path = where, later(); }
  Figure& later() { return optional = true, *this; }
  Figure& there_if(bool (*one)(const RunResult&)) { return is_there = one, later(); }
  Figure& as(Shown one) { return shown = one, *this; }

  [[nodiscard]] bool is_in(In one, const RunResult& r) const {
    return (in == In::both || in == one) && (is_there == nullptr || is_there(r));
  }
  /// Calls f(pointer to member) unless it is worked out.
  template <class F>
  void with_member(F&& f) const {
    std::visit(
        [&f](auto pointer) {
          if constexpr (!std::is_same_v<decltype(pointer), std::monostate>) f(pointer);
        },
        member);
  }
};

/// Adds rows to a list of figures.
template <class Owner>
class FigureRows {
 public:
  using List = std::vector<Figure<Owner>>;
  template <class Fill>
  [[nodiscard]] static List made_by(Fill&& fill) {
    FigureRows rows;
    fill(rows);
    return std::move(rows.list_);
  }
  Figure<Owner>& operator()(const char* name, const char* unit, const char* help, FigureMember<Owner> member,
                            Merge merge = Merge::first) {
    return list_.emplace_back(Figure<Owner>{name, unit, help, member, merge});
  }
  /// One that has no member, since it follows from others.
  Figure<Owner>& worked_out(const char* name, const char* unit, const char* help, typename Figure<Owner>::Shown as) {
    return list_.emplace_back(Figure<Owner>{name, unit, help}).as(as);
  }
  /// Likewise, for the summary only.
  Figure<Owner>& in_summary(const char* name, const char* unit, const char* help, typename Figure<Owner>::Shown as) {
    return worked_out(name, unit, help, as).only_in(In::summary);
  }

 private:
  List list_;
};

}  // namespace weft::tools
