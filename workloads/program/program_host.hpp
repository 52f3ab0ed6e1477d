// ProgramHost with what is compiled into the event loop of each network: its NICs.
#pragma once

#include "workloads/program/program_host_class.hpp"
#include "workloads/program/program_nic.hpp"
