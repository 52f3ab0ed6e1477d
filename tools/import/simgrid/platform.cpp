// Reads SimGrid's XML: its elements one after the other, zones with what is in them.
#include "tools/import/simgrid/platform.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <pugixml.hpp>
#include <set>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/words.hpp"
#include "tools/import/simgrid/element.hpp"
#include "tools/import/simgrid/quantities.hpp"

namespace weft::tools::simgrid {
namespace {

class PlatformReader {
 public:
  PlatformReader(const ForeignFile& file, Platform& platform, Given& given)
      : file_(file), platform_(platform), given_(given) {
    const pugi::xml_parse_result result = document_.load_buffer(file.text.data(), file.text.size());
    if (!result) {
      throw ConfigError(fmt::format("{}: is no whole XML ({}); get the file again", place_at(result.offset),
                                    lower(result.description())));
    }
  }

  void read() {
    const pugi::xml_node root = document_.child("platform");
    if (root.empty())
      throw ConfigError(fmt::format("{}: there is no <platform>; check which file it is", shown(file_.path)));
    note(root, "platform");
    const std::string version = root.attribute("version").value();
    if (version.empty() || version.front() < '3' || version.front() > '4') {
      throw ConfigError(
          fmt::format("{}: <platform version=\"{}\"> is no version that is read (3, 4 and 4.1 are); convert it with "
                      "simgrid_update_xml",
                      place_of(root), shown(version)));
    }
    contents(root, 0);
  }

 private:
  [[nodiscard]] std::string place_at(std::ptrdiff_t offset) {
    const auto end =
        static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(offset, 0, static_cast<std::ptrdiff_t>(file_.text.size())));
    if (end < counted_) counted_ = 0, line_ = 1;
    const auto begin = file_.text.begin();
    line_ += static_cast<u64>(
        std::count(begin + static_cast<std::ptrdiff_t>(counted_), begin + static_cast<std::ptrdiff_t>(end), '\n'));
    counted_ = end;
    return fmt::format("{}:{}", shown(file_.path), line_);
  }
  [[nodiscard]] std::string place_of(pugi::xml_node node) { return place_at(node.offset_debug()); }

  Element note(pugi::xml_node node, const std::string& name) {
    Element element(node, name, place_of(node));
    for (const pugi::xml_attribute attribute : node.attributes())
      given_.add(element.place(), name, attribute.name(), attribute.value());
    return element;
  }

  /// All that a <platform> or a zone has.
  void contents(pugi::xml_node zone, int depth) {
    constexpr int deepest = 100;
    if (depth > deepest) throw ConfigError(fmt::format("{}: zones are too deep", place_of(zone)));
    for (const pugi::xml_node node : zone.children()) {
      if (node.type() != pugi::node_element) continue;
      const std::string name = node.name();
      if (name == "zone" || name == "AS") {
        read_zone(node, depth);
      } else if (const auto reader = readers().find(name); reader != readers().end()) {
        (this->*reader->second)(node);
      } else {
        given_.add_unknown(place_of(node), shown(name));
      }
    }
  }

  using Reader = void (PlatformReader::*)(pugi::xml_node);
  static const std::map<std::string, Reader>& readers() {
    static const std::map<std::string, Reader> all{
        {"config", &PlatformReader::config},       {"cluster", &PlatformReader::cluster},
        {"cabinet", &PlatformReader::cabinet},     {"host", &PlatformReader::host},
        {"router", &PlatformReader::router},       {"link", &PlatformReader::link},
        {"route", &PlatformReader::route},         {"zoneRoute", &PlatformReader::zone_route},
        {"ASroute", &PlatformReader::zone_route},  {"actor", &PlatformReader::actor},
        {"process", &PlatformReader::actor},       {"backbone", &PlatformReader::backbone},
        {"host_link", &PlatformReader::host_link}, {"prop", &PlatformReader::property},
        {"include", &PlatformReader::include},
    };
    return all;
  }

  void read_zone(pugi::xml_node node, int depth) {
    const Element zone = note(node, "zone");
    if (lower(zone.text("routing")) == "vivaldi")
      zone.fail("has routing = \"Vivaldi\": latencies by coordinates, without links, are not known here; use Full");
    const std::string before = zone_;
    zone_ = zone.text("id");
    backbone_of_[zone_] = "";
    contents(node, depth + 1);
    if (lower(zone.text("routing")) == "cluster") join_cluster_zone();
    zone_ = before;
  }

  void property(pugi::xml_node node) { note(node, "prop"); }

