// Chooses a provider of libfabric that fits the job, and the network interface that it uses.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "engine/fabric_library.hpp"
#include "engine/libfabric.hpp"
#include "engine/providers.hpp"

namespace atrium {

struct FabricChoice {
  const FabricLibrary* library = nullptr;
  const Provider* provider = nullptr;
  fi_info* info = nullptr;  // belongs to who asked
  bool sends_after_writes = false;
};

struct FabricAnswer {
  FabricChoice choice;  // without info: it does not fit
  std::string refusal;  // why
};

// What a provider says of itself: whether it can be opened is another question.
FabricAnswer ask_provider(const FabricLibrary& library, const NetworkRequest& request,
                          const Provider& provider);

// What a provider's answer lacks that no hint asks for; null: nothing.
const char* shortcoming(const fi_info& info, const NetworkRequest& request);

// This host's IP address on the interface that was found; empty where it has none.
std::string text_of_address(const fi_info& info);

// Registering memory makes all of it present.
bool pins_memory(const fi_info& info);

}  // namespace atrium
