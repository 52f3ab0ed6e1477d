// What an error says.
#pragma once

#include <exception>
#include <gtest/gtest.h>
#include <string>

namespace weft {

/// The text of the error that `action` ends in; empty if there is none or one of another kind.
template <class Expected, class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const Expected& error) {
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another kind of error: " << error.what();
    return {};
  }
  ADD_FAILURE() << "no error";
  return {};
}

}  // namespace weft
