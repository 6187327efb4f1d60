// Binds each PE to its share of the cores, to one core, or to a larger part of the machine.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/place.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "core/number_list.hpp"

namespace atrium {
namespace {

struct Place {
  int package;
  int node;
  Cpus cpus;
};
using Places = std::vector<Place>;

void append(Cpus& to, const Cpus& from) { to.insert(to.end(), from.begin(), from.end()); }

Places each_core(const std::vector<Core>& cores) {
  Places places;
  for (const Core& core : cores) places.push_back({core.package, core.node, core.cpus});
  return places;
}

Places each_thread(const std::vector<Core>& cores) {
  Places places;
  for (const Core& core : cores)
    for (int cpu : core.cpus) places.push_back({core.package, core.node, {cpu}});
  return places;
}

// Cuts `units` into `count` runs of nearly equal length. Requires: count <= units.size().
Places each_share(const Places& units, size_t count) {
  Places shares;
  for (size_t k = 0; k < count; ++k) {
    const size_t begin = k * units.size() / count;
    shares.push_back({units[begin].package, units[begin].node, {}});
    for (size_t i = begin; i < (k + 1) * units.size() / count; ++i) append(shares.back().cpus, units[i].cpus);
  }
  return shares;
}

// Each place widened to the whole package or NUMA node that it begins in.
void widen(Places& places, const std::vector<Core>& cores, int Core::*whole, int Place::*part) {
  for (Place& place : places) {
    place.cpus.clear();
    for (const Core& core : cores)
      if (core.*whole == place.*part) append(place.cpus, core.cpus);
  }
}

// The first of each part of the machine, then the second of each, and so on.
void deal_out(Places& places, int Place::*part) {
  std::map<int, int> dealt;
  std::vector<std::pair<int, size_t>> order;
  for (size_t i = 0; i < places.size(); ++i) order.emplace_back(dealt[places[i].*part]++, i);
  std::sort(order.begin(), order.end());
  Places sorted;
  for (const auto& [round, index] : order) sorted.push_back(places[index]);
  places = std::move(sorted);
}

Places places_for(Binding binding, const std::vector<Core>& cores, size_t pes) {
  const Places by_core = each_core(cores), by_thread = each_thread(cores);
  const Places& units = pes <= by_core.size() ? by_core : by_thread;
  if (binding == Binding::core) return by_core;
  if (binding == Binding::hwthread) return by_thread;
  // More PEs than threads: several share one, which only whole packages and nodes make sense of.
  Places shares = each_share(units, std::min(pes, units.size()));
  if (binding == Binding::node) widen(shares, cores, &Core::node, &Place::node);
  if (binding == Binding::package) widen(shares, cores, &Core::package, &Place::package);
  return shares;
}

bool must_fit(Binding binding) { return binding != Binding::node && binding != Binding::package; }

}  // namespace

std::vector<Cpus> place_pes(const Options& options, const std::vector<Core>& cores, int usable) {
  const size_t pes = static_cast<size_t>(options.pes);
  std::vector<Cpus> result(pes);
  const size_t threads = each_thread(cores).size();
  // Under a quota the CPUs are shared with others whose places we do not know.
  const bool shared = static_cast<size_t>(usable) < threads;
  if (options.binding == Binding::none || (options.binding == Binding::automatic && shared)) return result;
  Places places = places_for(options.binding, cores, pes);
  if (places.size() < pes && must_fit(options.binding)) return result;
  if (options.mapping == Mapping::by_node) deal_out(places, &Place::node);
  if (options.mapping == Mapping::by_package) deal_out(places, &Place::package);
  for (size_t pe = 0; pe < pes; ++pe) result[pe] = places[pe % places.size()].cpus;
  if (pes == 1 && options.binding == Binding::automatic) result[0].clear();  // all there is: nothing to bind
  return result;
}

std::string why_unbound(Binding binding, const std::vector<Core>& cores, size_t pes) {
  if (binding != Binding::core && binding != Binding::hwthread) return {};
  const bool by_core = binding == Binding::core;
  const size_t places = by_core ? cores.size() : each_thread(cores).size();
  if (pes <= places) return {};
  const std::string part = by_core ? "core" : "hwthread";
  return "--bind-to " + part + ": no PE is bound, since " + std::to_string(pes) + " PEs are more than " +
         (places == 1 ? "one " + part : "the " + std::to_string(places) + " " + part + "s");
}

std::string describe_place(int pe, const Cpus& cpus, const std::vector<Core>& cores) {
  std::string text = "PE " + std::to_string(pe) + ": ";
  if (cpus.empty()) return text + "not bound";
  Cpus sorted = cpus;
  std::sort(sorted.begin(), sorted.end());
  text += "CPUs " + format_number_list(sorted);
  for (const Core& core : cores)
    if (std::find(core.cpus.begin(), core.cpus.end(), cpus.front()) != core.cpus.end())
      text += " (package " + std::to_string(core.package) + ", NUMA node " + std::to_string(core.node) + ")";
  return text;
}

}  // namespace atrium
