// The result file gives back every field, and damaged, foreign or newer files are refused with a reason.
#include "tools/result/hdf5_result.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/stat.h>

#include "engine/base/error.hpp"
#include "engine/base/file/hdf5_file.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/tools/result/sample_result.hpp"
#include "tools/result/figures.hpp"
#include "tools/result/json_summary.hpp"

namespace weft::tools {
namespace {

std::string refusal(const std::string& path) {
  try {
    (void)read_hdf5(path);
  } catch (const InputError& error) {
    EXPECT_EQ(error.code(), ExitCode::input);
    return error.what();
  }
  return "";
}

void expect_equal(const std::vector<IntervalRow>& a, const std::vector<IntervalRow>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t ix = 0; ix < a.size(); ++ix) {
    EXPECT_EQ(a[ix].begin, b[ix].begin);
    EXPECT_EQ(a[ix].end, b[ix].end);
    EXPECT_EQ(a[ix].injected_load, b[ix].injected_load);
    EXPECT_EQ(a[ix].accepted_load, b[ix].accepted_load);
    EXPECT_EQ(a[ix].latency_mean, b[ix].latency_mean);
    EXPECT_EQ(a[ix].delivered_packets, b[ix].delivered_packets);
  }
}

TEST(Hdf5Result, GivesBackEveryField) {
  const ScratchFolder scratch;
  const RunResult a = sample_result();
  write_hdf5(a, scratch.file("r.h5"));
  EXPECT_EQ(scratch.entries(), 1u);
  const RunResult b = read_hdf5(scratch.file("r.h5"));
  // The JSON summary holds every single value but these, and has its own test of taking each from its field.
  EXPECT_EQ(to_json(a), to_json(b));
  EXPECT_EQ(a.config_json, b.config_json);
  EXPECT_EQ(a.config_toml, b.config_toml);
  EXPECT_EQ(a.warnings, b.warnings);
  EXPECT_EQ(a.node_injected, b.node_injected);
  EXPECT_EQ(a.node_delivered, b.node_delivered);
  EXPECT_EQ(a.task_finish_cycles, b.task_finish_cycles);
  EXPECT_EQ(a.burst_cycles, b.burst_cycles);
  EXPECT_EQ(a.engine.cpu_s, b.engine.cpu_s);
  EXPECT_EQ(a.engine.blocked_s, b.engine.blocked_s);
  EXPECT_EQ(a.engine.exchange_s, b.engine.exchange_s);
  EXPECT_EQ(a.engine.rss_bytes, b.engine.rss_bytes);
  EXPECT_EQ(a.engine.rank_events, b.engine.rank_events);
  expect_equal(a.intervals, b.intervals);
  expect_equal(a.batches, b.batches);
  ASSERT_EQ(a.latency_histogram.size(), b.latency_histogram.size());
  for (std::size_t ix = 0; ix < a.latency_histogram.size(); ++ix) {
    EXPECT_EQ(a.latency_histogram[ix].low, b.latency_histogram[ix].low);
    EXPECT_EQ(a.latency_histogram[ix].high, b.latency_histogram[ix].high);
    EXPECT_EQ(a.latency_histogram[ix].packets, b.latency_histogram[ix].packets);
  }
}

TEST(Hdf5Result, GivesBackTheSeeds) {
  const ScratchFolder scratch;
  write_hdf5(sample_of_seeds(), scratch.file("r.h5"));
  EXPECT_EQ(to_json(read_hdf5(scratch.file("r.h5"))), to_json(sample_of_seeds()));
  EXPECT_TRUE(files::Hdf5Reader(scratch.file("r.h5")).has_dataset("/seeds/load_accepted"));
}

TEST(Hdf5Result, GivesBackTheJobs) {
  const ScratchFolder scratch;
  write_hdf5(sample_of_jobs(), scratch.file("r.h5"));
  const RunResult read = read_hdf5(scratch.file("r.h5"));
  EXPECT_EQ(to_json(read), to_json(sample_of_jobs()));
  ASSERT_EQ(read.jobs.size(), 3U);
  EXPECT_TRUE(std::isnan(read.jobs[1].finish_cycle));
  EXPECT_TRUE(files::Hdf5Reader(scratch.file("r.h5")).has_dataset("/jobs/slowdown"));
}

TEST(Hdf5Result, GivesBackExchangesAndWhatNicsDidWhereThereAreSome) {
  const ScratchFolder scratch;
  RunResult r = sample_result();
  EXPECT_FALSE(to_json(r).contains("exchange") || to_json(r).contains("routes"));
  r.exchange = {.tasks = 8, .mean = 1.5, .stddev = 0.25, .min = 1, .max = 2, .link = 4};
  r.chooses_routes = true;
  r.counts.routes = {.out_of_order = 1, .stopped = 2, .rerouted = 3, .forced = 4, .probes = 5};
  write_hdf5(r, scratch.file("r.h5"));
  const auto read = to_json(read_hdf5(scratch.file("r.h5")));
  EXPECT_EQ(read, to_json(r));
  EXPECT_EQ(read["exchange"]["link_share"]["mean"], 0.375);
  EXPECT_EQ(read["routes"]["probes"], 5);
}

TEST(Hdf5Result, GivesBackTheStatisticsThatWereAskedFor) {
  const ScratchFolder scratch;
  const RunResult a = sample_result();
  write_hdf5(a, scratch.file("r.h5"));
  const ExtraStatistics extra = read_hdf5(scratch.file("r.h5")).extra;  // what JSON has is compared above
  const auto expect_rows = [](const std::vector<LinkRow>& x, const std::vector<LinkRow>& y) {
    ASSERT_EQ(x.size(), y.size());
    for (std::size_t ix = 0; ix < x.size(); ++ix) {
      EXPECT_EQ(std::tie(x[ix].owner, x[ix].port, x[ix].channel, x[ix].packets, x[ix].utilisation),
                std::tie(y[ix].owner, y[ix].port, y[ix].channel, y[ix].packets, y[ix].utilisation));
    }
  };
  expect_rows(extra.ports, a.extra.ports);
  expect_rows(extra.nic_ports, a.extra.nic_ports);
  ASSERT_EQ(extra.pairs.size(), 1u);
  EXPECT_EQ(extra.pairs[0].source, 3u);
  EXPECT_EQ(extra.pairs[0].destination, 4u);
  EXPECT_EQ(extra.pairs[0].latency_mean, 60.5);
  EXPECT_EQ(extra.occupancy_samples, 5u);
}

TEST(Hdf5Result, HasNoStatisticsThatWereNotAskedFor) {
  const ScratchFolder scratch;
  RunResult r = sample_result();
  r.extra = {};
  write_hdf5(r, scratch.file("r.h5"));
  const files::Hdf5Reader file(scratch.file("r.h5"));
  for (const char* path : {"/series/begin", "/ports/router", "/pairs/source", "/occupancy/samples"}) {
    EXPECT_FALSE(file.has_dataset(path)) << path;
  }
  EXPECT_TRUE(read_hdf5(scratch.file("r.h5")).extra.series.empty());
}

TEST(Hdf5Result, HasTheSameCountersAsTheJsonSummary) {
  const ScratchFolder scratch;
  const RunResult r = sample_result();
  write_hdf5(r, scratch.file("r.h5"));
  const files::Hdf5Reader file(scratch.file("r.h5"));
  const auto engine = to_json(r)["engine"];
  for (const auto& [name, value] : engine.items()) {
    const std::string of_ranks = "/engine/ranks/" + (name == "rank_events" ? "events" : name);
    EXPECT_TRUE(file.has_dataset(value.is_array() ? of_ranks : "/engine/" + name)) << name;
  }
  EXPECT_FALSE(file.has_dataset("/engine/no_such_counter"));
  EXPECT_FALSE(file.has_dataset("/no_such_group/events"));
}

TEST(Hdf5Result, GivesBackAnEmptyResultAndOneWithAMillionNodesAndALongConfig) {
  const ScratchFolder scratch;
  write_hdf5(RunResult{}, scratch.file("empty.h5"));
  EXPECT_EQ(to_json(read_hdf5(scratch.file("empty.h5"))), to_json(RunResult{}));
  RunResult large;
  for (u64 node = 0; node < (u64{1} << 20); ++node) large.node_delivered.push_back(1000 + node * 7919 % 50);
  large.config_toml.assign(300'000, '#');  // beyond what HDF5 stores inside an object header
  write_hdf5(large, scratch.file("large.h5"));
  const RunResult back = read_hdf5(scratch.file("large.h5"));
  EXPECT_EQ(back.node_delivered, large.node_delivered);
  EXPECT_EQ(back.config_toml, large.config_toml);
  EXPECT_LT(std::filesystem::file_size(scratch.file("large.h5")), u64{4} << 20) << "not compressed";
}

TEST(Hdf5Result, HasThePhitsOfNodesOnlyWherePacketsHaveDifferentLengths) {
  const ScratchFolder scratch;
  RunResult r;
  write_hdf5(r, scratch.file("packets.h5"));
  EXPECT_FALSE(files::Hdf5Reader(scratch.file("packets.h5")).has_dataset("/nodes/delivered_cells"));
  r.node_injected_cells = {5, 6};
  r.node_delivered_cells = {7, 8};
  write_hdf5(r, scratch.file("cells.h5"));
  const RunResult back = read_hdf5(scratch.file("cells.h5"));
  EXPECT_EQ(back.node_injected_cells, r.node_injected_cells);
  EXPECT_EQ(back.node_delivered_cells, r.node_delivered_cells);
}

TEST(Hdf5Result, EqualResultsGiveEqualFiles) {
  const ScratchFolder scratch;
  write_hdf5(sample_result(), scratch.file("a.h5"));
  write_hdf5(sample_result(), scratch.file("b.h5"));
  EXPECT_EQ(content_of(scratch.file("a.h5")), content_of(scratch.file("b.h5")));
}

TEST(Hdf5Result, AFailedWriteLeavesTheExistingFileAndNoTemporary) {
  const ScratchFolder scratch;
  std::filesystem::create_directory(scratch.file("taken.h5"));
  EXPECT_THROW(write_hdf5(sample_result(), scratch.file("taken.h5")), SystemError);
  EXPECT_THROW(write_hdf5(sample_result(), scratch.file("missing/r.h5")), SystemError);
  ASSERT_EQ(::mkfifo(scratch.file("pipe").c_str(), 0600), 0);
  EXPECT_THROW(write_hdf5(sample_result(), scratch.file("pipe")), ConfigError);
  EXPECT_EQ(scratch.entries(), 2u);
}

/// What a result file has behind its HDF5 part.
constexpr std::size_t trailer_bytes = 32;

TEST(Hdf5Result, RefusesAFileCutAtAnyPlace) {
  const ScratchFolder scratch;
  write_hdf5(sample_result(), scratch.file("whole.h5"));
  const std::string whole = content_of(scratch.file("whole.h5"));
  const std::string cut = scratch.file("cut.h5");
  const auto expect_refused = [&](std::size_t length) {
    put(cut, whole.substr(0, length));
    EXPECT_NE(refusal(cut).find(cut), std::string::npos) << "cut to " << length << " of " << whole.size() << " bytes";
  };
  for (std::size_t length = 0; length < 150; length += 3) expect_refused(length);
  for (std::size_t step = 1; step < 100; ++step) expect_refused(whole.size() * step / 100);
  for (std::size_t missing = 1; missing < 64; ++missing) {
    if (missing != trailer_bytes) expect_refused(whole.size() - missing);
  }
}

TEST(Hdf5Result, ReadsAFileThatLostItsChecksumByEditingButIsWholeHdf5) {
  const ScratchFolder scratch;
  write_hdf5(sample_result(), scratch.file("r.h5"));
  const std::string whole = content_of(scratch.file("r.h5"));
  put(scratch.file("r.h5"), whole.substr(0, whole.size() - trailer_bytes));
  EXPECT_EQ(to_json(read_hdf5(scratch.file("r.h5"))), to_json(sample_result()));
}

TEST(Hdf5Result, ReadsAFileOfAVersionThatCountedLess) {
  const ScratchFolder scratch;
  const std::string path = scratch.file("r.h5");
  write_hdf5(sample_result(), path);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - trailer_bytes);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  ASSERT_GE(H5Ldelete(file, "/engine/rebalances", H5P_DEFAULT), 0);
  ASSERT_GE(H5Fclose(file), 0);
  const RunResult read = read_hdf5(path);
  EXPECT_EQ(read.engine.rebalances, 0u);
  EXPECT_EQ(read.engine.checkpoints, sample_result().engine.checkpoints);
}

TEST(Hdf5Result, ReadsAFileOfAVersionThatGaveFiguresOtherNames) {
  const ScratchFolder scratch;
  const std::string path = scratch.file("r.h5");
  RunResult r = sample_of_jobs();
  r.exchange = {.tasks = 8, .mean = 1.5, .stddev = 0.25, .min = 1, .max = 2, .link = 4};
  r.bus = {.algorithm = 3, .bus = 5};
  r.cosim.emplace().late_ns_max = 7;
  r.cosim->late_ns_mean = 6.5;
  r.cosim->endpoints.emplace_back().endpoint = 3;
  write_hdf5(r, path);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - trailer_bytes);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), links = H5Pcreate(H5P_LINK_CREATE);
  ASSERT_GE(H5Pset_create_intermediate_group(links, 1), 0);
  std::size_t moved = 0;
  const auto move = [&](const std::string& from, const char* to) {
    if (*to == '\0') return;
    EXPECT_GE(H5Lmove(file, from.c_str(), file, to, links, H5P_DEFAULT), 0) << from;
    ++moved;
  };
  for_each_part([&](const Part& part, const auto& rows, auto) {
    for (const auto& row : rows) move(figure_path(part, row.name, row.path), row.old_path);
  });
  for_each_table([&](const Table& table, const auto& rows, auto) {
    for (const auto& row : rows) move(column_path(table, row.name, row.path), row.old_path);
  });
  ASSERT_GE(H5Pclose(links), 0);
  ASSERT_GE(H5Fclose(file), 0);
  EXPECT_EQ(moved, 15U);
  EXPECT_EQ(to_json(read_hdf5(path)), to_json(r));
}

