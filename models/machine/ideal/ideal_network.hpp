// The ideal network with all its members, for whoever compiles an event loop of it.
#pragma once

#include "models/machine/ideal/ideal_faults.hpp"
#include "models/machine/ideal/ideal_network_class.hpp"
#include "models/machine/ideal/ideal_nodes.hpp"
#include "models/machine/ideal/ideal_setup.hpp"
