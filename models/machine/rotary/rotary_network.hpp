// Rotary networks with all their members, for whoever compiles an event loop of them.
#pragma once

#include "models/machine/rotary/rotary_checks.hpp"
#include "models/machine/rotary/rotary_engine.hpp"
#include "models/machine/rotary/rotary_faults.hpp"
#include "models/machine/rotary/rotary_network_class.hpp"
#include "models/machine/rotary/rotary_setup.hpp"
