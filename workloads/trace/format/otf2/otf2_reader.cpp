// Pulls records of a location from the library; see the header.
#include "workloads/trace/format/otf2/otf2_reader.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "engine/base/error.hpp"

namespace weft::workloads::otf2 {

/// What the library calls for each record. No exception may pass through it.
struct Callbacks {
  template <class Action>
  static OTF2_CallbackCode keeping_failure(void* data, OTF2_TimeStamp time, uint64_t position, Action action) {
    LocationReader& reader = *static_cast<LocationReader*>(data);
    try {
      reader.calls_.at(time, position);
      action(reader.calls_);
      return OTF2_CALLBACK_SUCCESS;
    } catch (...) {
      reader.failure_ = std::current_exception();
      return OTF2_CALLBACK_INTERRUPT;
    }
  }
  // Every record begins with its location, its time, its number, our data and attributes.
  using Location = OTF2_LocationRef;
  using Time = OTF2_TimeStamp;
  using Attributes = OTF2_AttributeList*;

  static OTF2_CallbackCode enter(Location /*l*/, Time time, uint64_t position, void* data, Attributes /*a*/,
                                 OTF2_RegionRef region) {
    return keeping_failure(data, time, position, [&](Calls& calls) { calls.enter(region); });
  }
  static OTF2_CallbackCode leave(Location /*l*/, Time time, uint64_t position, void* data, Attributes /*a*/,
                                 OTF2_RegionRef region) {
    return keeping_failure(data, time, position, [&](Calls& calls) { calls.leave(region); });
  }
  static OTF2_CallbackCode send(Location /*l*/, Time time, uint64_t position, void* data, Attributes /*a*/,
                                uint32_t receiver, OTF2_CommRef communicator, uint32_t tag, uint64_t bytes) {
    return keeping_failure(data, time, position, [&](Calls& calls) { calls.send(receiver, communicator, tag, bytes); });
  }
  static OTF2_CallbackCode isend(Location /*l*/, Time time, uint64_t position, void* data, Attributes /*a*/,
                                 uint32_t receiver, OTF2_CommRef communicator, uint32_t tag, uint64_t bytes,
                                 uint64_t request) {
    return keeping_failure(data, time, position,
                           [&](Calls& calls) { calls.send(receiver, communicator, tag, bytes, request); });
  }
  static OTF2_CallbackCode isend_complete(Location /*l*/, Time time, uint64_t position, void* data, Attributes /*a*/,
                                          uint64_t request) {
    return keeping_failure(data, time, position, [&](Calls& calls) { calls.send_complete(request); });
  }
  static OTF2_CallbackCode irecv_request(Location /*l*/, Time time, uint64_t position, void* data, Attributes /*a*/,
                                         uint64_t request) {
    return keeping_failure(data, time, position, [&](Calls& calls) { calls.receive_started(request); });
  }
  static OTF2_CallbackCode receive(Location /*l*/, Time time, uint64_t position, void* data, Attributes /*a*/,
                                   uint32_t sender, OTF2_CommRef communicator, uint32_t tag, uint64_t bytes) {
    return keeping_failure(data, time, position,
                           [&](Calls& calls) { calls.receive(sender, communicator, tag, bytes); });
  }
  static OTF2_CallbackCode irecv(Location /*l*/, Time time, uint64_t position, void* data, Attributes /*a*/,
                                 uint32_t sender, OTF2_CommRef communicator, uint32_t tag, uint64_t bytes,
                                 uint64_t request) {
    return keeping_failure(data, time, position,
                           [&](Calls& calls) { calls.receive_complete(sender, communicator, tag, bytes, request); });
  }
  static OTF2_CallbackCode cancelled(Location /*l*/, Time time, uint64_t position, void* data, Attributes /*a*/,
                                     uint64_t request) {
    return keeping_failure(data, time, position, [&](Calls& calls) { calls.request_cancelled(request); });
  }
  static OTF2_CallbackCode collective_begin(Location /*l*/, Time time, uint64_t position, void* data,
                                            Attributes /*a*/) {
    return keeping_failure(data, time, position, [](Calls& calls) { calls.collective_begin(); });
  }
  static OTF2_CallbackCode collective_end(Location /*l*/, Time time, uint64_t position, void* data, Attributes /*a*/,
                                          OTF2_CollectiveOp operation, OTF2_CommRef communicator, uint32_t root,
                                          uint64_t sent, uint64_t received) {
    return keeping_failure(data, time, position, [&](Calls& calls) {
      calls.collective_end(operation, communicator, root, {sent, received});
    });
  }
  static OTF2_CallbackCode collective_request(Location /*l*/, Time time, uint64_t position, void* data,
                                              Attributes /*a*/, uint64_t request) {
    return keeping_failure(data, time, position, [&](Calls& calls) { calls.collective_started(request); });
  }
  static OTF2_CallbackCode collective_complete(Location /*l*/, Time time, uint64_t position, void* data,
                                               Attributes /*a*/, OTF2_CollectiveOp operation, OTF2_CommRef communicator,
                                               uint32_t root, uint64_t sent, uint64_t received, uint64_t request) {
    return keeping_failure(data, time, position, [&](Calls& calls) {
      calls.collective_complete(operation, communicator, root, {sent, received}, request);
    });
  }
  static OTF2_CallbackCode program_begin(Location /*l*/, Time time, uint64_t position, void* data, Attributes /*a*/,
                                         OTF2_StringRef /*name*/, uint32_t /*count*/,
                                         const OTF2_StringRef* /*arguments*/) {
    const u32 name = static_cast<LocationReader*>(data)->definitions_->program_begin;
    return keeping_failure(data, time, position, [&](Calls& calls) { calls.mark(name); });
  }
  static OTF2_CallbackCode program_end(Location /*l*/, Time time, uint64_t position, void* data, Attributes /*a*/,
                                       int64_t /*status*/) {
    const u32 name = static_cast<LocationReader*>(data)->definitions_->program_end;
    return keeping_failure(data, time, position, [&](Calls& calls) { calls.mark(name); });
  }
  static OTF2_CallbackCode metric(Location /*l*/, Time time, uint64_t position, void* data, Attributes /*a*/,
                                  OTF2_MetricRef metric, uint8_t count, const OTF2_Type* types,
                                  const OTF2_MetricValue* values) {
    return keeping_failure(data, time, position, [&](Calls& calls) {
      for (u32 k = 0; k < count; ++k) calls.counted(metric, k, value_of(types[k], values[k]));
    });
  }
  /// Counters are no less than 0, whatever their type.
  static u64 value_of(OTF2_Type type, const OTF2_MetricValue& value) {
    constexpr double most = 1e18;
    if (type == OTF2_TYPE_DOUBLE) return static_cast<u64>(std::clamp(value.floating_point, 0.0, most));
    if (type == OTF2_TYPE_INT64) return static_cast<u64>(std::max<int64_t>(value.signed_int, 0));
    return value.unsigned_int;
  }
  static OTF2_CallbackCode flush(Location /*l*/, Time time, uint64_t position, void* data, Attributes /*a*/,
                                 OTF2_TimeStamp until) {
    return keeping_failure(data, time, position, [&](Calls& calls) { calls.flushed(until); });
  }

