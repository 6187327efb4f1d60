// Loads libfabric at run time, and keeps its environment variables and signal handlers from changing the program's.
// SPDX-License-Identifier: BSD-3-Clause
//
// It is opened at run time and only in jobs that span nodes: on Debian 12 loading it takes 0.2 s, because the
// constructors of some of its providers sleep.
#include "engine/fabric_library.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace atrium {
namespace {

// ofi_rxm reads these when the library starts; hints do not reach them. With its own defaults an endpoint takes 70
// MB, with these 10; a message must fit into its buffer, else it is no longer sent eagerly (0.10 -> 4 us a put).
struct FabricVariable {
  const char* name;
  const char* value;
};
constexpr FabricVariable environment[] = {{"FI_OFI_RXM_BUFFER_SIZE", "9216"},
                                          {"FI_OFI_RXM_TX_SIZE", "128"},
                                          {"FI_OFI_RXM_RX_SIZE", "128"},
                                          {"FI_OFI_RXM_MSG_TX_SIZE", "64"},
                                          {"FI_OFI_RXM_MSG_RX_SIZE", "64"}};

// ofi_rxm makes queues for so many connections, 256 unless it is told how many: with 128 entries for each, one more than the
// queue of a device of Soft-RoCE can have. As both ends may begin a connection there can be two to a peer for a moment.
constexpr char connections_variable[] = "FI_UNIVERSE_SIZE";
std::string connections_to(size_t peers) { return std::to_string(std::max<size_t>(2 * peers, 16)); }

// Set while the library starts, unless the user has set them; the program's children shall not see them.
class ShortLivedEnvironment {
 public:
  explicit ShortLivedEnvironment(size_t peers) {
    for (const FabricVariable& variable : environment) set(variable.name, variable.value);
    set(connections_variable, connections_to(peers).c_str());
  }
  ~ShortLivedEnvironment() {
    for (const char* name : ours_) ::unsetenv(name);
  }

 private:
  void set(const char* name, const char* value) {
    if (::getenv(name)) return;
    ours_.push_back(name);
    ::setenv(name, value, 0);
  }
  std::vector<const char*> ours_;
};

// Constructors of libpsm2 and libinfinipath, which Debian's libfabric loads, take the handlers of SIGSEGV, SIGTERM and
// others, and a crash then leaves a .btr file where the program runs. They are given back. Meanwhile signals wait: those
// handlers end the process, whose exit waits for the library that is just being loaded, for ever. A fault of the
// library's own cannot wait, and ends the process as if it had no handler; but abort() calls the handler of SIGABRT. So they
// are given back as soon as the constructors are through.
class SignalHandlers {
 public:
  SignalHandlers() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &mask_);
    for (int signal = 1; signal < most; ++signal)
      known_[signal] = ::sigaction(signal, nullptr, &before_[signal]) == 0;
  }
  ~SignalHandlers() {
    for (int signal = 1; signal < most; ++signal) {
      if (known_[signal]) ::sigaction(signal, &before_[signal], nullptr);
    }
    ::pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
  }

 private:
  static constexpr int most = 32;
  sigset_t mask_{};
  bool known_[most] = {};
  struct sigaction before_[most] = {};
};

template <class Function>
bool load(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

Error cannot_open(const std::string& because) {
  return Error{"cannot open the network library", because, "connecting the nodes of this job",
               "installing libfabric1, or ATRIUM_LIBFABRIC=/path/to/libfabric.so.1"};
}

void* open_library(const std::string& file) {
  const SignalHandlers handlers;
  return ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
}

// The first question starts all providers.
void start_providers(const FabricLibrary& fabric) {
  const SignalHandlers handlers;
  fi_info* ignored = nullptr;
  fabric.get_info(fabric_interface, nullptr, nullptr, FI_PROV_ATTR_ONLY, nullptr, &ignored);
  if (ignored) fabric.free_info(ignored);
}

Result<FabricLibrary> load_library(const std::string& file) {
  void* library = open_library(file);
  if (!library) return cannot_open(::dlerror());
  FabricLibrary fabric{};
  const bool complete =
      load(library, "fi_getinfo", fabric.get_info) && load(library, "fi_freeinfo", fabric.free_info) &&
      load(library, "fi_dupinfo", fabric.copy_info) && load(library, "fi_fabric", fabric.open_fabric) &&
      load(library, "fi_strerror", fabric.text_of) && load(library, "fi_version", fabric.version);
  if (!complete) return cannot_open(file + " lacks a function that Atrium needs");
  if (FI_VERSION_LT(fabric.version(), fabric_interface))
    return cannot_open(fabric.describe(file) + ": Atrium needs 1.15 or later");
  start_providers(fabric);
  return fabric;
}

}  // namespace

std::string FabricLibrary::describe(const std::string& file) const {
  const uint32_t number = version();
  return file + ", version " + std::to_string(FI_MAJOR(number)) + "." + std::to_string(FI_MINOR(number));
}

Result<const FabricLibrary*> open_fabric_library(const std::string& file, size_t peers) {
  static FabricLibrary opened{};  // one library for the process, whatever is asked for later
  if (opened.get_info) return &opened;
  const ShortLivedEnvironment during_the_start(peers);
  auto library = load_library(file);
  if (!library) return library.error();
  opened = *library;
  return &opened;
}

}  // namespace atrium
