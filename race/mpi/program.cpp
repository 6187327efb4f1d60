// Sets up the check of a rank, and prints what was found when the program ends.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/mpi/program.hpp"

#include <dlfcn.h>
#include <mpi.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "atrium_mpi_last_words.h"
#include "interpose/caller.hpp"
#include "interpose/library.hpp"
#include "interpose/say.hpp"
#include "race/model/access.hpp"
#include "race/model/finding.hpp"
#include "race/model/site.hpp"
#include "race/model/word.hpp"
#include "race/mpi/call.hpp"
#include "race/mpi/clocks.hpp"
#include "race/mpi/limits.hpp"
#include "race/mpi/ranks.hpp"
#include "race/report/print.hpp"
#include "race/report/text.hpp"
#include "race/shadow/room.hpp"

namespace atrium::race {
namespace {

MPI_Comm node = MPI_COMM_NULL;
int rank_in_world = 0;
const pid_t started = getpid();
std::vector<int>& numbers = *new std::vector<int>;

[[noreturn]] void refuse() {
  PMPI_Barrier(node);  // what has been said is out before anybody ends
  atrium_let_launcher_read();
  PMPI_Abort(MPI_COMM_WORLD, 1);
  _exit(1);
}

bool all(bool mine) {
  int one = mine, least = 0;
  PMPI_Allreduce(&one, &least, 1, MPI_INT, MPI_MIN, node);
  return least != 0;
}

constexpr const char* more_space = "fewer ranks; shadow counts against ulimit -v and -f";

// Each rank's own, of which rank 0's has the tables of all.
bool join_shared() {
  job.plan = plan_layout(job.pes, 0, 0);
  const SharedFile mine{getpid(), make_room(job.plan.bytes)};
  char* const base = mine.fd < 0 ? nullptr : map_room(mine.fd, job.plan.bytes);
  if (base) reinterpret_cast<Board*>(base)->lanes = static_cast<uint32_t>(job.pes);
  std::vector<SharedFile> files(static_cast<size_t>(job.pes));
  PMPI_Allgather(&mine, sizeof mine, MPI_BYTE, files.data(), sizeof mine, MPI_BYTE, node);
  bool opened = base != nullptr;
  for (int pe = 0; opened && pe < job.pes; ++pe) {
    char* const shared = pe == job.me ? base : open_room(files[static_cast<size_t>(pe)], job.plan.bytes);
    opened = shared != nullptr;
    job.shared[pe] = SharedMemory(shared, &job.plan);
  }
  if (!opened) say_no_room("cannot map the memory that ranks share", more_space);
  const bool joined = all(opened);
  if (mine.fd >= 0) close(mine.fd);
  return joined;
}

bool join_clocks() {
  const size_t bytes = bytes_of_clocks(job.pes);
  SharedFile file{getpid(), job.me == 0 ? make_room(bytes) : -1};
  PMPI_Bcast(&file, sizeof file, MPI_BYTE, 0, node);
  char* base = nullptr;
  if (file.fd >= 0) base = job.me == 0 ? map_room(file.fd, bytes) : open_room(file, bytes);
  if (!base) say_no_room("no memory for the clocks of ranks", more_space);
  clocks = reinterpret_cast<MpiClocks*>(base);
  const bool joined = all(base != nullptr);
  if (job.me == 0 && file.fd >= 0) close(file.fd);
  return joined;
}

// Some Fortran bindings call the C routines: their frames are not the program's.
void learn_frames() { learn_library(dlsym(RTLD_DEFAULT, "mpi_send_")); }

const void* file_of(const void* address, const char*& name) {
  Dl_info file;
  if (dladdr(address, &file) == 0) return nullptr;
  name = file.dli_fname;
  return file.dli_fbase;
}

// What a library in front of the check calls by PMPI the check would not see, and would report what that orders.
bool is_first() {
  const char *name = "", *own_name = "", *program_name = "";
  const void* const own = file_of(reinterpret_cast<const void*>(&begin_program), own_name);
  const void* const program = file_of(reinterpret_cast<const void*>(getauxval(AT_ENTRY)), program_name);
  for (unsigned number = 0; number < mpi_routines_count; ++number) {
    const void* const first = dlsym(RTLD_DEFAULT, mpi_routines[number]);
    const void* const file = first ? file_of(first, name) : own;
    if (file == own || file == program)
      continue;  // where a program takes its address, that may be in the program
    interpose::say(std::string("cannot be made: ") + name + " is in front of the check and has " +
                   mpi_routines[number] +
                   "; link it behind, do not preload it, and start the program without atrium-mpi");
    return false;
  }
  return true;
}

// A newer MPI has routines without a wrapper, and the check would report what they order.
bool is_as_old_as_known() {
  int version = 0, subversion = 0, length = 0;
  char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  PMPI_Get_version(&version, &subversion);
  PMPI_Get_library_version(library, &length);
  bool newer = std::pair(version, subversion) > std::pair(MPI_VERSION, MPI_SUBVERSION);
#ifdef OMPI_MAJOR_VERSION
  int major = 0;
  newer = newer || (std::sscanf(library, "Open MPI v%d", &major) == 1 && major > OMPI_MAJOR_VERSION);
#endif
  const std::string_view named = library;
  if (newer && job.me == 0)
    interpose::say("cannot be made: the check was built with an older MPI than this one, " +
                   std::string(named.substr(0, named.find_first_of(",\n"))) +
                   ", and does not know its routines; build Atrium with this MPI (-DATRIUM_MPICC)");
  return !newer;
}

bool set_up() {
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank_in_world);
  PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_in_world, MPI_INFO_NULL, &node);
  PMPI_Comm_rank(node, &job.me);
  PMPI_Comm_size(node, &job.pes);
  if (job.pes > most_pes) {
    if (job.me == 0)
      interpose::say("cannot be made: more than " + std::to_string(most_pes) + " ranks on a node");
    return false;
  }
  numbers.resize(static_cast<size_t>(job.pes));
  PMPI_Allgather(&rank_in_world, 1, MPI_INT, numbers.data(), 1, MPI_INT, node);
  job.numbers = numbers.data();
  return is_as_old_as_known() && all(is_first()) && join_shared() && join_clocks();
}

