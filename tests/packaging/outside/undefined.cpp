// A plug-in that lacks a function.
extern "C" int weft_test_not_there();

namespace {

const int called = weft_test_not_there();

}  // namespace
