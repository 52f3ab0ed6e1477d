// Loading: what is accepted, what is refused, and what the messages name.
#include <utility>

#include "tests/tools/run/config/config_file.hpp"

namespace weft::tools {
namespace {

using testing::contains;

struct Load : testing::ConfigFile {};

TEST_F(Load, GivenValuesAreReadAndAllOthersHaveTheirDefaults) {
  const Config config = load(
      "[topology]\nkind = \"torus\"\ndims = [8, 4]\n[router]\nqueue_packets = 7\n[deadlock]\nunsafe = true\n"
      "[workload]\noffered_load = 0.25\n");
  EXPECT_EQ(config.text("topology.kind"), "torus");
  EXPECT_EQ(config.integers("topology.dims"), (std::vector<i64>{8, 4}));
  EXPECT_EQ(config.integer("router.queue_packets"), 7);
  EXPECT_TRUE(config.flag("deadlock.unsafe"));
  EXPECT_EQ(config.real("workload.offered_load"), 0.25);
  EXPECT_EQ(config.integer("router.virtual_channels"), 3);
  EXPECT_EQ(config.text("router.arbitration"), "random");
  EXPECT_TRUE(config.given("router.queue_packets"));
  EXPECT_FALSE(config.given("router.virtual_channels"));
}

TEST_F(Load, ASettingWithoutValueAndDefaultIsZeroOrEmpty) {
  const Config config = load("");
  EXPECT_EQ(config.integer("topology.levels"), 0);
  EXPECT_EQ(config.text("workload.path"), "");
  EXPECT_TRUE(config.integers("topology.dims").empty());
}

TEST_F(Load, AnIntegerIsAcceptedWhereARealIsWanted) {
  EXPECT_EQ(load("[workload]\noffered_load = 1\n").real("workload.offered_load"), 1.0);
}

TEST_F(Load, AGetterOfTheWrongTypeOrKeyIsABug) {
  const Config config = load("");
  EXPECT_THROW(static_cast<void>(config.text("router.queue_packets")), Bug);
  EXPECT_THROW(static_cast<void>(config.integer("router.no_such_key")), Bug);
}

TEST_F(Load, OverridesWinAndTheLastOfAKeyWins) {
  const Config config = load("[router]\nqueue_packets = 7\n",
                             {"router.queue_packets=5", "router.routing=oblivious", "topology.dims=[2, 3]",
                              "workload.offered_load = 0.5", "router.queue_packets=6", "workload.return_sweep=true"});
  EXPECT_EQ(config.integer("router.queue_packets"), 6);
  EXPECT_EQ(config.text("router.routing"), "oblivious");
  EXPECT_EQ(config.integers("topology.dims"), (std::vector<i64>{2, 3}));
  EXPECT_EQ(config.real("workload.offered_load"), 0.5);
  EXPECT_TRUE(config.flag("workload.return_sweep"));
  EXPECT_EQ(config.place("router.queue_packets"), "--set router.queue_packets=6");
}

TEST_F(Load, OverridesOfTextsAreTakenAsTheyStand) {
  EXPECT_EQ(load("", {"workload.path=traces/is.S.16.trc.xz"}).text("workload.path"), "traces/is.S.16.trc.xz");
  EXPECT_EQ(load("", {"workload.path=\"a b.trc\""}).text("workload.path"), "a b.trc");
  EXPECT_EQ(load("", {"workload.path=2024"}).text("workload.path"), "2024");
  EXPECT_EQ(load("", {"workload.path=a=b"}).text("workload.path"), "a=b");
  EXPECT_EQ(load("", {"workload.path=1\nother = 2"}).text("workload.path"), "1\nother = 2");
}

TEST_F(Load, AMalformedOverrideIsRefused) {
  EXPECT_TRUE(contains(load_error("", {"router.queue_packets"}), "not of the form table.key=value"));
  EXPECT_TRUE(contains(load_error("", {"=3"}), "not of the form"));
  EXPECT_TRUE(contains(load_error("", {"router.queue_packets="}), "no value for router.queue_packets"));
  EXPECT_TRUE(contains(load_error("", {"router.queue_pakets=3"}), "did you mean router.queue_packets"));
  EXPECT_TRUE(contains(load_error("", {"ruter.queue_packets=3"}), "did you mean [router]?"));
  EXPECT_TRUE(contains(load_error("", {"router.queue_packets=four"}), "\"four\" is text (wanted an integer"));
}

TEST_F(Load, TheFormatMustBeStatedAndKnown) {
  EXPECT_THROW(load_whole("[router]\nqueue_packets = 4\n"), ConfigError);
  EXPECT_THROW(load_whole("format = 2\n"), ConfigError);
  EXPECT_THROW(load_whole(""), ConfigError);
  EXPECT_EQ(load_whole("", {"format=1"}).integer("format"), 1);
}

TEST_F(Load, AMissingFileAndADirectoryAreConfigErrorsThatNameThem) {
  const std::string missing = (directory_ / "missing.toml").string();
  try {
    static_cast<void>(Config::load(missing));
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_TRUE(contains(error.what(), missing + ": cannot read"));
    EXPECT_EQ(error.code(), ExitCode::config);
  }
  EXPECT_THROW(static_cast<void>(Config::load(directory_.string())), ConfigError);
}

TEST_F(Load, AnUnknownKeyNamesFileLineAndNearestKey) {
  const std::string error = load_error("[router]\nvirtual_chanels = 2\n");
  EXPECT_TRUE(contains(error, path_ + ":3: unknown key router.virtual_chanels"));
  EXPECT_TRUE(contains(error, "did you mean router.virtual_channels"));
}

TEST_F(Load, AKeyOfAnotherTableIsFoundThere) {
  EXPECT_TRUE(contains(load_error("[link]\nqueue_packets = 4\n"), "did you mean router.queue_packets (packets)?"));
  EXPECT_TRUE(contains(load_error("seed = 3\n"), "did you mean simulation.seed?"));
}

TEST_F(Load, AKeyWithAnotherUnitOrNoneSuggestsTheUnitThatExists) {
  EXPECT_TRUE(contains(load_error("[link]\nlatency_us = 1\n"), "did you mean link.latency_cycles (cycles)?"));
  EXPECT_TRUE(contains(load_error("[link]\nlatency = 1\n"), "did you mean link.latency_cycles (cycles)?"));
  EXPECT_TRUE(contains(load_error("[router]\nqueue_phits = 64\n"), "did you mean router.queue_packets (packets)?"));
}

TEST_F(Load, TheSameNameInAnotherTableIsNearerThanAnotherUnitOfIt) {
  EXPECT_TRUE(contains(load_error("[parallel]\nevery_cycles = 5\n"), "did you mean checkpoint.every_cycles (cycles)?"));
  EXPECT_TRUE(contains(load_error("[parallel]\nevery_ns = 5\n"), "did you mean checkpoint.every_seconds (s)?"));
}

TEST_F(Load, LongAndUnprintableInputIsShownShortAndOnOneLine) {
  const std::string longest(100'000, 'x');
  for (const std::string& error :
       {load_error("[router]\n" + longest + " = 1\n"), load_error("[router]\nkind = \"" + longest + "\"\n"),
        load_error("[router]\nqueue_packets = \"" + longest + "\"\n"), load_error("[" + longest + "]\n"),
        load_error("[workload]\npath = \"" + longest + "\"\n"), load_error("", {"workload.path=" + longest}),
        load_error("", {longest + "=1"}), load_error("include = \"" + longest + "\"\n"),
        load_error("[topology]\nkind = [" + longest.substr(0, 0) + std::string(100'000, '1') + "]\n")}) {
    EXPECT_NE(error, "");
    EXPECT_LE(error.size(), 1500U) << error;
  }
  for (const std::string& error :
       {load_error("[router]\n\"a\\u001B\\n\" = 1\n"), load_error("[router]\nkind = \"a\\u001B\\n\"\n"),
        load_error("[\"a\\u001B\\n\"]\n"), load_error("", {"router.a\n\x1b=1"}), load_error("", {"a\n\x1b"}),
        load_error("include = \"a\\u001B\\n\"\n"), load_error("[router]\nqueue_packets = \"5 \\u001B\\n\"\n")}) {
    EXPECT_NE(error, "");
    EXPECT_EQ(error.find_first_of("\n\x1b"), std::string::npos) << error;
  }
}

TEST_F(Load, ATextWithANulIsNoName) {
  EXPECT_TRUE(contains(load_error("[workload]\npath = \"a\\u0000b\"\n"), "\"a\\x00b\" holds a NUL character"));
}

TEST_F(Load, ATextIsUtf8SinceResultsHoldIt) {
  EXPECT_TRUE(contains(load_error("", {"workload.path=a\xFF"}), "\"a\\xff\" is no UTF-8"));
}

TEST_F(Load, DeepTextIsRefusedAndInAnOverrideABareWord) {
  std::string deep;
  for (int ix = 0; ix < 40'000; ++ix) deep += "a.";
  EXPECT_TRUE(contains(load_error(deep + "b = 1\n"), path_ + ":2: tables or lists more than 16 deep"));
  EXPECT_TRUE(contains(load_error("", {"router.queue_packets=1\n" + deep + "b=1"}), "is text (wanted an integer"));
  EXPECT_EQ(load("", {"workload.path=" + std::string(1000, '[')}).text("workload.path"), std::string(1000, '['));
}

TEST_F(Load, EndlessAndHugeConfigsAreRefused) {
  EXPECT_THROW(static_cast<void>(Config::load("/dev/zero")), ConfigError);
  EXPECT_TRUE(contains(load_error("#" + std::string(std::size_t{1} << 20, 'x')), "it is larger than 1 MiB"));
}

TEST_F(Load, AnUnknownTableNamesTheNearestOne) {
  EXPECT_TRUE(
      contains(load_error("[routr]\nkind = \"bubble\"\n"), ":2: unknown table [routr]; did you mean [router]?"));
  EXPECT_TRUE(contains(load_error("[study]\nname = \"x\"\n"), "unknown table [study]"));
  EXPECT_TRUE(contains(load_error("[[jobs]]\nname = \"x\"\n"), "unknown table [jobs]"));
  EXPECT_TRUE(contains(load_error("[router.rooms]\ntransit = 3\n"), "unknown key router.rooms"));
}

TEST_F(Load, ATableGivenAsAValueIsRefused) {
  EXPECT_TRUE(contains(load_error("router = \"bubble\"\n"), "router is a table of settings"));
  EXPECT_TRUE(contains(load_error("workload = []\n"), "workload is a table of settings"));
}

TEST_F(Load, ARepeatedKeyAndBrokenTomlNameLineAndColumn) {
  EXPECT_TRUE(contains(load_error("[router]\nqueue_packets = 4\nqueue_packets = 5\n"), path_ + ":4:"));
  EXPECT_TRUE(contains(load_error("[router]\nqueue_packets = \n"), path_ + ":3:"));
  EXPECT_TRUE(contains(load_error("[router]\n[router]\n"), path_ + ":3:"));
}

TEST_F(Load, ValuesOutOfRangeNameTheRangeAndTheNearestValidValue) {
  const std::string error = load_error("[router]\nqueue_packets = 300\n");
  EXPECT_TRUE(contains(error, ":3: router.queue_packets = 300 is out of range (1..255 packets)"));
  EXPECT_TRUE(contains(error, "the nearest valid value is 255"));
  EXPECT_TRUE(contains(load_error("[router]\nvirtual_channels = 0\n"), "the nearest valid value is 1"));
  EXPECT_TRUE(contains(load_error("[topology]\ndims = [4, 0]\n"), "the nearest valid value is 1"));
  EXPECT_TRUE(contains(load_error("[workload]\noffered_load = -0.5\n"), "the nearest valid value is 0.0"));
}

/// What one more would not fit into: sets of channels, and counts of packets, of a byte or two.
TEST_F(Load, WhatRoutersCountInFewBitsEndsThere) {
  const std::vector<std::pair<std::string, i64>> limits = {{"router.virtual_channels", 16},
                                                           {"router.queue_packets", 255},
                                                           {"router.injection_queues", 64},
                                                           {"router.injection_queue_packets", 255},
                                                           {"packet.phits", 4096}};
  for (const auto& [key, most] : limits) {
    const std::string given = key + " = ";
    EXPECT_EQ(load(given + std::to_string(most) + "\n").integer(key), most);
    EXPECT_TRUE(contains(load_error(given + std::to_string(most + 1) + "\n"),
                         "the nearest valid value is " + std::to_string(most)));
  }
}

TEST_F(Load, ALinkWithoutLatencyIsRefusedForItsLookahead) {
  EXPECT_TRUE(contains(load_error("[link]\nlatency_cycles = 0\n"), "no lookahead"));
}

TEST_F(Load, PercentIsRefusedWithTheRatioToWrite) {
  EXPECT_TRUE(contains(load_error("[workload]\noffered_load = \"30%\"\n"), "write 0.3"));
  EXPECT_TRUE(contains(load_error("[workload]\noffered_load = 30\n"), "or 0.3 if 30.0 is in percent"));
}

TEST_F(Load, AUnitInAValueIsRefusedWithTheUnitOfTheKey) {
  const std::string error = load_error("[link]\nlatency_cycles = \"5 ns\"\n");
  EXPECT_TRUE(contains(error, "write a bare number in cycles, without the unit \"ns\""));
  EXPECT_TRUE(contains(load_error("[link]\nlatency_cycles = \"5\"\n"), "write 5 without quotes"));
}

TEST_F(Load, WrongTypesAreRefusedWithWhatToWrite) {
  EXPECT_TRUE(contains(load_error("[router]\nqueue_packets = 4.0\n"), "4.0 is a real number (wanted an integer"));
  EXPECT_TRUE(contains(load_error("[router]\nqueue_packets = 4.0\n"), "write 4"));
  EXPECT_TRUE(contains(load_error("[deadlock]\nunsafe = 1\n"), "write true or false"));
  EXPECT_TRUE(contains(load_error("[topology]\ndims = 8.5\n"), "write a list such as [8, 8]"));
  EXPECT_TRUE(contains(load_error("[topology]\ndims = [8, \"8\"]\n"), "wanted an integer or a list of them"));
  EXPECT_TRUE(contains(load_error("[topology]\ndims = []\n"), "is empty"));
  EXPECT_TRUE(contains(load_error("[workload]\npattern = 3\n"), "write \"3\""));
  EXPECT_TRUE(contains(load_error("[simulation]\nseed = 2024-01-01\n"), "is a date or time"));
  EXPECT_TRUE(contains(load_error("router.arbitration.x = 1\n"), "is a table (wanted one of"));
}

TEST_F(Load, AListOfIntegersMayBeOneInteger) {
  EXPECT_EQ(load("[topology]\ndims = 8\n").integers("topology.dims"), (std::vector<i64>{8}));
  EXPECT_EQ(load("", {"topology.twist=7"}).integers("topology.twist"), (std::vector<i64>{7}));
  EXPECT_EQ(load("", {"topology.twist=7"}).hash(), load("", {"topology.twist=[7]"}).hash());
  EXPECT_TRUE(contains(load_error("[topology]\ndims = 0\n"), "topology.dims = 0 is out of range"));
}

TEST_F(Load, AStudyIsNoConfigAndItsBaseIsNamed) {
  const std::string said = load_error("[sweep]\nbase = \"base.toml\"\n[[sweep.axis]]\nkey = \"simulation.seed\"\n");
  EXPECT_TRUE(contains(said, "is a study, not a config of one run (it has a table [sweep]); use weft sweep"));
  EXPECT_TRUE(contains(said, "or its base \"base.toml\""));
  EXPECT_TRUE(contains(load_error("[scaling]\n"), "use weft scaling"));
}

TEST_F(Load, AnUnknownChoiceNamesTheNearestOne) {
  const std::string error = load_error("[router]\narbitration = \"longst\"\n");
  EXPECT_TRUE(contains(error, "did you mean \"longest\"?"));
  EXPECT_TRUE(contains(error, "round-robin"));
}

TEST_F(Load, NumbersMustBeFinite) {
  EXPECT_TRUE(contains(load_error("[workload]\noffered_load = nan\n"), "not a finite number"));
  EXPECT_TRUE(contains(load_error("[workload]\ncpu_scale = inf\n"), "not a finite number"));
}

TEST_F(Load, OneWorkloadInAListIsThatWorkloadAndSeveralAreRefused) {
  EXPECT_EQ(load("[[workload]]\nkind = \"burst\"\n").text("workload.kind"), "burst");
  EXPECT_TRUE(contains(load_error("[[workload]]\n[[workload]]\n"), "write [[job]] with a name"));
  EXPECT_TRUE(contains(load_error("[[router]]\nkind = \"bubble\"\n"), "write [router]"));
}

}  // namespace
}  // namespace weft::tools