void say_what_is_seen() {
  if (rank_in_world != 0) return;
  if (!job.instrumented)
    interpose::say(
        "no load or store is seen: compile the program, too, with what `oshcc --showme:race=" RACE_LIBRARY
        "` prints");
  else if (!interpose::is_quiet())
    interpose::say("on: each byte of a window that is used takes up to ten more");
}

}  // namespace

void begin_program(void*) {
  if (following || !wanted()) return;
  if (!set_up()) refuse();
  learn_numbers();
  learn_frames();
  set_here(&begin_strand(nullptr));
  acquire_with_polled = [](Strand& strand) { acquire(strand, clocks->everyone, 0); };
  set_sink(print_short);
  expect_reports();
  say_what_is_seen();
  PMPI_Barrier(node);
  int ranks = 0;
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks > job.pes) meet(RaceLimit::other_nodes);
  following = working = true;
  update_watch();
}

void end_program() {
  if (!working) return;
  PMPI_Barrier(node);
  working = false;
  update_watch();
  if (job.me == 0) print_findings();
  PMPI_Barrier(node);
  job.failed = anything_found();
}

// A check that was asked for and never began is no check passed.
__attribute__((destructor)) void say_if_nothing_was_checked() {
  int initialised = 0;
  if (following || !job.instrumented || !wanted()) return;
  PMPI_Initialized(&initialised);
  if (initialised && getpid() == started)
    interpose::say(
        "nothing was checked: MPI_Init was not called through the check; link it in front of the MPI");
}

void note_session() {
  if (wanted())
    interpose::say_once(
        "not made: the program opens a session of MPI without MPI_Init, which the check needs");
}

void note_abort() {
  if (working) print_findings();
}

}  // namespace atrium::race

namespace atrium::interpose {

const char* const tool_name = "race check";
void progress() {}  // whoever holds a lock of the check needs no message for it

}  // namespace atrium::interpose
