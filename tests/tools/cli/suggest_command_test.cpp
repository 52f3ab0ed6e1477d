// Mistyped command lines are answered with ones that work when they are typed.
#include "tools/cli/suggest_command.hpp"

#include <gtest/gtest.h>

namespace weft::tools {
namespace {

const KnownCommand weft_itself{
    "weft", {"run", "report", "sweep", "trace", "trace info", "trace check"}, {{"--version", ""}}};
const KnownCommand run{
    "weft run",
    {},
    {{"--help", ""}, {"--set", "KEY=VALUE"}, {"--seed", "N"}, {"--out", "RESULT.h5"}, {"--json", "FILE|-"}}};

/// What is between "did you mean " and "?"; "" where nothing is suggested.
std::string suggested(const std::string& message) {
  const std::string before = "did you mean ";
  const std::size_t at = message.find(before);
  return at == std::string::npos ? "" : message.substr(at + before.size(), message.size() - 1 - at - before.size());
}
std::string option(const std::string& word, const std::string& next = "") {
  return suggested(about_unknown_option(run, word, next));
}
std::string word(const std::string& text) { return suggested(about_unknown_word(weft_itself, text)); }

TEST(UnknownOption, IsReplacedByTheNearestWithTheValueThatWasTyped) {
  EXPECT_EQ(option("--jsn", "-"), "--json -");
  EXPECT_EQ(option("--jsn=a.json"), "--json a.json");
  EXPECT_EQ(option("--output", "my result.h5"), "--out 'my result.h5'");
  EXPECT_EQ(option("--jsn", "--out"), "--json FILE|-");
  EXPECT_EQ(option("--hlp"), "--help");
}

TEST(UnknownOption, IsNeverReplacedByASetWithoutASetting) {
  EXPECT_EQ(option("--sed", "4"), "--seed 4");
  EXPECT_EQ(option("--sett", "simulation.seed=4"), "--set simulation.seed=4");
}

TEST(UnknownOption, ThatNamesASettingBecomesASet) {
  EXPECT_EQ(option("--cycles", "100"), "--set simulation.cycles=100");
  EXPECT_EQ(option("--offered-load=0.3"), "--set workload.offered_load=0.3");
  EXPECT_EQ(option("--topology.dims", "[8, 8]"), "--set 'topology.dims=[8, 8]'");
  EXPECT_EQ(option("--pattern"), "--set workload.pattern=VALUE");
  EXPECT_EQ(option("--kind", "burst"), "--set topology.kind=burst or --set workload.kind=burst");
  const KnownCommand no_set{"weft sweep", {}, {{"--jobs", "UINT"}}};
  EXPECT_EQ(suggested(about_unknown_option(no_set, "--cycles", "100")), "");
}

TEST(UnknownOption, ForRanksLeadsToThreadsOrMpirun) {
  EXPECT_EQ(option("-n", "4"), "mpirun -n 4 weft run");
  EXPECT_EQ(option("--ranks=2"), "mpirun -n 2 weft run");
  const KnownCommand threaded{"weft run", {}, {{"--set", "KEY=VALUE"}, {"--threads", "N"}}};
  EXPECT_EQ(suggested(about_unknown_option(threaded, "-n", "4")), "weft run --threads 4");
}

TEST(UnknownOption, LikeNoOtherGetsNoSuggestion) {
  const std::string message = about_unknown_option(run, "--zzzzzz", "");
  EXPECT_EQ(suggested(message), "");
  EXPECT_NE(message.find("weft run --help lists them"), std::string::npos);
}

TEST(UnknownWord, ThatIsAFileLeadsToTheCommandThatReadsIt) {
  EXPECT_EQ(word("first.toml"), "weft run first.toml");
  EXPECT_EQ(word("results/a.h5"), "weft report results/a.h5 --out report.html");
  EXPECT_EQ(word("app.trc.xz"), "weft trace info app.trc.xz");
  EXPECT_EQ(word("my run.toml"), "weft run 'my run.toml'");
  const KnownCommand trace{"weft trace", {"info", "check"}, {}};
  EXPECT_EQ(suggested(about_unknown_word(trace, "app.trc")), "weft trace info app.trc");
}

TEST(UnknownWord, LeadsToTheNearestCommandOrToTheOneWithASubcommandOfThatName) {
  EXPECT_EQ(word("rn"), "weft run");
  EXPECT_EQ(word("info"), "weft trace info");
  EXPECT_EQ(word("nothing"), "");
}

TEST(UnknownWord, WithTheKeyOfASettingBecomesASet) {
  EXPECT_EQ(suggested(about_unknown_word(run, "simulation.seed=2")), "--set simulation.seed=2");
  EXPECT_NE(about_unknown_word(run, "two.toml").find("one word too many for weft run"), std::string::npos);
}

TEST(UnknownWord, OfAnyLengthAndContentIsShownOnOneShortLine) {
  for (const std::string& word : {std::string(100'000, 'x'), std::string("--") + std::string(100'000, 'x'),
                                  std::string("a\nb\x1b[31m.toml"), std::string("--a\nb=c\nd")}) {
    for (const std::string& message : {about_unknown_word(weft_itself, word), about_unknown_option(run, word, word)}) {
      EXPECT_LT(message.size(), 1000U);
      EXPECT_EQ(message.find('\n'), std::string::npos);
      EXPECT_EQ(message.find('\x1b'), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace weft::tools
