// Adds the event loops of a network model, one for each kind of host.
#pragma once

#include <string>

#include "tools/run/compiled_loops.hpp"
#include "workloads/program/host/program_host.hpp"
#include "workloads/program/host/synthetic_host.hpp"

namespace weft::tools {

/// `Network<Host>` is a network model; see add_loop.
template <template <class> class Network>
bool add_loops(const std::string& name, const std::string& router, bool (*fits)(const Context&) = nullptr) {
  return add_loop<Network<workloads::SyntheticHost>>(name, router, fits) &&
         add_loop<Network<workloads::ProgramHost>>(name, router, fits);
}

}  // namespace weft::tools
