// Which handles are alive: looked up only when arguments are checked, kept always, because checking may begin
// at any init.
// SPDX-License-Identifier: BSD-3-Clause
//
// Thread safety: any.
#pragma once

namespace atrium {

void register_handle(const void* handle);
void forget_handle(const void* handle);
bool is_known_handle(const void* handle);

}  // namespace atrium
