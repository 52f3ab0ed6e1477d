// Finds a trace's format from its first bytes; names the well-known ones that cannot be read yet.
#include "workloads/trace/trace_reader.hpp"

#include <fmt/format.h>

#include "engine/error.hpp"

namespace weft::workloads {
namespace {

constexpr std::size_t head_bytes = 64 * 1024;

/// Name of a format that this version knows of but does not read; empty if none.
std::string foreign_format(std::string_view head) {
  if (head.starts_with("CLOG-")) return "MPE CLOG";
  if (head.starts_with("#DIMEMAS")) return "Dimemas";
  if (head.starts_with("#Paraver")) return "Paraver";
  if (head.starts_with("VEF")) return "VEF";
  if (head.starts_with("\xFF\xAA\xDD\x44")) return "DUMPI";
  const std::size_t start = head.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos) return {};
  const std::string_view text = head.substr(start);
  if (text.size() > 1 && text[0] == '-' && text[1] >= '0' && text[1] <= '9') return "MPE ALOG";
  return {};
}

std::string known_formats() {
  std::string list;
  for (const std::string& name : TraceFormats::instance().names()) list += (list.empty() ? "" : ", ") + name;
  return list;
}

}  // namespace

std::string find_trace_format(std::unique_ptr<ByteSource>& bytes, const std::string& format) {
  const TraceFormats& formats = TraceFormats::instance();
  if (format != "auto") {
    if (formats.find(format) != nullptr) return format;
    throw ConfigError(fmt::format("trace format '{}' is unknown; use auto or one of: {}", format, known_formats()));
  }
  std::string head = read_head(*bytes, head_bytes);
  const std::string file = bytes->name();
  if (const std::string foreign = foreign_format(head); !foreign.empty()) {
    throw InputError(
        fmt::format("{}: {} format is not supported yet by this version; convert it to .trc", file, foreign));
  }
  for (const std::string& name : formats.names()) {
    if (!formats.find(name)->recognises(head)) continue;
    bytes = put_back(std::move(head), std::move(bytes));
    return name;
  }
  throw InputError(fmt::format("{}: not a trace of a known format (it begins with {}); expected one of: {}", file,
                               quoted(head.data(), head.size()), known_formats()));
}

std::unique_ptr<TraceReader> open_trace(std::unique_ptr<ByteSource> bytes, const std::string& format) {
  const std::string found = find_trace_format(bytes, format);
  const TraceFormat& known = *TraceFormats::instance().find(found);
  if (known.open) return known.open(std::move(bytes));
  throw InputError(
      fmt::format("{}: a program of graphs (format {}), which is no list of records; give a trace like .trc",
                  bytes->name(), found));
}

std::unique_ptr<TraceReader> open_trace(const std::string& path, const std::string& format) {
  return open_trace(open_bytes(path), format);
}

}  // namespace weft::workloads
