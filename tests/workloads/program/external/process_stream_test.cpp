// A process as a task: what becomes of its steps, and what it is told. The process is a list of steps here.
#include "workloads/program/external/process_stream.hpp"

#include <gtest/gtest.h>

#include "engine/base/error.hpp"
#include "workloads/program/message.hpp"

namespace weft::workloads {
namespace {

/// Says its steps one after the other, and keeps what it is told.
class ListLink final : public ProcessLink {
 public:
  ListLink(std::vector<Command> steps, std::vector<Answer>& answers, std::vector<Completion>& told)
      : steps_(std::move(steps)), answers_(answers), told_(told) {}
  Command take() override {
    EXPECT_LT(next_, steps_.size()) << "it is asked for more steps than it has";
    return next_ < steps_.size() ? steps_[next_++] : Command{};
  }
  void answer(const Answer& answer, std::span<const Completion> completions) override {
    answers_.push_back(answer);
    told_.insert(told_.end(), completions.begin(), completions.end());
  }
  [[nodiscard]] u32 most_completions() const override { return 2; }

 private:
  std::vector<Command> steps_;
  std::vector<Answer>& answers_;
  std::vector<Completion>& told_;
  std::size_t next_ = 0;
};

class ProcessStreams : public testing::Test {
 protected:
  ProcessStream& open(std::vector<Command> steps, ComputingCost cost = {ComputingCost::Rule::fixed, 0}) {
    ProcessTimes times;
    times.poll_ns = 30;
    times.ps_of_tick = 1000;
    times.recorded = &recorded;
    times.task = 6;
    times.limits.message_bytes = most_bytes;
    stream = std::make_unique<ProcessStream>(std::make_unique<ListLink>(std::move(steps), answers, told),
                                             std::move(cost), times, counts);
    return *stream;
  }
  static Message message(u32 source, u32 tag, u32 communicator, u32 number, u64 bytes) {
    Message result;
    result.source = source;
    result.tag = tag;
    result.communicator = communicator;
    result.number = number;
    result.bytes = bytes;
    return result;
  }

  static constexpr u64 most_bytes = u64{64} << 30;
  std::vector<Answer> answers;
  std::vector<Completion> told;
  std::vector<u64> recorded;
  ProcessCounts counts;
  std::unique_ptr<ProcessStream> stream;
};

TEST_F(ProcessStreams, SendsAndReceivesAreRequestsWhichAreAwaitedByTheNumbersOfTheirOperations) {
  ProcessStream& task =
      open({{.kind = CommandKind::send, .request = 7, .peer = 3, .tag = 5, .communicator = 2, .bytes = 9},
            {.kind = CommandKind::receive, .request = 8, .peer = Command::any, .tag = 1},
            {.kind = CommandKind::await, .request = 8},
            {.kind = CommandKind::await, .request = 7},
            {.kind = CommandKind::end}});
  EXPECT_EQ(task.next(), (Op{.kind = OpKind::isend, .peer = 3, .tag = 5, .amount = 9, .communicator = 2}));
  EXPECT_EQ(task.next(), (Op{.kind = OpKind::ireceive, .peer = GraphOp::any, .tag = 1}));
  EXPECT_EQ(task.next(), (Op{.kind = OpKind::await, .amount = 1}));
  EXPECT_EQ(task.next(), (Op{.kind = OpKind::await, .amount = 0}));
  EXPECT_EQ(task.next().kind, OpKind::end);
  EXPECT_TRUE(answers.empty());
  EXPECT_EQ(counts.sent, 1U);
  EXPECT_EQ(counts.sent_bytes, 9U);
}

TEST_F(ProcessStreams, AMessageBeyondTheLimitIsRefusedAndNamesTheTaskAReceiveMayBeLonger) {
  ProcessStream& task = open({{.kind = CommandKind::receive, .request = 1, .bytes = most_bytes + 1},
                              {.kind = CommandKind::send, .request = 2, .bytes = most_bytes},
                              {.kind = CommandKind::send, .request = 3, .bytes = most_bytes + 1}});
  EXPECT_EQ(task.next().kind, OpKind::ireceive);
  EXPECT_EQ(task.next().kind, OpKind::isend);
  try {
    static_cast<void>(task.next());
    ADD_FAILURE() << "it is sent";
  } catch (const SystemError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("the process of task 6 sends a message that is too long: "))
        << error.what();
  }
}

TEST_F(ProcessStreams, WhatIsCompleteIsNotAwaitedAndIsToldWithItsMessage) {
  ProcessStream& task = open({{.kind = CommandKind::receive, .request = 4, .peer = 1},
                              {.kind = CommandKind::await, .request = 4},
                              {.kind = CommandKind::tell},
                              {.kind = CommandKind::end}});
  task.next();
  const Message came = message(1, 0, 0, 17, 100);
  EXPECT_FALSE(task.takes(came, 5));
  task.matched(0, ReceivedMessage(came), 5);
  task.complete(0, 6);
  task.at(8);
  EXPECT_EQ(task.next().kind, OpKind::end);
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].now_ps, 8000U);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].request, 4U);
  EXPECT_EQ(told[0].source, 1U);
  EXPECT_EQ(told[0].number, 17U);
  EXPECT_EQ(told[0].bytes, 100U);
  EXPECT_EQ(counts.received_bytes, 100U);
}

