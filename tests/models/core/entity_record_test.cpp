// Records of checkpoints, and what networks check of them.
#include "models/core/entity_record.hpp"

#include <array>
#include <gtest/gtest.h>
#include <string>

namespace weft::models {
namespace {

TEST(RecordOfAnEntity, MustHaveTheSizeOfItsState) {
  const std::array<std::byte, 24> record{};
  EXPECT_NO_THROW(check_record(record, 24, 7));
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{23}, std::size_t{25}}) {
    try {
      check_record(record, bytes, 7);
      ADD_FAILURE() << "took a record for one of " << bytes << " bytes";
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()), "the record of entity 7 has a wrong length");
    }
  }
}

}  // namespace
}  // namespace weft::models
