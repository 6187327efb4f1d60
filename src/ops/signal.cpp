// Puts with a signal, and setting, adding to, reading and waiting for signals.
// SPDX-License-Identifier: BSD-3-Clause
#include "ops/signal.hpp"

#include "copy/copy.hpp"
#include "ops/atomic.hpp"
#include "ops/wait.hpp"
#include "transport/here.hpp"

namespace atrium {
namespace {

void require_operator(int sig_op) {
  if (__builtin_expect(sig_op != SHMEM_SIGNAL_SET && sig_op != SHMEM_SIGNAL_ADD, 0))
    refuse_value("sig_op", sig_op, "SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD");
}

void put_signal_away(const Target& target, const void* source, size_t bytes, const uint64_t* sig_addr,
                     uint64_t signal, int sig_op, int pe, Completion how) {
  const Target word(target.context(), sig_addr, pe, {"sig_addr", sizeof *sig_addr, alignof(uint64_t)});
  const WordOp op = sig_op == SHMEM_SIGNAL_ADD ? WordOp::add : WordOp::set;
  target.transport().put_signal(target.context(), target.address(), source, bytes, word.address(),
                                {op, sizeof signal, signal}, how);
}

}  // namespace

// The data's stores come before the signal's release (copy() has fenced its non-temporal ones), and a PE that
// waits for the signal acquires it: seeing the signal means that the data is there. `SYNC wait` in
// transport/here.hpp and ops/compare.hpp.
template <Completion how>
void put_signal_bytes(Context& ctx, void* dest, const void* source, size_t bytes, size_t alignment,
                      uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) {
  const Target target(ctx, dest, pe, {"dest", bytes, alignment});
  require_operator(sig_op);
  if (checking()) {
    require_memory("source", source, bytes);
    require_disjoint(target.pieces("dest", bytes), {"source", source, bytes});
    require_symmetric("sig_addr", sig_addr, sizeof *sig_addr, alignof(uint64_t));
    require_disjoint({"dest", dest, bytes}, {"sig_addr", sig_addr, sizeof *sig_addr}, Identical::refused);
  }
  if (!target.is_here()) return put_signal_away(target, source, bytes, sig_addr, signal, sig_op, pe, how);
  copy_to_peer(target.memory(), source, bytes);
  here::signal(sig_addr, target.delta(), signal, sig_op == SHMEM_SIGNAL_ADD);
}

template void put_signal_bytes<Completion::blocking>(Context&, void*, const void*, size_t, size_t, uint64_t*,
                                                     uint64_t, int, int);
template void put_signal_bytes<Completion::nonblocking>(Context&, void*, const void*, size_t, size_t,
                                                        uint64_t*, uint64_t, int, int);

void signal_set(Context& ctx, uint64_t* sig_addr, uint64_t signal, int pe) {
  atomic_set(ctx, sig_addr, signal, pe);
}
void signal_add(Context& ctx, uint64_t* sig_addr, uint64_t signal, int pe) {
  atomic_add(ctx, sig_addr, signal, pe);
}

uint64_t signal_fetch(const uint64_t* sig_addr) {
  if (checking()) require_symmetric("sig_addr", sig_addr, sizeof *sig_addr, alignof(uint64_t));
  looked();
  return __atomic_load_n(sig_addr, __ATOMIC_ACQUIRE);  // SYNC wait
}

uint64_t signal_wait_until(uint64_t* sig_addr, int cmp, uint64_t cmp_value) {
  return detail::wait_for_value<uint64_t>(WaitKind::signal, sig_addr, cmp, cmp_value);
}

}  // namespace atrium
