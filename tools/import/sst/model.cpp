// Components, parameters and links of SST's JSON, of its versions' forms.
#include "tools/import/sst/model.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"

namespace weft::tools::sst {
namespace {

class ModelReader {
 public:
  explicit ModelReader(const ForeignFile& file) : json_(parse_json(file.text, file.path)) { model_.file = file.path; }

  Model model() {
    const Json* const components = json_.find("components");
    const Json* const links = json_.find("links");
    if (components == nullptr || !components->is(Json::Kind::list))
      model_.fail(json_.line, "has no list of components; write it by sst --output-json FILE.json CONFIG.py");
    // Newer versions call them shared.
    for (const char* const name : {"global_params", "shared_params"}) {
      if (const Json* const sets = json_.find(name); sets != nullptr) global_sets(*sets);
    }
    for (const auto& [none, json] : components->members) {
      model_.components.push_back(component(json, false));
      const std::string& name = model_.components.back().name;
      if (!places_.emplace(name, static_cast<u32>(model_.components.size() - 1)).second)
        model_.fail(json.line, fmt::format("component {} is there twice; check the file", shown(name)));
    }
    if (links == nullptr || !links->is(Json::Kind::list) || (links->members.empty() && model_.components.size() > 1)) {
      model_.fail(links == nullptr ? json_.line : links->line,
                  "has no links, as files of SST before version 10 (or the file is cut off); write it by a newer sst");
    }
    for (const auto& [none, json] : links->members) link(json);
    return std::move(model_);
  }

 private:
  const std::string& text(const Json& from, const char* name) const {
    const Json* const found = from.find(name);
    if (found == nullptr || !found->is(Json::Kind::text))
      model_.fail(from.line,
                  fmt::format("has no text \"{}\"; check that the file is whole, and of sst --output-json", name));
    return found->text;
  }

  static Parameter parameter(const Json& json) {
    Parameter read{.value = json.text, .line = json.line};
    if (json.is(Json::Kind::list)) {
      read.value = "[";
      for (const auto& [none, one] : json.members)
        read.value += fmt::format("{}{}", read.value.size() > 1 ? ", " : "", one.text);
      read.value += "]";
    }
    return read;
  }

  /// {"name": "value"}, or as older versions have it [{"name": ..., "value": ...}].
  static void parameters(const Json& json, std::map<std::string, Parameter>& into) {
    for (const auto& [name, value] : json.members) {
      if (json.is(Json::Kind::object)) {
        into[name] = parameter(value);
      } else if (const Json* const key = value.find("name"), * const of = value.find("value");
                 key != nullptr && of != nullptr) {
        into[key->text] = parameter(*of);
      }
    }
  }

  void global_sets(const Json& json) {
    for (const auto& [name, set] : json.members) parameters(set, sets_[name]);
  }

  Component component(const Json& json, bool part) const {
    Component read{.name = part ? "" : text(json, "name"),
                   .type = text(json, "type"),
                   .slot = "",
                   .line = json.line,
                   .params = {},
                   .parts = {}};
    if (const Json* const slot = json.find("slot_name"); slot != nullptr) read.slot = slot->text;
    for (const char* const key : {"params_global_sets", "params_shared_sets"}) {
      const Json* const sets = json.find(key);
      if (sets == nullptr) continue;
      for (const auto& [none, set] : sets->members) {
        const auto found = sets_.find(set.text);
        if (found == sets_.end()) {
          if (set.text.find("<") != std::string::npos) continue;  // "<set_name>": those of sst itself
          model_.fail(
              set.line,
              fmt::format("names the set of parameters {}, which the file has not; check that the file is whole",
                          shown(set.text)));
        }
        for (const auto& [name, value] : found->second) read.params[name] = value;
      }
    }
    if (const Json* const own = json.find("params"); own != nullptr) parameters(*own, read.params);
    if (const Json* const parts = json.find("subcomponents"); parts != nullptr) {
      for (const auto& [none, one] : parts->members) read.parts.push_back(component(one, true));
    }
    return read;
  }

  /// Parts are named by the component that they are in, "nic.0:networkIF".
  Link::End end(const Json& link, const char* side) const {
    const Json* const json = link.find(side);
    if (json == nullptr || !json->is(Json::Kind::object))
      model_.fail(link.line, fmt::format("is a link without its end \"{}\"; check that the file is whole", side));
    const std::string& whole = text(*json, "component");
    auto found = places_.find(whole);
    if (found == places_.end()) found = places_.find(whole.substr(0, whole.find(':')));
    if (found == places_.end())
      model_.fail(json->line,
                  fmt::format("links component {}, which is not there; check that the file is whole", shown(whole)));
    const Json* const latency = json->find("latency");
    return {found->second, text(*json, "port"), latency == nullptr ? "" : latency->text};
  }

  void link(const Json& json) {
    if (!json.is(Json::Kind::object)) model_.fail(json.line, "is no link; check the file");
    Link read;
    read.line = json.line;
    read.left = end(json, "left");
    read.right = end(json, "right");
    model_.links.push_back(std::move(read));
  }

  Json json_;
  Model model_;
  std::map<std::string, std::map<std::string, Parameter>> sets_;
  std::map<std::string, u32> places_;
};

}  // namespace

const Component* Component::part_of_type(std::string_view wanted) const {
  if (type.starts_with(wanted)) return this;
  for (const Component& part : parts) {
    if (const Component* const found = part.part_of_type(wanted)) return found;
  }
  return nullptr;
}

const Component* Component::part_in_slot(std::string_view wanted) const {
  for (const Component& part : parts) {
    if (part.slot == wanted) return &part;
    if (const Component* const found = part.part_in_slot(wanted)) return found;
  }
  return nullptr;
}

const Parameter* Component::find(std::string_view wanted) const {
  if (const auto found = params.find(std::string(wanted)); found != params.end()) return &found->second;
  for (const Component& part : parts) {
    if (const Parameter* const found = part.find(wanted)) return found;
  }
  return nullptr;
}

void Model::fail(u64 line, const std::string& what) const {
  throw ConfigError(fmt::format("{}:{}: {}", shown(file), line, what));
}

Model read_model(const ForeignFile& file) { return ModelReader(file).model(); }

}  // namespace weft::tools::sst
