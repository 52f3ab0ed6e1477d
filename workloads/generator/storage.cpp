// What clients and servers do, one operation after the other.
// All of it is in the order of requests, then of clients: what comes first of all that is not done can always be done,
// so that nobody waits for ever, whatever the window.
#include "workloads/generator/storage.hpp"

#include <cmath>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "workloads/generator/kernel/planned_program.hpp"

namespace weft::workloads {
namespace {

/// Tags of messages.
enum : u32 { data_tag, answer_tag, request_tag, permission_tag, member_tag, done_tag };

/// A compute task, rounds are bursts. A client: compute, take the data of its members, write (or read, then give it to
/// them). A request waits until the one `window` before it is answered.
struct ClientPlan {
  StorageSpec spec;

  u32 rounds() const { return spec.bursts; }
  u64 slots(u32 task) const {
    const StorageLayout& layout = spec.layout;
    const u32 client = layout.client_of(task);
    if (layout.client_task(client) != task) return 3;
    const u64 requests = layout.requests(client);
    return 1 + slots_of_request() * requests + std::min(spec.window, requests) +
           (layout.members(client) - u64{1}) * (spec.reads ? 1 : 2);
  }
  u64 slots_of_request() const { return spec.reads ? 2 : 4; }
  Op op(u32 task, u32, u64 slot) const {
    const u32 client = spec.layout.client_of(task);
    if (slot == 0) return compute_op(spec.phase_ns);
    return spec.layout.client_task(client) == task ? of_client(client, slot - 1) : of_member(client, slot);
  }

  Op of_member(u32 client, u64 slot) const {
    const u32 peer = spec.layout.client_task(client);
    if (spec.reads) return slot == 1 ? receive_op(peer, spec.layout.bytes, member_tag) : Op{};
    return slot == 1 ? send_op(peer, spec.layout.bytes, member_tag) : receive_op(peer, spec.control_bytes, done_tag);
  }
  Op answer(u32 client, u64 request) const {
    const u32 peer = spec.layout.server_task(spec.layout.server(client, request));
    return spec.reads ? receive_op(peer, spec.layout.request_bytes(client, request), data_tag)
                      : receive_op(peer, spec.control_bytes, answer_tag);
  }
  Op of_request(u32 client, u64 request, u64 step) const {
    const u32 peer = spec.layout.server_task(spec.layout.server(client, request));
    if (step == 0) return request >= spec.window ? answer(client, request - spec.window) : Op{};
    if (spec.reads) return send_op(peer, spec.control_bytes, request_tag);
    if (step == 3) return send_op(peer, spec.layout.request_bytes(client, request), data_tag);
    if (!spec.permission) return {};
    return step == 1 ? send_op(peer, spec.control_bytes, request_tag)
                     : receive_op(peer, spec.control_bytes, permission_tag);
  }
  Op of_client(u32 client, u64 slot) const {
    const StorageLayout& layout = spec.layout;
    const u64 others = layout.members(client) - u64{1}, requests = layout.requests(client);
    const u32 first = layout.client_task(client) + 1;
    if (!spec.reads) {
      if (slot < others) return receive_op(first + static_cast<u32>(slot), layout.bytes, member_tag);
      slot -= others;
    }
    if (slot < slots_of_request() * requests)
      return of_request(client, slot / slots_of_request(), slot % slots_of_request());
    slot -= slots_of_request() * requests;
    const u64 open = std::min(spec.window, requests);
    if (slot < open) return answer(client, requests - open + slot);
    const u32 member = first + static_cast<u32>(slot - open);
    return spec.reads ? send_op(member, layout.bytes, member_tag) : send_op(member, spec.control_bytes, done_tag);
  }
};

/// A server, which takes the first request of each client, then the second one of each ...
class ServerStream final : public TaskStream {
 public:
  ServerStream(const StorageSpec& spec, u32 server, std::shared_ptr<const StorageSearch> search)
      : spec_(spec), server_(server), search_(std::move(search)), client_(search_->first(server, 0)) {
    find();
  }
  Op next() override {
    while (burst_ < spec_.bursts) {
      const Op op = of_request(step_++);
      if (step_ == steps) {
        step_ = 0;
        client_ = search_->after(client_);
        find();
      }
      if (op.kind != OpKind::end) return op;
    }
    return {};
  }

