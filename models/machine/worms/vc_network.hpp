// Wormhole networks of several virtual channels with all their members, for whoever compiles an event loop of them.
#pragma once

#include "models/machine/worms/vc_checks.hpp"
#include "models/machine/worms/vc_engine.hpp"
#include "models/machine/worms/vc_network_class.hpp"
#include "models/machine/worms/vc_node.hpp"
#include "models/machine/worms/vc_occupancy.hpp"
#include "models/machine/worms/vc_setup.hpp"
