// Rates in the units that people compare them in.
#include "tools/fabric/host_rate.hpp"

#include "engine/base/text/numbers.hpp"
#include "models/subnet/speeds.hpp"

namespace weft::tools {

double usual_gbps(const Fabric& fabric) {
  const models::LinkSpeed usual = models::usual_speed(fabric.subnet);
  if (usual.in_gbps()) return usual.rate;
  return usual.rate > 0 ? 0 : fabric.link_gbps;
}

std::string host_rate(double fraction, double gbps) {
  const double mb = host_mb_per_s(fraction, gbps);
  return mb >= 1000 ? significant(mb / 1000) + " GB/s" : significant(mb) + " MB/s";
}

}  // namespace weft::tools
