// Finds the executable's writable segment in its program headers.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/executable.hpp"

#include <elf.h>
#include <link.h>
#include <sys/auxv.h>

#include <algorithm>
#include <span>

#include "os/page.hpp"

namespace atrium {
namespace {

using ProgramHeader = ElfW(Phdr);

// From the auxiliary vector, not dl_iterate_phdr: it names the executable also when a preloaded library comes first.
std::span<const ProgramHeader> program_headers() {
  const auto* first = reinterpret_cast<const ProgramHeader*>(getauxval(AT_PHDR));
  return {first, first ? getauxval(AT_PHNUM) : 0};
}

// Where the executable was loaded, less where it was linked to be.
uintptr_t load_bias(std::span<const ProgramHeader> headers) {
  for (const ProgramHeader& header : headers)
    if (header.p_type == PT_PHDR) return reinterpret_cast<uintptr_t>(headers.data()) - header.p_vaddr;
  // A static executable need not have PT_PHDR: the headers lie in the first loaded segment, at file offset e_phoff.
  for (const ProgramHeader& header : headers)
    if (header.p_type == PT_LOAD && header.p_offset == 0)
      return round_down(reinterpret_cast<uintptr_t>(headers.data()), page_size()) - header.p_vaddr;
  return 0;
}

uint64_t mix(uint64_t hash, uint64_t value) { return (hash ^ value) * 0x100000001b3; }  // FNV-1a's step

}  // namespace

Result<DataSegment> find_data_segment() {
  const auto headers = program_headers();
  if (headers.empty())
    return Error{"cannot find the program's static data", "the kernel passed no program headers (AT_PHDR)", {}, {}};
  const uintptr_t bias = load_bias(headers);
  const uintptr_t page = page_size();

  DataSegment data;
  uintptr_t relro_end = 0;
  for (const ProgramHeader& header : headers) {
    if (header.p_type == PT_GNU_RELRO) relro_end = round_down(bias + header.p_vaddr + header.p_memsz, page);
    if (header.p_type != PT_LOAD || !(header.p_flags & PF_W) || header.p_memsz == 0) continue;
    // With several writable segments take them as one range when they touch; linkers emit RELRO and data so (lld).
    const uintptr_t begin = round_down(bias + header.p_vaddr, page);
    const uintptr_t end = round_up(bias + header.p_vaddr + header.p_memsz, page);
    data.begin = begin;  // the last writable segment holds .data and .bss
    data.end = end;
    data.file_end = bias + header.p_vaddr + header.p_filesz;
    data.fingerprint = mix(mix(mix(0xcbf29ce484222325, header.p_vaddr), header.p_filesz), header.p_memsz);
  }
  if (relro_end > data.begin) data.begin = std::min(relro_end, data.end);
  data.file_end = std::clamp(data.file_end, data.begin, data.end);
  return data;
}

}  // namespace atrium
