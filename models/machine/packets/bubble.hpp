// The policy of bubble routers with all its members.
#pragma once

#include "models/machine/packets/bubble_policy.hpp"
#include "models/machine/packets/bubble_requests.hpp"
