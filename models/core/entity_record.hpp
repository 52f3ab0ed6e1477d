// What networks check of the records that a checkpoint has of their entities.
#pragma once

#include <cstddef>
#include <fmt/format.h>
#include <span>

#include "engine/base/error.hpp"
#include "engine/base/types.hpp"

namespace weft::models {

/// Throws InputError if the record of an entity has another length: for entities with a state of fixed size.
inline void check_record(std::span<const std::byte> record, std::size_t bytes, u32 global_entity) {
  if (record.size() != bytes)
    throw InputError(fmt::format("the record of entity {} has a wrong length", global_entity));
}

}  // namespace weft::models