TEST(Hdf5Result, RefusesTextsThatLeadNowhereWhereNoChecksumTellsOfDamage) {
  const ScratchFolder scratch;
  const std::string path = scratch.file("r.h5");
  write_hdf5(sample_result(), path);
  std::string whole = content_of(path);
  whole.resize(whole.size() - trailer_bytes);
  // HDF5 would loop for ever over a text of no bytes, and copy one that is longer than it says.
  std::size_t heaps = 0;
  for (std::size_t heap = whole.find("GCOL"); heap != std::string::npos; heap = whole.find("GCOL", heap + 1), ++heaps) {
    constexpr std::size_t size_of_heap = 8, number_of_text = 16, size_of_text = 24;
    for (const std::size_t place : {size_of_heap, size_of_heap + 7, number_of_text, size_of_text, size_of_text + 3}) {
      // Texts of later heaps are units, which nobody reads, and a wrong length may lead to the begin of another.
      if ((place == number_of_text || place == size_of_text) && heaps > 0) continue;
      std::string damaged = whole;
      damaged[heap + place] ^= 0x21;
      put(path, damaged);
      EXPECT_NE(refusal(path).find("damaged"), std::string::npos) << "byte " << place << " of the heap at " << heap;
    }
    std::string old = whole;
    old[8] = 0;  // of a version without checksums
    put(path, old);
    EXPECT_NE(refusal(path).find("superblock"), std::string::npos);
  }
  EXPECT_GT(heaps, 0U);
}

