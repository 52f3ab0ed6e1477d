// The line to a process through memory that is shared with it.
#pragma once

#include <functional>

#include "tools/cosim/process/channel.hpp"
#include "tools/cosim/process/short_wait.hpp"
#include "workloads/program/external/process_link.hpp"

namespace weft::tools::cosim {

class ChannelLink final : public workloads::ProcessLink {
 public:
  /// `look` is called now and then while it waits, with the seconds that it has waited; it throws if that is in vain.
  using Look = std::function<void(double waited_s)>;
  ChannelLink(Channel& channel, u32 short_wait_ns, Look look)
      : channel_(channel), short_wait_(short_wait_ns), look_(std::move(look)) {}

  Command take() override;
  void answer(const Answer& answer, std::span<const Completion> completions) override;
  [[nodiscard]] u32 most_completions() const override { return Channel::most_completions; }

 private:
  void wait();

  Channel& channel_;
  ShortWait short_wait_;
  Look look_;
  u32 taken_ = 0;
};

}  // namespace weft::tools::cosim
