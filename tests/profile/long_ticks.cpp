// Writes the time line of two PEs whose clock has long ticks, as AArch64's counter may: many calls take none.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>

#include "interpose/site.hpp"
#include "profile/trace/trace.hpp"

using namespace atrium::profile;
using atrium::interpose::Routine;

namespace {

enum : uint32_t { p, quiet, fence, wait, get };
enum : uint32_t { outer, inner, skewed };
constexpr uint64_t flag = 1000, elsewhere = 2000;

class PageWriter {
 public:
  PageWriter(const RecordBuffer& buffer, int pe)
      : page_(buffer.page(pe)), events_(buffer.events(pe)), begin_(buffer.head().begin.ticks) {
    constexpr Routine routines[] = {Routine::shmem_long_p, Routine::shmem_quiet, Routine::shmem_fence,
                                    Routine::shmem_long_wait_until, Routine::shmem_long_g};
    for (uint32_t i = 0; i < std::size(routines); ++i)
      page_.line[i].routine = static_cast<uint32_t>(routines[i]);
    const char* const names[] = {"outer", "inner", "skewed"};
    for (uint32_t i = 0; i < std::size(names); ++i)
      std::snprintf(page_.region[i].name, NamedRegion::longest_name, "%s", names[i]);
  }
  // In the order in which they end.
  void add(EventKind kind, uint32_t line, uint64_t begin, uint64_t end, uint64_t place = 0, int pe = -1) {
    const uint64_t number = page_.events.get();
    events_[number] = {begin_ + begin, end - begin, 8, place, line, pe, kind, 0, 0};
    page_.events.set(number + 1);
  }

 private:
  Page& page_;
  Event* events_;
  uint64_t begin_;
};

void write_storing(PageWriter page) {
  page.add(EventKind::store, p, 10, 10, flag, 1);
  page.add(EventKind::store, p, 10, 10, elsewhere, 1);
  page.add(EventKind::call, quiet, 10, 12);
  page.add(EventKind::call, fence, 12, 12);
  page.add(EventKind::region, inner, 12, 15);
  page.add(EventKind::region, outer, 10, 15);
  page.add(EventKind::store, p, 23, 24, elsewhere, 1);
  page.add(EventKind::call, fence, 33, 36);  // on a CPU whose clock is ahead
  page.add(EventKind::region, skewed, 30, 35);
}

void write_waiting(PageWriter page) {
  page.add(EventKind::wait, wait, 8, 11, flag);
  page.add(EventKind::wait, wait, 11, 11, elsewhere);  // it was there already
  page.add(EventKind::call, get, 11, 11, 0, 0);
  page.add(EventKind::call, get, 11, 13, 0, 0);
  page.add(EventKind::wait, wait, 20, 23, elsewhere);  // over when the next store begins
}

}  // namespace

int main(int, char** argv) {
  RecordBuffer buffer = open_record_buffer(create_record_buffer(2, 100 * sizeof(Event)));
  if (!buffer) return std::perror("no memory for a buffer"), 1;
  write_storing({buffer, 0});
  write_waiting({buffer, 1});
  Places places;
  const Scale scale({0, 0}, {1000, 400'000});
  const TraceOutcome outcome = write_trace({argv[1], "long_ticks", "host", {0, 0}}, buffer, scale, places);
  if (outcome.problem) std::fprintf(stderr, "%s\n", outcome.problem->because.c_str());
  return outcome.problem ? 1 : 0;
}
