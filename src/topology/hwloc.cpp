// Asks hwloc for cores, packages, NUMA nodes and last caches.
// SPDX-License-Identifier: BSD-3-Clause
//
// The library is opened at run time: only jobs on machines of several parts need and load it.
#include <dlfcn.h>
#include <hwloc.h>

#include <algorithm>
#include <tuple>

#include "topology/cores.hpp"

namespace atrium {
namespace {

constexpr char library_name[] = "libhwloc.so.15";

struct Hwloc {
  decltype(&hwloc_topology_init) init;
  decltype(&hwloc_topology_set_components) set_components;
  decltype(&hwloc_topology_set_all_types_filter) set_all_filters;
  decltype(&hwloc_topology_set_type_filter) set_filter;
  decltype(&hwloc_topology_load) load;
  decltype(&hwloc_topology_destroy) destroy;
  decltype(&hwloc_get_type_depth) depth_of;
  decltype(&hwloc_get_nbobjs_by_depth) count;
  decltype(&hwloc_get_obj_by_depth) object;
  decltype(&hwloc_bitmap_next) next;
  decltype(&hwloc_bitmap_isequal) is_equal;
};

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

Error unknown(const std::string& because) {
  return Error{"cannot tell which cores share a cache or a NUMA node", because, "asking hwloc", {}};
}

Result<Hwloc> open_library() {
  void* library = ::dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
  if (!library) return unknown(::dlerror()).try_this("installing hwloc (libhwloc15)");
  Hwloc hwloc{};
  const bool complete = find(library, "hwloc_topology_init", hwloc.init) &&
                        find(library, "hwloc_topology_set_components", hwloc.set_components) &&
                        find(library, "hwloc_topology_set_all_types_filter", hwloc.set_all_filters) &&
                        find(library, "hwloc_topology_set_type_filter", hwloc.set_filter) &&
                        find(library, "hwloc_topology_load", hwloc.load) &&
                        find(library, "hwloc_topology_destroy", hwloc.destroy) &&
                        find(library, "hwloc_get_type_depth", hwloc.depth_of) &&
                        find(library, "hwloc_get_nbobjs_by_depth", hwloc.count) &&
                        find(library, "hwloc_get_obj_by_depth", hwloc.object) &&
                        find(library, "hwloc_bitmap_next", hwloc.next) &&
                        find(library, "hwloc_bitmap_isequal", hwloc.is_equal);
  if (!complete) return unknown(std::string(library_name) + " lacks a function that Atrium needs");
  return hwloc;
}

// Without what we do not ask for, and without the search by CPUID on every CPU in turn.
void choose_what_to_look_at(const Hwloc& hwloc, hwloc_topology_t topology) {
  hwloc.set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
  hwloc.set_all_filters(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
  for (const hwloc_obj_type_t type :
       {HWLOC_OBJ_PACKAGE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_CORE})
    hwloc.set_filter(topology, type, HWLOC_TYPE_FILTER_KEEP_ALL);
  // Else the NUMA nodes of one package could not be distinguished.
  hwloc.set_filter(topology, HWLOC_OBJ_GROUP, HWLOC_TYPE_FILTER_KEEP_STRUCTURE);
}

class Reading {
 public:
  Reading(const Hwloc& hwloc, hwloc_topology_t topology, const std::vector<int>& cpus)
      : hwloc_(hwloc), topology_(topology), allowed_(cpus) {}

  std::vector<Core> cores() const {
    std::vector<Core> cores;
    int depth = hwloc_.depth_of(topology_, HWLOC_OBJ_CORE);
    if (depth < 0) depth = hwloc_.depth_of(topology_, HWLOC_OBJ_PU);  // cores are not known
    for (unsigned i = 0; i < hwloc_.count(topology_, depth); ++i) {
      Core core = describe(hwloc_.object(topology_, depth, i));
      if (!core.cpus.empty()) cores.push_back(std::move(core));
    }
    return cores;
  }

 private:
  Core describe(hwloc_obj_t object) const {
    Core core;
    core.node = std::max(first(object->nodeset), 0);
    for (hwloc_obj_t above = object->parent; above; above = above->parent) {
      if (above->type == HWLOC_OBJ_PACKAGE) core.package = static_cast<int>(above->logical_index);
      if (is_shared_cache(above, object)) core.cache = first(above->cpuset);
    }
    for (int cpu = first(object->cpuset); cpu >= 0; cpu = hwloc_.next(object->cpuset, cpu))
      if (std::binary_search(allowed_.begin(), allowed_.end(), cpu)) core.cpus.push_back(cpu);
    return core;
  }

  // A core's own cache is shared with no other core.
  bool is_shared_cache(hwloc_obj_t above, hwloc_obj_t core) const {
    const bool cache = above->type == HWLOC_OBJ_L2CACHE || above->type == HWLOC_OBJ_L3CACHE;
    return cache && !hwloc_.is_equal(above->cpuset, core->cpuset);
  }

  int first(hwloc_const_bitmap_t set) const { return hwloc_.next(set, -1); }

  const Hwloc& hwloc_;
  hwloc_topology_t topology_;
  const std::vector<int>& allowed_;
};

bool comes_before(const Core& a, const Core& b) {
  return std::tie(a.package, a.node, a.cache, a.cpus) < std::tie(b.package, b.node, b.cache, b.cpus);
}

}  // namespace

Result<std::vector<Core>> ask_hwloc(const std::vector<int>& cpus) {
  Result<Hwloc> opened = open_library();
  if (!opened) return opened.error();
  const Hwloc& hwloc = *opened;
  hwloc_topology_t topology;
  if (hwloc.init(&topology) != 0) return unknown("hwloc_topology_init failed");
  choose_what_to_look_at(hwloc, topology);
  const bool loaded = hwloc.load(topology) == 0;
  std::vector<Core> cores;
  if (loaded) cores = Reading(hwloc, topology, cpus).cores();
  hwloc.destroy(topology);
  if (!loaded) return unknown("hwloc_topology_load failed");
  if (cores.empty()) return unknown("hwloc knows none of the CPUs of this process");
  std::sort(cores.begin(), cores.end(), comes_before);
  return cores;
}

}  // namespace atrium
