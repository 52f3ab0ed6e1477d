// What this process does itself is not the load of others.
#include "engine/base/system/load.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace weft {
namespace {

TEST(OtherLoad, is_within_what_the_machine_has) {
  const OtherLoad load;
  usleep(50000);
  EXPECT_GE(load.cores(), 0);
  // Counters tick in steps of 10 ms on each core, so that a short time can seem a little too busy.
  EXPECT_LE(load.cores(), 1.5 * static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN)) + 1);
}

}  // namespace
}  // namespace weft
