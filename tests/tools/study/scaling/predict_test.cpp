// Predictions rest on measured work, follow the model, and say what they do not know.
#include "tools/study/scaling/predict.hpp"

#include <algorithm>
#include <cmath>

#include "tests/tools/study/scaling/study_file.hpp"
#include "tools/study/scaling/tables.hpp"

namespace weft::tools {
namespace {

constexpr double event_s = 1e-7, synchronise_s = 1e-6;

class PredictTest : public testing::StudyFile {
 protected:
  /// Runs of an 8x8 and a 16x16 torus on 1, 2 and 4 ranks: 3 + 10 * distance events a node, 200 windows.
  void SetUp() override {
    StudyFile::SetUp();
    study_ = load(
        "ranks = [1, 2, 4]\nrepeat = 1\ncores = 4\ncache_bytes = 1000000000\n"
        "[[scaling.size]]\nname = \"8\"\nset = [\"topology.dims=[8, 8]\"]\n"
        "[[scaling.size]]\nname = \"16\"\nset = [\"topology.dims=[16, 16]\"]\n");
    for (const Cell& cell : study_cells(study_)) {
      ScalingPoint point;
      point.cell = cell;
      const double side = cell.size_ix == 0 ? 8 : 16, nodes = side * side;
      RunRecord& run = point.best;
      run.ranks = cell.ranks;
      run.nodes = static_cast<u64>(nodes);
      run.topology = cell.size_ix == 0 ? "8x8 torus" : "16x16 torus";
      run.events = static_cast<u64>(std::lround(events(side)));
      run.windows = 200;
      run.bytes_per_node = 1000;
      run.edge_cut = cell.ranks == 1 ? 0 : static_cast<u64>(2 * side);
      run.remote_messages = cell.ranks == 1 ? 0 : static_cast<u64>(events(side) / side);
      run.wall_s = events(side) / cell.ranks * event_s + 200 * std::log2(cell.ranks) * synchronise_s;
      points_.push_back(point);
    }
  }

  /// Mean distance of a torus of even sides over pairs of different nodes: side / 2 * N / (N - 1).
  static double events(double side) {
    const double nodes = side * side;
    return nodes * (3 + 10 * side / 2 * nodes / (nodes - 1));
  }

  FittedModel fitted() const { return fit_models(study_, points_, 4).at(0); }

