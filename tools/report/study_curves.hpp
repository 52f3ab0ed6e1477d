// Many runs as curves: over one of the settings in which they differ, a curve for each choice of the others, means over
// seeds with their confidence.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "tools/report/page/page.hpp"

namespace weft::tools {

/// A setting in which runs differ, or what tells them apart besides.
struct StudySetting {
  std::string key;          ///< "workload.offered_load"
  std::string label, unit;  ///< for people: "offered load"; the unit as on pages ("load") or a text
  bool may_be_x = true;     ///< a key of the config; false: a name that follows from several of them
};

/// A figure of every run, NaN where it has none.
struct StudyFigure {
  double value = std::numeric_limits<double>::quiet_NaN();
  double half_width = std::numeric_limits<double>::quiet_NaN();  ///< of its 95 % confidence interval
};

struct StudyRun {
  std::string name;
  std::vector<std::string> values;   ///< texts of the settings, [setting]; "" where it does not have one
  std::vector<StudyFigure> figures;  ///< [figure]
  u8 marks = 0;                      ///< 1 saturated, 2 not converged
  u32 clock = 0;                     ///< of the page
};

/// How a figure is drawn.
struct StudyLook {
  std::string title, label, quantity, caption;
  bool capped = false;    ///< values far above the least one need not be seen
  bool diagonal = false;  ///< with the line on which a figure equals x
};

class StudyCurves {
 public:
  /// `x_first`: the key to draw over where it has several values; else that with most numbers.
  StudyCurves(std::vector<StudySetting> settings, std::vector<StudyRun> runs, const std::string& x_first);

  /// Whether there is a setting with several numbers to draw over.
  [[nodiscard]] bool has_x() const { return x_ != none; }
  [[nodiscard]] const std::string& x_key() const { return settings_[x_].key; }
  [[nodiscard]] std::size_t curves() const { return series_.size(); }

  /// One figure over that setting; null if no run has it.
  [[nodiscard]] page::Json over_x(std::size_t figure, const StudyLook& look) const;
  /// The label of the curve with these values of settings, [setting]; "" stands for any. Empty if there is none, or
  /// more than one.
  [[nodiscard]] std::string label_with(const std::vector<std::string>& values) const;
  /// One figure over another: latency over accepted load.
  [[nodiscard]] page::Json over_figure(std::size_t x, const StudyLook& x_look, std::size_t y,
                                       const StudyLook& y_look) const;
  /// Without a setting to draw over: a bar for each run.
  [[nodiscard]] page::Json bars(std::size_t figure, const StudyLook& look) const;

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  struct Point {
    double x = 0;
    std::vector<std::size_t> runs;
  };
  struct Series {
    std::string label;
    std::vector<Point> points;  ///< by x
    u32 clock = 0;
  };
  struct Mean {
    StudyFigure figure;
    u8 marks = 0;
    std::string note;
  };
  [[nodiscard]] std::size_t choose_x(const std::string& first) const;
  [[nodiscard]] bool follows(std::size_t other) const;
  void choose_labels();
  [[nodiscard]] std::string label_of(const StudyRun& run) const;
  void gather();
  [[nodiscard]] Mean mean(const Point& point, std::size_t figure) const;
  [[nodiscard]] bool any(std::size_t figure) const;
  [[nodiscard]] page::Json x_axis() const;

  std::vector<StudySetting> settings_;
  std::vector<StudyRun> runs_;
  std::size_t x_ = none;
  std::vector<std::size_t> with_x_, labels_;
  std::vector<Series> series_;
};

/// A text as a number, or NaN if it is none.
[[nodiscard]] double study_number(const std::string& text);

}  // namespace weft::tools
