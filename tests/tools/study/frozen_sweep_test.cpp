// What was frozen is run, whatever is edited later; and what cannot be kept (traces) is noticed.
#include "tools/study/frozen_sweep.hpp"

#include "engine/base/error.hpp"
#include "tests/tools/study/sweep_file.hpp"

namespace weft::tools::sweep {
namespace {

class FrozenSweepTest : public testing::SweepFile {
 protected:
  FrozenSweep frozen(const std::string& text) const {
    const SweepStudy read = study(text);
    return freeze(read, sweep_points(read));
  }
  /// The config that a job runs for a point.
  static Config config_of(const FrozenSweep& sweep, const SweepPoint& point) {
    return Config::load(sweep.study.base, point.settings);
  }
  template <class F>
  static std::string input_error(F&& act) {
    try {
      act();
    } catch (const InputError& refused) {
      return refused.what();
    }
    return "";
  }
};

TEST_F(FrozenSweepTest, EditsAfterwardsChangeNoPoint) {
  const FrozenSweep before = frozen(head + "repeat = 2\nset = [\"packet.phits=8\"]\n" + loads);
  const auto first = config_of(before, before.points[0]).toml();
  write("base.toml", "format = 1\n[topology]\ndims = [8, 8]\n");
  write("study.toml", head + "[[sweep.axis]]\nkey = \"workload.offered_load\"\nvalues = [0.9, 0.1]\n");
  const FrozenSweep after = load_frozen(before.path);
  ASSERT_EQ(after.points.size(), before.points.size());
  for (std::size_t ix = 0; ix < after.points.size(); ++ix) {
    EXPECT_EQ(after.points[ix].name, before.points[ix].name);
    EXPECT_EQ(after.points[ix].values, before.points[ix].values);
    EXPECT_EQ(config_of(after, after.points[ix]).toml(), config_of(before, before.points[ix]).toml());
  }
  EXPECT_EQ(config_of(after, after.points[0]).toml(), first);
  EXPECT_EQ(config_of(after, after.points[0]).integers("topology.dims"), (std::vector<i64>{4, 4}));
  EXPECT_EQ(config_of(after, after.points[0]).integer("packet.phits"), 8);
  EXPECT_EQ(after.study.out, (directory_ / "study").string());
  EXPECT_EQ(after.study.name, "study");
}

TEST_F(FrozenSweepTest, TheConfigIsThatOfThePointWithItsName) {
  const SweepStudy read = study(head + loads);
  for (const SweepPoint& point : freeze(read, sweep_points(read)).points) {
    EXPECT_TRUE(point.name.ends_with(point.hash()));
    EXPECT_EQ(config_of(freeze(read, {point}), point).hash(), read.config.with(point.settings).hash());
  }
}

TEST_F(FrozenSweepTest, TheSameSweepIsFrozenToTheSamePlace) {
  const std::string first = frozen(head + loads).path;
  EXPECT_EQ(frozen(head + loads).path, first);
  EXPECT_NE(frozen(head + "ranks = 2\n" + loads).path, first);
}

TEST_F(FrozenSweepTest, FilesAreNamedAsSeenFromEverywhereAlsoWhereAnAxisHasThem) {
  write("base.toml",
        "format = 1\n[topology]\nkind = \"torus\"\ndims = [4, 4]\n[workload]\nkind = \"trace\"\npath = \"a.trc\"\n");
  write("a.trc", "a");
  write("b.trc", "b");
  const FrozenSweep sweep =
      load_frozen(frozen(head + "[[sweep.axis]]\nkey = \"workload.path\"\nvalues = [\"a.trc\", \"b.trc\"]\n").path);
  EXPECT_EQ(config_of(sweep, sweep.points[1]).text("workload.path"), (directory_ / "b.trc").string());
  EXPECT_EQ(sweep.inputs.size(), 2u);
  write("b.trc", "c");
  EXPECT_EQ(input_error([&] { check_inputs(sweep, sweep.points[0]); }), "");
  EXPECT_TRUE(contains(input_error([&] { check_inputs(sweep, sweep.points[1]); }), "b.trc' has changed since"));
  std::filesystem::remove(directory_ / "a.trc");
  EXPECT_TRUE(contains(input_error([&] { check_inputs(sweep, sweep.points[0]); }), "a.trc' has changed since"));
}

TEST_F(FrozenSweepTest, AFrozenFileThatWasChangedIsRefused) {
  const FrozenSweep sweep = frozen(head + loads);
  for (const char* name : {"base.toml", "study.toml", "sweep.json"}) {
    const std::string path = (std::filesystem::path(sweep.path).parent_path() / name).string();
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::ofstream(path) << text.substr(0, text.size() - 3);
    EXPECT_TRUE(contains(input_error([&] { static_cast<void>(load_frozen(sweep.path)); }), "submit the study again"))
        << name;
    std::ofstream(path) << text;
  }
  EXPECT_EQ(load_frozen(sweep.path).points.size(), 2u);
}

}  // namespace
}  // namespace weft::tools::sweep
