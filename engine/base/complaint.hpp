// What is wrong with a choice of settings, said by the part that they are for.
#pragma once

#include <string>

namespace weft {

/// What is wrong with a setting: the message is "KEY = VALUE WHY; ADVICE".
struct Complaint {
  std::string key;     ///< "router.queue_packets"
  std::string why;     ///< "is too short for ..."
  std::string advice;  ///< "use queue_packets = 2"
};

}  // namespace weft
