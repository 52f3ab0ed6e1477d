// OTF2 as a format of traces: an archive of files, read and written by the library of that name, a part for each rank.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "workloads/trace/format/otf2/otf2_reader.hpp"
#include "workloads/trace/format/otf2/otf2_writer.hpp"

namespace weft::workloads {
namespace {

constexpr std::string_view otf2_ending = ".otf2";

bool is_anchor(const std::string& file) { return file.ends_with(otf2_ending); }

/// The anchor file of an archive that is named by it or by the folder in which it lies.
std::string anchor_of(const TraceInput& input) {
  if (!input.is_file())
    throw InputError(
        fmt::format("{}: an OTF2 archive is several files, not a stream; name its file NAME.otf2", shown(input.path)));
  if (!input.several) return input.files[0];
  const auto anchors = std::ranges::count_if(input.files, is_anchor);
  if (anchors != 1)
    throw InputError(
        fmt::format("{}: holds {} OTF2 archives; name the file NAME.otf2 of one", shown(input.path), anchors));
  return *std::ranges::find_if(input.files, is_anchor);
}

/// What the archive consists of, but for local definitions: the anchor, the definitions, and the events of each task.
std::vector<std::string> files_of_archive(const TraceInput& input) {
  if (!input.is_file()) return input.files;
  const std::filesystem::path anchor = anchor_of(input);
  std::filesystem::path name = anchor;
  name.replace_extension();
  std::vector<std::string> files = {anchor.string(), name.string() + ".def"};
  std::error_code error;
  if (!std::filesystem::exists(files[1], error)) files.pop_back();
  for (std::filesystem::directory_iterator it(name, error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() == ".evt") files.push_back(it->path().string());
  }
  std::ranges::sort(files);
  return files;
}

class Otf2Source final : public TraceSource {
 public:
  explicit Otf2Source(const TraceInput& input)
      : anchor_(anchor_of(input)),
        definitions_(std::make_shared<const otf2::Definitions>(otf2::read_definitions(anchor_))) {}
  [[nodiscard]] u32 parts() const override { return definitions_->tasks(); }
  [[nodiscard]] std::unique_ptr<TraceReader> open(u32 part) const override {
    return std::make_unique<otf2::LocationReader>(anchor_, definitions_, part);
  }
  [[nodiscard]] std::string place(u32 part, u64 position) const override {
    return otf2::place_in_archive(anchor_, definitions_->locations[part], position);
  }
  [[nodiscard]] std::vector<TraceCommunicator> communicators() const override { return definitions_->communicators; }
  [[nodiscard]] std::vector<TraceName> names() const override { return definitions_->names; }
  [[nodiscard]] bool has_times() const override { return true; }

 private:
  std::string anchor_;
  std::shared_ptr<const otf2::Definitions> definitions_;
};

/// An anchor begins with the length of its first record and this word.
bool looks_like_otf2(std::string_view head, const TraceInput& input) {
  if (input.several) return std::ranges::any_of(input.files, is_anchor);
  return head.size() > 6 && head.substr(1, 5) == "BOTF2";
}

[[maybe_unused]] const bool otf2_registered = TraceFormats::instance().add(
    "otf2", {.help = "OTF2 archive (Score-P, EZTrace): its file NAME.otf2, or the folder that holds it",
             .recognises = looks_like_otf2,
             .files = files_of_archive,
             .open = [](const TraceInput& input) { return std::make_unique<Otf2Source>(input); },
             .write = otf2::write_archive,
             .ending = std::string(otf2_ending),
             .place = 50});

}  // namespace
}  // namespace weft::workloads
