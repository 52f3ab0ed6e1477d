// Config files for tests: written to a temporary directory that goes with the test.
#pragma once

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tools/run/config/check/validate.hpp"
#include "tools/run/config/config.hpp"

namespace weft::tools::testing {

class ConfigFile : public ::testing::Test {
 protected:
  /// The config that `text` makes, exactly as it stands.
  Config load_whole(const std::string& text, const std::vector<std::string>& overrides = {}) const {
    std::ofstream(path_) << text;
    return Config::load(path_, overrides);
  }
  /// The config that `text` makes below `format = 1`; its first line is line 2 of the file.
  Config load(const std::string& text, const std::vector<std::string>& overrides = {}) const {
    return load_whole("format = 1\n" + text, overrides);
  }
  /// The message of the ConfigError of loading `text`, or "" if there is none.
  std::string load_error(const std::string& text, const std::vector<std::string>& overrides = {}) const {
    try {
      load(text, overrides);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  }
  /// The message of the ConfigError of loading and validating `text`, or "".
  std::string validation_error(const std::string& text, const std::vector<std::string>& overrides = {}) const {
    try {
      validate(load(text, overrides));
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  }

  ScratchFolder folder_;
  std::filesystem::path directory_ = folder_.path();
  std::string path_ = folder_.file("run.toml");
};

/// Passes if `text` contains `part`; shows both if not.
inline ::testing::AssertionResult contains(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "no \"" << part << "\" in \"" << text << "\"";
}

}  // namespace weft::tools::testing
