// Reads algorithms of MSCCL from XML.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pugixml.hpp>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "engine/base/text/byte_source.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/words.hpp"
#include "workloads/generator/accelerator/msccl_check.hpp"

namespace weft::workloads {
namespace {

constexpr std::size_t most_algorithm_bytes = std::size_t{256} << 20;
constexpr i64 most_msccl_gpus = 1 << 20, most_msccl_chunks = 1 << 24, most_msccl_steps = 1 << 24;

const std::vector<std::string> type_words{"nop", "s", "r", "cpy", "re", "rcs", "rrc", "rrs", "rrcs"};

class MscclReader {
 public:
  MscclReader(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {
    const pugi::xml_parse_result result = document_.load_buffer(text.data(), text.size(), pugi::parse_default);
    if (!result) {
      fail(line_at(static_cast<u64>(std::max<std::ptrdiff_t>(0, result.offset))),
           fmt::format("this is no XML ({})", lower(result.description())), "check that the file is whole");
    }
  }

  MscclAlgorithm read() {
    const pugi::xml_node root = document_.child("algo");
    if (root.empty()) fail(1, "there is no <algo>", "give an algorithm that msccl-tools wrote");
    MscclAlgorithm made;
    made.name = shown(root.attribute("name").value(), longest_name);
    made.collective = root.attribute("coll").empty() ? "custom" : shown(root.attribute("coll").value(), longest_name);
    made.protocol = protocol(root);
    made.in_place = number(root, "inplace", 0, 1, 0) == 1;
    const auto gpus = static_cast<u32>(number(root, "ngpus", 1, most_msccl_gpus));
    std::vector<bool> seen;
    for (const pugi::xml_node node : root.children("gpu")) {
      const auto id = static_cast<u32>(number(node, "id", 0, gpus - 1));
      if (seen.size() <= id) seen.resize(id + 1);
      if (made.gpus.size() <= id) made.gpus.resize(id + 1);
      if (seen[id]) fail(line_of(node), fmt::format("gpu {} comes twice", id), "give each once");
      seen[id] = true;
      made.gpus[id] = gpu(node, id, gpus);
    }
    const auto absent = static_cast<std::size_t>(std::ranges::find(seen, false) - seen.begin());
    if (absent < gpus) {
      fail(line_of(root), fmt::format("gpu {} is missing (ngpus = {})", absent, gpus), "give each from 0 on once");
    }
    u32 largest = 1;
    for (const MscclGpu& each : made.gpus) largest = std::max({largest, each.input_chunks, each.output_chunks});
    made.chunks = static_cast<u32>(number(root, "nchunksperloop", 1, most_msccl_chunks, largest));
    check_msccl(made, file_);
    return made;
  }

 private:
  static constexpr std::size_t longest_name = 80;

  [[noreturn]] void fail(u64 line, const std::string& problem, const std::string& advice) const {
    fail_msccl(file_, line, problem, advice);
  }
  [[nodiscard]] u64 line_at(u64 offset) const {
    const auto end = text_.begin() + static_cast<std::ptrdiff_t>(std::min<u64>(offset, text_.size()));
    return 1 + static_cast<u64>(std::count(text_.begin(), end, '\n'));
  }
  /// Elements come in the order of the file.
  u64 line_of(const pugi::xml_node& node) {
    const auto offset = static_cast<u64>(std::max<std::ptrdiff_t>(0, node.offset_debug()));
    if (offset < counted_ || offset > text_.size()) return line_at(offset);
    const auto begin = text_.begin() + static_cast<std::ptrdiff_t>(counted_);
    line_ += static_cast<u64>(std::count(begin, text_.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
    counted_ = offset;
    return line_;
  }

  i64 number(const pugi::xml_node& node, const char* name, i64 least, i64 most, std::optional<i64> usual = {}) {
    const pugi::xml_attribute attribute = node.attribute(name);
    if (attribute.empty()) {
      if (usual) return *usual;
      fail(line_of(node), fmt::format("<{}> has no {}", node.name(), name), fmt::format("add {}=\"...\"", name));
    }
    const std::string_view word = attribute.value();
    const std::optional<i64> value = parsed<i64>(word);
    if (!value || *value < least || *value > most) {
      fail(line_of(node), fmt::format("{}=\"{}\" of <{}> does not fit", name, shown(word, 40), node.name()),
           least == most ? fmt::format("use {}", least) : fmt::format("use {} to {}", least, most));
    }
    return *value;
  }

  std::string protocol(const pugi::xml_node& root) {
    static const std::vector<std::string> known{"simple", "ll", "ll128"};
    const std::string given = root.attribute("proto").empty() ? known.front() : lower(root.attribute("proto").value());
    if (std::ranges::find(known, given) == known.end()) {
      fail(line_of(root), fmt::format("proto=\"{}\" is unknown (one of Simple, LL, LL128)", shown(given, 40)),
           fmt::format("did you mean {}?", nearest(given, known)));
    }
    return given;
  }

  MscclGpu gpu(const pugi::xml_node& node, u32 id, u32 gpus) {
    MscclGpu made;
    made.input_chunks = static_cast<u32>(number(node, "i_chunks", 0, most_msccl_chunks));
    made.output_chunks = static_cast<u32>(number(node, "o_chunks", 0, most_msccl_chunks));
    made.scratch_chunks = static_cast<u32>(number(node, "s_chunks", 0, most_msccl_chunks, 0));
    for (const pugi::xml_node child : node.children("tb")) {
      const i64 expected = static_cast<i64>(made.blocks.size());
      if (made.blocks.size() == most_lanes) {
        fail(line_of(child), fmt::format("gpu {} has more than {} thread blocks", id, most_lanes),
             "use fewer channels or instances");
      }
      if (number(child, "id", 0, most_msccl_steps) != expected)
        fail(line_of(child), fmt::format("thread blocks of gpu {} are out of order", id),
             fmt::format("this one is id=\"{}\"", expected));
      made.blocks.push_back(block(child, id, gpus));
    }
    return made;
  }
  MscclBlock block(const pugi::xml_node& node, u32 id, u32 gpus) {
    MscclBlock made;
    made.line = line_of(node);
    for (const auto& [name, peer] : {std::pair{"send", &made.send}, std::pair{"recv", &made.receive}}) {
      const i64 given = number(node, name, -1, gpus - 1);
      if (given == id) fail(made.line, fmt::format("{}=\"{}\" is the GPU itself", name, given), "use cpy for copies");
      if (given >= 0) *peer = static_cast<u32>(given);
    }
    made.channel = static_cast<u32>(std::max<i64>(0, number(node, "chan", -1, most_msccl_gpus)));
    for (const pugi::xml_node child : node.children()) {
      if (std::string_view(child.name()) != "step")
        fail(line_of(child), fmt::format("<{}> is no step", shown(child.name(), 40)), "write the form with <step>");
      const i64 expected = static_cast<i64>(made.steps.size());
      if (number(child, "s", 0, most_msccl_steps) != expected)
        fail(line_of(child), "steps are out of order", fmt::format("this one is s=\"{}\"", expected));
      made.steps.push_back(step(child));
    }
    return made;
  }
  MscclStep step(const pugi::xml_node& node) {
    MscclStep made;
    made.line = line_of(node);
    const std::string word = node.attribute("type").value();
    const auto found = std::ranges::find(type_words, word);
    if (found == type_words.end()) {
      fail(made.line, fmt::format("type=\"{}\" is no step (one of {})", shown(word, 40), fmt::join(type_words, ", ")),
           fmt::format("did you mean {}?", nearest(word.substr(0, 40), type_words)));
    }
    made.type = static_cast<MscclType>(found - type_words.begin());
    made.source = place(node, "srcbuf", "srcoff");
    made.target = place(node, "dstbuf", "dstoff");
    made.chunks = static_cast<u32>(number(node, "cnt", 0, most_msccl_chunks, 1));
    const i64 block = number(node, "depid", -1, most_msccl_steps, -1);
    const i64 of_block = number(node, "deps", -1, most_msccl_steps, -1);
    if (block >= 0 && of_block >= 0) made.depends = {static_cast<u32>(block), static_cast<u32>(of_block)};
    return made;
  }
  MscclPlace place(const pugi::xml_node& node, const char* buffer, const char* offset) {
    MscclPlace made;
    const std::string_view word = node.attribute(buffer).value();
    if (!word.empty() && word != "i" && word != "o" && word != "s")
      fail(line_of(node), fmt::format("{}=\"{}\" is no buffer", buffer, shown(word, 40)), "use i, o or s");
    if (!word.empty()) made.buffer = word.front();
    made.chunk = static_cast<u32>(std::max<i64>(0, number(node, offset, -1, most_msccl_chunks, 0)));
    return made;
  }

  std::string_view text_;
  std::string file_;
  pugi::xml_document document_;
  u64 counted_ = 0, line_ = 1;
};

}  // namespace

MscclAlgorithm read_msccl(std::string_view text, const std::string& file) { return MscclReader(text, file).read(); }

MscclAlgorithm read_msccl_file(const std::string& path) {
  const auto source = open_bytes(path);
  const std::string text = read_head(*source, most_algorithm_bytes + 1);
  if (text.size() > most_algorithm_bytes) {
    throw InputError(fmt::format("{}: more than {} MiB are no algorithm of MSCCL; check which file it is",
                                 shown(source->name()), most_algorithm_bytes >> 20));
  }
  return read_msccl(text, source->name());
}

}  // namespace weft::workloads
