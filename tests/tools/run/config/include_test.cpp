// Configs that include others: what wins, which directory paths start at, and errors that name the whole way.
#include <nlohmann/json.hpp>

#include "tests/tools/run/config/config_file.hpp"

namespace weft::tools {
namespace {

using testing::contains;

struct Include : testing::ConfigFile {
  void write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = directory_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  std::string at(const std::string& name) const { return (directory_ / name).string(); }

  const std::string torus_ = "[topology]\nkind = \"torus\"\ndims = [4, 4]\n";
};

TEST_F(Include, ValuesOfTheFileWinOverThoseItIncludesAndLaterFilesOverEarlierOnes) {
  write("a.toml", "format = 1\n[router]\nqueue_packets = 5\nvirtual_channels = 5\ninjection_queues = 5\n");
  write("b.toml", "[router]\nvirtual_channels = 6\ninjection_queues = 6\n");
  const Config config = load_whole("include = [\"a.toml\", \"b.toml\"]\n" + torus_ + "[router]\ninjection_queues = 7\n",
                                   {"topology.dims=[2, 2]"});
  EXPECT_EQ(config.integer("router.queue_packets"), 5);
  EXPECT_EQ(config.integer("router.virtual_channels"), 6);
  EXPECT_EQ(config.integer("router.injection_queues"), 7);
  EXPECT_EQ(config.integers("topology.dims"), (std::vector<i64>{2, 2}));
  EXPECT_EQ(config.integer("format"), 1) << "the format may come from an included file";
  EXPECT_EQ(config.files(), (std::vector<std::string>{path_, at("a.toml"), at("b.toml")}));
}

TEST_F(Include, WinsWhereverTheKeyStandsAmongItsEqualsAndNeedsNoOtherContent) {
  write("a.toml", "format = 1\n" + torus_);
  EXPECT_EQ(load_whole("include = \"a.toml\"").integers("topology.dims"), (std::vector<i64>{4, 4}));
  EXPECT_EQ(load_whole("topology.dims = [2, 2]\ninclude = \"a.toml\"").integers("topology.dims"),
            (std::vector<i64>{2, 2}));
}

TEST_F(Include, AFormatIsNeededSomewhere) {
  write("a.toml", torus_);
  EXPECT_THROW(load_whole("include = \"a.toml\""), ConfigError);
}

TEST_F(Include, PlacesNameTheFileThatGivesTheValue) {
  write("sub/a.toml", "[router]\nqueue_packets = 5\n");
  const Config config = load("include = \"sub/a.toml\"\n");
  EXPECT_EQ(config.place("router.queue_packets"), at("sub/a.toml") + ":2");
  EXPECT_EQ(config.place("format"), path_ + ":1");
  write("sub/a.toml", torus_ + "[router]\nbubble_packets = 7\n");
  EXPECT_TRUE(contains(validation_error("include = \"sub/a.toml\"\n"), at("sub/a.toml") + ":5: router.bubble_packets"));
}

TEST_F(Include, RelativePathsStartAtTheFileThatGivesThem) {
  write("sub/deep/a.toml", "[workload]\npath = \"../t/a.trc\"\n[placement]\npath = \"/abs/p.txt\"\n");
  write("sub/b.toml",
        "include = \"deep/a.toml\"\n[parallel]\npartition_path = \"ranks.txt\"\n[checkpoint]\npath = \"c.h5\"\n");
  const Config config = load("include = \"sub/b.toml\"\n[parallel]\nweights = \"w.h5\"\n");
  EXPECT_EQ(config.resolve_path(config.text("workload.path")), at("sub/t/a.trc"));
  EXPECT_EQ(config.resolve_path(config.text("placement.path")), "/abs/p.txt");
  EXPECT_EQ(config.resolve_path(config.text("parallel.partition_path")), at("sub/ranks.txt"));
  EXPECT_EQ(config.resolve_path(config.text("parallel.weights")), at("w.h5"));
  EXPECT_EQ(config.text("checkpoint.path"), "c.h5") << "an output: relative to the working directory";
  const Config overridden = load("include = \"sub/b.toml\"\n", {"workload.path=c.trc"});
  EXPECT_EQ(overridden.resolve_path(overridden.text("workload.path")), at("c.trc"));
}

TEST_F(Include, TheCanonicalTextIsThatOfOneFile) {
  write("sub/a.toml", "[workload]\nkind = \"trace\"\npath = \"t/a.trc\"\n" + torus_);
  write("b.toml", "[placement]\npath = \"./p.txt\"\n");
  const Config config = load("include = [\"sub/a.toml\", \"b.toml\"]\n[router]\nqueue_packets = 5\n");
  const Config flat = load("[workload]\nkind = \"trace\"\npath = \"sub/t/a.trc\"\n" + torus_ +
                           "[placement]\npath = \"./p.txt\"\n[router]\nqueue_packets = 5\n");
  EXPECT_EQ(config.toml(), flat.toml());
  EXPECT_EQ(config.hash(), flat.hash());
  EXPECT_EQ(config.to_json(), flat.to_json());
  EXPECT_EQ(load_whole(config.toml()).hash(), config.hash()) << "read from the directory of the first file";
}

TEST_F(Include, AbsoluteIncludesKeepAbsolutePaths) {
  write("sub/a.toml", "[workload]\npath = \"a.trc\"\n");
  EXPECT_EQ(load("include = \"" + at("sub/a.toml") + "\"\n").text("workload.path"), at("sub/a.trc"));
}

TEST_F(Include, ErrorsInIncludedFilesNameTheWholeWay) {
  write("a.toml", "\ninclude = \"sub/b.toml\"\n");
  write("sub/b.toml", "[router]\nqeue_packets = 5\n");
  EXPECT_EQ(load_error("include = \"a.toml\"\n"),
            path_ + ":2: include: " + at("a.toml") + ":2: include: " + at("sub/b.toml") +
                ":2: unknown key router.qeue_packets; did you mean router.queue_packets (packets)?");
  write("sub/b.toml", "include = \"none.toml\"\n");
  EXPECT_TRUE(contains(load_error("include = \"a.toml\"\n"), at("sub/b.toml") + ":1: include: " + at("sub/none.toml") +
                                                                 ": cannot read the config file (No such"));
}

TEST_F(Include, FilesThatIncludeThemselvesAreRefused) {
  EXPECT_TRUE(contains(load_error("include = \"run.toml\"\n"), path_ + ": includes itself"));
  write("sub/a.toml", "include = \"../sub/../b.toml\"\n");
  write("b.toml", "include = \"sub/a.toml\"\n");
  EXPECT_TRUE(contains(load_error("include = \"sub/a.toml\"\n"), at("sub/a.toml") + ": includes itself"));
}

TEST_F(Include, FilesThatOnlyLookLikeOthersEndSomewhere) {
  std::filesystem::create_directory_symlink(directory_, directory_ / "again");
  EXPECT_TRUE(contains(load_error("include = \"again/run.toml\"\n"), "more than 8 deep"));
}

TEST_F(Include, ManyFilesThatIncludeManyAreRefusedSoon) {
  const auto many = [](const std::string& name) {
    std::string list = "include = [";
    for (int ix = 0; ix < 50; ++ix) list += "\"" + name + "\", ";
    return list + "]\n";
  };
  write("a.toml", many("b.toml"));
  write("b.toml", many("c.toml"));
  write("c.toml", "");
  EXPECT_TRUE(contains(load_error(many("a.toml")), "is file 101 of this config (at most 100"));
}

TEST_F(Include, OfAnythingButFileNamesIsRefused) {
  for (const char* value : {"1", "\"\"", "[]", "[1]", "[\"a.toml\", [\"b.toml\"]]", "{ a = 1 }"}) {
    EXPECT_TRUE(contains(load_error(std::string("include = ") + value + "\n"), path_ + ":2: include is no config file"))
        << value;
  }
  EXPECT_TRUE(contains(load_error("[router]\ninclude = \"a.toml\"\n"), "unknown key router.include"));
  EXPECT_TRUE(contains(load_error("includes = \"a.toml\"\n"), "did you mean include?"));
  EXPECT_TRUE(contains(load_error("", {"include=a.toml"}), "only a file can include others"));
}

TEST_F(Include, AReadErrorOfAnIncludedFileIsNotItsEnd) {
  EXPECT_THROW(load("include = \"/proc/self/mem\"\n"), SystemError);
  EXPECT_THROW(static_cast<void>(Config::load("/proc/self/mem")), SystemError);
}

TEST_F(Include, MoreOverridesDoNotReadTheFilesAgain) {
  const Config config = load(torus_, {"router.queue_packets=5"});
  std::filesystem::remove(path_);
  const Config more = config.with({"router.virtual_channels=2", "router.queue_packets=6"});
  EXPECT_EQ(more.integer("router.queue_packets"), 6);
  EXPECT_EQ(more.integer("router.virtual_channels"), 2);
  EXPECT_EQ(more.integers("topology.dims"), (std::vector<i64>{4, 4}));
  EXPECT_EQ(config.integer("router.queue_packets"), 5);
  EXPECT_THROW(static_cast<void>(config.with({"router.queue_packets=0"})), ConfigError);
}

}  // namespace
}  // namespace weft::tools
