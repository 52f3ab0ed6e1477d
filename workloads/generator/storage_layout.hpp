// Who writes which bytes of which file to which server: the arithmetic of striped files.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::workloads {

enum class FileMode : u8 {
  shared,     ///< n-1: all tasks have a segment each of one file
  own,        ///< n-n: a file for each task
  aggregated  ///< n-m: a shared file, of which m of the tasks handle what groups of tasks have (two-phase I/O)
};

/// Compute tasks are 0 .. computing() - 1, the servers are the tasks after them. A file is cut into stripes of
/// `stripe_bytes`, which lie on `stripe_count` servers in turn, from the file's first server on: server 0 for a shared
/// file, and server w modulo their number for the own file of task w.
struct StorageLayout {
  u32 tasks = 2, servers = 1;
  FileMode mode = FileMode::own;
  u32 aggregators = 1;  ///< aggregated
  u64 bytes = 1;        ///< of each compute task
  u64 stripe_bytes = 1;
  u32 stripe_count = 1;  ///< at most `servers`

  [[nodiscard]] u32 computing() const { return tasks - servers; }
  [[nodiscard]] u32 server_task(u32 server) const { return computing() + server; }
  /// Tasks that speak with servers.
  [[nodiscard]] u32 clients() const { return mode == FileMode::aggregated ? aggregators : computing(); }
  /// The first compute task whose data a client handles, which is the client itself; computing() for one client more.
  [[nodiscard]] u32 client_task(u32 client) const {
    const u32 least = computing() / clients(), longer = computing() % clients();
    return client * least + std::min(client, longer);
  }
  /// Whose data a compute task's is part of.
  [[nodiscard]] u32 client_of(u32 task) const {
    const u32 least = computing() / clients(), longer = computing() % clients();
    const u32 in_longer = longer * (least + 1);
    return task < in_longer ? task / (least + 1) : longer + (task - in_longer) / least;
  }
  [[nodiscard]] u32 members(u32 client) const { return client_task(client + 1) - client_task(client); }

  /// Where the bytes of a client begin in its file.
  [[nodiscard]] u64 offset(u32 client) const { return mode == FileMode::own ? 0 : client_task(client) * bytes; }
  [[nodiscard]] u64 end(u32 client) const { return offset(client) + members(client) * bytes; }
  [[nodiscard]] u64 first_stripe(u32 client) const { return offset(client) / stripe_bytes; }
  /// Requests are what a client has of each stripe, in their order.
  [[nodiscard]] u64 requests(u32 client) const { return (end(client) - 1) / stripe_bytes - first_stripe(client) + 1; }
  [[nodiscard]] u64 most_requests() const { return (members(0) * bytes - 1) / stripe_bytes + 2; }
  [[nodiscard]] u64 request_bytes(u32 client, u64 request) const {
    const u64 stripe = (first_stripe(client) + request) * stripe_bytes;
    return std::min(stripe + stripe_bytes, end(client)) - std::max(stripe, offset(client));
  }
  [[nodiscard]] u32 server(u32 client, u64 request) const {
    const u64 turn = (first_stripe(client) + request) % stripe_count;
    return static_cast<u32>((turn + (mode == FileMode::own ? client : 0)) % servers);
  }
};

/// Finds the clients whose request number j goes to a server: at once where their numbers are a fixed distance apart
/// (own files, and segments of whole stripes of a shared one), elsewhere by a look at where the stripes of each begin.
class StorageSearch {
 public:
  static constexpr u32 nobody = ~u32{0};
  explicit StorageSearch(const StorageLayout& layout) : layout_(layout) {
    if (layout.mode == FileMode::own) {
      step_ = layout.servers;
    } else if (layout.mode == FileMode::shared && layout.bytes % layout.stripe_bytes == 0) {
      const u64 each = layout.bytes / layout.stripe_bytes % layout.stripe_count;
      step_ = layout.stripe_count / static_cast<u32>(std::gcd(each, u64{layout.stripe_count}));
      first_.assign(layout.stripe_count, nobody);
      for (u32 client = 0; client < step_; ++client) first_[client * each % layout.stripe_count] = client;
    } else {
      for (u32 client = 0; client < layout.clients(); ++client)
        starts_.push_back(static_cast<u32>(layout.first_stripe(client) % layout.stripe_count));
    }
  }
  /// The first client whose request would go there, if it has so many; clients() or more if there is none.
  [[nodiscard]] u32 first(u32 server, u64 request) const {
    const auto turn = static_cast<u32>(request % layout_.stripe_count);
    if (layout_.mode == FileMode::own) return (server + layout_.servers - turn) % layout_.servers;
    if (server >= layout_.stripe_count) return nobody;
    const u32 start = (server + layout_.stripe_count - turn) % layout_.stripe_count;
    return first_.empty() ? starting_at(start, 0) : first_[start];
  }
  /// The one after `client`, which is such a one.
  [[nodiscard]] u32 after(u32 client) const {
    return starts_.empty() ? client + step_ : starting_at(starts_[client], client + 1);
  }

 private:
  [[nodiscard]] u32 starting_at(u32 start, u32 client) const {
    while (client < starts_.size() && starts_[client] != start) ++client;
    return client;
  }

  StorageLayout layout_;
  u32 step_ = 1;
  std::vector<u32> first_;   ///< [stripes before it, modulo their number]: the first client
  std::vector<u32> starts_;  ///< [client]: stripes before it, modulo their number
};

}  // namespace weft::workloads
