// The library that writes OTF2 archives, opened when a trace is to be one: oshrun starts without it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <string>

namespace atrium::profile {

// clang-format off
#define ATRIUM_OTF2_FUNCTIONS(X) \
  X(Archive_Open) X(Archive_Close) X(Archive_SetFlushCallbacks) X(Archive_SetSerialCollectiveCallbacks) \
  X(Archive_SetCreator) X(Archive_OpenEvtFiles) X(Archive_CloseEvtFiles) X(Archive_OpenDefFiles) \
  X(Archive_CloseDefFiles) X(Archive_GetEvtWriter) X(Archive_CloseEvtWriter) X(Archive_GetDefWriter) \
  X(Archive_CloseDefWriter) X(Archive_GetGlobalDefWriter) X(Archive_CloseGlobalDefWriter) \
  X(AttributeList_New) X(AttributeList_Delete) X(AttributeList_AddUint32) X(AttributeList_AddStringRef) \
  X(AttributeList_AddSourceCodeLocationRef) X(Error_GetDescription) X(Error_RegisterCallback) \
  X(EvtWriter_Enter) X(EvtWriter_Leave) X(EvtWriter_GetNumberOfEvents) \
  X(EvtWriter_RmaPut) X(EvtWriter_RmaGet) X(EvtWriter_RmaAtomic) X(EvtWriter_RmaWaitChange) \
  X(EvtWriter_RmaOpCompleteBlocking) X(EvtWriter_RmaOpCompleteNonBlocking) \
  X(EvtWriter_RmaCollectiveBegin) X(EvtWriter_RmaCollectiveEnd) \
  X(GlobalDefWriter_WriteClockProperties) X(GlobalDefWriter_WriteString) X(GlobalDefWriter_WriteAttribute) \
  X(GlobalDefWriter_WriteSystemTreeNode) X(GlobalDefWriter_WriteSystemTreeNodeDomain) \
  X(GlobalDefWriter_WriteLocationGroup) X(GlobalDefWriter_WriteLocation) X(GlobalDefWriter_WriteRegion) \
  X(GlobalDefWriter_WriteGroup) X(GlobalDefWriter_WriteComm) X(GlobalDefWriter_WriteRmaWin) \
  X(GlobalDefWriter_WriteSourceCodeLocation)
// clang-format on

struct Otf2Library {
#define ATRIUM_OTF2_FUNCTION(name) decltype(&OTF2_##name) name;
  ATRIUM_OTF2_FUNCTIONS(ATRIUM_OTF2_FUNCTION)
#undef ATRIUM_OTF2_FUNCTION
};

// Null: `because` says why. Opened once.
const Otf2Library* open_otf2_library(std::string& because);

// What the library complained about since the last call, first of all; empty: nothing.
std::string take_otf2_complaint();

}  // namespace atrium::profile
