// Checks arguments against the standard, and words the messages for those that break it.
// SPDX-License-Identifier: BSD-3-Clause
#include "check/check.hpp"

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "arena/arena.hpp"
#include "atrium_words.hpp"
#include "check/caller.hpp"
#include "core/forked_child.hpp"
#include "core/log.hpp"
#include "core/settings.hpp"
#include "os/address_owner.hpp"
#include "symbols/look_up.hpp"
#include "symbols/symbol_map.hpp"
#include "topology/placement.hpp"

namespace atrium {

namespace detail {
bool arguments_checked = false;
bool calls_compared = false;
}  // namespace detail

namespace {

bool unoptimised = false;                // the file that calls shmem_init
std::atomic<pthread_t> only_thread = 0;  // 0: all may call

bool is_unexpected_thread() {
  const pthread_t only = only_thread.load(std::memory_order_relaxed);
  return only != 0 && only != pthread_self() && !is_forked_child();
}

void require_thread() {
  if (is_unexpected_thread()) refuse_thread();
}

std::string hex(const void* address) { return hexadecimal(reinterpret_cast<uintptr_t>(address)); }

std::string range(const void* address, size_t bytes) {
  const auto begin = reinterpret_cast<uintptr_t>(address);
  if (bytes > UINTPTR_MAX - begin) return counted(bytes, "byte") + " from " + hex(address) + " on";
  return hex(address) + " to " + hexadecimal(begin + bytes);
}

[[noreturn]] void refuse(std::string what, std::string because, std::string remedy) {
  fatal(Error{std::move(what), std::move(because), describe_caller(), std::move(remedy)});
}

bool initialised() { return arena.heap().bytes != 0 && arena.delta[placement.me()] == 0; }

// Asked when something is refused already.
bool is_usable() { return initialised() && !is_forked_child(); }

std::optional<KnownBlock> (*block_up_to)(const void*) = nullptr;

size_t distance(const void* begin, const void* address) {
  return reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(begin);
}

std::string name_of(const KnownBlock& block) { return "the block" + line_of_call(block.maker); }
// A common block of Fortran is one object, whatever variables are in it.
std::string name_of(const Symbol& object) {
  const NamedVariable first = variable_of_executable(object.address);
  return "`" + (first.block.empty() ? first.name : first.block) + "`";
}

[[noreturn]] void refuse_outside_blocks(const char* argument, const void* address,
                                        const std::optional<KnownBlock>& before) {
  refuse(
      std::string(argument) + " is not inside a block of the symmetric heap",
      hex(address) + (before ? " lies " + counted(distance(before->begin, address) - before->bytes, "byte") +
                                   " behind the end of " + name_of(*before)
                             : " lies before all blocks"),
      "a smaller index, or looking for a shmem_free that came too early");
}

// The bytes that are moved end within the object in which they begin, at its byte `at`.
[[noreturn]] void refuse_leaving(const char* argument, const std::string& object, size_t size, size_t at,
                                 size_t bytes) {
  refuse(std::string(argument) + " leaves the object that it begins in",
         object + " has " + counted(size, "byte") + ", and " + counted(bytes, "byte") +
             " are wanted from its byte " + std::to_string(at) + " on",
         "a smaller number of elements, or a larger object");
}

void require_inside_block(const char* argument, const void* address, size_t bytes) {
  const auto block = block_up_to(address);
  const size_t at = block ? distance(block->begin, address) : 0;
  if (!block || at >= block->bytes) refuse_outside_blocks(argument, address, block);
  if (bytes > block->bytes - at) refuse_leaving(argument, name_of(*block), block->bytes, at, bytes);
}

void require_inside_static_object(const char* argument, const void* address, size_t bytes) {
  const Symbol* const object = variables_of_executable().around(reinterpret_cast<uintptr_t>(address));
  if (!object) return;
  const size_t at = reinterpret_cast<uintptr_t>(address) - object->address;
  if (bytes > object->bytes - at) refuse_leaving(argument, name_of(*object), object->bytes, at, bytes);
}

// Requires: the address is symmetric.
void require_inside_object(const char* argument, const void* address, size_t bytes) {
  if (!arena.heap().contains(address)) return require_inside_static_object(argument, address, bytes);
  if (block_up_to) require_inside_block(argument, address, bytes);
}

// Where the compiler knows the object, and has passed how much of it is left.
[[noreturn]] void refuse_beyond(const char* argument, const void* address, size_t left, size_t bytes) {
  if (arena.is_symmetric(address)) require_inside_object(argument, address, bytes);
  refuse(std::string(argument) + " leaves the object that it begins in",
         counted(left, "byte") + " of it are left, and " + counted(bytes, "byte") + " are wanted",
         "a smaller number of elements, or a larger object");
}

size_t extent(const Pieces& all) { return extent_of(all.count, all.step, all.bytes); }

// Where a range lies; by the name of its object, where that is known.
std::string describe(const Pieces& all) {
  if (!arena[Range::globals].contains(all.first)) return range(all.first, extent(all));
  const NamedVariable object = variable_of_executable(reinterpret_cast<uintptr_t>(all.first));
  if (object.name.empty()) return range(all.first, extent(all));
  return "`" + object.whole() + "` from byte " + std::to_string(object.offset) + " to " +
         std::to_string(object.offset + extent(all));
}

bool are_identical(const Pieces& a, const Pieces& b) {
  return a.first == b.first && a.bytes == b.bytes && a.count == b.count && (a.step == b.step || a.count == 1);
}

// Walks along both at once.
bool share_a_byte(const Pieces& a, const Pieces& b) {
  if (a.count == 0 || b.count == 0 || a.bytes == 0 || b.bytes == 0) return false;
  auto at_a = reinterpret_cast<uintptr_t>(a.first), at_b = reinterpret_cast<uintptr_t>(b.first);
  if (at_a >= at_b + extent(b) || at_b >= at_a + extent(a)) return false;
  for (size_t i = 0, j = 0; i < a.count && j < b.count;) {
    if (at_a < at_b + b.bytes && at_b < at_a + a.bytes) return true;
    at_a + a.bytes <= at_b ? (++i, at_a += a.step) : (++j, at_b += b.step);
  }
  return false;
}

std::string list_ranges() {
  std::string text;
  for (const SymmetricRange& one : arena.ranges)
    text += (text.empty() ? "" : ", nor in ") + (one.name + (" (" + range(one.begin, one.bytes) + ")"));
  return text;
}

}  // namespace

bool wants_checks() { return flag_setting("ATRIUM_CHECK") || present("SHMEM_DEBUG"); }

void expect_calls_of_this_thread_alone(bool alone) {
  only_thread.store(alone ? pthread_self() : 0, std::memory_order_relaxed);
}

void configure_checks(bool asked) {
  detail::calls_compared = asked;
  detail::arguments_checked = detail::calls_compared || (unoptimised && !given("ATRIUM_CHECK"));
}

void look_up_heap_blocks_by(std::optional<KnownBlock> (*lookup)(const void*)) { block_up_to = lookup; }

void refuse_uninitialised() {
  if (is_forked_child())
    refuse("a child of fork() is no PE", "only the process that called shmem_init takes part in the job",
           "OpenSHMEM calls in the parent alone; the child may compute, execute a program and exit");
  constexpr const char* what = "the library is not initialised";
  if (get_speaker().empty()) refuse(what, "the call came before shmem_init", "shmem_init() first");
  refuse(what, "the call came after the last shmem_finalize",
         "the call before it (destructors of global objects run after main)");
}

void refuse_pe(int pe, int members) {
  if (!is_usable()) refuse_uninitialised();
  const std::string what = "PE number " + std::to_string(pe) + " does not exist";
  if (placement.pes() == 1 && pe > 0)
    refuse(what, "the job has 1 PE, as a program has that is started without oshrun",
           "oshrun -n " + std::to_string(pe + 1) + " and the program, or PE 0");
  refuse(what, "the context's team has " + counted(static_cast<uint64_t>(members), "PE"),
         members == 1 ? "PE 0" : "a number from 0 to " + std::to_string(members - 1));
}

void refuse_root(int root, int members) {
  if (!is_usable()) refuse_uninitialised();
  const std::string last = std::to_string(members - 1);
  refuse("PE number " + std::to_string(root) + " does not exist",
         "the team has " + counted(static_cast<uint64_t>(members), "PE") +
             ", and the root is named by its number in the team",
         (members == 1 ? "PE 0" : "a number from 0 to " + last) +
             "; shmem_team_translate_pe converts those of other teams");
}

void refuse_context() {
  if (!is_usable()) refuse_uninitialised();
  refuse_context_in(describe_caller());
}

void refuse_context_in(const std::string& call) {
  fatal(Error{"the context is not valid", "it is SHMEM_CTX_INVALID, or has been destroyed", call,
              "SHMEM_CTX_DEFAULT, or a context whose creation returned 0"});
}

void refuse_team() {
  if (!is_usable()) refuse_uninitialised();
  refuse("the team is not valid", "it is SHMEM_TEAM_INVALID, or has been destroyed",
         "SHMEM_TEAM_WORLD, or a team whose creation gave this PE a valid handle");
}

void refuse_end_of(const char* predefined) {
  refuse(std::string(predefined) + " cannot be destroyed", "it is there as long as the job",
         "no call for it: shmem_finalize ends it");
}

void refuse_mismatch(const Mismatch& mismatch) {
  const bool knows_theirs = !mismatch.theirs.empty();
  refuse(
      mismatch.past ? "the PEs of a team have not made the same collective calls"
                    : "the PEs of a team do not make the same collective call",
      (mismatch.past ? "here one was " : "here it is ") + mismatch.mine + ", on the team's PE " +
          std::to_string(mismatch.member) + " " +
          (knows_theirs ? mismatch.theirs : "another collective call") +
          (mismatch.another_loop ? ", and operation or type differ" : ""),
      std::string("the same routine with the same arguments on all PEs of the team") +
          (knows_theirs && !mismatch.counted ? ""
                                             : "; oshrun --check to be told which calls differ, and where"));
}

void refuse_thread() {
  refuse("a second thread calls OpenSHMEM",
         "the program has asked for a level of threads at which only the thread that called shmem_init may",
         "shmem_init_thread with SHMEM_THREAD_SERIALIZED or SHMEM_THREAD_MULTIPLE");
}

void refuse_lock(bool held) {
  refuse(held ? "this PE holds the lock already" : "this PE does not hold the lock",
         held ? "locks are not re-entrant: it would wait for itself"
              : "it was never set here, or is cleared twice",
         "one shmem_clear_lock for each shmem_set_lock, on the same PE");
}

void refuse_lock_word(int pe) {
  refuse(
      "the lock has a value that no lock has",
      "it names PE " + std::to_string(pe) +
          " as the next in its queue: it was not 0 before its first use, or something else has written to it",
      "a static variable or memory of shmem_calloc, which are 0 at first, for the lock alone");
}

void refuse_unsymmetric(const char* argument, const void* address, size_t bytes) {
  const bool begins_well = arena.is_symmetric(address);
  const auto owner = begins_well ? std::nullopt
                                 : owner_of(reinterpret_cast<uintptr_t>(address),
                                            reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
  refuse(std::string(argument) + (begins_well ? " leaves symmetric memory" : " is not in symmetric memory"),
         range(address, bytes) + " is " + (owner ? *owner + ", " : "") + "not in " + list_ranges(),
         begins_well ? "a smaller number of elements, or a larger object"
                     : "a global or static variable of the executable, or memory from shmem_malloc");
}

void refuse_value(const char* argument, long long value, const char* allowed) {
  refuse(std::string(argument) + " has no meaning", "its value is " + std::to_string(value), allowed);
}

void refuse_null_result(const char* argument) {
  refuse(std::string(argument) + " is a null pointer", "the routine writes its answer there",
         "the address of a variable");
}

void require_known_bits(const char* argument, long bits, long known, const char* allowed) {
  if ((bits & ~known) != 0) refuse_value(argument, bits, allowed);
}

void require_symmetric(const char* argument, const void* address, size_t bytes, size_t alignment) {
  require_thread();
  if (bytes == 0) return;
  if (!initialised()) refuse_uninitialised();
  if (!arena.is_symmetric(address, bytes)) refuse_unsymmetric(argument, address, bytes);
  require_inside_object(argument, address, bytes);
  if (reinterpret_cast<uintptr_t>(address) % alignment == 0) return;
  refuse(std::string(argument) + " is not aligned",
         hex(address) + " is not a multiple of " + std::to_string(alignment),
         "an address with the alignment of the type, or a *mem routine");
}

void require_memory(const char* argument, const void* address, size_t bytes) {
  if (bytes == 0) return;
  if (arena.is_symmetric(address)) return require_inside_object(argument, address, bytes);
  if (address) return;
  refuse(std::string(argument) + " is a null pointer", "it stands for " + counted(bytes, "byte"),
         "the address of a buffer, or 0 elements");
}

void require_disjoint(const Pieces& written, const Pieces& read, Identical identical) {
  const bool same = are_identical(written, read);
  if ((same && identical == Identical::allowed) || !share_a_byte(written, read)) return;
  refuse(std::string(written.argument) + " and " + read.argument + " overlap",
         std::string(written.argument) + " is " + describe(written) + ", " + read.argument + " is " +
             describe(read),
         same ? "another dest: only reductions and scans may work in place" : "buffers that lie apart");
}

// ATRIUM_CHECK=0: the user does not want it.
static bool is_unchecked() { return given("ATRIUM_CHECK") && !wants_checks(); }

void detail::require_apart_or_unchecked(const void* dest, const void* source, size_t bytes) {
  if (!is_unchecked()) require_disjoint({"dest", dest, bytes}, {"source", source, bytes});
}

}  // namespace atrium

// include/shmem/fit.h.
extern "C" __attribute__((visibility("default"))) void atrium_leaves_1(const char* argument,
                                                                       const void* address, size_t left,
                                                                       size_t bytes) {
  if (!atrium::is_unchecked()) atrium::refuse_beyond(argument, address, left, bytes);
}

// include/shmem/unoptimised.h.
extern "C" __attribute__((visibility("default"))) void atrium_unoptimised_1() { atrium::unoptimised = true; }

// For the Fortran interfaces, whose arguments have checks of their own.
extern "C" __attribute__((visibility("default"))) void atrium_refuse_1(const char* what, const char* because,
                                                                       const char* routine,
                                                                       const char* remedy) {
  atrium::fatal(atrium::Error{what, because, atrium::describe_caller(routine), remedy});
}
