// Study files for tests, in a temporary directory with a small base config.
#pragma once

#include <filesystem>
#include <gtest/gtest.h>
#include <string>

#include "engine/base/error.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tools/study/scaling/study.hpp"

namespace weft::tools::testing {

class StudyFile : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.write("base.toml",
                  "format = 1\n[simulation]\ncycles = 200\n[topology]\nkind = \"torus\"\n"
                  "dims = [4, 4]\n[workload]\nkind = \"synthetic\"\noffered_load = 0.1\n");
  }

  /// The study of `text` below `format = 1`, `[scaling]` and the base: its first line is line 4.
  ScalingStudy load(const std::string& text) const {
    return load_scaling_study(folder_.write("study.toml", "format = 1\n[scaling]\nbase = \"base.toml\"\n" + text));
  }
  /// The message of its ConfigError, or "".
  std::string error_of(const std::string& text) const {
    try {
      load(text);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  }

  ScratchFolder folder_;
  std::filesystem::path directory_ = folder_.path();
};

}  // namespace weft::tools::testing