  void include(pugi::xml_node node) {
    note(node, "include").fail("names another file, which is not read; put its contents here");
  }

  void config(pugi::xml_node node) {
    note(node, "config");
    for (const pugi::xml_node prop : node.children("prop")) {
      std::string id = prop.attribute("id").value();
      // Older versions have "smpi/cpu_threshold".
      std::ranges::replace(id, '_', '-');
      const std::string value = prop.attribute("value").value(), place = place_of(prop);
      given_.add(place, "config", id, value);
      platform_.properties[id] = value;
      platform_.property_places[id] = place;
    }
  }

  /// Names of the hosts of a cluster or cabinet, all alike.
  std::vector<Host> hosts_of(const Element& element) {
    const auto numbers = radical(element.needed("radical"));
    if (!numbers) {
      element.fail(
          fmt::format("radical = \"{}\" is no list of numbers (or of more than a million); write for example "
                      "0-99,105",
                      shown(element.text("radical"))));
    }
    const double speed = element.speed("speed");
    const i64 cores = element.count("core");
    std::vector<Host> hosts;
    for (const i64 number : *numbers)
      hosts.push_back({fmt::format("{}{}{}", element.text("prefix"), number, element.text("suffix")), speed, cores});
    return hosts;
  }
  static Cable cable_of(const Element& element, const char* bandwidth, const char* latency) {
    const Cable cable{element.bandwidth(bandwidth), element.duration(latency)};
    constexpr double least = 1, most = 1e15, longest = 100;
    if (!(cable.bandwidth >= least && cable.bandwidth <= most)) {
      element.fail(fmt::format("has no {} from {} to {} bytes/s; write for example 125MBps", bandwidth, least, most));
    }
    if (!(cable.latency <= longest))
      element.fail(fmt::format("has a {} above {} s; write for example 50us", latency, longest));
    return cable;
  }

  void cluster(pugi::xml_node node) {
    const Element element = note(node, "cluster");
    inner(node);
    Cluster one{.id = element.needed("id"), .place = element.place()};
    one.hosts = hosts_of(element);
    one.link = cable_of(element, "bw", "lat");
    one.topology = element.has("topology") ? element.text("topology") : "FLAT";
    one.parameters = element.text("topo_parameters");
    const std::string usual = fmt::format("{}{}_router{}", element.text("prefix"), one.id, element.text("suffix"));
    one.router = element.has("router_id") ? element.text("router_id") : usual;
    if (element.has("bb_bw")) one.backbone = cable_of(element, "bb_bw", "bb_lat");
    if (element.has("loopback_bw")) one.loopback = cable_of(element, "loopback_bw", "loopback_lat");
    one.limiter = element.bandwidth("limiter_link");
    one.half_duplex = lower(element.text("sharing_policy")) == "shared";
    platform_.clusters.push_back(std::move(one));
  }

  /// Properties of a host, link or cluster, and what else is in it.
  void inner(pugi::xml_node node) {
    for (const pugi::xml_node child : node.children()) {
      if (child.type() != pugi::node_element) continue;
      const std::string name = child.name();
      if (name == "prop")
        note(child, "prop");
      else if (name != "link_ctn" && name != "argument")
        given_.add_unknown(place_of(child), shown(name));
    }
  }

  void cabinet(pugi::xml_node node) {
    const Element element = note(node, "cabinet");
    const Cable cable = cable_of(element, "bw", "lat");
    for (const Host& host : hosts_of(element)) join_host(host, cable, element.place());
  }
  /// A host with a link of its own to the router of its zone.
  void join_host(const Host& host, const Cable& cable, const std::string& place) {
    const std::string link = host.name + "_link";
    platform_.hosts.push_back(host);
    add_link({link, cable});
    platform_.routes.push_back({host.name, inside_zone(), {link}, place});
  }
  /// Where the hosts of a zone with routing = "Cluster" meet, and its router beyond the backbone.
  [[nodiscard]] std::string inside_zone() const { return zone_ + "_hosts"; }

