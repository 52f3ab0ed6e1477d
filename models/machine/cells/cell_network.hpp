// Switches of cells with all their members, for whoever compiles an event loop of them.
#pragma once

#include "models/machine/cells/answers.hpp"
#include "models/machine/cells/cell_candidates.hpp"
#include "models/machine/cells/cell_checks.hpp"
#include "models/machine/cells/cell_credits.hpp"
#include "models/machine/cells/cell_engine.hpp"
#include "models/machine/cells/cell_faults.hpp"
#include "models/machine/cells/cell_network_class.hpp"
#include "models/machine/cells/cell_setup.hpp"
#include "models/machine/cells/crossbar_engine.hpp"
#include "models/machine/cells/lane_engine.hpp"
#include "models/machine/cells/node_engine.hpp"
#include "models/machine/cells/reduction_engine.hpp"
