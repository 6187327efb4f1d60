// Joins a job of a launcher with a PMIx server (Open MPI's mpirun, prterun, srun --mpi=pmix). The first PE of each node makes
// its node's memory. Through the server the others learn where it is, and which PEs belong to the node.
// SPDX-License-Identifier: BSD-3-Clause
//
// The first PE of each node publishes one value at a time, and a fence of all PEs of the job distributes it.
// libpmix is opened at run time: programs started by oshrun neither need nor load it.
#include <dlfcn.h>
#include <pmix.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "bootstrap/bootstrap.hpp"
#include "bootstrap/introduction.hpp"
#include "core/number_list.hpp"
#include "lobby/lobby.hpp"
#include "os/job_memory.hpp"
#include "os/peer_descriptor.hpp"
#include "topology/cores.hpp"
#include "topology/cpus.hpp"

namespace atrium {
namespace {

constexpr char library_name[] = "libpmix.so.2";

struct PmixLibrary {
  decltype(&PMIx_Initialized) initialized;
  decltype(&PMIx_Init) init;
  decltype(&PMIx_Get) get;
  decltype(&PMIx_Put) put;
  decltype(&PMIx_Commit) commit;
  decltype(&PMIx_Fence) fence;
  decltype(&PMIx_Finalize) finalize;
  decltype(&PMIx_Abort) abort;
  decltype(&PMIx_Error_string) text_of;
  decltype(&PMIx_Get_version) version;
};

template <class Function>
bool load(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

Result<PmixLibrary> open_library() {
  void* library = ::dlopen(library_name, RTLD_NOW | RTLD_GLOBAL);
  if (!library)
    return cannot_join_launcher(::dlerror()).try_this("installing libpmix2, or oshrun -n N PROGRAM");
  PmixLibrary pmix{};
  const bool complete =
      load(library, "PMIx_Initialized", pmix.initialized) && load(library, "PMIx_Init", pmix.init) &&
      load(library, "PMIx_Get", pmix.get) && load(library, "PMIx_Put", pmix.put) &&
      load(library, "PMIx_Commit", pmix.commit) && load(library, "PMIx_Fence", pmix.fence) &&
      load(library, "PMIx_Finalize", pmix.finalize) && load(library, "PMIx_Abort", pmix.abort) &&
      load(library, "PMIx_Error_string", pmix.text_of) && load(library, "PMIx_Get_version", pmix.version);
  if (!complete)
    return cannot_join_launcher(std::string(library_name) + " lacks a function that Atrium needs");
  return pmix;
}

// This library has begun PMIx where nobody had, and has not ended it: PMIx_Initialized below.
bool have_begun_first = false;

// The conversation with the server.
class Conversation {
 public:
  static Result<Conversation> begin() {
    auto library = open_library();
    if (!library) return library.error();
    Conversation conversation(*library);
    have_begun_first = !library->initialized();
    const pmix_status_t status = library->init(&conversation.self_, nullptr, 0);
    if (status != PMIX_SUCCESS) return conversation.failed("PMIx_Init", status);
    return conversation;
  }
  void end() const {
    have_begun_first = false;
    pmix_.finalize(nullptr, 0);
  }
  void abort(int status) const { pmix_.abort(status, "shmem_global_exit", nullptr, 0); }

  int me() const { return static_cast<int>(self_.rank); }

  // Of the whole job.
  Result<int> get_count(const char* key) const {
    auto value = get(key, PMIX_RANK_WILDCARD, PMIX_UINT32);
    if (!value) return value.error();
    const auto count = static_cast<int>((*value)->data.uint32);
    std::free(*value);  // values come from malloc, and belong to the caller
    return count;
  }
  Result<std::string> get_text(const char* key, pmix_rank_t rank) const {
    auto value = get(key, rank, PMIX_STRING);
    if (!value) return value.error();
    std::string text = (*value)->data.string ? (*value)->data.string : "";
    std::free((*value)->data.string);
    std::free(*value);
    return text;
  }
  Result<std::string> get_bytes(const char* key, pmix_rank_t rank) const {
    auto value = get(key, rank, PMIX_BYTE_OBJECT);
    if (!value) return value.error();
    const pmix_byte_object_t& bytes = (*value)->data.bo;
    std::string text(bytes.bytes, bytes.size);
    std::free(bytes.bytes);
    std::free(*value);
    return text;
  }

  // Visible to all PEs after the next fence.
  Result<void> publish(const char* key, std::string bytes) const {
    pmix_value_t value;
    std::memset(&value, 0, sizeof value);
    value.type = PMIX_BYTE_OBJECT;
    value.data.bo.bytes = bytes.data();
    value.data.bo.size = bytes.size();
    pmix_status_t status = PMIX_SUCCESS;
    if (answers_with_the_key_before())
      status = pmix_.put(PMIX_GLOBAL, (std::string(key) + ".before").c_str(), &value);
    if (status == PMIX_SUCCESS) status = pmix_.put(PMIX_GLOBAL, key, &value);
    if (status == PMIX_SUCCESS) status = pmix_.commit();
    if (status != PMIX_SUCCESS) return failed("PMIx_Put", status);
    return {};
  }

  // Of all PEs of the job: a fence of some hangs Slurm's server.
  Result<void> fence() const {
    pmix_proc_t all = self_;
    all.rank = PMIX_RANK_WILDCARD;
    pmix_info_t info;
    std::memset(&info, 0, sizeof info);
    std::strncpy(info.key, PMIX_COLLECT_DATA, PMIX_MAX_KEYLEN);
    info.value.type = PMIX_BOOL;
    info.value.data.flag = true;
    const pmix_status_t status = pmix_.fence(&all, 1, &info, 1);
    if (status != PMIX_SUCCESS) return failed("PMIx_Fence", status);
    return {};
  }

 private:
  explicit Conversation(const PmixLibrary& pmix) : pmix_(pmix), self_{} {}

  // As 5.0.1 does (Ubuntu 24.04), under an mpirun that has started one PE on each host: what was put before has to be the same there.
  bool answers_with_the_key_before() const {
    constexpr std::string_view version = "PMIx 5.0.1";
    const std::string_view mine = pmix_.version();
    const size_t at = mine.find(version);
    return at != mine.npos && mine.substr(at + version.size(), 1).find_first_of("0123456789") == mine.npos;
  }

  Error failed(const std::string& call, pmix_status_t status) const {
    return cannot_join_launcher(call + ": " + pmix_.text_of(status));
  }

  Result<pmix_value_t*> get(const char* key, pmix_rank_t rank, pmix_data_type_t type) const {
    pmix_proc_t whose = self_;
    whose.rank = rank;
    pmix_value_t* value = nullptr;
    const pmix_status_t status = pmix_.get(&whose, key, nullptr, 0, &value);
    if (status != PMIX_SUCCESS) return failed(std::string("PMIx_Get ") + key, status);
    if (value->type != type)
      return cannot_join_launcher(std::string(key) + " is of type " + std::to_string(value->type));
    return value;
  }

  PmixLibrary pmix_;
  pmix_proc_t self_;
};

constexpr char introduction_key[] = "atrium.node", notice_key[] = "atrium.notice";

Result<void> open_lobby(int memory, const Placement& pes) {
  auto cores = cores_of(online_cpus());  // the other PEs may be bound elsewhere
  const std::vector<Core> known = cores ? *cores : std::vector<Core>{};  // else all count as equally near
  if (auto r = create_lobby(memory, pes, domains_of_cpus(known)); !r) return r.error();
  return {};
}

// A node that has all PEs knows their placement, and opens its lobby at once.
Result<int> introduce_node(const Conversation& with, const std::vector<int>& pes, bool has_all) {
  auto memory = create_job_memory();
  if (!memory) return memory.error();
  if (has_all)
    if (auto r = open_lobby(*memory, Placement::on_one_node(with.me(), static_cast<int>(pes.size()))); !r)
      return r.error();
  if (auto r = with.publish(introduction_key, Introduction{getpid(), *memory, pes}.text()); !r)
    return r.error();
  return *memory;
}

Result<int> find_memory(const Conversation& with, int first) {
  auto text = with.get_bytes(introduction_key, static_cast<pmix_rank_t>(first));
  if (!text) return text.error();
  auto node = Introduction::read(*text);
  if (!node) return node.error();
  return open_descriptor_of(static_cast<pid_t>(node->owner), node->descriptor,
                            "starting the program with oshrun, which hands the memory over by inheritance");
}

class Pmix final : public Bootstrap {
 public:
  Pmix(const Conversation& with, Placement placement, int job_memory, std::vector<std::string> notices)
      : Bootstrap(std::move(placement), job_memory, std::move(notices)), with_(with) {}
  const char* kind() const override { return "pmix"; }
  bool watches_hosts() const override { return false; }

  // A connection to the server that was closed cannot be opened again. Between nodes a later shmem_init needs it, and where there is an MPI
  // a later MPI_Init.
  void leave() override {
    if (placement().nodes() == 1 && !::dlsym(RTLD_DEFAULT, "PMPI_Init")) return with_.end();
    static const Conversation* left = nullptr;
    if (!left) std::atexit([] { left->end(); });
    left = &with_;
  }
  void abort_job(int status) override {
    std::fflush(nullptr);  // the server ends us before exit() can
    with_.abort(status);
  }

 protected:
  Result<void> exchange(LobbyVisit& visit) override {
    const std::string key = "atrium." + std::to_string(++rounds_);
    NodeBlob* blobs = visit.lobby().blobs();
    const NodeBlob& mine = blobs[placement().node()];
    // A barrier has nothing to tell. To get an empty value of a PE that has left meanwhile took for ever with PMIx 5.
    const bool tells = placement().place() == 0 && mine.bytes > 0;
    if (tells)
      if (auto r = with_.publish(key.c_str(), {mine.data, mine.bytes}); !r) return r;
    if (auto r = with_.fence(); !r || !tells) return r;
    for (int node = 0; node < placement().nodes(); ++node) {
      if (node == placement().node()) continue;
      auto bytes = with_.get_bytes(key.c_str(), static_cast<pmix_rank_t>(placement().pes_of(node)[0]));
      if (!bytes) return bytes.error();
      blobs[node].bytes = std::min(bytes->size(), NodeBlob::most);
      std::memcpy(blobs[node].data, bytes->data(), blobs[node].bytes);
    }
    return {};
  }

 private:
  Conversation with_;
  int rounds_ = 0;
};

// The PEs of this node, ascending.
Result<std::vector<int>> pes_of_node(const Conversation& with, int pes) {
  auto text = with.get_text(PMIX_LOCAL_PEERS, PMIX_RANK_WILDCARD);
  if (!text) return text.error();
  auto local = parse_number_list(*text);
  const bool has_me = local && std::find(local->begin(), local->end(), with.me()) != local->end();
  if (!has_me) return cannot_join_launcher("PMIX_LOCAL_PEERS is '" + *text + "'");
  std::sort(local->begin(), local->end());
  if (local->back() >= pes) return cannot_join_launcher("PMIX_LOCAL_PEERS is '" + *text + "'");
  return *local;
}

// What the first PEs of all nodes have published.
Result<std::vector<std::string>> notices_of(const Conversation& with, const Placement& pes) {
  std::vector<std::string> notices;
  for (int node = 0; node < pes.nodes(); ++node) {
    auto notice = with.get_bytes(notice_key, static_cast<pmix_rank_t>(pes.pes_of(node)[0]));
    if (!notice) return notice.error();
    notices.push_back(std::move(*notice));
  }
  return notices;
}

}  // namespace

BootstrapResult join_pmix(JoinNotice notice) {
  auto with = Conversation::begin();
  if (!with) return with.error();
  auto pes = with->get_count(PMIX_JOB_SIZE);
  if (!pes) return pes.error();
  if (*pes < 1 || with->me() < 0 || with->me() >= *pes)
    return cannot_join_launcher("this is process " + std::to_string(with->me()) + " of " +
                                std::to_string(*pes));
  auto local = pes_of_node(*with, *pes);
  if (!local) return local.error();
  const bool is_first = with->me() == local->front();
  const bool has_all = static_cast<int>(local->size()) == *pes;
  int memory = -1;
  if (is_first) {
    auto created = introduce_node(*with, *local, has_all);
    if (!created) return created.error();
    memory = *created;
    if (!has_all)
      if (auto r = with->publish(notice_key, notice()); !r) return r.error();
  }
  if (auto r = with->fence(); !r) return r.error();
  const auto introduction_of = [&](int pe) {
    return with->get_bytes(introduction_key, static_cast<pmix_rank_t>(pe));
  };
  auto placement = has_all ? Result<Placement>(Placement::on_one_node(with->me(), *pes))
                           : place_by_introductions(with->me(), *pes, introduction_of);
  if (!placement) return placement.error();
  std::vector<std::string> notices;
  if (!has_all) {
    if (is_first) {
      if (auto r = open_lobby(memory, *placement); !r) return r.error();
      auto told = notices_of(*with, *placement);
      if (!told) return told.error();
      notices = std::move(*told);
    }
    if (auto r = with->fence(); !r) return r.error();  // the lobbies are there
  }
  if (!is_first) {
    auto found = find_memory(*with, local->front());
    if (!found) return found.error();
    memory = *found;
  }
  return std::unique_ptr<Bootstrap>(new Pmix(*with, std::move(*placement), memory, std::move(notices)));
}

}  // namespace atrium

// PMIx counts who begins it, and Open MPI 5 learns its rank by doing so, but only where nobody has (ompi_rte_init). So it is told
// that nobody has where only this library has. It asks us, because programs are linked with this library and not with libpmix.
extern "C" __attribute__((visibility("default"))) int PMIx_Initialized() {
  if (atrium::have_begun_first) return 0;
  void* library = ::dlopen(atrium::library_name, RTLD_NOW | RTLD_NOLOAD);
  decltype(&PMIx_Initialized) initialized = nullptr;
  return library && atrium::load(library, "PMIx_Initialized", initialized) && initialized();
}
