// Two functions that today's C++ run time, which our libraries and programs have linked in, wants from the C library. One of a few
// years ago lacks them, and what refers to them would not start there: glibc 2.34 is that of RHEL 9, 2.35 that of Ubuntu 22.04.
// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define HIDDEN __attribute__((visibility("hidden")))

// glibc 2.36: std::random_device has it. A random number of 32 bits.
HIDDEN uint32_t arc4random(void);
uint32_t arc4random(void) {
  uint32_t number;
  while (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
    if (errno != EINTR) abort();
  return number;
}

// glibc 2.35: the unwinder asks it which object has the code at an address, and where that object's unwind table is.
#ifdef DLFO_STRUCT_HAS_EH_DBASE

struct Search {
  uintptr_t address;
  struct dl_find_object* found;
};

static int is_in_object(struct dl_phdr_info* object, size_t size, void* data) {
  (void)size;
  struct Search* search = data;
  const ElfW(Phdr)* table = NULL;
  int is_here = 0;
  for (const ElfW(Phdr)* header = object->dlpi_phdr; header != object->dlpi_phdr + object->dlpi_phnum;
       header++) {
    const uintptr_t begin = object->dlpi_addr + header->p_vaddr;
    if (header->p_type == PT_GNU_EH_FRAME) table = header;
    if (header->p_type != PT_LOAD || search->address - begin >= header->p_memsz) continue;
    is_here = 1;
    search->found->dlfo_map_start = (void*)begin;
    search->found->dlfo_map_end = (void*)(begin + header->p_memsz);
  }
  if (!is_here || !table) return 0;
  search->found->dlfo_eh_frame = (void*)(object->dlpi_addr + table->p_vaddr);
  return 1;
}

typedef int FindObject(void* address, struct dl_find_object* found);

static int find_object_by_headers(void* address, struct dl_find_object* found) {
  struct Search search = {(uintptr_t)address, found};
  memset(found, 0, sizeof *found);
  return dl_iterate_phdr(is_in_object, &search) == 1 ? 0 : -1;
}

// Takes the C library's where there is one: it needs no lock.
HIDDEN FindObject _dl_find_object;
int _dl_find_object(void* address, struct dl_find_object* found) {
  static FindObject* _Atomic chosen;
  FindObject* find = chosen;
  if (!find) {
    *(void**)&find = dlsym(RTLD_DEFAULT, "_dl_find_object");
    chosen = find = find ? find : find_object_by_headers;
  }
  return find(address, found);
}

#endif
