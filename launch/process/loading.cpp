// Asks the loader what it would load, as ldd does; the program itself is not run.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/loading.hpp"

#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "atrium_system.hpp"
#include "launch/process/installation.hpp"
#include "symbols/child.hpp"
#include "symbols/elf_program.hpp"
#include "symbols/symbol_table.hpp"

namespace atrium {
namespace {

constexpr const char* own_name = "libatrium.so";

struct Vendor {
  const char* library;
  const char* name;
};
constexpr Vendor other_vendors[] = {
    {"liboshmem.so", "Open MPI's OpenSHMEM"},
    {"libsma.so",
     "another vendor's OpenSHMEM (Sandia's, Cray's)"},  // ours of this name is a link to libatrium
};

std::string own_wrapper() { return own_folder() + "/oshcc"; }

// The loader's list for the environment that the job had.
std::string list_libraries(const std::string& loader, const std::string& program, const Options& options) {
  std::vector<std::string> entries = {"LD_TRACE_LOADED_OBJECTS=1"};
  for (const Variable& variable : options.variables)
    if (variable.value) entries.push_back(variable.name + "=" + *variable.value);
  for (char** entry = environ; *entry; ++entry) entries.emplace_back(*entry);  // the first of a name counts
  std::vector<char*> environment;
  for (std::string& entry : entries) environment.push_back(entry.data());
  environment.push_back(nullptr);
  std::string words[] = {loader, program};
  char* arguments[] = {words[0].data(), words[1].data(), nullptr};

  return output_of_child([&](int fd) {
    print_only_into(fd);
    execve(loader.c_str(), arguments, environment.data());
  });
}

// "\tlibatrium.so.1 => /usr/lib/libatrium.so.1 (0x7f...)": what stands behind the arrow of the first line that has `word`.
std::string found_for(const std::string& list, const std::string& word, std::string* name = nullptr) {
  const size_t at = list.find(word), arrow = list.find(" => ", at);
  if (at == std::string::npos || arrow == std::string::npos) return {};
  const size_t begin = list.rfind('\n', at) == std::string::npos ? 0 : list.rfind('\n', at) + 1;
  const size_t first = list.find_first_not_of('\t', begin);
  if (name) *name = list.substr(first, list.find(" => ", first) - first);
  return list.substr(arrow + 4, list.find_first_of(" \n", arrow + 4) - (arrow + 4));
}

// "Atrium 0.1.0", which each of our libraries and each program compiled with our headers has in it: the first number
// behind `before`.
std::string version_in(const std::string& path, const std::string& before) {
  const std::string text = read_small_file(path);
  for (size_t at = text.find(before); at != std::string::npos; at = text.find(before, at + 1)) {
    const size_t number = at + before.size(), end = text.find_first_not_of("0123456789.", number);
    const std::string version = text.substr(number, end - number);
    if (version.find('.') != std::string::npos) return before + version;
  }
  return {};
}

Error explain_missing(const std::string& name) {
  const std::string library = own_library("libatrium.so.1");
  const std::string folder = library.substr(0, library.find_last_of('/'));
  if (!name.starts_with(own_name) || library.empty())
    return {{}, "the loader finds no " + name, {}, "LD_LIBRARY_PATH=ITS_FOLDER, or to install it"};
  return {{},
          "the loader finds no " + name + ", Atrium's library",
          {},
          "LD_LIBRARY_PATH=" + folder + ", or linking the program with " + own_wrapper() +
              ", which tells it the place"};
}

constexpr const char* starts_of_mpi[] = {"MPI_Init",      "MPI_Init_thread",     "MPI_Session_init",
                                         "mpi_init_",     "mpi_init_thread_",    "mpi_session_init_",
                                         "mpi_init_f08_", "mpi_init_thread_f08_"};

bool starts_mpi(const std::string& symbol) {
  return std::any_of(std::begin(starts_of_mpi), std::end(starts_of_mpi),
                     [&](const char* start) { return symbol == start; });
}

bool imports_start_of_mpi(const std::string& path) {
  const std::vector<std::string> names = imports_of(path);
  return std::any_of(names.begin(), names.end(), starts_mpi);
}

// All libraries are there: one of them lacks what the program was compiled to use.
Error explain_versions(const std::string& program, const std::string& library) {
  std::string headers = version_in(program, "headers of Atrium ");
  return {{},
          "the library it was given may not be the one it was built for: it has the " +
              (headers.empty() ? "headers of another OpenSHMEM" : headers) + " and loads " + library + " (" +
              version_in(library, "Atrium ") + "); this oshrun is of Atrium " ATRIUM_VERSION,
          {},
          "compiling it again with " + own_wrapper() +
              ", or an LD_LIBRARY_PATH without the folder of another version"};
}

}  // namespace

Result<void> require_own_openshmem(const std::string& path) {
  const ElfProgram program = read_elf_program(path);
  if (program.needs(own_name)) return {};
  for (const Vendor& vendor : other_vendors)
    if (program.needs(vendor.library))
      return Error{"cannot run '" + path + "'",
                   "it is linked with " + std::string(vendor.name) + " (" + vendor.library +
                       "), and this is the launcher of Atrium " ATRIUM_VERSION,
                   {},
                   "compiling it with " + own_wrapper() + ", or the launcher of that OpenSHMEM"};
  return {};
}

std::string note_on_mpi(const std::string& path, int pes) {
  const ElfProgram program = read_elf_program(path);
  if (pes < 2 || program.needs(own_name) || !imports_start_of_mpi(path)) return {};
  if (read_small_file(path).find("shmem_init") != std::string::npos) return {};  // libatrium.a is part of it
  const std::string count = std::to_string(pes);
  return "'" + path +
         "' is a program of MPI, not of OpenSHMEM: oshrun starts no ranks, and MPI_Init makes each of the " +
         count + " processes rank 0 of 1; try mpirun -n " + count + " " + path;
}

Error explain_loading(const std::string& path, const Options& options) {
  const ElfProgram program = read_elf_program(path);
  if (program.interpreter.empty()) return {};
  const std::string list = list_libraries(program.interpreter, path, options);
  std::string missing;
  if (found_for(list, " => not found", &missing) == "not") return explain_missing(missing);
  const std::string library = found_for(list, own_name);
  return library.empty() ? Error{} : explain_versions(path, library);
}

}  // namespace atrium
