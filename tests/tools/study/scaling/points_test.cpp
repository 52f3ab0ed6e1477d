// Figures of a study from runs with known times.
#include "tools/study/scaling/points.hpp"

#include <limits>

#include "tests/tools/study/scaling/study_file.hpp"
#include "tools/study/scaling/tables.hpp"

namespace weft::tools {
namespace {

TEST(karp_flatt, gives_back_the_serial_fraction_of_amdahls_law) {
  for (const double serial : {0.0, 0.01, 0.3, 1.0}) {
    for (const u32 p : {2u, 7u, 64u}) {
      const double speed_up = 1 / (serial + (1 - serial) / p);
      EXPECT_NEAR(karp_flatt(speed_up, p).value(), serial, 1e-12) << serial << " on " << p;
    }
  }
}

TEST(karp_flatt, is_negative_for_more_than_linear_speed_up_and_nothing_on_one_rank) {
  EXPECT_LT(karp_flatt(2.2, 2).value(), 0);
  EXPECT_FALSE(karp_flatt(1.0, 1).has_value());
}

class PointsTest : public testing::StudyFile {
 protected:
  void add(const Cell& cell, u32 repeat, double wall_s, u64 events = 1000) {
    RunRecord run;
    run.size = study_.sizes[cell.size_ix].name;
    run.config_hash = size_hash(study_.sizes[cell.size_ix]);
    run.protocol = cell.protocol;
    run.partition = cell.partition;
    run.ranks = cell.ranks;
    run.repeat = repeat;
    run.digest = "d";
    run.wall_s = wall_s;
    run.events = events;
    run.remote_messages = cell.ranks == 1 ? 0 : events / 10;
    run.blocked_s.assign(cell.ranks, 0.2 * wall_s);
    run.exchange_s.assign(cell.ranks, 0.1 * wall_s);
    run.rank_events.assign(cell.ranks, events / cell.ranks);
    run.rss_bytes.assign(cell.ranks, 1 << 20);
    log_.runs.push_back(run);
  }

