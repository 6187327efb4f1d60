// Started by a launcher with a PMIx server (Open MPI's mpirun, prterun, srun --mpi=pmix): PE 0 makes the
// job's memory and the server tells the others where.
// SPDX-License-Identifier: BSD-3-Clause
//
// libpmix is opened at run time: programs started by oshrun neither need nor load it.
#include <dlfcn.h>
#include <pmix.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "bootstrap/bootstrap.hpp"
#include "lobby/lobby.hpp"
#include "os/job_memory.hpp"
#include "os/peer_descriptor.hpp"
#include "topology/cores.hpp"
#include "topology/cpus.hpp"

namespace atrium {
namespace {

constexpr char ticket_key[] = "atrium.ticket";
constexpr char library_name[] = "libpmix.so.2";

struct PmixLibrary {
  decltype(&PMIx_Init) init;
  decltype(&PMIx_Get) get;
  decltype(&PMIx_Put) put;
  decltype(&PMIx_Commit) commit;
  decltype(&PMIx_Fence) fence;
  decltype(&PMIx_Finalize) finalize;
  decltype(&PMIx_Abort) abort;
  decltype(&PMIx_Error_string) text_of;
};

template <class Function>
bool load(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

Error cannot_join(const std::string& because) {
  return Error{"cannot join the job of the launcher that started this program", because, "talking PMIx",
               "oshrun -n N PROGRAM"};
}

Result<PmixLibrary> open_library() {
  void* library = ::dlopen(library_name, RTLD_NOW | RTLD_GLOBAL);
  if (!library) return cannot_join(::dlerror()).try_this("installing libpmix2, or oshrun -n N PROGRAM");
  PmixLibrary pmix{};
  const bool complete =
      load(library, "PMIx_Init", pmix.init) && load(library, "PMIx_Get", pmix.get) &&
      load(library, "PMIx_Put", pmix.put) && load(library, "PMIx_Commit", pmix.commit) &&
      load(library, "PMIx_Fence", pmix.fence) && load(library, "PMIx_Finalize", pmix.finalize) &&
      load(library, "PMIx_Abort", pmix.abort) && load(library, "PMIx_Error_string", pmix.text_of);
  if (!complete) return cannot_join(std::string(library_name) + " lacks a function that Atrium needs");
  return pmix;
}

class Pmix final : public Bootstrap {
 public:
  Pmix(const PmixLibrary& pmix, Placement placement, int job_memory)
      : Bootstrap(std::move(placement), job_memory), pmix_(pmix) {}
  const char* kind() const override { return "pmix"; }
  void leave() override { pmix_.finalize(nullptr, 0); }
  void abort_job(int status) override {
    std::fflush(nullptr);  // the server ends us before exit() can
    pmix_.abort(status, "shmem_global_exit", nullptr, 0);
  }

 private:
  PmixLibrary pmix_;
};

// One conversation with the server: everything until we know our place and have the job's memory.
struct Conversation {
  PmixLibrary pmix;
  pmix_proc_t self;

  Error failed(const char* call, pmix_status_t status) const {
    return cannot_join(std::string(call) + ": " + pmix.text_of(status));
  }

  // A key of the whole job when `rank` is the wildcard.
  Result<pmix_value_t*> get(const char* key, pmix_rank_t rank) const {
    pmix_proc_t whose = self;
    whose.rank = rank;
    pmix_value_t* value = nullptr;
    const pmix_status_t status = pmix.get(&whose, key, nullptr, 0, &value);
    if (status != PMIX_SUCCESS) return failed((std::string("PMIx_Get ") + key).c_str(), status);
    return value;
  }

  Result<int> get_count(const char* key) const {
    auto value = get(key, PMIX_RANK_WILDCARD);
    if (!value) return value.error();
    const auto count = static_cast<int>((*value)->data.uint32);
    std::free(*value);  // values come from malloc, and belong to who asked
    return count;
  }

  Result<void> fence() const {
    pmix_proc_t all = self;
    all.rank = PMIX_RANK_WILDCARD;
    pmix_info_t info;
    std::memset(&info, 0, sizeof info);
    std::strncpy(info.key, PMIX_COLLECT_DATA, PMIX_MAX_KEYLEN);
    info.value.type = PMIX_BOOL;
    info.value.data.flag = true;
    const pmix_status_t status = pmix.fence(&all, 1, &info, 1);
    if (status != PMIX_SUCCESS) return failed("PMIx_Fence", status);
    return {};
  }

  // "PID DESCRIPTOR" of PE 0's job memory.
  Result<void> publish(int descriptor) const {
    std::string ticket = std::to_string(getpid()) + " " + std::to_string(descriptor);
    pmix_value_t value;
    std::memset(&value, 0, sizeof value);
    value.type = PMIX_STRING;
    value.data.string = ticket.data();
    pmix_status_t status = pmix.put(PMIX_GLOBAL, ticket_key, &value);
    if (status == PMIX_SUCCESS) status = pmix.commit();
    if (status != PMIX_SUCCESS) return failed("PMIx_Put", status);
    return {};
  }

  Result<int> create_memory(int npes) const {
    auto memory = create_job_memory();
    if (!memory) return memory.error();
    auto cores = cores_of(online_cpus());  // the other PEs may be bound elsewhere
    const std::vector<Core> known = cores ? *cores : std::vector<Core>{};  // else all count as equally near
    if (auto r = create_lobby(*memory, Placement::on_one_node(0, npes), domains_of_cpus(known)); !r)
      return r.error();
    if (auto r = publish(*memory); !r) return r.error();
    if (auto r = fence(); !r) return r.error();
    return *memory;
  }

  Result<int> find_memory() const {
    if (auto r = fence(); !r) return r.error();
    auto ticket = get(ticket_key, 0);
    if (!ticket) return ticket.error();
    char* end = nullptr;
    const long owner = std::strtol((*ticket)->data.string, &end, 10);
    const int number = std::atoi(end);
    std::free((*ticket)->data.string);
    std::free(*ticket);
    return open_descriptor_of(static_cast<pid_t>(owner), number);
  }
};

Error several_nodes(int npes, int local) {
  return Error{"this job runs on several nodes",
               "only " + std::to_string(local) + " of its " + std::to_string(npes) + " PEs are on this one",
               "looking for the other PEs",
               "starting all PEs on one node: this version of Atrium has no engine between nodes"};
}

// oshrun has a process of its own for this, other launchers do not. (It means the thread that started us: of a launcher,
// the one that lasts.)
void die_with_launcher() { ::prctl(PR_SET_PDEATHSIG, SIGKILL); }

}  // namespace

BootstrapResult join_pmix() {
  auto library = open_library();
  if (!library) return library.error();
  Conversation with{*library, {}};
  const pmix_status_t status = with.pmix.init(&with.self, nullptr, 0);
  if (status != PMIX_SUCCESS) return with.failed("PMIx_Init", status);
  auto npes = with.get_count(PMIX_JOB_SIZE);
  if (!npes) return npes.error();
  auto local = with.get_count(PMIX_LOCAL_SIZE);
  if (!local) return local.error();
  if (*local != *npes) return several_nodes(*npes, *local);
  const int me = static_cast<int>(with.self.rank);
  auto memory = me == 0 ? with.create_memory(*npes) : with.find_memory();
  if (!memory) return memory.error();
  die_with_launcher();
  return std::unique_ptr<Bootstrap>(new Pmix(*library, Placement::on_one_node(me, *npes), *memory));
}

}  // namespace atrium
