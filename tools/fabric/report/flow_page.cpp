// Reads bandwidths of patterns and draws them; see the header.
#include "tools/fabric/report/flow_page.hpp"

#include "engine/base/file/hdf5_file.hpp"
#include "tools/fabric/report/state_page.hpp"

namespace weft::tools {

bool is_flow_file(const std::string& format) { return format.starts_with("weft fabric ebb"); }

FlowFile read_flow_file(const std::string& path, const std::string& name) {
  const files::Hdf5Reader file(path);
  FlowFile read;
  read.name = name;
  file.scalar("/fabric/name", read.fabric);
  file.scalar("/fabric/hosts", read.hosts);
  file.scalar("/fabric/routing", read.routing);
  file.scalar("/experiment/pattern", read.pattern);
  file.scalar("/experiment/patterns", read.patterns);
  file.scalar("/bandwidth/mean", read.mean);
  file.scalar("/bandwidth/ci95", read.ci95);
  file.scalar("/bandwidth/min", read.min);
  file.scalar("/bandwidth/max", read.max);
  file.column("/bandwidth/by_pattern", read.by_pattern);
  return read;
}

void add_flow_files(page::Page& page, const std::vector<FlowFile>& files) {
  using page::Json;
  if (files.empty()) return;
  page.section("fabrics", "Bandwidth of fabrics");
  Json rows = Json::array();
  std::vector<BisectSeries> curves;
  for (const FlowFile& file : files) {
    rows.push_back({file.name, file.fabric, file.hosts, file.routing, file.pattern, file.patterns,
                    page::cell(file.mean, file.ci95), page::cell(file.min), page::cell(file.max)});
    curves.push_back({file.name, file.by_pattern});
  }
  page.figure({{"kind", "table"},
               {"columns",
                {{{"label", "result"}, {"text", true}},
                 {{"label", "fabric"}, {"text", true}},
                 {{"label", "hosts"}},
                 {{"label", "routing"}, {"text", true}},
                 {{"label", "pattern"}, {"text", true}},
                 {{"label", "patterns"}},
                 {{"label", "bandwidth"}, {"quantity", "share"}},
                 {{"label", "least"}, {"quantity", "share"}},
                 {{"label", "largest"}, {"quantity", "share"}}}},
               {"rows", rows},
               {"select", 0},
               {"wide", true}});
  add_bisect_curves(page, "Bandwidth of patterns", curves);
}

}  // namespace weft::tools
