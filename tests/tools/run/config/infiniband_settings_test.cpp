// What is said against settings of InfiniBand switches, and of files that only they read, with the key and its place.
#include "tests/tools/run/config/config_file.hpp"

namespace weft::tools {
namespace {

using testing::contains;

struct InfinibandSettings : testing::ConfigFile {
  using Overrides = std::vector<std::string>;
  const std::string torus_ =
      "[topology]\nkind = \"torus\"\ndims = [4, 4]\n[router]\nkind = \"infiniband\"\n"
      "[workload]\nkind = \"synthetic\"\noffered_load = 0.1\n[simulation]\ncycles = 100\n";
  [[nodiscard]] std::string error(const Overrides& overrides) const { return validation_error(torus_, overrides); }
};

TEST_F(InfinibandSettings, AreTakenWhereTheyFitTogether) {
  EXPECT_EQ(error({}), "");
  EXPECT_EQ(error({"router.virtual_channels=2", "router.sl_shares=[3,1]", "router.sl2vl=[1,0]", "router.vl_high=1:33",
                   "router.vl_low=0:99,1:0", "router.vl_high_limit=255", "router.route_per=flow"}),
            "");
  EXPECT_EQ(error({"router.engine=minhop", "router.sl_by=layers", "packet.phits=65"}), "");
  EXPECT_EQ(load(torus_, {}).integer("packet.phit_bytes"), 64) << "a usual value";
}

TEST_F(InfinibandSettings, NameTheKeyAndWhatToDo) {
  EXPECT_TRUE(contains(error({"router.vl_low=0:1"}), "router.vl_low = \"0:1\" leaves VL 1 without a weight"));
  EXPECT_TRUE(contains(error({"router.vl_high=1"}), "has an entry '1' that is no VL:WEIGHT; write for example"));
  EXPECT_TRUE(contains(error({"router.scheduling=islip"}), "use scheduling = \"vl-arbitration\""));
  EXPECT_TRUE(contains(error({"router.sl2vl=[0,8]"}), "router.sl2vl = [0, 8] gives SL 1 the lane 8"));
  EXPECT_TRUE(contains(error({"router.sl_shares=[1]", "router.sl_by=layers"}), "remove one of them"));
  EXPECT_TRUE(contains(error({"router.kind=switch", "router.scheduling=vl-arbitration"}),
                       "fits router.kind = \"infiniband\" alone"));
}

TEST_F(InfinibandSettings, LanesOfAFabricAreForThemAlone) {
  const std::string data = std::string(WEFT_TEST_DATA) + "/fabrics/dfly-4-2-2/";
  const std::string fabric = "[topology]\nkind = \"file\"\npath = \"" + data + "ibnetdiscover.txt\"\nsl2vl = \"" +
                             data +
                             "dfsssp/opensm-sl2vl.dump.xz\"\n[workload]\nkind = \"synthetic\"\noffered_load = 0.1\n"
                             "[simulation]\ncycles = 100\n";
  EXPECT_EQ(validation_error(fabric, {"router.kind=infiniband"}), "");
  EXPECT_TRUE(contains(validation_error(fabric, {"router.kind=forwarding-table"}), "topology.sl2vl"));
  EXPECT_TRUE(contains(validation_error(fabric, {"router.kind=switch", "router.routing=forwarding-table"}),
                       "has no effect (service levels are for InfiniBand switches)"));
}

}  // namespace
}  // namespace weft::tools