  std::string refusal(const PredictionRequest& request) const {
    try {
      static_cast<void>(predict(study_, points_, fitted(), request));
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  }

  ScalingStudy study_;
  std::vector<ScalingPoint> points_;
};

TEST_F(PredictTest, the_model_finds_the_costs_in_the_runs) {
  const FittedModel model = fitted();
  EXPECT_EQ(model.places, 6u);
  EXPECT_NEAR(model.model.seconds[static_cast<std::size_t>(Term::event)] / event_s, 1, 1e-3);
  EXPECT_NEAR(model.model.seconds[static_cast<std::size_t>(Term::synchronise)] / synchronise_s, 1, 1e-2);
  EXPECT_LT(model.held_out.back().worst, 0.01);
}

TEST_F(PredictTest, a_measured_network_gets_its_own_events_and_no_warning_about_it) {
  const Prediction prediction = predict(study_, points_, fitted(), {{}, {1, 2, 4}, 0.5});
  EXPECT_EQ(prediction.network, "16x16 torus");
  ASSERT_EQ(prediction.points.size(), 3u);
  for (const PredictedPoint& point : prediction.points) {
    EXPECT_NEAR(point.work.events, events(16), 1);
    EXPECT_FALSE(point.extrapolated);
  }
  EXPECT_NEAR(prediction.points[0].wall_s / (events(16) * event_s), 1, 1e-2);
  EXPECT_GT(prediction.points[2].edge_cut, prediction.points[1].edge_cut);
  for (const std::string& warning : prediction.warnings) EXPECT_EQ(warning.find("extrapolated"), std::string::npos);
}

TEST_F(PredictTest, events_of_another_network_follow_from_nodes_and_distance) {
  const Prediction prediction = predict(study_, points_, fitted(), {{"topology.dims=[32, 32]"}, {1, 16}, 0.5});
  EXPECT_NEAR(prediction.points[0].work.events / events(32), 1, 1e-3);
  EXPECT_TRUE(prediction.points[0].extrapolated);
  ASSERT_FALSE(prediction.warnings.empty());
  EXPECT_NE(prediction.warnings[0].find("more than 4 ranks"), std::string::npos);
  EXPECT_NE(prediction.warnings[1].find("64 to 256 nodes"), std::string::npos);
}

TEST_F(PredictTest, the_most_ranks_with_the_efficiency_wanted_are_worth_using) {
  const std::vector<u32> ranks{1, 2, 4, 8, 16, 32, 64, 128};
  const Prediction half = predict(study_, points_, fitted(), {{}, ranks, 0.5});
  const Prediction more = predict(study_, points_, fitted(), {{}, ranks, 0.8});
  // Events take 2.1 ms, a doubling of the ranks costs 0.2 ms: halves at p log2(p) of about 10.
  EXPECT_LT(more.worth_using, half.worth_using);
  for (const PredictedPoint& point : half.points) {
    EXPECT_EQ(point.efficiency >= 0.5, point.work.ranks <= half.worth_using) << point.work.ranks;
  }
}

TEST_F(PredictTest, a_good_model_recommends_and_says_how_well_it_did_on_what_it_had_not_seen) {
  const FittedModel model = fitted();
  EXPECT_EQ(model.left_out.rows, 6u);
  EXPECT_LT(model.left_out.worst, 0.01);
  const Prediction prediction = predict(study_, points_, model, {{}, {1, 2, 4, 8}, 0.5});
  EXPECT_TRUE(prediction.distrust.empty()) << prediction.distrust.front();
  EXPECT_GT(prediction.worth_using, 1u);
  EXPECT_NE(verdict(prediction).find("worth using"), std::string::npos);
  const auto lines = model_lines(model);
  EXPECT_TRUE(
      std::ranges::any_of(lines, [](const std::string& line) { return line.starts_with("error of leave-one-out"); }));
}

TEST_F(PredictTest, a_noisy_model_predicts_but_recommends_nothing_and_says_why) {
  for (std::size_t ix = 0; ix < points_.size(); ++ix) points_[ix].best.wall_s *= ix % 2 == 0 ? 1 : 4;
  const Prediction prediction = predict(study_, points_, fitted(), {{}, {1, 2, 4, 8}, 0.1});
  EXPECT_EQ(prediction.points.size(), 4u);
  EXPECT_EQ(prediction.worth_using, 0u);
  EXPECT_TRUE(verdict(prediction).starts_with("no number of ranks is recommended: points left out of the fit"))
      << verdict(prediction);
}

TEST_F(PredictTest, nothing_is_recommended_far_beyond_the_ranks_measured) {
  const Prediction prediction = predict(study_, points_, fitted(), {{}, {1, 16, 32, 128}, 0.0});
  EXPECT_EQ(prediction.most_trusted_ranks, 16u);
  EXPECT_EQ(prediction.worth_using, 16u);
  EXPECT_NE(verdict(prediction).find("none are recommended above 16"), std::string::npos) << verdict(prediction);
  const Prediction far = predict(study_, points_, fitted(), {{}, {64}, 0.0});
  EXPECT_EQ(far.worth_using, 0u);
  EXPECT_TRUE(verdict(far).starts_with("no number of ranks is recommended")) << verdict(far);
}

TEST_F(PredictTest, nothing_is_recommended_where_costs_are_not_known) {
  // Windows that cost nothing, and no messages: what ends a speed-up was not seen.
  for (ScalingPoint& point : points_) {
    point.best.wall_s = events(point.cell.size_ix == 0 ? 8 : 16) / point.cell.ranks * event_s;
  }
  const Prediction free = predict(study_, points_, fitted(), {{}, {1, 2, 4}, 0.5});
  EXPECT_EQ(free.worth_using, 0u);
  EXPECT_NE(verdict(free).find("no cost of synchronisation or messages"), std::string::npos) << verdict(free);
}

TEST_F(PredictTest, another_network_takes_three_to_be_recommended_for) {
  const Prediction prediction = predict(study_, points_, fitted(), {{"topology.dims=[32, 32]"}, {1, 2}, 0.5});
  EXPECT_EQ(prediction.worth_using, 0u);
  EXPECT_NE(verdict(prediction).find("2 others are too few to judge the growth of events"), std::string::npos);
}

TEST_F(PredictTest, two_sizes_on_one_and_two_ranks_are_refused_before_and_after_they_ran) {
  std::erase_if(points_, [](const ScalingPoint& point) { return point.cell.ranks > 2; });
  const std::string refused = "cannot predict from 4 points on the rank counts 1, 2 ";
  EXPECT_TRUE(refusal({{}, {1, 2}, 0.5}).starts_with(refused)) << refusal({{}, {1, 2}, 0.5});
  study_.ranks = {1, 2};
  try {
    check_predictable(study_, {{}, {1, 2}, 0.5});
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with(refused)) << error.what();
  }
}

TEST_F(PredictTest, a_prediction_without_one_rank_still_compares_with_it) {
  const Prediction all = predict(study_, points_, fitted(), {{}, {1, 4}, 0.5});
  const Prediction four = predict(study_, points_, fitted(), {{}, {4}, 0.5});
  ASSERT_EQ(four.points.size(), 1u);
  EXPECT_DOUBLE_EQ(four.points[0].speed_up, all.points[1].speed_up);
}

TEST_F(PredictTest, what_cannot_be_known_is_refused) {
  EXPECT_NE(refusal({{"workload.offered_load=0.5"}, {1}, 0.5}).find("no setting of the topology"), std::string::npos);
  EXPECT_NE(refusal({{}, {1, 257}, 0.5}).find("256 routers"), std::string::npos);
  std::erase_if(points_, [](const ScalingPoint& point) { return point.cell.ranks > 1; });
  EXPECT_NE(refusal({{}, {1, 2}, 0.5}).find("cannot predict from 2 points on the rank count 1 "), std::string::npos);
}

}  // namespace
}  // namespace weft::tools
