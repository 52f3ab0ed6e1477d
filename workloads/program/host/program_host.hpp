// ProgramHost with what is compiled into the event loop of each network: its NICs.
#pragma once

#include "workloads/program/host/program_host_class.hpp"
#include "workloads/program/host/program_nic.hpp"
