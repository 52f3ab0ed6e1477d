// Forwarding tables of a fabric: see forwarding.hpp.
#include "models/subnet/forwarding.hpp"

namespace weft::models {

ForwardingTables::ForwardingTables(const Subnet& subnet) : switches_(subnet.switches()) {
  first_target_.reserve(subnet.hosts() + 1);
  first_target_.push_back(0);
  for (u32 h = 0; h < subnet.hosts(); ++h) {
    const u32 addresses = 1U << subnet.host_at(h).lmc;
    host_of_.insert(host_of_.end(), addresses, h);
    first_target_.push_back(first_target_.back() + addresses);
  }
  ports_.assign(u64{targets()} * switches_, none);
}

}  // namespace weft::models
