// A queue in one piece of memory that is reused.
#pragma once

#include <vector>

#include "engine/base/bytes.hpp"

namespace weft::workloads {

template <class T>
class Fifo {
 public:
  [[nodiscard]] bool empty() const { return head_ == items_.size(); }
  [[nodiscard]] std::size_t size() const { return items_.size() - head_; }
  [[nodiscard]] T& front() { return items_[head_]; }
  [[nodiscard]] const T& front() const { return items_[head_]; }
  /// Where the first is, or is not.
  [[nodiscard]] const T* place() const { return items_.data() + head_; }
  void push(const T& item) { items_.push_back(item); }
  void pop() {
    if (++head_ == items_.size()) {
      items_.clear();
      head_ = 0;
    } else if (head_ >= 64 && 2 * head_ >= items_.size()) {
      items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(head_));
      head_ = 0;
    }
  }
  /// The first goes behind the last.
  void rotate() {
    if (size() == 1) return;
    const T first = front();
    pop();
    push(first);
  }
  [[nodiscard]] auto begin() const { return items_.begin() + static_cast<std::ptrdiff_t>(head_); }
  [[nodiscard]] auto end() const { return items_.end(); }

  void save(engine::ByteWriter& to) const { to.put_list(std::vector<T>(begin(), end())); }
  void load(engine::ByteReader& from) {
    from.get_list(items_);
    head_ = 0;
  }

 private:
  std::vector<T> items_;
  std::size_t head_ = 0;
};

}  // namespace weft::workloads
