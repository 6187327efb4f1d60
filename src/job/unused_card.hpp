// Says that a network card is here, and that the job does not use it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "engine/engines.hpp"

namespace atrium {

// The sentence; empty where there is nothing to say: no such card, or a provider that has one. `passed_over`: what was tried before
// the provider.
std::string text_of_unused_card(const std::vector<std::string>& devices, const std::string& provider,
                                bool over_tcp, const std::vector<ProviderFinding>& passed_over);

// PE 0 notes it, once, where the user has not asked for the provider.
void note_unused_card(const std::string& provider, bool over_tcp,
                      const std::vector<ProviderFinding>& passed_over);

}  // namespace atrium