TEST_F(ProcessStreams, QuietRequestsAreNotTold) {
  ProcessStream& task = open({{.kind = CommandKind::send, .request = 1},
                              {.kind = CommandKind::send, .request = 2},
                              {.kind = CommandKind::send, .is_quiet = true, .request = 3},
                              {.kind = CommandKind::await, .is_quiet = true, .request = 1},
                              {.kind = CommandKind::await, .is_quiet = true, .request = 2},
                              {.kind = CommandKind::tell},
                              {.kind = CommandKind::end}});
  for (int k = 0; k < 3; ++k) EXPECT_EQ(task.next().kind, OpKind::isend);
  task.complete(1, 4);  // before it is awaited
  EXPECT_EQ(task.next(), (Op{.kind = OpKind::await, .amount = 0}));
  task.complete(0, 5);
  task.complete(2, 5);
  EXPECT_EQ(task.next().kind, OpKind::end);
  EXPECT_EQ(answers.size(), 1U);
  EXPECT_TRUE(told.empty());
}

TEST_F(ProcessStreams, AnAnswerThatHasNoRoomForAllSaysThatThereIsMore) {
  std::vector<Command> steps;
  for (u32 number = 0; number < 5; ++number) steps.push_back({.kind = CommandKind::send, .request = number});
  for (int k = 0; k < 3; ++k) steps.push_back({.kind = CommandKind::tell});
  steps.push_back({.kind = CommandKind::end});
  ProcessStream& task = open(steps);
  for (u32 operation = 0; operation < 5; ++operation) task.next();
  for (u32 operation = 0; operation < 5; ++operation) task.complete(operation, 1);
  task.next();
  ASSERT_EQ(answers.size(), 3U);
  EXPECT_TRUE(answers[0].more && answers[1].more && !answers[2].more);
  EXPECT_EQ(answers[2].completions, 1U);
  for (u32 number = 0; number < 5; ++number) EXPECT_EQ(told[number].request, number);
}

TEST_F(ProcessStreams, ListeningIsAnsweredOnceSomethingIsComplete) {
  ProcessStream& task =
      open({{.kind = CommandKind::send, .request = 1}, {.kind = CommandKind::listen}, {.kind = CommandKind::end}});
  task.next();
  EXPECT_EQ(task.next().kind, OpKind::listen);
  EXPECT_EQ(task.next().kind, OpKind::listen);  // it has heard of something else
  EXPECT_TRUE(answers.empty());
  task.complete(0, 9);
  EXPECT_EQ(task.next().kind, OpKind::end);
  EXPECT_EQ(told.size(), 1U);
}

TEST_F(ProcessStreams, ProbesFindTheFirstMessageThatFitsAndThatNoReceiveHasTaken) {
  const Command any = {.kind = CommandKind::probe, .peer = Command::any, .tag = Command::any, .communicator = 2};
  ProcessStream& task = open({{.kind = CommandKind::receive, .request = 1, .peer = 5, .tag = 1, .communicator = 2},
                              any,
                              {.kind = CommandKind::probe, .peer = 6, .tag = Command::any, .communicator = 2},
                              {.kind = CommandKind::probe, .peer = Command::any, .tag = 3, .communicator = 2},
                              {.kind = CommandKind::probe, .peer = 6, .tag = 9, .communicator = 2},
                              {.kind = CommandKind::probe_wait, .peer = 4, .tag = 4, .communicator = 4},
                              {.kind = CommandKind::end}});
  EXPECT_EQ(task.next().kind, OpKind::ireceive);
  for (const Message& came :
       {message(5, 1, 2, 0, 10), message(5, 2, 2, 1, 20), message(6, 3, 2, 0, 30), message(6, 3, 4, 1, 40)})
    EXPECT_FALSE(task.takes(came, 3));
  task.matched(0, ReceivedMessage(message(5, 1, 2, 0, 10)), 3);
  EXPECT_EQ(task.next().kind, OpKind::listen);
  EXPECT_FALSE(task.takes(message(4, 4, 4, 8, 50), 4));
  EXPECT_EQ(task.next().kind, OpKind::end);
  ASSERT_EQ(answers.size(), 5U);
  EXPECT_TRUE(answers[0].found);
  EXPECT_EQ(answers[0].number, 1U);
  EXPECT_EQ(answers[0].bytes, 20U);
  EXPECT_EQ(answers[1].source, 6U);
  EXPECT_EQ(answers[1].bytes, 30U);
  EXPECT_EQ(answers[2].bytes, 30U);
  EXPECT_FALSE(answers[3].found);
  EXPECT_EQ(answers[4].number, 8U);
}