 private:
  static constexpr u32 steps = 5;

  /// From here on to the next request that is for this server, in the next burst if need be.
  void find() {
    const StorageLayout& layout = spec_.layout;
    for (u64 idle = 0; burst_ < spec_.bursts;) {
      for (; client_ < layout.clients(); client_ = search_->after(client_)) {
        if (request_ < layout.requests(client_)) return;
      }
      if (++request_ == layout.most_requests()) {
        request_ = 0;
        ++burst_;
      }
      client_ = search_->first(server_, request_);
      if (++idle > layout.most_requests()) burst_ = spec_.bursts;  // none at all is for this server
    }
  }
  [[nodiscard]] Op of_request(u32 step) const {
    const u32 peer = spec_.layout.client_task(client_);
    const u64 bytes = spec_.layout.request_bytes(client_, request_);
    const bool asked = spec_.reads || spec_.permission;
    if (step == 0) return asked ? receive_op(peer, spec_.control_bytes, request_tag) : Op{};
    if (step == 1) return spec_.permission ? send_op(peer, spec_.control_bytes, permission_tag) : Op{};
    if (step == 2) return spec_.reads ? Op{} : receive_op(peer, bytes, data_tag);
    if (step == 3) return compute_op(spec_.serving_ns(bytes));
    return spec_.reads ? send_op(peer, bytes, data_tag) : send_op(peer, spec_.control_bytes, answer_tag);
  }

  StorageSpec spec_;
  u32 server_;
  std::shared_ptr<const StorageSearch> search_;
  u32 client_;
  u64 request_ = 0;
  u32 burst_ = 0, step_ = 0;
};

class StorageProgram final : public Program {
 public:
  explicit StorageProgram(const StorageSpec& spec)
      : spec_(spec),
        clients_("", spec.layout.computing(), ClientPlan{spec}),
        search_(std::make_shared<const StorageSearch>(spec.layout)) {}
  u32 tasks() const override { return spec_.layout.tasks; }
  std::string name() const override {
    return fmt::format("{} of {} tasks, {} servers", spec_.reads ? "read" : "write", spec_.layout.computing(),
                       spec_.layout.servers);
  }
  std::unique_ptr<TaskStream> open(TaskId task) const override {
    const u32 computing = spec_.layout.computing();
    if (task.value() < computing) return clients_.open(task);
    return std::make_unique<ServerStream>(spec_, task.value() - computing, search_);
  }

 private:
  StorageSpec spec_;
  PlannedProgram<ClientPlan> clients_;
  std::shared_ptr<const StorageSearch> search_;
};

void check_message(u64 bytes, const char* key, const TaskLimits& limits) {
  if (bytes > limits.message_bytes) throw ConfigError(std::string(key) + ": " + too_many_packets(bytes, limits));
}

}  // namespace

u64 StorageSpec::serving_ns(u64 bytes) const {
  if (storage_gbps <= 0) return service_ns;
  return service_ns + static_cast<u64>(std::llround(static_cast<double>(bytes) * 8 / storage_gbps));
}

std::unique_ptr<Program> storage_program(const StorageSpec& spec, const TaskLimits& limits) {
  const StorageLayout& layout = spec.layout;
  const u64 longest = std::min(layout.stripe_bytes, layout.members(0) * layout.bytes);
  check_message(longest, "workload.stripe_bytes", limits);
  if (layout.mode == FileMode::aggregated) check_message(layout.bytes, "workload.message_bytes", limits);
  check_message(spec.control_bytes, "workload.control_bytes", limits);
  const double serving = static_cast<double>(spec.service_ns) +
                         (spec.storage_gbps > 0 ? static_cast<double>(longest) * 8 / spec.storage_gbps : 0);
  if (serving >= static_cast<double>(std::min(limits.compute_ns, u64{1} << 50))) {
    throw ConfigError(
        fmt::format("workload.storage_gbps = {} makes a request of {} bytes last too long (2^50 ns, or the time that a "
                    "run has); use more",
                    spec.storage_gbps, longest));
  }
  return std::make_unique<StorageProgram>(spec);
}

}  // namespace weft::workloads
