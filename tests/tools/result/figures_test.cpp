// A figure is one row: a row that is added here is in every output, and no two rows of an owner have one name.
#include "tools/result/figures.hpp"

#include <gtest/gtest.h>
#include <set>

#include "engine/base/file/hdf5_file.hpp"
#include "tests/tools/result/sample_result.hpp"
#include "tools/result/hdf5_result.hpp"
#include "tools/result/json_summary.hpp"
#include "tools/run/collect/seeds.hpp"
#include "tools/run/config/describe.hpp"
#include "tools/run/config/describe_json.hpp"

namespace weft::tools {
namespace {

/// A row that goes with this object.
template <class Owner>
class OneMore {
 public:
  explicit OneMore(const Figure<Owner>& row) { figures<Owner>().push_back(row); }
  ~OneMore() { figures<Owner>().pop_back(); }
  OneMore(const OneMore&) = delete;
  OneMore& operator=(const OneMore&) = delete;
};

TEST(Figures, OneMoreOfRunsIsInEveryOutputByItsRowAlone) {
  const OneMore more(
      Figure<RunResult>{"test.switches", "switches", "as many as routers", &RunResult::routers, Merge::sum});
  const ScratchFolder scratch;
  const RunResult one = sample_result(), both = result_of_seeds({one, one});
  EXPECT_EQ(to_json(one)["test"]["switches"], 513);
  EXPECT_EQ(to_json(both)["test"]["switches"], 2 * 513);

  write_hdf5(both, scratch.file("r.h5"));
  u64 held = 0;
  files::Hdf5Reader(scratch.file("r.h5")).scalar("/summary/test_switches", held);
  EXPECT_EQ(held, 2 * 513U);
  EXPECT_EQ(read_hdf5(scratch.file("r.h5")).routers, 2 * 513U);

  EXPECT_NE(describe({"figures"})
                .find("test.switches  switches\n      as many as routers (/summary/test_switches; seeds: sum)"),
            std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(describe_json())["figures"].size(), all_figures().size());
}

TEST(Figures, OneMoreOfTablesIsInEveryOutputByItsRowAlone) {
  const OneMore more(Figure<JobRow>{"test.size", "tasks", "as many as tasks", &JobRow::tasks, Merge::most});
  const ScratchFolder scratch;
  const RunResult one = sample_of_jobs();
  RunResult other = one;
  other.jobs[1].tasks = 70;
  const RunResult both = result_of_seeds({one, other});
  EXPECT_EQ(to_json(both)["jobs"][1]["test"]["size"], 70);
  write_hdf5(both, scratch.file("r.h5"));
  std::vector<u64> held;
  files::Hdf5Reader(scratch.file("r.h5")).column("/jobs/test_size", held);
  EXPECT_EQ(held, (std::vector<u64>{16, 70, 8}));
}

TEST(Figures, HaveOneNameAndOnePlaceEach) {
  std::set<std::string> names, paths;
  for (const AnyFigure& figure : all_figures()) {
    EXPECT_TRUE(names.insert(figure.name).second) << figure.name;
    EXPECT_TRUE(figure.path.empty() || paths.insert(figure.path).second) << figure.path;
    EXPECT_STRNE(figure.help, "") << figure.name;
  }
  EXPECT_GT(names.size(), 200U);
}

}  // namespace
}  // namespace weft::tools