TEST_F(ProcessStreams, AReceiveIsWithdrawnUnlessItHasItsMessage) {
  ProcessStream& task = open({{.kind = CommandKind::receive, .request = 1, .peer = 5},
                              {.kind = CommandKind::receive, .request = 2, .peer = 5},
                              {.kind = CommandKind::cancel, .request = 1},
                              {.kind = CommandKind::cancel, .request = 2},
                              {.kind = CommandKind::tell},
                              {.kind = CommandKind::end}});
  task.next();
  task.next();
  task.matched(0, ReceivedMessage(message(5, 0, 0, 3, 1)), 2);
  EXPECT_EQ(task.next(), (Op{.kind = OpKind::cancel, .amount = 1}));
  task.complete(0, 3);
  EXPECT_EQ(task.next().kind, OpKind::end);
  ASSERT_EQ(told.size(), 2U);
  EXPECT_TRUE(told[0].is_cancelled);
  EXPECT_EQ(told[0].request, 2U);
  EXPECT_FALSE(told[1].is_cancelled);
  EXPECT_EQ(told[1].number, 3U);
}

TEST_F(ProcessStreams, ComputingComesBeforeTheCallThatEndsIt) {
  ProcessStream& task = open({{.kind = CommandKind::send, .begins = true, .request = 1},
                              {.kind = CommandKind::send, .request = 2},
                              {.kind = CommandKind::tell, .begins = true, .is_poll = true},
                              {.kind = CommandKind::end}},
                             {ComputingCost::Rule::table, 50, {400}});
  EXPECT_EQ(task.next(), (Op{.kind = OpKind::compute, .amount = 400}));
  EXPECT_EQ(task.next().kind, OpKind::isend);
  EXPECT_EQ(task.next().kind, OpKind::isend);
  EXPECT_EQ(task.next(), (Op{.kind = OpKind::compute, .amount = 50}));  // beyond the table
  EXPECT_EQ(task.next(), (Op{.kind = OpKind::compute, .amount = 30}));  // the look
  EXPECT_TRUE(answers.empty());
  EXPECT_EQ(task.next().kind, OpKind::end);
  EXPECT_EQ(counts.beyond_table, 1U);
  EXPECT_EQ(counts.polls, 1U);
  EXPECT_EQ(recorded, (std::vector<u64>{400, 50}));
}

TEST_F(ProcessStreams, KnownComputingTakesItsTimeBeforeTheProcessSaysWhatComesNext) {
  ProcessStream& task = open({{.kind = CommandKind::tell},
                              {.kind = CommandKind::returns},
                              {.kind = CommandKind::send, .begins = true, .request = 1},
                              {.kind = CommandKind::end, .begins = true}},
                             {ComputingCost::Rule::fixed, 70});
  EXPECT_EQ(task.next(), (Op{.kind = OpKind::compute, .amount = 70}));
  EXPECT_EQ(answers.size(), 1U);
  EXPECT_EQ(task.next().kind, OpKind::isend);
  EXPECT_EQ(task.next(), (Op{.kind = OpKind::compute, .amount = 70}));
  EXPECT_EQ(task.next().kind, OpKind::end);
  EXPECT_EQ(recorded, (std::vector<u64>{70, 70}));
}

TEST_F(ProcessStreams, MeasuredComputingIsWhatTheProcessSays) {
  ProcessStream& task = open({{.kind = CommandKind::returns},
                              {.kind = CommandKind::send, .begins = true, .request = 1, .computed_ns = 123},
                              {.kind = CommandKind::end}},
                             {ComputingCost::Rule::measured, 70});
  EXPECT_EQ(task.next(), (Op{.kind = OpKind::compute, .amount = 123}));
  EXPECT_EQ(task.next().kind, OpKind::isend);
  EXPECT_EQ(task.next().kind, OpKind::end);
}

}  // namespace
}  // namespace weft::workloads
