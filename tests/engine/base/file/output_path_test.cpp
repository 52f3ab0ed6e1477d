// The rule for outputs: nothing that is read, no other output, no device, and never a file through somebody else's
// name.
#include "engine/base/file/output_path.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/error.hpp"
#include "tests/support/scratch_folder.hpp"

namespace weft::files {
namespace {

/// The text of the Error of kind E that `f` throws; empty if there is none.
template <class E, class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const E& error) {
    return error.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(CommandFiles, TakeOutputsThatAreNewOrMayBeReplacedAndLeaveNothingBehind) {
  const ScratchFolder scratch;
  put(scratch.file("there"), "old");
  CommandFiles files;
  files.reads("the config", scratch.file("config.toml"));  // missing: its reader will say so
  EXPECT_NO_THROW(files.writes("--out", scratch.file("new")));
  EXPECT_NO_THROW(files.writes("--export", scratch.file("there")));
  EXPECT_NO_THROW(files.writes("--json", "-", Streams::allowed));
  EXPECT_NO_THROW(files.writes("--json", "/dev/null", Streams::allowed));
  EXPECT_NO_THROW(files.writes("--json", ""));
  EXPECT_EQ(scratch.entries(), 1u);
  EXPECT_EQ(content_of(scratch.file("there")), "old");
}

TEST(CommandFiles, RefuseStandardOutputForWhatIsNoStream) {
  const std::string error = error_of<ConfigError>([&] { CommandFiles().writes("--out", "-"); });
  EXPECT_TRUE(contains(error, "--out - is not possible")) << error;
}

TEST(Endings, SayWhatAFileHolds) {
  for (const char* const path : {"", "-", "r", "dir.d/r", "r.h5", "a.b.hdf5"})
    EXPECT_NO_THROW(check_ending("--out", path, hdf5_format())) << path;
  EXPECT_NO_THROW(check_ending("--out", "lfts.dump", text_format()));
  const std::string error = error_of<ConfigError>([&] { check_ending("--out", "d/x.pdf", page_format()); });
  EXPECT_EQ(error, "--out = 'd/x.pdf' is no name for what is written (an HTML page, not \".pdf\"); use 'd/x.html'");
  EXPECT_THROW(check_ending("--out", "x.html", hdf5_format()), ConfigError);
  EXPECT_THROW(check_ending("--out", "x.trc.xz", program_format()), ConfigError);
  EXPECT_THROW(check_ending("--json", "x.h5", json_format()), ConfigError);
}

TEST(CommandFiles, RefuseAnInputUnderAnyOfItsNames) {
  const ScratchFolder scratch;
  const std::string trace = scratch.file("app.trc");
  put(trace, "s 0 1 5 100");
  std::filesystem::create_hard_link(trace, scratch.file("hard"));
  std::filesystem::create_symlink("app.trc", scratch.file("soft"));
  std::filesystem::create_symlink("soft", scratch.file("softer"));
  std::filesystem::create_directory_symlink(".", scratch.file("again"));
  for (const char* name : {"app.trc", "./app.trc", "hard", "soft", "softer", "again/app.trc", "again/again/hard"}) {
    CommandFiles files;
    files.reads("the trace", scratch.file("softer"));
    const std::string error = error_of<ConfigError>([&] { files.writes("--out", scratch.file(name)); });
    EXPECT_TRUE(contains(error, "it is the trace")) << name << ": " << error;
    EXPECT_TRUE(contains(error, "--out")) << name << ": " << error;
  }
  EXPECT_EQ(content_of(trace), "s 0 1 5 100");
}

TEST(CommandFiles, RefuseAnInputThatIsNotThereYetUnderAnyOfItsNames) {
  const ScratchFolder scratch;
  std::filesystem::create_directory_symlink(".", scratch.file("again"));
  std::filesystem::create_symlink("app.trc", scratch.file("soft"));
  for (const char* name : {"app.trc", "./app.trc", "again/app.trc", "soft"}) {
    CommandFiles files;
    files.reads("the trace", scratch.file("app.trc"));
    files.reads("the map", scratch.file("missing/map"));  // nothing can be written there
    const std::string error = error_of<ConfigError>([&] { files.writes("--log", scratch.file(name)); });
    EXPECT_TRUE(contains(error, "it is the trace")) << name << ": " << error;
  }
}

TEST(CommandFiles, MayReplaceTheInputThatTheyAreToldTo) {
  const ScratchFolder scratch;
  put(scratch.file("run.ckpt.h5"), "state");
  CommandFiles files;
  files.reads("the checkpoint", scratch.file("run.ckpt.h5"));
  EXPECT_NO_THROW(files.writes("checkpoint.path", scratch.file("run.ckpt.h5"), Streams::refused, "the checkpoint"));
  files.reads("the weights", scratch.file("run.ckpt.h5"));
  EXPECT_THROW(files.writes("checkpoint.path", scratch.file("run.ckpt.h5"), Streams::refused, "the checkpoint"),
               ConfigError);
}

TEST(CommandFiles, RefuseTwoOutputsInOneFileAlsoBeforeItExists) {
  const ScratchFolder scratch;
  std::filesystem::create_directory_symlink(".", scratch.file("again"));
  std::filesystem::create_symlink("result", scratch.file("dangling"));
  for (const char* name : {"result", "again/result", "dangling"}) {
    CommandFiles files;
    files.writes("--out", scratch.file("result"));
    const std::string error =
        error_of<ConfigError>([&] { files.writes("--json", scratch.file(name), Streams::allowed); });
    EXPECT_TRUE(contains(error, "--out and --json both name")) << name << ": " << error;
  }
}

TEST(CommandFiles, RefuseTheFileThatStandardOutputGoesTo) {
  const ScratchFolder scratch;
  put(scratch.file("log"), "");
  const int kept = ::dup(STDOUT_FILENO), log = ::open(scratch.file("log").c_str(), O_WRONLY);
  ::dup2(log, STDOUT_FILENO);
  const std::string error = error_of<ConfigError>([&] { CommandFiles().writes("--out", scratch.file("log")); });
  ::dup2(kept, STDOUT_FILENO);
  ::close(kept);
  ::close(log);
  EXPECT_TRUE(contains(error, "standard output")) << error;
}

TEST(OutputTarget, IsNoDeviceOrPipeUnlessStreamsAreAllowed) {
  const ScratchFolder scratch;
  ASSERT_EQ(::mkfifo(scratch.file("pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink("pipe", scratch.file("link"));
  for (const std::string& path : {std::string("/dev/null"), scratch.file("pipe"), scratch.file("link")}) {
    EXPECT_TRUE(contains(error_of<ConfigError>([&] { static_cast<void>(output_target(path)); }), "no regular file"));
    EXPECT_TRUE(output_target(path, Streams::allowed).stream);
  }
}

TEST(OutputTarget, IsTheFileBehindLinksAlsoWhereNothingIsYet) {
  const ScratchFolder scratch;
  std::filesystem::create_directory(scratch.file("folder"));
  std::filesystem::create_symlink("folder/new", scratch.file("link"));
  std::filesystem::create_symlink(scratch.file("link"), scratch.file("longer"));
  EXPECT_EQ(std::filesystem::path(output_target(scratch.file("longer")).path).lexically_normal(),
            scratch.file("folder/new"));
  std::filesystem::create_symlink("loop", scratch.file("loop"));
  EXPECT_TRUE(
      contains(error_of<SystemError>([&] { static_cast<void>(output_target(scratch.file("loop"))); }), "links"));
}

TEST(OutputTarget, IsNoDirectoryAndNeedsOne) {
  const ScratchFolder scratch;
  put(scratch.file("file"), "");
  for (const std::string& path : {scratch.file(""), scratch.file("missing/r.h5"), scratch.file("file/r.h5"),
                                  scratch.file("missing/"), std::string()}) {
    EXPECT_THROW(static_cast<void>(output_target(path)), SystemError) << path;
  }
  EXPECT_THROW(CommandFiles().writes("--out", "/proc/r.h5"), SystemError);
}

TEST(CreateExclusively, GivesAFileOfItsOwnUnderANameThatNobodyForesees) {
  const ScratchFolder scratch;
  std::string one, two;
  const Descriptor first = create_exclusively(scratch.file("stem-"), ".tmp", one);
  const Descriptor second = create_exclusively(scratch.file("stem-"), ".tmp", two);
  ASSERT_TRUE(first.valid());
  ASSERT_TRUE(second.valid());
  EXPECT_NE(one, two);
  for (const std::string& name : {one, two}) {
    EXPECT_TRUE(name.starts_with(scratch.file("stem-")) && name.ends_with(".tmp")) << name;
    EXPECT_EQ(name.size(), scratch.file("stem-").size() + 8 + 4) << name;
  }
  std::string none;
  EXPECT_FALSE(create_exclusively(scratch.file("missing/stem-"), "", none).valid());
  EXPECT_EQ(none, "");
}

}  // namespace
}  // namespace weft::files
