// Child processes: exit codes, what they say, and signals handed on to them.
#include "engine/base/system/child_process.hpp"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

#include "engine/base/error.hpp"
#include "engine/base/system/machine.hpp"
#include "tests/support/scratch_folder.hpp"

namespace weft::process {
namespace {

TEST(ChildProcess, ExitCodeAndBothStreamsComeBack) {
  const ChildOutcome done = run_child({"sh", "-c", "echo out; echo err >&2; exit 7"});
  EXPECT_EQ(done.exit_code, 7);
  EXPECT_EQ(done.output, "out\n");
  EXPECT_EQ(done.error, "err\n");
}

TEST(ChildProcess, LinesOfItsErrorsAreSeenAsTheyComeAndTakenOrLeft) {
  std::vector<std::string> seen;
  double first_s = 0;
  const double begin_s = wall_s();
  const ChildOutcome done = run_child({"sh", "-c", "echo a1 >&2; echo out; sleep 1; printf 'b2\\na3\\nb4' >&2; exit 3"},
                                      StopWith::terminate, {}, [&](std::string_view line) {
                                        if (seen.empty()) first_s = wall_s() - begin_s;
                                        seen.emplace_back(line);
                                        return line.starts_with("a");
                                      });
  EXPECT_EQ(seen, (std::vector<std::string>{"a1", "b2", "a3"})) << "whole lines only";
  EXPECT_EQ(done.error, "b2\nb4");
  EXPECT_EQ(done.output, "out\n");
  EXPECT_EQ(done.exit_code, 3);
  EXPECT_GE(done.wall_s, 1);
  EXPECT_LT(first_s, done.wall_s - 0.3);
}

TEST(ChildProcess, MuchOutputNeitherBlocksNorIsCut) {
  const ChildOutcome done = run_child({"sh", "-c", "head -c 3000000 /dev/zero"});
  EXPECT_EQ(done.exit_code, 0);
  EXPECT_EQ(done.output.size(), 3'000'000u);
}

TEST(ChildProcess, ASignalThatEndsItIsToldAsShellsTellIt) {
  EXPECT_EQ(run_child({"sh", "-c", "kill -9 $$"}).exit_code, 128 + SIGKILL);
}

TEST(ChildProcess, AProgramThatIsNotThereIsASystemError) {
  EXPECT_THROW(static_cast<void>(run_child({"/no/such/program"})), SystemError);
}

TEST(ChildProcess, TheChildDoesNotTakeItselfForARank) {
  ::setenv("OMPI_COMM_WORLD_SIZE", "4", 1);
  ::setenv("SLURM_STEP_NUM_TASKS", "2", 1);  // of the step in which mpirun keeps its daemons
  ::setenv("OMPI_MCA_btl_base_verbose", "0", 1);
  const ChildOutcome done =
      run_child({"sh", "-c", "echo $OMPI_COMM_WORLD_SIZE$SLURM_STEP_NUM_TASKS-$OMPI_MCA_btl_base_verbose"});
  ::unsetenv("SLURM_STEP_NUM_TASKS");
  ::unsetenv("OMPI_COMM_WORLD_SIZE");
  ::unsetenv("OMPI_MCA_btl_base_verbose");
  EXPECT_EQ(done.output, "-0\n");
}

/// The exit code of a child that answers TERM with 3 and USR1 with 4, when `signals` SIGINTs come to this process, with
/// a pause between them.
int answered(StopWith stop, int signals, std::chrono::milliseconds pause = {}) {
  const ScratchFolder scratch;
  const std::string ready = scratch.file("ready");
  std::signal(SIGINT, SIG_DFL);  // the test may run where it is ignored, as in the background of a script
  const StopSignals handled;
  std::thread sender([&] {
    while (::access(ready.c_str(), F_OK) != 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    for (int sent = 0; sent < signals; ++sent) {
      ::kill(::getpid(), SIGINT);
      while (StopSignals::received() <= sent) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      if (sent + 1 < signals) std::this_thread::sleep_for(pause);
    }
  });
  const std::string traps =
      pause.count() == 0 ? "trap 'sleep 0.2; exit 3' TERM; trap 'exit 4' USR1; " : "trap '' TERM; ";
  const int code =
      run_child({"sh", "-c", traps + "touch '" + ready + "'; while :; do sleep 0.02; done"}, stop).exit_code;
  sender.join();
  EXPECT_EQ(StopSignals::received(), signals);
  return code;
}

TEST(ChildProcess, AStopIsHandedOnInTheFormThatTheChildUnderstands) {
  EXPECT_EQ(answered(StopWith::terminate, 1), 3);
  EXPECT_EQ(answered(StopWith::user_signal, 1), 4);
}

TEST(ChildProcess, AStopThatComesTwiceAtOnceLeavesTheChildItsTime) { EXPECT_EQ(answered(StopWith::terminate, 2), 3); }

TEST(ChildProcess, AnIgnoredSignalStaysIgnoredHereAndByTheChild) {
  const auto before = std::signal(SIGHUP, SIG_IGN);
  {
    const StopSignals handled;
    ::raise(SIGHUP);
    EXPECT_EQ(StopSignals::received(), 0);
    // A child that does not ignore it ends by it.
    EXPECT_EQ(run_child({"sh", "-c", "kill -HUP $$; exit 7"}).exit_code, 7);
    EXPECT_EQ(run_child({"sh", "-c", "kill -USR1 $$; exit 7"}).exit_code, 128 + SIGUSR1);
  }
  EXPECT_EQ(std::signal(SIGHUP, before), SIG_IGN);
}

TEST(ChildProcess, WhatWasDoneAboutSignalsBeforeIsDoneAgainAfterwards) {
  void (*const ours)(int) = [](int) {};
  const auto before = std::signal(SIGUSR1, ours);
  { const StopSignals handled; }
  EXPECT_EQ(std::signal(SIGUSR1, before), ours);
}

TEST(ChildProcess, ALaterSecondStopInsists) {
  EXPECT_EQ(answered(StopWith::terminate, 2, std::chrono::milliseconds(1100)), 128 + SIGKILL);
}

}  // namespace
}  // namespace weft::process
