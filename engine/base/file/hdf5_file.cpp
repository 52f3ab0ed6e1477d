// What writers and readers of HDF5 files share: handles, errors, the type of texts.
#include "engine/base/file/hdf5_file.hpp"

#include <algorithm>
#include <hdf5.h>
#include <type_traits>
#include <utility>

namespace weft::files {

static_assert(std::is_same_v<hid_t, i64> && std::is_same_v<herr_t, int>, "Hdf5Handle holds HDF5 1.10's identifiers");

void start_hdf5() {
  // HDF5 closes what is open when the program ends, and crashes if that fails as it did before. Here all is closed by
  // hand.
  [[maybe_unused]] static const herr_t once = H5dont_atexit();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

std::unique_lock<std::recursive_mutex> hold_hdf5() {
  static std::recursive_mutex one_at_a_time;
  return std::unique_lock(one_at_a_time);
}

std::string hdf5_reason() {
  std::string reason;
  const auto take_first = [](unsigned position, const H5E_error2_t* error, void* out) -> herr_t {
    if (position == 0 && error->desc != nullptr) *static_cast<std::string*>(out) = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_first, &reason);
  std::replace(reason.begin(), reason.end(), '\n', ' ');
  return reason.empty() ? "no reason given" : reason;
}

Hdf5Handle::Hdf5Handle(Hdf5Handle&& other) noexcept
    : id_(std::exchange(other.id_, -1)), close_(std::exchange(other.close_, nullptr)) {}

Hdf5Handle& Hdf5Handle::operator=(Hdf5Handle&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(close_, other.close_);
  return *this;
}

Hdf5Handle::~Hdf5Handle() { close(); }

int Hdf5Handle::close() {
  const Close close_function = std::exchange(close_, nullptr);
  return close_function != nullptr && id_ >= 0 ? close_function(id_) : 0;
}

Hdf5Handle hdf5_text_type() {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), H5T_VARIABLE);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

}  // namespace weft::files
