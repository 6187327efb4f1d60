// Asks a provider whether it can do what Atrium needs, and on which interface.
// SPDX-License-Identifier: BSD-3-Clause
#include "engine/fabric_choice.hpp"

#include <arpa/inet.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>

#include <cstring>
#include <string_view>

#include "os/network_interface.hpp"

namespace atrium {
namespace {

// The named interface, where it is the name of a device: mlx5_0, cxi0. IP interfaces are named by their address.
std::string device_of(const NetworkRequest& request) {
  return address_of_interface(request.interface) ? "" : request.interface;
}

// What is asked for, and what is not. FI_ATOMIC would exclude tcp, FI_RMA_EVENT rxm, FI_FENCE both; progress
// by the library's own threads would exclude rxd and start threads in tcp; delivery-complete as a default is
// ignored by some providers, so it is asked for with each operation.
fi_info* hints_for(const FabricLibrary& library, const NetworkRequest& request, const char* provider,
                   uint64_t order) {
  fi_info* hints = library.copy_info(nullptr);
  if (!hints) return nullptr;
  hints->fabric_attr->prov_name = ::strdup(provider);
  hints->ep_attr->type = FI_EP_RDM;
  hints->caps = FI_MSG | FI_RMA | FI_MULTI_RECV;
  hints->mode = FI_CONTEXT | FI_CONTEXT2;
  hints->tx_attr->msg_order = order;
  hints->rx_attr->msg_order = order;
  hints->domain_attr->threading = FI_THREAD_DOMAIN;
  hints->domain_attr->data_progress = FI_PROGRESS_MANUAL;
  hints->domain_attr->resource_mgmt = FI_RM_ENABLED;
  hints->domain_attr->mr_mode = FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_ENDPOINT;
  if (const std::string device = device_of(request); !device.empty())
    hints->domain_attr->name = ::strdup(device.c_str());
  return hints;
}

bool is_loopback(const fi_info& info) {
  if (!info.src_addr) return false;
  const auto* address = static_cast<const sockaddr*>(info.src_addr);
  if (address->sa_family == AF_INET)
    return ntohl(reinterpret_cast<const sockaddr_in*>(address)->sin_addr.s_addr) >> 24 == 127;
  return address->sa_family == AF_INET6 &&
         IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
}

// Loopback only where it was asked for by name. Some providers do not look at the name that was asked for, and would listen
// on another interface; others know more of a device's name (efa_0-rdm).
bool is_requested(const fi_info& info, const NetworkRequest& request) {
  if (request.interface.empty()) return !is_loopback(info);
  return std::string_view(info.domain_attr->name).starts_with(device_of(request));
}

// The first of the list that may be used, or the preferred one.
fi_info* pick(const FabricLibrary& library, fi_info* list, const NetworkRequest& request) {
  fi_info* picked = nullptr;
  for (fi_info* info = list; info; info = info->next) {
    if (!is_requested(*info, request)) continue;
    const bool preferred =
        !request.preferred_address.empty() && text_of_address(*info) == request.preferred_address;
    if (picked && !preferred) continue;
    if (picked) library.free_info(picked);
    picked = library.copy_info(info);
    if (preferred) break;
  }
  library.free_info(list);
  return picked;
}

fi_info* ask(const FabricLibrary& library, const NetworkRequest& request, const char* provider,
             uint64_t order, int* status) {
  fi_info* hints = hints_for(library, request, provider, order);
  if (!hints) return nullptr;
  const auto address = address_of_interface(request.interface);
  fi_info* found = nullptr;
  *status = library.get_info(fabric_interface, address ? address->c_str() : nullptr, nullptr,
                             address ? FI_SOURCE : 0, hints, &found);
  library.free_info(hints);
  return *status == 0 ? pick(library, found, request) : nullptr;
}

// Providers that look at the name of a device themselves say no more than that there is nothing.
bool is_on_other_interfaces(const FabricLibrary& library, const NetworkRequest& request,
                            const char* provider) {
  if (request.interface.empty()) return false;
  NetworkRequest anywhere = request;
  anywhere.interface.clear();
  int status = 0;
  if (fi_info* info = ask(library, anywhere, provider, FI_ORDER_SAS, &status)) library.free_info(info);
  return status == 0;
}

// libfabric answers with every stack that contains what was named: "tcp" also brings "tcp;ofi_rxm".
bool is_named(const fi_info& info, const char* provider) {
  return std::strcmp(info.fabric_attr->prov_name, provider) == 0;
}

}  // namespace

FabricAnswer ask_provider(const FabricLibrary& library, const NetworkRequest& request,
                          const Provider& provider) {
  FabricAnswer answer;
  // libfabric would take it, and its first message would find no way.
  if (is_interface_down(request.interface)) {
    answer.refusal = request.interface + " is down";
    return answer;
  }
  int status = 0;
  for (const uint64_t order : {uint64_t{FI_ORDER_SAS | FI_ORDER_SAW}, uint64_t{FI_ORDER_SAS}}) {
    fi_info* info = ask(library, request, provider.name, order, &status);
    if (!info) continue;
    const char* refusal = is_named(*info, provider.name) ? shortcoming(*info, request)
                                                         : "in this libfabric only below other layers";
    if (!refusal) {
      answer.choice = {&library, &provider, info, (order & FI_ORDER_SAW) != 0};
      return answer;
    }
    library.free_info(info);
    answer.refusal = refusal;
  }
  if (answer.refusal.empty())
    answer.refusal = status != 0 && !is_on_other_interfaces(library, request, provider.name)
                         ? provider_is_not_here
                     : request.interface.empty() ? "nothing but loopback interfaces"
                                                 : "not on " + request.interface;
  return answer;
}

std::string text_of_address(const fi_info& info) {
  if (!info.src_addr) return "";
  char text[INET6_ADDRSTRLEN] = "";
  const auto* address = static_cast<const sockaddr*>(info.src_addr);
  if (address->sa_family == AF_INET)
    ::inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(address)->sin_addr, text, sizeof text);
  else if (address->sa_family == AF_INET6)
    ::inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr, text, sizeof text);
  return text;
}

const char* shortcoming(const fi_info& info, const NetworkRequest& request) {
  if (info.ep_attr->max_msg_size < request.message) return "its messages are too small";
  const bool chooses_keys = (info.domain_attr->mr_mode & FI_MR_PROV_KEY) != 0;
  if (!chooses_keys && info.domain_attr->mr_key_size < sizeof(uint64_t))
    return "its keys of memory regions are too short to be secret";
  return nullptr;
}

bool pins_memory(const fi_info& info) { return (info.domain_attr->mr_mode & FI_MR_ALLOCATED) != 0; }

}  // namespace atrium
