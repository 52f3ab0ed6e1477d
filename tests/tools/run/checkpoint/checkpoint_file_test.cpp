// Checkpoint files read by several readers that keep a part each, as ranks do.
#include "tools/run/checkpoint/checkpoint_file.hpp"

#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/error.hpp"
#include "engine/base/system/machine.hpp"
#include "tests/engine/thread_ranks.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/tools/result/sample_result.hpp"

namespace weft::tools::testing {
namespace {

using Bytes = std::vector<std::byte>;

/// Record of an entity: its number, over and over.
Bytes record_of(u32 id, u32 bytes) {
  Bytes record(bytes);
  for (u32 i = 0; i < bytes; ++i) record[i] = static_cast<std::byte>((id * 131 + i) & 255);
  return record;
}

struct Entity {
  u32 id, bytes;
};

class CheckpointFile : public ::testing::Test {
 protected:
  /// One column of records and four events, each of the entity with its number.
  void write(const std::vector<Entity>& entities) const { write(entities, {path_, ""}); }
  static void write(const std::vector<Entity>& entities, const CheckpointPlace& place) {
    CheckpointShare share;
    CheckpointColumn column{"state", {}, {}};
    for (const Entity& entity : entities) {
      share.ids.push_back(entity.id);
      column.bytes.push_back(entity.bytes);
    }
    column.fill = [&](std::size_t row, std::byte* to) {
      const Bytes record = record_of(entities[row].id, entities[row].bytes);
      std::copy(record.begin(), record.end(), to);
    };
    share.columns = {column};
    const u32 events[4] = {0, 1, 2, 3};
    const auto bytes = std::as_bytes(std::span(events));
    share.events = {{bytes.begin(), bytes.end()}};
    share.event_bytes = {sizeof(u32)};
    share.run = record_of(77, 100);
    CheckpointHeader header;
    header.version = "test";
    header.config_toml = "format = 1";
    header.tick = 42;
    const auto alone = engine::single_process();
    write_checkpoint(place, header, share, *alone);
  }

  /// Reads with `parts` readers of which reader p keeps the ids with part_of(id) == p; all must be as written. True if
  /// together they verify the file.
  bool read(const std::vector<Entity>& entities, u32 parts, const std::function<u32(u32)>& part_of) const {
    std::map<u32, u32> times;  // each record was given
    std::vector<std::unique_ptr<CheckpointReader>> readers;
    for (u32 part = 0; part < parts; ++part) {
      readers.push_back(std::make_unique<CheckpointReader>(path_));
      CheckpointReader& reader = *readers.back();
      EXPECT_EQ(reader.header().tick, 42U);
      EXPECT_EQ(reader.run(), record_of(77, 100));
      reader.keep([&](u32 id) { return part_of(id) == part; });
      reader.each_record("state", [&](u32 id, std::span<const std::byte> record) {
        EXPECT_EQ(part_of(id), part) << id;
        EXPECT_TRUE(std::ranges::equal(record, record_of(id, static_cast<u32>(record.size())))) << id;
        ++times[id];
      });
      reader.each_event(0, sizeof(u32), [&](std::span<const std::byte> row) {
        u32 id = 0;
        std::memcpy(&id, row.data(), sizeof id);
        return part_of(id) == part;
      });
    }
    for (const Entity& entity : entities) {
      EXPECT_EQ(times[entity.id], part_of(entity.id) < parts ? 1U : 0U) << entity.id;
    }
    bool whole = true;
    try {
      engine::testing::run_ranks(parts, [&](engine::Transport& rank) { readers[rank.rank()]->verify(rank); });
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("damaged"), std::string::npos) << error.what();
      whole = false;
    }
    return whole;
  }

