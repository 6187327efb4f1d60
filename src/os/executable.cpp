// Finds the executable's writable segments in its program headers.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/executable.hpp"

#include <link.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>
#include <utility>

#include "atrium_hash.hpp"
#include "os/page.hpp"
#include "symbols/this_program.hpp"

namespace atrium {
namespace {

using ProgramHeader = ElfW(Phdr);

// The linker's note, if it left one.
uint64_t fingerprint_of_build_id(const ProgramHeader& notes, uintptr_t bias) {
  const auto* at = reinterpret_cast<const char*>(bias + notes.p_vaddr);
  const auto* const end = at + notes.p_memsz;
  const auto padded = [](size_t bytes) { return round_up(bytes, 4); };
  while (at + sizeof(ElfW(Nhdr)) <= end) {
    ElfW(Nhdr) note;
    std::memcpy(&note, at, sizeof note);
    const auto* const id = reinterpret_cast<const unsigned char*>(at) + sizeof note + padded(note.n_namesz);
    at += sizeof note + padded(note.n_namesz) + padded(note.n_descsz);
    if (note.n_type != NT_GNU_BUILD_ID || at > end) continue;
    return std::accumulate(id, id + note.n_descsz, hash_of_nothing, add_to_hash);
  }
  return 0;
}

// Adds one segment; they come in the order of their addresses.
void append(DataSegment& data, const ProgramHeader& header, uintptr_t bias) {
  const uintptr_t start = bias + header.p_vaddr, begin = round_down(start, page_size());
  if (data.end == 0) data.begin = begin, data.fingerprint = hash_of_nothing;
  data.end = round_up(start + header.p_memsz, page_size());
  for (const uint64_t number : {header.p_vaddr, header.p_filesz, header.p_memsz})
    data.fingerprint = add_to_hash(data.fingerprint, number);
  // With more parts than places the last one grows over what lies between.
  const size_t place = std::min(data.parts, DataSegment::most_parts - 1);
  const bool is_new = data.parts == place;
  if (is_new) data.from_file[data.parts++].begin = begin;
  data.from_file[place].end = start + header.p_filesz;
  data.from_file[place].is_constant = is_new && !(header.p_flags & PF_W);
}

uintptr_t end_of_relro(std::span<const ProgramHeader> headers, uintptr_t bias) {
  for (const ProgramHeader& header : headers)
    if (header.p_type == PT_GNU_RELRO) return round_down(bias + header.p_vaddr + header.p_memsz, page_size());
  return 0;
}

}  // namespace

Result<DataSegment> find_data_segment() {
  const auto headers = program_headers();
  if (headers.empty())
    return Error{
        "cannot find the program's static data", "the kernel passed no program headers (AT_PHDR)", {}, {}};
  const uintptr_t bias = executable_bias();
  DataSegment data;
  const ProgramHeader* constants = nullptr;
  for (const ProgramHeader& header : headers) {
    if (header.p_type != PT_LOAD || header.p_memsz == 0) continue;
    if (header.p_flags & PF_W) {
      if (constants) append(data, *std::exchange(constants, nullptr), bias);
      append(data, header, bias);
    } else if (header.p_flags & PF_X) {
      data = DataSegment{},
      constants = nullptr;  // code behind writable data: only what follows it is one range
    } else if (data.parts > 0) {
      constants = &header;  // counts if writable data follow
    }
  }
  const uintptr_t relro_end = end_of_relro(headers, bias);
  if (relro_end > data.begin) data.begin = std::min(relro_end, data.end);
  for (const ProgramHeader& header : headers)
    if (header.p_type == PT_NOTE && data.build == 0) data.build = fingerprint_of_build_id(header, bias);
  return data;
}

bool DataSegment::is_from_file(uintptr_t page) const {
  return std::any_of(from_file, from_file + parts,
                     [page](const FromFile& part) { return part.begin <= page && page < part.end; });
}

}  // namespace atrium
