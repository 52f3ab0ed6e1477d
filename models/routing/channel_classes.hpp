// The virtual channels of a link, shared out among the classes of packets that a routing tells apart to be free of
// deadlock.
#pragma once

#include <algorithm>

#include "models/routing/routing.hpp"

namespace weft::models {

/// Class c of C has the c-th of C ranges of channels, as equal as can be, the first ones the longer: packets of a class
/// take any of its channels. A cycle of channels would be one of classes, so that more channels than classes close
/// none.
class ChannelClasses {
 public:
  ChannelClasses(u32 channels, u32 classes)
      : channels_(channels), classes_(classes), each_(channels / classes), longer_(channels % classes) {}

  /// With fewer channels than classes, which deadlock.unsafe allows, the higher classes share the last one.
  [[nodiscard]] Routing::Channels of(u32 number) const {
    if (channels_ <= classes_) return {std::min(number, channels_ - 1), 1};
    const u32 c = std::min(number, classes_ - 1);
    return {c * each_ + std::min(c, longer_), each_ + (c < longer_ ? 1 : 0)};
  }
  [[nodiscard]] bool has(u32 number, u32 channel) const {
    const Routing::Channels some = of(number);
    return channel >= some.first && channel - some.first < some.count;
  }
  void add(OutputSet& outputs, u32 port, u32 number) const {
    const Routing::Channels some = of(number);
    outputs.add_range(port * channels_ + some.first, some.count);
  }
  /// Any channel, of packets that need no class of their own.
  void add_all(OutputSet& outputs, u32 port) const { outputs.add_range(port * channels_, channels_); }
  [[nodiscard]] u32 channels() const { return channels_; }
  /// Whether a class has several channels.
  [[nodiscard]] bool several() const { return channels_ > classes_; }

 private:
  u32 channels_, classes_, each_, longer_;
};

/// The element of a set with most free space of those that nobody holds, ties at random; RouterView::none if there is
/// none.
[[nodiscard]] u32 emptiest_open(const RouterView& router, const OutputSet& set, u64 bits);

/// A routing whose packets take any channel of their class: the open one with most free space.
class RoutingByClasses : public Routing {
 public:
  u32 request(const RouterView& router, const Candidates& candidates, u32& memory, u64 bits) const override {
    return classes_.several() ? emptiest_open(router, candidates.outputs, bits)
                              : Routing::request(router, candidates, memory, bits);
  }

 protected:
  RoutingByClasses(u32 channels, u32 classes) : classes_(channels, classes) {}
  [[nodiscard]] const ChannelClasses& classes() const { return classes_; }

 private:
  ChannelClasses classes_;
};

}  // namespace weft::models