  ScratchFolder folder_;
  std::string path_ = folder_.file("run.ckpt.h5");
};

/// Records of no byte, of one, of some, of more than is passed over, and of more than is read at once.
std::vector<Entity> mixed() {
  std::vector<Entity> entities;
  constexpr u32 bytes[] = {0, 1, 100, 70 << 10, 0, 3000, 5 << 20, 40 << 10, 40 << 10, 1};
  for (u32 id = 0; id < 60; ++id) entities.push_back({id, bytes[(id * 7 + id / 10) % std::size(bytes)]});
  return entities;
}

TEST_F(CheckpointFile, IsReadWholeByReadersThatKeepAPartEach) {
  const auto entities = mixed();
  write(entities);
  EXPECT_TRUE(read(entities, 1, [](u32) { return 0U; }));
  EXPECT_TRUE(read(entities, 2, [](u32 id) { return id / 30; }));  // runs, begun and ended by what is not kept
  EXPECT_TRUE(read(entities, 3, [](u32 id) { return id % 3; }));   // in turn
  EXPECT_TRUE(read(entities, 2, [](u32 id) { return id == 31 ? 1U : 0U; }));
  EXPECT_TRUE(read(entities, 4, [](u32 id) { return id * 2654435761U >> 30; }));
}

TEST_F(CheckpointFile, OfManySmallRecordsIsReadOverLargeGaps) {
  std::vector<Entity> entities;
  for (u32 id = 0; id < 20'000; ++id) entities.push_back({id, 1000});
  write(entities);
  EXPECT_TRUE(read(entities, 2, [](u32 id) { return id / 500 % 2; }));  // 500 kB kept, 500 kB not
  EXPECT_TRUE(read(entities, 2, [](u32 id) { return id / 5000 % 2; }));
}

TEST_F(CheckpointFile, IsRefusedIfARecordOrAnEventIsNoOnes) {
  const auto entities = mixed();
  write(entities);
  EXPECT_FALSE(read(entities, 2, [](u32 id) { return id == 9 ? 7U : id % 2; }));  // of 70 KiB
  EXPECT_FALSE(read(entities, 2, [](u32 id) { return id == 0 ? 7U : id % 2; }));  // of no byte, but it has an event
}

TEST_F(CheckpointFile, TakesThePlaceOfAFileAndOfNothingElse) {
  const ScratchFolder scratch;
  const std::string target = scratch.file("target.h5"), link = scratch.file("link.h5"), pipe = scratch.file("pipe");
  put(target, "old");
  ASSERT_EQ(::chmod(target.c_str(), 0640), 0);
  std::filesystem::create_symlink("target.h5", link);
  write(mixed(), {link, ""});
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(CheckpointReader(target).header().tick, 42U);
  struct stat status = {};
  ASSERT_EQ(::stat(target.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640U);
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THROW(write({}, {pipe, ""}), SystemError);
  EXPECT_THROW(write({}, {target, "it is an input"}), SystemError);
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  EXPECT_EQ(scratch.entries(), 3U) << "no temporary file is left";
}

TEST_F(CheckpointFile, ClearsAwayWhatDeadProcessesLeftAndFollowsNoLinkOfTheirs) {
  const ScratchFolder scratch;
  const std::string path = scratch.file("a.h5"), precious = scratch.file("precious");
  const pid_t dead = ::fork();
  if (dead == 0) ::_exit(0);
  ASSERT_EQ(::waitpid(dead, nullptr, 0), dead);
  const std::string stem = path + ".part-" + host_name() + "-";
  put(precious, "kept");
  put(stem + std::to_string(dead), "");
  put(stem + std::to_string(dead) + "-0badcafe", "");
  put(stem + std::to_string(::getpid()) + "-0badcafe", "of one that lives");
  std::filesystem::create_symlink(precious, stem + std::to_string(dead) + "-00000000");
  std::filesystem::create_symlink(precious,
                                  stem + std::to_string(::getpid()));  // the name that it once would have taken
  write({}, {path, ""});
  EXPECT_EQ(content_of(precious), "kept");
  EXPECT_EQ(scratch.entries(), 4U);  // besides the checkpoint and the precious file what lives
}

TEST_F(CheckpointFile, WithoutEntitiesIsReadAsWell) {
  write({});
  EXPECT_TRUE(read({}, 2, [](u32 id) { return id % 2; }));
}

}  // namespace
}  // namespace weft::tools::testing
