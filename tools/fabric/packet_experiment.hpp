// Patterns sent as packets: each round a simulation of its own, all pairs of a round at the same time.
#pragma once

#include <vector>

#include "engine/transport.hpp"
#include "tools/fabric/flow_experiment.hpp"
#include "tools/fabric/packet_config.hpp"
#include "tools/fabric/report/packet_summary.hpp"

namespace weft::tools {

class PacketExperiment {
 public:
  PacketExperiment(PacketNetwork network, PairMessages messages, u64 seed);

  /// Sends the rounds of the pattern of this number, alone on this process. What a pair gets is the bytes of its
  /// messages by the time until the last has arrived, as a fraction of what the link of a node carries of messages.
  /// Throws what simulate throws.
  [[nodiscard]] PacketResult measure(u64 index, const std::vector<RoutedRound>& rounds, u32 scale);
  /// What the pairs of the last pattern measured got, one round after the other.
  [[nodiscard]] const std::vector<double>& last_shares() const { return last_shares_; }
  /// What the link of a node carries of messages, in MiB/s; 0 as long as nothing was measured, and where the config
  /// does not say how long a cycle is.
  [[nodiscard]] double link_mib_per_s() const { return link_mib_per_s_; }
  [[nodiscard]] const PacketNetwork& network() const { return network_; }
  [[nodiscard]] const PairMessages& messages() const { return messages_; }

 private:
  /// The pairs as tasks of their own at both ends.
  struct Tasks {
    u32 a_node = 0;                     ///< tasks of each node
    std::vector<u32> sender, receiver;  ///< [pair]
  };
  [[nodiscard]] Tasks tasks_of(const std::vector<workloads::TaskPair>& hosts) const;
  void send_round(u64 index, u32 number, const RoutedRound& round, PairCollector& collector, PacketResult& counts);

  PacketNetwork network_;
  PairMessages messages_;
  u64 seed_;
  std::unique_ptr<engine::Transport> alone_;
  std::vector<double> last_shares_;
  double link_mib_per_s_ = 0;
};

}  // namespace weft::tools