TEST(Hdf5Result, RefusesAnyDamagedByte) {
  const ScratchFolder scratch;
  write_hdf5(sample_result(), scratch.file("whole.h5"));
  const std::string whole = content_of(scratch.file("whole.h5"));
  for (std::size_t step = 0; step < 300; ++step) {
    std::string damaged = whole;
    const std::size_t place = step < 40 ? whole.size() - 1 - step : step * 7919 % whole.size();
    damaged[place] ^= static_cast<char>(1 + step * 37 % 255);
    put(scratch.file("damaged.h5"), damaged);
    EXPECT_NE(refusal(scratch.file("damaged.h5")), "") << "byte " << place << " of " << whole.size();
  }
}

TEST(Hdf5Result, RefusesEmptyTextMissingAndDirectoryWithTheReason) {
  const ScratchFolder scratch;
  put(scratch.file("empty"), "");
  put(scratch.file("text"), "load = 0.3 and more text than a signature\n");
  EXPECT_NE(refusal(scratch.file("empty")).find("empty"), std::string::npos);
  EXPECT_NE(refusal(scratch.file("text")).find("not an HDF5 file"), std::string::npos);
  EXPECT_NE(refusal(scratch.file("missing")).find("No such file"), std::string::npos);
  EXPECT_NE(refusal(scratch.file("")).find("directory"), std::string::npos);
}

