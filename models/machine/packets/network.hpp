// The network model with all its members, for whoever compiles an event loop of it.
#pragma once

#include "models/machine/packets/network_build.hpp"
#include "models/machine/packets/network_checks.hpp"
#include "models/machine/packets/network_class.hpp"
#include "models/machine/packets/network_faults.hpp"
#include "models/machine/packets/network_grants.hpp"
#include "models/machine/packets/network_nodes.hpp"
#include "models/machine/packets/network_prefetch.hpp"
