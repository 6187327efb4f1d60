// The event loop: whom it calls when several descriptors are ready at once.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/io/loop.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <functional>

#include "atrium_pipe.hpp"

namespace atrium {
namespace {

// Watches a pipe in which a byte lies.
class Reader final : public Watcher {
 public:
  explicit Reader(Loop& loop) : loop_(loop) {
    pipe_.open();
    EXPECT_EQ(::write(pipe_.to_write(), "x", 1), 1);
    watch();
  }
  void watch() { loop_.watch(pipe_.to_read(), EPOLLIN, *this); }
  void forget() { loop_.forget(pipe_.to_read()); }
  void on_ready() override {
    ++calls;
    if (act) act();
  }

  int calls = 0;
  std::function<void()> act;

 private:
  Loop& loop_;
  Pipe pipe_;
};

TEST(Loop, calls_nobody_whom_another_watcher_has_had_forgotten) {
  Loop loop;
  Reader a(loop), b(loop);
  a.act = [&] { b.forget(); };
  b.act = [&] { a.forget(); };
  loop.turn();
  EXPECT_EQ(a.calls + b.calls, 1);
}

TEST(Loop, calls_who_is_watched_anew_for_news_alone) {
  Loop loop;
  Reader a(loop), b(loop);
  a.act = [&] { b.forget(), b.watch(); };
  b.act = [&] { a.forget(), a.watch(); };
  loop.turn();
  EXPECT_EQ(a.calls + b.calls, 1);
  loop.turn();
  EXPECT_GT(a.calls + b.calls, 1);
}

}  // namespace
}  // namespace atrium
