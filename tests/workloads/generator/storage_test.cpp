// Programs of storage: every byte is stored once, on the server where it belongs; messages are those of closed forms.
#include "workloads/generator/storage.hpp"

#include <gtest/gtest.h>
#include <map>

#include "engine/base/error.hpp"
#include "tests/workloads/generator/kernel/kernel_specs.hpp"

namespace weft::workloads {
namespace {

using testing_kernels::Replay;

StorageSpec storage(FileMode mode, u32 computing, u32 servers, u64 bytes, u64 stripe) {
  StorageSpec spec;
  spec.layout = {.tasks = computing + servers,
                 .servers = servers,
                 .mode = mode,
                 .aggregators = 1,
                 .bytes = bytes,
                 .stripe_bytes = stripe,
                 .stripe_count = servers};
  spec.control_bytes = 7;
  return spec;
}

Replay stored(const StorageSpec& spec) {
  const Replay result = testing_kernels::replay(*storage_program(spec, {}));
  EXPECT_EQ(result.unfinished_tasks, 0U);
  EXPECT_EQ(result.unmatched_messages, 0U);
  return result;
}

/// Stripes that bytes [begin, begin + bytes) touch, by walking over them.
u64 stripes_touched(u64 begin, u64 bytes, u64 stripe) {
  u64 count = 0;
  for (u64 at = begin; at < begin + bytes; at = (at / stripe + 1) * stripe) ++count;
  return count;
}

/// Bytes that each server gets in a burst, byte by byte.
std::vector<u64> expected_bytes(const StorageLayout& layout) {
  std::vector<u64> of(layout.servers);
  for (u32 task = 0; task < layout.computing(); ++task) {
    for (u64 byte = 0; byte < layout.bytes; ++byte) {
      const bool own = layout.mode == FileMode::own;
      const u64 stripe = (own ? byte : task * layout.bytes + byte) / layout.stripe_bytes;
      ++of[(stripe % layout.stripe_count + (own ? task : 0)) % layout.servers];
    }
  }
  return of;
}

/// Bytes of data that come to (or go from) each server.
std::vector<u64> bytes_at_servers(const StorageSpec& spec) {
  std::vector<u64> of(spec.layout.servers);
  const auto program = storage_program(spec, {});
  for (u32 server = 0; server < spec.layout.servers; ++server) {
    const auto stream = program->open(TaskId(spec.layout.server_task(server)));
    for (Op op = stream->next(); op.kind != OpKind::end; op = stream->next()) {
      if (op.kind != OpKind::compute && op.tag == 0) of[server] += op.amount;
    }
  }
  return of;
}

TEST(Storage, MovesEveryByteOnceWhateverModeWindowAndStripes) {
  for (const FileMode mode : {FileMode::shared, FileMode::own, FileMode::aggregated}) {
    for (const auto& [computing, servers] : {std::pair{1, 1}, std::pair{7, 3}, std::pair{12, 4}, std::pair{3, 8}}) {
      for (const auto& [bytes, stripe] :
           {std::pair{100, 1000}, std::pair{100, 10}, std::pair{95, 20}, std::pair{7, 3}, std::pair{60, 20}}) {
        for (const u64 window : {1U, 3U, 1000U}) {
          for (const u32 count : {1U, static_cast<u32>(servers)}) {
            for (const u32 way : {0U, 1U, 2U}) {
              StorageSpec spec = storage(mode, static_cast<u32>(computing), static_cast<u32>(servers),
                                         static_cast<u64>(bytes), static_cast<u64>(stripe));
              StorageLayout& layout = spec.layout;
              layout.stripe_count = count;
              layout.aggregators = (layout.computing() + 1) / 2;
              spec.window = window;
              spec.reads = way == 2;
              spec.permission = way == 1;
              spec.bursts = 2;
              u64 requests = 0, aggregated = 0;
              for (u32 client = 0; client < layout.clients(); ++client) {
                const u64 begin = mode == FileMode::own ? 0 : layout.client_task(client) * layout.bytes;
                requests += stripes_touched(begin, layout.members(client) * layout.bytes, layout.stripe_bytes);
                aggregated += layout.members(client) - 1;
              }
              const Replay result = stored(spec);
              const u64 all = layout.computing() * layout.bytes;
              const u64 controls = requests * (spec.permission ? 3 : 1) + (spec.reads ? 0 : aggregated);
              EXPECT_EQ(result.sent, 2 * (requests + aggregated + controls));
              EXPECT_EQ(result.bytes, 2 * (all + aggregated * layout.bytes + 7 * controls));
              std::vector<u64> twice = expected_bytes(layout);
              for (u64& one : twice) one *= 2;
              EXPECT_EQ(bytes_at_servers(spec), twice);
            }
          }
        }
      }
    }
  }
}

TEST(Storage, WritesWaitForAnswersBeyondTheWindow) {
  StorageSpec spec = storage(FileMode::own, 1, 1, 30, 10);
  spec.window = 2;
  spec.phase_ns = 5;
  spec.service_ns = 100;
  spec.storage_gbps = 8;  // a byte a ns
  const auto program = storage_program(spec, {});
  const auto all = [&program](u32 task) {
    std::vector<Op> ops;
    const auto stream = program->open(TaskId(task));
    for (Op op = stream->next(); op.kind != OpKind::end; op = stream->next()) ops.push_back(op);
    return ops;
  };
  const Op compute{OpKind::compute, 0, 0, 5}, data{OpKind::send, 1, 0, 10}, answer{OpKind::receive, 1, 1, 7};
  EXPECT_EQ(all(0), (std::vector<Op>{compute, data, data, answer, data, answer, answer}));
  const Op got{OpKind::receive, 0, 0, 10}, served{OpKind::compute, 0, 0, 110}, done{OpKind::send, 0, 1, 7};
  EXPECT_EQ(all(1), (std::vector<Op>{got, served, done, got, served, done, got, served, done}));
}

TEST(Storage, ServersTakeTheFirstRequestOfEachClientFirst) {
  const StorageSpec spec = storage(FileMode::own, 3, 1, 20, 10);
  std::vector<u32> order;
  const auto stream = storage_program(spec, {})->open(TaskId(3));
  for (Op op = stream->next(); op.kind != OpKind::end; op = stream->next())
    if (op.kind == OpKind::receive) order.push_back(op.peer);
  EXPECT_EQ(order, (std::vector<u32>{0, 1, 2, 0, 1, 2}));
}

TEST(Storage, SearchesFindWhatAskingAllClientsFinds) {
  for (const FileMode mode : {FileMode::shared, FileMode::own, FileMode::aggregated}) {
    for (const u64 bytes : {10U, 20U, 40U, 60U, 75U}) {
      for (const u32 count : {1U, 2U, 5U, 6U}) {
        StorageSpec spec = storage(mode, 23, 6, bytes, 10);
        spec.layout.stripe_count = count;
        spec.layout.aggregators = 7;
        const u32 clients = spec.layout.clients();
        const StorageSearch search(spec.layout);
        for (u32 server = 0; server < 6; ++server) {
          for (u64 request = 0; request < bytes / 10; ++request) {
            std::vector<u32> asked, found;
            for (u32 client = 0; client < clients; ++client)
              if (spec.layout.server(client, request) == server) asked.push_back(client);
            for (u32 client = search.first(server, request); client < clients; client = search.after(client))
              found.push_back(client);
            EXPECT_EQ(found, asked);
          }
        }
      }
    }
  }
}

TEST(Storage, RefusesMessagesAndTimesBeyondTheLimits) {
  TaskLimits limits;
  limits.message_bytes = 50;
  EXPECT_THROW(static_cast<void>(storage_program(storage(FileMode::own, 2, 1, 100, 60), limits)), ConfigError);
  EXPECT_NO_THROW(static_cast<void>(storage_program(storage(FileMode::own, 2, 1, 40, 60), limits)));
  StorageSpec slow = storage(FileMode::own, 2, 1, u64{1} << 40, u64{1} << 40);
  slow.storage_gbps = 1e-9;
  EXPECT_THROW(static_cast<void>(storage_program(slow, {})), ConfigError);
}

}  // namespace
}  // namespace weft::workloads
