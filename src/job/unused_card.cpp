// Writes the message, with the reasons of the providers that could have used the card.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/unused_card.hpp"

#include "core/log.hpp"
#include "core/settings.hpp"
#include "os/rdma_devices.hpp"
#include "topology/placement.hpp"

namespace atrium {

std::string text_of_unused_card(const std::vector<std::string>& devices, const std::string& provider,
                                bool over_tcp, const std::vector<ProviderFinding>& passed_over) {
  if (devices.empty() || !over_tcp) return "";
  std::string reasons;
  for (const ProviderFinding& each : passed_over)
    if (each.needs_card && each.reason != provider_is_not_here)
      reasons += (reasons.empty() ? "" : "; ") + each.name + " " +
                 (each.verdict == cannot_be_opened ? "" : "is ") + each.verdict + " (" + each.reason + ")";
  return "this job's nodes reach each other by " + provider + ", though this host has an RDMA device (" +
         text_of_devices(devices) +
         "): " + (reasons.empty() ? "libfabric has no provider for it here" : reasons) +
         ". Large data will be slow. atrium-info --fabric shows more; ATRIUM_NET=" + provider +
         " says that it is meant";
}

void note_unused_card(const std::string& provider, bool over_tcp,
                      const std::vector<ProviderFinding>& passed_over) {
  if (placement.me() != 0 || flag_setting("ATRIUM_QUIET") || setting("ATRIUM_NET") != "auto") return;
  const std::string text = text_of_unused_card(rdma_devices(), provider, over_tcp, passed_over);
  if (!text.empty()) warn(text);
}

}  // namespace atrium
