// A plug-in whose initialisation fails.
#include <stdexcept>

namespace {

const int thrown = []() -> int { throw std::runtime_error("no luck today"); }();

}  // namespace
