// Wormhole networks with all their members, for whoever compiles an event loop of them.
#pragma once

#include "models/machine/worms/worm_checks.hpp"
#include "models/machine/worms/worm_engine.hpp"
#include "models/machine/worms/worm_faults.hpp"
#include "models/machine/worms/worm_inputs.hpp"
#include "models/machine/worms/worm_network_class.hpp"
#include "models/machine/worms/worm_nics.hpp"
#include "models/machine/worms/worm_setup.hpp"
