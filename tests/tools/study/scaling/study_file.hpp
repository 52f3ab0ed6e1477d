// Study files for tests, in a temporary directory with a small base config.
#pragma once

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>

#include "engine/base/error.hpp"
#include "tools/study/scaling/study.hpp"

namespace weft::tools::testing {

class StudyFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "weft_study_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
    std::ofstream(directory_ / "base.toml") << "format = 1\n[simulation]\ncycles = 200\n[topology]\nkind = \"torus\"\n"
                                               "dims = [4, 4]\n[workload]\nkind = \"synthetic\"\noffered_load = 0.1\n";
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  /// The study of `text` below `format = 1`, `[scaling]` and the base: its first line is line 4.
  ScalingStudy load(const std::string& text) const {
    const std::string path = (directory_ / "study.toml").string();
    std::ofstream(path) << "format = 1\n[scaling]\nbase = \"base.toml\"\n" << text;
    return load_scaling_study(path);
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

  std::filesystem::path directory_;
};

}  // namespace weft::tools::testing
