// Executes records with the same native atomics that this node's own PEs use.
// SPDX-License-Identifier: BSD-3-Clause
#include "wire/node_memory.hpp"

#include <cstring>

#include "arch/fence.hpp"

namespace atrium {
namespace {

uint64_t number_at(const char* payload) {
  uint64_t number;
  std::memcpy(&number, payload, sizeof number);
  return number;
}

template <class T>
void store_word(char* there, const char* payload) {
  T value;
  std::memcpy(&value, payload, sizeof value);
  __atomic_store_n(reinterpret_cast<T*>(there), value, __ATOMIC_RELEASE);  // SYNC record
}

// An aligned word is one store: a PE that reads it finds the old one or the new one.
void store(char* there, const char* payload, size_t bytes) {
  const auto address = reinterpret_cast<uintptr_t>(there);
  if (bytes == 8 && address % 8 == 0) return store_word<uint64_t>(there, payload);
  if (bytes == 4 && address % 4 == 0) return store_word<uint32_t>(there, payload);
  if (bytes == 2 && address % 2 == 0) return store_word<uint16_t>(there, payload);
  if (bytes == 1) return store_word<uint8_t>(there, payload);
  release_fence();  // orders it after what was executed before
  std::memcpy(there, payload, bytes);
}

template <class T>
void load_word(char* dest, const char* there) {
  const T value = __atomic_load_n(reinterpret_cast<const T*>(there), __ATOMIC_ACQUIRE);  // SYNC record
  std::memcpy(dest, &value, sizeof value);
}

void load(char* dest, const char* there, size_t bytes) {
  const auto address = reinterpret_cast<uintptr_t>(there);
  if (bytes == 8 && address % 8 == 0) return load_word<uint64_t>(dest, there);
  if (bytes == 4 && address % 4 == 0) return load_word<uint32_t>(dest, there);
  if (bytes == 2 && address % 2 == 0) return load_word<uint16_t>(dest, there);
  if (bytes == 1) return load_word<uint8_t>(dest, there);
  std::memcpy(dest, there, bytes);
  acquire_fence();  // SYNC record
}

template <class T>
uint64_t change(T* word, WordOp op, uint64_t operand, const char* payload) {
  const T x = static_cast<T>(operand);
  switch (op) {
    case WordOp::fetch:
      return __atomic_load_n(word, __ATOMIC_ACQUIRE);  // SYNC record
    case WordOp::set:
      return __atomic_store_n(word, x, __ATOMIC_RELEASE), 0;  // SYNC record
    case WordOp::swap:
      return __atomic_exchange_n(word, x, __ATOMIC_ACQ_REL);  // SYNC record
    case WordOp::add:
      return __atomic_fetch_add(word, x, __ATOMIC_ACQ_REL);  // SYNC record
    case WordOp::bit_and:
      return __atomic_fetch_and(word, x, __ATOMIC_ACQ_REL);  // SYNC record
    case WordOp::bit_or:
      return __atomic_fetch_or(word, x, __ATOMIC_ACQ_REL);  // SYNC record
    case WordOp::bit_xor:
      return __atomic_fetch_xor(word, x, __ATOMIC_ACQ_REL);  // SYNC record
    case WordOp::compare_swap:
    case WordOp::count:  // of no record
      break;
  }
  T expected = static_cast<T>(number_at(payload + 8));
  __atomic_compare_exchange_n(word, &expected, x, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);  // SYNC record
  return expected;
}

Outcome execute_change(const NodeMemory& memory, const Record& record) {
  const RecordHeader& header = record.header;
  const unsigned width = width_of(header.detail);
  if (!memory.allows(header.local, header.place, width) || header.place % width != 0) return {};
  char* there = memory.view + header.place;
  const WordOp op = op_of(header.detail);
  const uint64_t operand = number_at(record.payload);
  Outcome outcome{op == WordOp::fetch ? Executed::done : Executed::changed, width, 0};
  if (width == 8)
    outcome.value = change(reinterpret_cast<uint64_t*>(there), op, operand, record.payload);
  else if (width == 4)
    outcome.value = change(reinterpret_cast<uint32_t*>(there), op, operand, record.payload);
  else
    outcome.value = change(reinterpret_cast<uint16_t*>(there), op, operand, record.payload);
  return outcome;
}

}  // namespace

Outcome execute(const NodeMemory& memory, const Record& record) {
  const RecordHeader& header = record.header;
  if (header.kind == RecordKind::change) return execute_change(memory, record);
  if (header.kind == RecordKind::put) {
    if (!memory.allows(header.local, header.place, record.bytes)) return {};
    store(memory.view + header.place, record.payload, record.bytes);
    return {Executed::changed, record.bytes, 0};
  }
  const uint64_t length = number_at(record.payload);
  if (header.kind != RecordKind::landed || !memory.allows(header.local, header.place, length)) return {};
  full_fence();  // the engine wrote it: reads from now on find it
  return {Executed::changed, length, 0};
}

bool fetch_for(const NodeMemory& memory, const Record& record, char* dest, size_t& bytes) {
  const uint64_t length = number_at(record.payload);
  if (length > largest_reply || !memory.allows(record.header.local, record.header.place, length))
    return false;
  bytes = length;
  load(dest, memory.view + record.header.place, bytes);
  return true;
}

}  // namespace atrium
