// Columns that follow from others, and published points beside a sweep's own, against figures worked out by hand.
#include "tools/study/sweep_columns.hpp"

#include <cmath>

#include "tests/tools/study/done_point.hpp"
#include "tests/tools/study/sweep_file.hpp"
#include "tools/study/sweep_published.hpp"
#include "tools/study/sweep_search.hpp"
#include "tools/study/sweep_table_file.hpp"

namespace weft::tools::sweep {
namespace {

/// Two networks and two sizes of packets; times 10, 20 on the torus and 15, 60 on the mesh.
const std::string two_networks =
    "[[sweep.axis]]\nname = \"network\"\nvalues = [\n"
    "  {label = \"torus\", topology.kind = \"torus\", topology.dims = [4, 4]},\n"
    "  {label = \"mesh\", topology.kind = \"mesh\", topology.dims = [8, 4]},\n]\n"
    "[[sweep.axis]]\nkey = \"packet.phits\"\nvalues = [4, 8]\n";
const std::string times_of_four =
    "[[sweep.column]]\nname = \"T\"\nrelative = \"latency_mean\"\nto = {network = \"torus\"}\n"
    "[[sweep.column]]\nname = \"mean_T\"\nmean = \"T\"\nover = \"packet.phits\"\n"
    "[[sweep.column]]\nname = \"phi\"\nquotient = [1, \"mean_T\"]\n"
    "[[sweep.column]]\nname = \"efficiency\"\nquotient = [\"phi\", \"switches\"]\n";
const std::string prices =
    "[floor]\nswitches_per_rack = 100\nracks_per_row = 1\nrack_pitch_m = 1\nrow_pitch_m = 1\nin_rack_m = 1\n"
    "[[switch]]\nname = \"any\"\nprice = 10\nwatts = 2\n[[cable]]\nname = \"any\"\nprice = 1\n";

class SweepColumnsTest : public testing::SweepFile {
 protected:
  /// All points done, with these latencies in order.
  SweepTable table(const std::string& text, const std::vector<double>& latencies) const {
    SweepTable made{study(text), {}, {}};
    made.points = sweep_points(made.study);
    for (const double latency : latencies) made.states.push_back(testing::done_point("latency_mean", latency));
    Networks built(made.study);
    add_columns(made, built);
    return made;
  }
  static const TableColumn& column(const std::vector<TableColumn>& columns, const std::string& name) {
    static const TableColumn none;
    for (const TableColumn& one : columns) {
      if (one.name == name) return one;
    }
    ADD_FAILURE() << "no column " << name;
    return none;
  }
};

TEST_F(SweepColumnsTest, TimesRelativeToAReferenceAndWhatFollowsFromThem) {
  const SweepTable made = table(head + two_networks + times_of_four, {10, 20, 15, 60});
  EXPECT_EQ(column(made.columns, "T").values, (std::vector<double>{1, 1, 1.5, 3}));
  EXPECT_EQ(column(made.columns, "mean_T").values, (std::vector<double>{1, 1, 2.25, 2.25}));
  EXPECT_EQ(column(made.columns, "phi").values[3], 1 / 2.25);
  // 16 routers of the torus, 32 of the mesh.
  EXPECT_EQ(column(made.columns, "switches").values, (std::vector<double>{16, 16, 32, 32}));
  EXPECT_EQ(column(made.columns, "efficiency").values[2], 1 / 2.25 / 32);
  EXPECT_TRUE(contains(sweep_csv(made), ",mean_T,phi,efficiency,digest\n"));
}

TEST_F(SweepColumnsTest, WeightsSayHowMuchEachValueCounts) {
  const std::string weighted =
      "[[sweep.column]]\nname = \"m\"\nmean = \"latency_mean\"\nover = \"packet.phits\"\nweights = {8 = 3}\n"
      "[[sweep.column]]\nname = \"s\"\nsum = \"latency_mean\"\nover = \"network\"\nweights = {torus = 0.5, mesh = 2}\n"
      "[[sweep.column]]\nname = \"p\"\nproduct = [\"m\", \"switches\"]\n";
  const SweepTable made = table(head + two_networks + weighted, {10, 20, 15, 60});
  EXPECT_EQ(column(made.columns, "m").values, (std::vector<double>{17.5, 17.5, 48.75, 48.75}));
  EXPECT_EQ(column(made.columns, "s").values, (std::vector<double>{35, 130, 35, 130}));
  EXPECT_EQ(column(made.columns, "p").values, (std::vector<double>{17.5 * 16, 17.5 * 16, 48.75 * 32, 48.75 * 32}));
  for (const char* const wrong :
       {"mean = \"latency_mean\"\nover = \"network\"\nweights = {taurus = 1}\n",
        "mean = \"latency_mean\"\nover = \"network\"\nweights = {torus = -1}\n",
        "mean = \"latency_mean\"\nover = \"network\"\nweights = {torus = 0, mesh = 0}\n",
        "least = \"latency_mean\"\nover = \"network\"\nweights = {torus = 2}\n",
        "mean = \"latency_mean\"\nover = [\"network\", \"packet.phits\"]\nweights = {torus = 2}\n"}) {
    EXPECT_THROW(static_cast<void>(study(head + two_networks + "[[sweep.column]]\nname = \"x\"\n" + wrong)),
                 ConfigError)
        << wrong;
  }
}

TEST_F(SweepColumnsTest, ASumOverPointsOfWhichOneIsMissingIsNotKnown) {
  SweepTable made = table(head + two_networks + times_of_four, {10, 20, 15, 60});
  made.states[3] = PointState();
  Networks built(made.study);
  add_columns(made, built);
  EXPECT_EQ(column(made.columns, "T").values[2], 1.5);
  EXPECT_TRUE(std::isnan(column(made.columns, "phi").values[2]));
  EXPECT_EQ(column(made.columns, "phi").values[0], 1);
}

TEST_F(SweepColumnsTest, SumsLeastAndMostKeepTheUnitAndQuotientsMakeOne) {
  const auto over = [](const std::string& kind) {
    return "[[sweep.column]]\nname = \"c_" + kind + "\"\n" + kind + " = \"latency_mean\"\nover = [\"packet.phits\"]\n";
  };
  const SweepTable made = table(head + two_networks + over("sum") + over("least") + over("most") +
                                    "[[sweep.column]]\nname = \"q\"\nquotient = [\"load_accepted\", \"c_sum\"]\n",
                                {10, 20, 15, 60});
  EXPECT_EQ(column(made.columns, "c_sum").values, (std::vector<double>{30, 30, 75, 75}));
  EXPECT_EQ(column(made.columns, "c_least").values, (std::vector<double>{10, 10, 15, 15}));
  EXPECT_EQ(column(made.columns, "c_most").values, (std::vector<double>{20, 20, 60, 60}));
  EXPECT_EQ(column(made.columns, "c_sum").unit, "cycles");
  EXPECT_EQ(column(made.columns, "q").unit, "phits/node/cycle/cycles");
}

TEST_F(SweepColumnsTest, PricesAreColumnsOfPointsAndOfCurves) {
  write("prices.toml", prices);
  const SweepTable made =
      table("format = 1\n[sweep]\nbase = \"base.toml\"\ncost = \"prices.toml\"\n" + two_networks, {10, 20, 15, 60});
  // A torus of 16 routers has 32 links; a mesh of 8 x 4 has 7 * 4 + 8 * 3.
  EXPECT_EQ(column(made.columns, "price").values, (std::vector<double>{192, 192, 372, 372}));
  EXPECT_EQ(column(made.columns, "price").unit, "USD");
  EXPECT_EQ(column(made.columns, "watts").values[0], 32);

  SweepTable searched{study(head + "cost = \"prices.toml\"\n" + requests + search_of_load +
                            "[[sweep.column]]\nname = \"worth\"\nquotient = [\"accepted_most\", \"price\"]\n"),
                      {},
                      {}};
  searched.points = sweep_points(searched.study);
  for (std::size_t ix = 0; ix < searched.points.size(); ++ix)
    searched.states.push_back(testing::done_point("load_accepted", ix < 5 ? 0.5 : 0.25));
  Networks built(searched.study);
  add_columns(searched, built);
  EXPECT_EQ(column(searched.curve_columns, "worth").values, (std::vector<double>{0.5 / 192, 0.25 / 192}));
  EXPECT_EQ(column(searched.curve_columns, "worth").unit, "phits/node/cycle/USD");
  EXPECT_TRUE(contains(saturation_csv(searched), "accepted_most,price,watts,worth\n"));
  EXPECT_TRUE(contains(saturation_text(searched), "worth, phits/node/cycle/USD"));
}

TEST_F(SweepColumnsTest, PublishedPointsStandBesideTheSweepsOwn) {
  const SweepTable made =
      table(head + two_networks + times_of_four +
                "[[sweep.published]]\nfigure = \"T\"\nat = {network = \"mesh\"}\nover = \"packet.phits\"\n"
                "x = [4, 6, 16]\ny = [1.2, 2.25, 4]\nsource = \"A\"\n"
                "[[sweep.published]]\nfigure = \"phi\"\nat = {network = \"mesh\"}\ny = 0.5\nsource = \"B\"\n",
            {10, 20, 15, 60});
  const std::vector<PublishedPoint> points = published_points(made);
  ASSERT_EQ(points.size(), 4U);
  EXPECT_EQ(points[0].simulated, 1.5);
  EXPECT_NEAR(points[0].difference(), 0.25, 1e-12);
  EXPECT_EQ(points[1].simulated, 2.25) << "half way between 4 and 8 phits";
  EXPECT_TRUE(std::isnan(points[2].simulated)) << "beyond what was simulated";
  EXPECT_EQ(points[3].simulated, 1 / 2.25);
  const std::string text = published_text(made);
  EXPECT_TRUE(contains(text, "published  simulated  difference"));
  EXPECT_TRUE(contains(text, "+25.0 %"));
}

TEST_F(SweepColumnsTest, AreReadBackWithTheTable) {
  const SweepTable made = table(head + two_networks + times_of_four, {10, 20, 15, 60});
  const std::string path = (directory_ / "table.h5").string();
  write_sweep_hdf5(made, path);
  const SweepTable read = read_sweep_table(path);
  for (const char* name : {"T", "phi", "switches", "efficiency"}) {
    EXPECT_EQ(column(read.columns, name).values, column(made.columns, name).values) << name;
    EXPECT_EQ(column(read.columns, name).unit, column(made.columns, name).unit) << name;
  }
}

TEST_F(SweepColumnsTest, RefusesWhatCannotBeToldWithTheNearestWord) {
  const auto refused = [&](const std::string& rows) {
    return error(head + two_networks + "[[sweep.column]]\n" + rows);
  };
  EXPECT_TRUE(contains(refused("mean = \"latency_mean\"\n"), "name is missing"));
  EXPECT_TRUE(contains(refused("name = \"a b\"\nmean = \"latency_mean\"\n"), "is no plain name"));
  EXPECT_TRUE(contains(refused("name = \"latency_mean\"\nquotient = [1, 2]\n"), "is a column already"));
  EXPECT_TRUE(contains(refused("name = \"a\"\n"), "says of what?"));
  EXPECT_TRUE(contains(refused("name = \"a\"\nmean = \"latency_man\"\nover = \"packet.phits\"\n"),
                       "did you mean latency_mean?"));
  EXPECT_TRUE(contains(refused("name = \"a\"\nmean = \"latency_mean\"\nover = \"packet.phit\"\n"),
                       "did you mean packet.phits?"));
  EXPECT_TRUE(contains(refused("name = \"a\"\nmean = \"latency_mean\"\n"), "over is missing"));
  EXPECT_TRUE(contains(refused("name = \"a\"\nrelative = \"latency_mean\"\nto = {network = \"tours\"}\n"),
                       "did you mean \"torus\"?"));
  EXPECT_TRUE(contains(refused("name = \"a\"\nrelative = \"latency_mean\"\nto = {net = \"torus\"}\n"),
                       "did you mean network?"));
  EXPECT_TRUE(contains(refused("name = \"a\"\nquotient = [\"latency_mean\", \"price\"]\n"), "add cost = "));
  EXPECT_TRUE(contains(refused("name = \"a\"\nquotient = [1]\n"), "has two parts"));
  EXPECT_TRUE(contains(refused("name = \"a\"\nmean = \"cycles\"\nsum = \"cycles\"\nover = \"packet.phits\"\n"),
                       "a column is made in one way"));
  EXPECT_TRUE(contains(error(head + requests + search_of_load + "[[sweep.column]]\nname = \"a\"\n" +
                             "quotient = [\"accepted_most\", \"latency_mean\"]\n"),
                       "figures of points and of curves"));
  const auto published = [&](const std::string& rows) {
    return error(head + two_networks + "[[sweep.published]]\nsource = \"A\"\n" + rows);
  };
  EXPECT_TRUE(contains(published("figure = \"latency\"\ny = 1\n"), "is no figure of points; did you mean latency"));
  EXPECT_TRUE(contains(published("figure = \"cycles\"\ny = [1, 2]\n"), "there is no x"));
  EXPECT_TRUE(contains(published("figure = \"cycles\"\nx = [1, 2]\ny = [1]\n"), "has 1 numbers, x 2"));
  EXPECT_TRUE(contains(published("figure = \"cycles\"\nx = 1\ny = 2\n"), "tells no points apart"));
  EXPECT_TRUE(contains(published("figure = \"cycles\"\ny = \"2\"\n"), "y is no list"));
}

TEST_F(SweepColumnsTest, TheTableOfPricesIsReadWithTheStudy) {
  write("prices.toml", prices + "[floor2]\n");
  EXPECT_TRUE(contains(error(head + "cost = \"prices.toml\"\n" + loads), "prices.toml:14: unknown key floor2"));
}

}  // namespace
}  // namespace weft::tools::sweep
