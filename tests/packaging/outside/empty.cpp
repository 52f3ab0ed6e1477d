// A library that registers nothing.
extern "C" int weft_test_nothing() { return 0; }