TEST(Hdf5Result, RefusesForeignAndNewerFilesAndSaysWhatWasExpected) {
  const ScratchFolder scratch;
  const std::string path = scratch.file("other.h5");
  const auto refused_because = [&](const std::string& reason, const auto& fill) {
    files::Hdf5Writer file(path);
    fill(file);
    file.save();
    EXPECT_NE(refusal(path).find(reason), std::string::npos) << refusal(path);
  };
  refused_because("without the attribute 'format'", [](files::Hdf5Writer& file) {
    file.column("/data/x", std::vector<u64>{1, 2, 3}, "m");
  });
  refused_because("'weft-checkpoint', expected 'weft-result'",
                  [](files::Hdf5Writer& file) { file.attribute("/", "format", "weft-checkpoint"); });
  refused_because("is no text", [](files::Hdf5Writer& file) { file.attribute("/", "format", 7); });
  refused_because("version 2, expected 1", [](files::Hdf5Writer& file) {
    file.attribute("/", "format", "weft-result");
    file.attribute("/", "format_version", 2);
  });
  refused_because("attribute 'version' is missing", [](files::Hdf5Writer& file) {
    file.attribute("/", "format", "weft-result");
    file.attribute("/", "format_version", 1);
  });
}

}  // namespace
}  // namespace weft::tools
