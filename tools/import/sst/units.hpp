// Quantities as SST writes them: "4GB/s", "16KiB", "20ns", "64b".
#pragma once

#include <optional>
#include <string_view>

namespace weft::tools::sst {

/// Bytes; "b" are bits, "B" bytes; k, M, G... are powers of 1000, Ki, Mi, Gi... of 1024. Nothing if it is none.
[[nodiscard]] std::optional<double> bytes_of(std::string_view text);
/// 10^9 bit/s of "4GB/s" or "100Gb/s".
[[nodiscard]] std::optional<double> gbps_of(std::string_view text);
/// Nanoseconds of "20ns", "1.5us"; of "1GHz" those of a period.
[[nodiscard]] std::optional<double> ns_of(std::string_view text);

}  // namespace weft::tools::sst