  void host(pugi::xml_node node) {
    const Element element = note(node, "host");
    inner(node);
    const char* const speed = element.has("speed") ? "speed" : "power";
    platform_.hosts.push_back({element.needed("id"), element.speed(speed), element.count("core")});
  }
  void router(pugi::xml_node node) {
    const Element element = note(node, "router");
    platform_.routers.push_back(element.needed("id"));
    router_of_[zone_] = element.text("id");
  }
  void link(pugi::xml_node node) {
    const Element element = note(node, "link");
    inner(node);
    add_link({element.needed("id"), cable_of(element, "bandwidth", "latency"),
              lower(element.text("sharing_policy")) == "fatpipe"});
  }
  void add_link(Link link) {
    links_.insert(link.name);
    platform_.links.push_back(std::move(link));
  }
  void backbone(pugi::xml_node node) {
    const Element element = note(node, "backbone");
    add_link({element.needed("id"), cable_of(element, "bandwidth", "latency")});
    backbone_of_[zone_] = element.text("id");
  }
  void host_link(pugi::xml_node node) {
    const Element element = note(node, "host_link");
    platform_.routes.push_back({element.needed("id"), inside_zone(), {base_of(element.needed("up"))}, element.place()});
  }
  /// Ends of a zone with routing = "Cluster": its hosts' meeting place is joined to its router.
  void join_cluster_zone() {
    const std::string backbone = backbone_of_[zone_];
    platform_.routers.push_back(inside_zone());
    if (!router_of_.contains(zone_)) return;
    platform_.routes.push_back({inside_zone(), router_of_[zone_],
                                backbone.empty() ? std::vector<std::string>{} : std::vector{backbone}, file_.path});
  }

  void route(pugi::xml_node node) {
    const Element element = note(node, "route");
    add_route(node, element.needed("src"), element.needed("dst"), element.place());
  }
  void zone_route(pugi::xml_node node) {
    const Element element = note(node, "zoneRoute");
    add_route(node, element.needed("gw_src"), element.needed("gw_dst"), element.place());
  }
  /// "l1" of "l1_UP".
  static std::string base_of(const std::string& link) {
    for (const char* const end : {"_UP", "_DOWN"}) {
      if (link.ends_with(end)) return link.substr(0, link.size() - std::string_view(end).size());
    }
    return link;
  }
  void add_route(pugi::xml_node node, const std::string& from, const std::string& to, const std::string& place) {
    Route route{.from = from, .to = to, .place = place};
    for (const pugi::xml_node child : node.children()) {
      if (child.type() != pugi::node_element) continue;
      if (std::string_view(child.name()) != "link_ctn") {
        given_.add_unknown(place_of(child), shown(child.name()));
        continue;
      }
      const std::string id = note(child, "link_ctn").needed("id");
      route.links.push_back(links_.contains(id) ? id : base_of(id));
    }
    platform_.routes.push_back(std::move(route));
  }

  void actor(pugi::xml_node node) {
    const Element element = note(node, "actor");
    Actor actor{.file = file_.path, .host = element.needed("host"), .place = element.place()};
    for (const pugi::xml_node child : node.children("argument"))
      actor.arguments.push_back(note(child, "argument").text("value"));
    inner(node);
    platform_.actors.push_back(std::move(actor));
  }

  const ForeignFile& file_;
  Platform& platform_;
  Given& given_;
  pugi::xml_document document_;
  std::size_t counted_ = 0;  ///< bytes whose line breaks are in line_
  u64 line_ = 1;
  std::set<std::string> links_;                                 ///< names
  std::string zone_;                                            ///< in which the reader is
  std::map<std::string, std::string> backbone_of_, router_of_;  ///< by zone
};

}  // namespace

bool is_platform(std::string_view text) {
  constexpr std::size_t head = 1 << 16;
  return text.substr(0, head).find("<platform") != std::string_view::npos;
}

bool is_command(std::string_view text) {
  constexpr std::size_t head = 1 << 12;
  const std::string_view begin = text.substr(0, head);
  return begin.find("--cfg=") != std::string_view::npos || begin.find("smpirun ") != std::string_view::npos;
}

void read_command(const ForeignFile& file, Platform& platform, Given& given) {
  u64 number = 0;
  std::string_view text = file.text;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string place = fmt::format("{}:{}", shown(file.path), ++number);
    for (const std::string& word : listed_words(text.substr(0, end), " \t\r\\\"'")) {
      constexpr std::string_view begin = "--cfg=";
      const std::size_t colon = word.find(':');
      if (!word.starts_with(begin) || colon == std::string::npos) continue;
      std::string id = word.substr(begin.size(), colon - begin.size());
      std::ranges::replace(id, '_', '-');
      given.add(place, "config", id, word.substr(colon + 1));
      platform.properties[id] = word.substr(colon + 1);
      platform.property_places[id] = place;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void read_platform(const ForeignFile& file, Platform& platform, Given& given) {
  if (platform.file.empty()) platform.file = file.path;
  PlatformReader(file, platform, given).read();
}

}  // namespace weft::tools::simgrid
