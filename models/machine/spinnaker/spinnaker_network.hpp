// SpiNNaker networks with all their members, for whoever compiles an event loop of them.
#pragma once

#include "models/machine/spinnaker/spinnaker_checks.hpp"
#include "models/machine/spinnaker/spinnaker_engine.hpp"
#include "models/machine/spinnaker/spinnaker_faults.hpp"
#include "models/machine/spinnaker/spinnaker_network_class.hpp"
#include "models/machine/spinnaker/spinnaker_setup.hpp"
