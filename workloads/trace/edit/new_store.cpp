// The index of a new store.
#include "workloads/trace/edit/new_store.hpp"

#include <algorithm>

#include "engine/base/error.hpp"
#include "workloads/trace/store/import.hpp"

namespace weft::workloads {

std::shared_ptr<const TraceStore> NewStore::finish(TraceFrame frame) {
  std::vector<StoreIndex> shares;
  shares.push_back(writer_.finish());
  StoreIndex& index = shares[0];
  WEFT_ASSERT(frame.has_times == index.has_times);
  index.format = frame.format;
  index.tasks = std::max(index.tasks, frame.tasks);
  index.first_block.resize(std::size_t{index.tasks} + 1, index.first_block.back());
  index.in_order = frame.in_order;
  index.files = 1;
  index.communicators = std::move(frame.communicators);
  index.names = std::move(frame.names);
  std::vector<StoreFile> files;
  files.push_back(std::move(file_));
  return std::make_shared<const TraceStore>(merged(std::move(shares)), std::move(files));
}

}  // namespace weft::workloads
