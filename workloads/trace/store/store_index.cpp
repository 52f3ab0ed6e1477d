// The index file: a line that says what it is, plain values, a checksum.
#include "workloads/trace/store/store_index.hpp"

#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <string_view>

#include "engine/base/bytes.hpp"
#include "engine/base/fnv1a.hpp"

namespace weft::workloads {
namespace {

/// The number changes with whatever lies in a store.
constexpr std::string_view heading = "weft trace store 3\n";

void put_text(engine::ByteWriter& to, const std::string& text) {
  to.put_list(std::vector<char>(text.begin(), text.end()));
}
std::string get_text(engine::ByteReader& from) {
  std::vector<char> text;
  from.get_list(text);
  return {text.begin(), text.end()};
}

bool get_flag(engine::ByteReader& from) { return from.get<u8>() != 0; }

u64 checksum(std::span<const std::byte> bytes) {
  return fnv1a({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, bytes.size());
}

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw InputError(fmt::format("{}: {}; delete it, it is made anew", path, why));
}

}  // namespace

void StoreIndex::save(const std::string& path) const {
  engine::ByteWriter to;
  put_text(to, format);
  to.put(identity);
  to.put(tasks);
  to.put(has_times);
  to.put(in_order);
  to.put(events);
  to.put(self_sends);
  to.put(self_receives);
  to.put(requests);
  to.put(end_ns);
  to.put(message);
  to.put(computation);
  to.put(static_cast<u64>(communicators.size()));
  for (const TraceCommunicator& communicator : communicators) {
    to.put_list(communicator.members);
    to.put(communicator.is_internal);
  }
  to.put(static_cast<u64>(names.size()));
  for (const TraceName& name : names) {
    put_text(to, name.text);
    to.put(name.is_call);
    to.put(name.is_counter);
  }
  to.put(static_cast<u64>(notes.size()));
  for (const std::string& note : notes) put_text(to, note);
  to.put(files);
  to.put_list(blocks);
  to.put_list(first_block);
  to.put(checksum(to.bytes()));
  std::ofstream file(path, std::ios::binary);
  file << heading;
  file.write(reinterpret_cast<const char*>(to.bytes().data()), static_cast<std::streamsize>(to.bytes().size()));
  file.close();
  if (!file) throw SystemError(fmt::format("cannot write {} ({}); free some space there", path, std::strerror(errno)));
}

StoreIndex StoreIndex::load(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) fail(path, "cannot be read");
  const std::streamoff size = file.tellg();
  file.seekg(0);
  std::vector<char> content(static_cast<std::size_t>(std::max<std::streamoff>(size, 0)));
  file.read(content.data(), static_cast<std::streamsize>(content.size()));
  if (!file || !std::string_view(content.data(), content.size()).starts_with(heading))
    fail(path, "no index of a trace store of this version");
  const std::span all(reinterpret_cast<const std::byte*>(content.data()) + heading.size(),
                      content.size() - heading.size());
  u64 sum = 0;
  if (all.size() < sizeof sum) fail(path, "truncated");
  std::memcpy(&sum, all.data() + all.size() - sizeof sum, sizeof sum);
  const auto values = all.first(all.size() - sizeof sum);
  if (sum != checksum(values)) fail(path, "damaged");
  engine::ByteReader from(values);
  StoreIndex index;
  index.format = get_text(from);
  index.identity = from.get<TraceIdentity>();
  index.tasks = from.get<u32>();
  index.has_times = get_flag(from);
  index.in_order = get_flag(from);
  index.events = from.get<u64>();
  index.self_sends = from.get<u64>();
  index.self_receives = from.get<u64>();
  index.requests = from.get<u64>();
  index.end_ns = from.get<u64>();
  index.message = from.get<LargestAmount>();
  index.computation = from.get<LargestAmount>();
  const u64 communicators = from.get<u64>();
  index.communicators.clear();
  for (u64 i = 0; i < communicators; ++i) {
    TraceCommunicator& communicator = index.communicators.emplace_back();
    from.get_list(communicator.members);
    communicator.is_internal = get_flag(from);
  }
  const u64 names = from.get<u64>();
  for (u64 i = 0; i < names; ++i) {
    TraceName name;
    name.text = get_text(from);
    name.is_call = get_flag(from);
    name.is_counter = get_flag(from);
    index.names.push_back(std::move(name));
  }
  const u64 notes = from.get<u64>();
  for (u64 i = 0; i < notes; ++i) index.notes.push_back(get_text(from));
  index.files = from.get<u32>();
  from.get_list(index.blocks);
  from.get_list(index.first_block);
  from.finish();
  return index;
}

}  // namespace weft::workloads
