// The search through libfabric's providers: in the order of the table, the first that fits and can be opened.
// SPDX-License-Identifier: BSD-3-Clause
#include <rdma/fi_errno.h>
#include <sys/mman.h>

#include <cstdint>

#include "core/privilege.hpp"
#include "core/settings.hpp"
#include "engine/fabric_choice.hpp"
#include "engine/fabric_endpoint.hpp"
#include "engine/fabric_library.hpp"
#include "engine/libfabric.hpp"
#include "engine/providers.hpp"
#include "os/memory_limits.hpp"
#include "os/network_interface.hpp"
#include "os/rdma_devices.hpp"

namespace atrium {
namespace {

std::string library_file(const NetworkRequest& request) {
  return request.library.empty() ? "libfabric.so.1" : request.library;
}

// libfabric itself leaves out the providers that this variable does not name.
std::string text_of_filter() {
  const char* filter = trusted_variable("FI_PROVIDER");
  return filter && *filter ? std::string(" with FI_PROVIDER=") + filter : "";
}

Error no_provider(const NetworkRequest& request, const std::vector<ProviderFinding>& passed_over) {
  const std::string filter = text_of_filter();
  const bool is_down = is_interface_down(request.interface);
  const std::string where = (request.interface.empty() ? "" : " on the interface " + request.interface) +
                            (is_down ? ", which is down" : "") + filter;
  const std::string first_try = (filter.empty() ? "" : "unsetting FI_PROVIDER; ") +
                                (is_down ? "ip link set " + request.interface + " up; " : "");
  std::string reasons;
  for (const ProviderFinding& each : passed_over)
    if (each.verdict == cannot_be_opened)
      reasons += "; " + each.name + " " + each.verdict + ": " + each.reason;
  if (request.provider == "auto") {
    return Error{
        "found no way to the other nodes", "none of libfabric's providers fits" + where + reasons,
        "connecting the nodes of this job",
        first_try +
            "atrium-info --fabric, which says why; ATRIUM_NET_INTERFACE=NAME if the network has another"};
  }
  return Error{"cannot use the network provider " + request.provider,
               reasons.empty() ? "libfabric does not offer it" + where + ", or not what Atrium needs of it"
                               : reasons.substr(2) + where,
               "connecting the nodes of this job",
               first_try + "ATRIUM_NET=auto; atrium-info --fabric lists the providers"};
}

Result<void> check_name(const NetworkRequest& request) {
  const Provider* provider = find_provider(request.provider);
  if (!provider || provider->use != Provider::Use::refused) return {};
  return Error{"cannot use the network provider " + request.provider, provider->remark, "reading ATRIUM_NET",
               "ATRIUM_NET=auto; atrium-info --fabric lists the providers"};
}

bool is_wanted(const NetworkRequest& request, const Provider& provider) {
  if (place_in_libfabric(provider.name) < place_in_libfabric(request.first_provider)) return false;
  if (request.provider != "auto") return request.provider == provider.name;
  return provider.use == Provider::Use::chosen_first && (provider.needs_card || !request.cards_only);
}

NetworkRequest request_for(const NetworkRequest& all, const Provider& provider) {
  NetworkRequest own = all;
  if (all.or_card && provider.needs_card) own.interface.clear();
  return own;
}

// A provider that has no access to its card reports that the card is missing.
std::string refusal_of(const Provider& provider, const FabricAnswer& answer) {
  const bool is_verbs = std::string_view(provider.name).starts_with("verbs");
  const std::string obstacle = is_verbs ? obstacle_to_verbs() : "";
  return obstacle.empty() ? answer.refusal : obstacle;
}

// Queues of cards lie in memory that is locked.
std::string obstacle_to_opening(const FabricLibrary& library, const Error& error) {
  const size_t lockable = lockable_memory();
  const bool lacks_memory = error.because.ends_with(library.text_of(FI_ENOMEM));
  if (!lacks_memory || lockable == SIZE_MAX) return error.because;
  return error.because + ", where ulimit -l allows " + format_size(lockable);
}

// The driver decides what counts against the limit; so as much memory is registered, for a moment, to find out.
std::string obstacle_to_pinning(Engine& engine, const NetworkRequest& request) {
  const size_t lockable = lockable_memory();
  if (!engine.traits().pins_memory || request.registered <= lockable) return "";
  void* memory = ::mmap(nullptr, request.registered, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return "";
  const bool may_be_pinned = static_cast<bool>(engine.register_region(memory, request.registered, 1));
  ::munmap(memory, request.registered);
  if (may_be_pinned) return "";
  return "at least " + format_size(request.registered) +
         " of memory would be pinned for the PEs of this node, of which ulimit -l allows " +
         format_size(lockable);
}

// Opens the provider. Without an engine the finding says why.
struct Attempt {
  FoundEngine found;
  ProviderFinding finding;
};

Attempt attempt(const FabricLibrary& library, const NetworkRequest& of_all, const Provider& provider) {
  const NetworkRequest request = request_for(of_all, provider);
  Attempt attempt{{}, {provider.name, "not usable", {}, provider.needs_card}};
  const FabricAnswer answer = ask_provider(library, request, provider);
  if (!answer.choice.info) {
    attempt.finding.reason = refusal_of(provider, answer);
    return attempt;
  }
  FoundEngine& found = attempt.found;
  found.address = text_of_address(*answer.choice.info);
  found.interface = answer.choice.info->domain_attr->name;
  found.over_tcp = provider.over_tcp;
  auto engine = open_fabric_endpoint(answer.choice, request);
  const std::string obstacle =
      engine ? obstacle_to_pinning(**engine, request) : obstacle_to_opening(library, engine.error());
  if (obstacle.empty()) {
    found.engine = std::move(*engine);
  } else {
    attempt.finding.verdict = cannot_be_opened;
    attempt.finding.reason = obstacle;
  }
  return attempt;
}

// One row of the report.
ProviderFinding judge(const FabricLibrary& library, const NetworkRequest& request, const Provider& provider) {
  if (provider.use == Provider::Use::refused) return {provider.name, "refused", provider.remark};
  const Attempt tried = attempt(library, request, provider);
  if (!tried.found.engine) return tried.finding;
  const bool by_name = provider.use == Provider::Use::by_name;
  return {provider.name, by_name ? "by name only" : "usable", provider.remark};
}

Result<const FabricLibrary*> library_for(const NetworkRequest& request) {
  if (auto r = check_name(request); !r) return r.error();
  return open_fabric_library(library_file(request), request.peers);
}

}  // namespace

// To open libfabric takes a third of a second, which a host without a card need not spend.
Result<FoundEngine> find_libfabric(const NetworkRequest& request, std::vector<ProviderFinding>& passed_over) {
  if (request.cards_only && !may_have_cards())
    return Error{"found no card that moves data by itself", "the kernel lists none",
                 "connecting the nodes of this job"};
  auto library = library_for(request);
  if (!library) return library.error();
  for (const Provider& provider : known_providers()) {
    if (!is_wanted(request, provider)) continue;
    Attempt tried = attempt(**library, request, provider);
    if (tried.found.engine) return std::move(tried.found);
    passed_over.push_back(std::move(tried.finding));
  }
  return no_provider(request, passed_over);
}

Result<EngineFindings> describe_libfabric(const NetworkRequest& request) {
  auto library = library_for(request);
  if (!library) return library.error();
  EngineFindings findings;
  findings.library = (*library)->describe(library_file(request));
  for (const Provider& provider : known_providers())
    findings.providers.push_back(judge(**library, request, provider));
  return findings;
}

int place_in_libfabric(std::string_view provider) {
  const Provider* const known = find_provider(provider);
  return known ? static_cast<int>(known - known_providers().data()) : -1;
}

}  // namespace atrium