  ScalingStudy study_;
  RunLog log_{"0", "p", "h", 2, {}};
};

TEST_F(PointsTest, the_fastest_repeat_counts_and_the_spread_is_kept) {
  study_ = load("ranks = [1, 2, 4]\nrepeat = 2\n");
  add({0, 1, "sequential", "none"}, 0, 8.0);
  add({0, 1, "sequential", "none"}, 1, 10.0);
  add({0, 2, "null-message", "auto"}, 0, 5.0);
  add({0, 2, "null-message", "auto"}, 1, 5.0);
  add({0, 4, "null-message", "auto"}, 0, 4.0);
  const auto points = scaling_points(study_, log_);
  ASSERT_EQ(points.size(), 3u);
  EXPECT_DOUBLE_EQ(points[0].best.wall_s, 8);
  EXPECT_DOUBLE_EQ(points[0].spread, 0.25);
  EXPECT_DOUBLE_EQ(points[0].speed_up, 1);
  EXPECT_DOUBLE_EQ(points[1].speed_up, 1.6);
  EXPECT_DOUBLE_EQ(points[1].efficiency, 0.8);
  EXPECT_NEAR(points[1].serial_fraction.value(), 0.25, 1e-12);  // 1/1.6 = 0.25 + 0.75/2
  EXPECT_DOUBLE_EQ(points[1].exchange_share, 0.1);
  EXPECT_DOUBLE_EQ(points[1].waiting_share, 0.2);
  EXPECT_DOUBLE_EQ(points[1].compute_share, 0.7);
  EXPECT_DOUBLE_EQ(points[1].remote_fraction, 0.1);
  EXPECT_DOUBLE_EQ(points[1].events_per_s, 200);
  EXPECT_EQ(points[2].runs, 1u);
}

TEST_F(PointsTest, ranks_that_share_cores_are_marked) {
  study_ = load("ranks = [2, 4]\nrepeat = 1\n");
  add({0, 2, "null-message", "auto"}, 0, 5.0);
  add({0, 4, "null-message", "auto"}, 0, 4.0);
  const auto points = scaling_points(study_, log_);
  ASSERT_EQ(points.size(), 2u);
  EXPECT_FALSE(points[0].oversubscribed);
  EXPECT_TRUE(points[1].oversubscribed);
  EXPECT_DOUBLE_EQ(points[0].speed_up, 2) << "without one rank the smallest rank count is the base";
  EXPECT_DOUBLE_EQ(points[1].speed_up, 2.5);
  const ScalingResult result{study_, log_, points, {}, {}};
  EXPECT_NE(scaling_text(result).find(" 4*  "), std::string::npos);
  ASSERT_FALSE(remarks(result).empty());
  EXPECT_NE(remarks(result)[0].find("more ranks than the 2 cores"), std::string::npos);
}

TEST_F(PointsTest, weak_scaling_compares_rates) {
  study_ = load(
      "kind = \"weak\"\nranks = [1, 2]\nrepeat = 1\n[[scaling.size]]\nname = \"a\"\n"
      "[[scaling.size]]\nname = \"b\"\nset = [\"topology.dims=[4, 8]\"]\n");
  add({0, 1, "sequential", "none"}, 0, 1.0, 1000);
  add({1, 2, "windowed", "auto"}, 0, 1.25, 2000);
  const auto points = scaling_points(study_, log_);
  ASSERT_EQ(points.size(), 2u);
  EXPECT_DOUBLE_EQ(points[1].speed_up, 1.6);
  EXPECT_DOUBLE_EQ(points[1].efficiency, 0.8);
  const auto series = scaling_series(study_, points);
  ASSERT_EQ(series.size(), 1u);
  EXPECT_EQ(series[0].points.size(), 2u);
}

TEST_F(PointsTest, one_rank_begins_the_line_of_every_partition) {
  study_ = load("ranks = [1, 2]\nrepeat = 1\npartitions = [\"metis\", \"block\"]\n");
  add({0, 1, "sequential", "none"}, 0, 4.0);
  add({0, 2, "windowed", "metis"}, 0, 2.0);
  add({0, 2, "windowed", "block"}, 0, 2.5);
  const auto points = scaling_points(study_, log_);
  const auto series = scaling_series(study_, points);
  ASSERT_EQ(series.size(), 2u);
  for (const ScalingSeries& line : series) {
    ASSERT_EQ(line.points.size(), 2u);
    EXPECT_EQ(line.points[0], &points[0]);
  }
  EXPECT_DOUBLE_EQ(series[1].points[1]->speed_up, 1.6);
}

TEST_F(PointsTest, runs_of_another_config_do_not_count) {
  study_ = load("ranks = [1]\nrepeat = 1\n");
  add({0, 1, "sequential", "none"}, 0, 4.0);
  log_.runs[0].config_hash = "of another";
  EXPECT_TRUE(scaling_points(study_, log_).empty());
}

TEST_F(PointsTest, different_digests_of_one_config_are_an_error) {
  study_ = load("ranks = [1, 2]\nrepeat = 1\n");
  add({0, 1, "sequential", "none"}, 0, 4.0);
  add({0, 2, "windowed", "auto"}, 0, 4.0);
  EXPECT_NO_THROW(check_digests(log_));
  log_.runs[1].digest = "e";
  EXPECT_THROW(check_digests(log_), SystemError);
}

TEST_F(PointsTest, runs_come_back_from_their_file_as_they_were) {
  study_ = load("ranks = [1, 2]\nrepeat = 1\n");
  add({0, 2, "windowed", "auto"}, 0, 4.125);
  const std::string path = (directory_ / "runs.json").string();
  EXPECT_TRUE(load_runs(path).runs.empty());
  save_runs(log_, path);
  const RunLog read = load_runs(path);
  ASSERT_EQ(read.runs.size(), 1u);
  EXPECT_EQ(read.cores, 2u);
  EXPECT_EQ(read.runs[0].wall_s, 4.125);
  EXPECT_EQ(read.runs[0].blocked_s, log_.runs[0].blocked_s);
  EXPECT_NE(read.find(study_, {0, 2, "windowed", "auto"}, 0), nullptr);
  EXPECT_EQ(read.find(study_, {0, 2, "windowed", "auto"}, 1), nullptr);
  std::ofstream(path) << "{\"format\": 1}";
  EXPECT_THROW(load_runs(path), InputError);
}

TEST(csv, quotes_what_needs_it_and_leaves_out_what_is_no_number) {
  const std::string text = csv({{"name", "", std::vector<std::string>{"a,b", "say \"c\""}},
                                {"count", "", std::vector<u64>{1, 2}},
                                {"real", "", std::vector<double>{0.5, std::numeric_limits<double>::quiet_NaN()}}});
  EXPECT_EQ(text, "name,count,real\n\"a,b\",1,0.5\n\"say \"\"c\"\"\",2,\n");
}

}  // namespace
}  // namespace weft::tools