  static void set(OTF2_EvtReaderCallbacks* to) {
    OTF2_EvtReaderCallbacks_SetEnterCallback(to, enter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(to, leave);
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(to, send);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(to, isend);
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(to, isend_complete);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(to, irecv_request);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(to, receive);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(to, irecv);
    OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(to, cancelled);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(to, collective_begin);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(to, collective_end);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(to, collective_request);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(to, collective_complete);
    OTF2_EvtReaderCallbacks_SetProgramBeginCallback(to, program_begin);
    OTF2_EvtReaderCallbacks_SetProgramEndCallback(to, program_end);
    OTF2_EvtReaderCallbacks_SetBufferFlushCallback(to, flush);
    OTF2_EvtReaderCallbacks_SetMetricCallback(to, metric);
  }
};

namespace {

constexpr u64 records_at_a_time = 1024;

struct DeleteEventCallbacks {
  void operator()(OTF2_EvtReaderCallbacks* callbacks) const { OTF2_EvtReaderCallbacks_Delete(callbacks); }
};

/// NAME/LOCATION.KIND beside NAME.otf2.
std::string file_of(const std::string& anchor, u64 location, const char* kind) {
  const std::filesystem::path path(anchor);
  return (path.parent_path() / path.stem() / fmt::format("{}.{}", location, kind)).string();
}

}  // namespace

std::string place_in_archive(const std::string& anchor, u64 location, u64 position) {
  return fmt::format("{}: event {} of location {}", anchor, position, location);
}

LocationReader::LocationReader(const std::string& anchor, std::shared_ptr<const Definitions> definitions, u32 task)
    : file_(file_of(anchor, definitions->locations[task], "evt")),
      definitions_(std::move(definitions)),
      task_(task),
      calls_(*definitions_, task, [anchor, location = definitions_->locations[task]](u64 position) {
        return place_in_archive(anchor, location, position);
      }) {
  const u64 location = definitions_->locations[task_];
  std::error_code error;
  if (!std::filesystem::exists(file_, error)) {
    if (definitions_->promised_events[task_] == 0) {
      ended_ = true;
      return;
    }
    throw InputError(fmt::format("{}: the events of task {} are missing (its archive has {} of them); copy all of it",
                                 file_, task_, definitions_->promised_events[task_]));
  }
  reader_ = open_reader(anchor);
  check_reading(anchor, OTF2_Reader_SelectLocation(reader_.get(), location));
  check_reading(file_, OTF2_Reader_OpenEvtFiles(reader_.get()));
  read_local_definitions(file_of(anchor, location, "def"));
  events_ = OTF2_Reader_GetEvtReader(reader_.get(), location);
  if (events_ == nullptr) fail_reading(file_);
  const std::unique_ptr<OTF2_EvtReaderCallbacks, DeleteEventCallbacks> callbacks(OTF2_EvtReaderCallbacks_New());
  Callbacks::set(callbacks.get());
  check_reading(file_, OTF2_Reader_RegisterEvtCallbacks(reader_.get(), events_, callbacks.get(), this));
}

LocationReader::~LocationReader() {
  if (events_ == nullptr) return;
  const std::scoped_lock held(library_lock());
  OTF2_Reader_CloseEvtReader(reader_.get(), events_);
  OTF2_Reader_CloseEvtFiles(reader_.get());
}

/// They hold offsets of the clock and what communicators and regions are called in this location; the library uses them
/// by itself. Not every archive has them.
void LocationReader::read_local_definitions(const std::string& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return;
  check_reading(file, OTF2_Reader_OpenDefFiles(reader_.get()));
  OTF2_DefReader* const definitions = OTF2_Reader_GetDefReader(reader_.get(), definitions_->locations[task_]);
  if (definitions == nullptr) fail_reading(file);
  uint64_t count = 0;
  check_reading(file, OTF2_Reader_ReadAllLocalDefinitions(reader_.get(), definitions, &count));
  OTF2_Reader_CloseDefReader(reader_.get(), definitions);
  OTF2_Reader_CloseDefFiles(reader_.get());
}

void LocationReader::read_records() {
  listen();
  uint64_t count = 0;
  const OTF2_ErrorCode code = OTF2_Reader_ReadLocalEvents(reader_.get(), events_, records_at_a_time, &count);
  if (failure_) std::rethrow_exception(failure_);
  check_reading(file_, code);
  records_ += count;
  if (count == records_at_a_time) return;
  ended_ = true;
  // Some tracers write fewer into the definitions than there are.
  if (records_ < definitions_->promised_events[task_])
    throw InputError(fmt::format("{}: ends after {} events (truncated, its archive says {}); copy all of it", file_,
                                 records_, definitions_->promised_events[task_]));
  calls_.finish();
}

bool LocationReader::next(TraceRecord& record) {
  record.task = task_;
  while (!calls_.take(record.event, position_)) {
    if (ended_) return false;
    read_records();
  }
  return true;
}

}  // namespace weft::workloads::otf2
