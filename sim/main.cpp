// atrium-sim: the library on a virtual clock. Started by ./atrium sim.
// SPDX-License-Identifier: BSD-3-Clause
#include <chrono>
#include <cstdio>

#include "core/log.hpp"
#include "sim/measure.hpp"
#include "sim/options.hpp"
#include "sim/own_process.hpp"
#include "sim/random_job.hpp"

namespace atrium::sim {
namespace {

int fail(const Error& error) {
  report(error);
  return 1;
}

void print_head() {
  std::puts(
      "costs,collective,bytes,nodes,pes_per_node,us,messages_per_node,transfers_per_node,bytes_per_node,"
      "partners,acknowledgements_per_node");
}

void print(const SimOptions& options, const MeasureRequest& measured, const Figures& figures) {
  const double places = options.places + static_cast<double>(options.larger_nodes) / options.nodes;
  if (options.csv) {
    std::printf("%s,%s,%zu,%d,%.6g,%.3f,%.2f,%.2f,%.0f,%zu,%.2f\n", options.costs_name.c_str(),
                measured.collective.c_str(), measured.bytes, options.nodes, places, figures.microseconds,
                figures.messages_per_node, figures.transfers_per_node, figures.bytes_per_node,
                figures.most_partners, figures.acknowledgements_per_node);
    return;
  }
  std::printf("%s of %zu bytes, %d nodes of %.6g PEs, costs of %s\n", measured.collective.c_str(),
              measured.bytes, options.nodes, places, options.costs_name.c_str());
  std::printf(
      "%10.2f us\n%10.1f messages of a node, of which %.1f only acknowledge, %.1f writes and reads, %.0f "
      "bytes\n%10zu partners of a PE at most\n",
      figures.microseconds, figures.messages_per_node, figures.acknowledgements_per_node,
      figures.transfers_per_node, figures.bytes_per_node, figures.most_partners);
}

int measure_collectives(const SimOptions& options) {
  std::vector<MeasureRequest> wanted;
  for (const std::string& collective : options.collectives)
    for (const size_t bytes : options.sizes)
      wanted.push_back({collective, bytes, options.rounds, options.schedule});
  auto figures =
      measure_all_on(blocks_of(options.nodes, options.places, options.endpoints, options.larger_nodes),
                     options.costs, wanted);
  if (!figures) return fail(figures.error());
  if (options.csv) print_head();
  for (size_t i = 0; i < wanted.size(); ++i) print(options, wanted[i], (*figures)[i]);
  return 0;
}

// A job's history, or what went wrong.
struct RunOutcome {
  uint64_t history = 0;
  std::string error;
};

RunOutcome run_one(uint64_t seed, const Limits& limits) {
  const std::string right = "right ";
  auto said = in_own_process("the job of seed " + std::to_string(seed), [&] {
    auto result = run_job(draw_job(seed, limits));
    return result ? right + std::to_string(*result) : format_error(result.error());
  });
  if (!said) return {0, format_error(said.error())};
  if (said->starts_with(right)) return {std::stoull(said->substr(right.size())), ""};
  return {0, *said};
}

int run_random(const SimOptions& options) {
  using SteadyClock = std::chrono::steady_clock;
  const auto end = SteadyClock::now() + std::chrono::duration<double>(60 * options.minutes);
  const Limits limits{options.most_nodes, options.most_places};
  long done = 0, pes = 0, wrong = 0;
  uint64_t history = 0;
  const auto goes_on = [&] { return options.minutes > 0 ? SteadyClock::now() < end : done < options.jobs; };
  for (; goes_on(); ++done) {
    const unsigned long seed = options.seed + static_cast<unsigned long>(done);
    pes += draw_job(seed, limits).shape.pes();
    const RunOutcome outcome = run_one(seed, limits);
    history = mixed(history ^ outcome.history);
    if (outcome.error.empty()) continue;
    ++wrong;
    std::printf("seed %lu: %s  again:   ./atrium sim random --jobs 1 --seed %lu --nodes %d --pes %d\n", seed,
                outcome.error.c_str(), seed, limits.nodes, limits.places);
  }
  std::printf("%ld random jobs from seed %lu, %ld PEs in all: %ld went wrong (history %016lx)\n", done,
              static_cast<unsigned long>(options.seed), pes, wrong, static_cast<unsigned long>(history));
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace atrium::sim

int main(int argc, char** argv) {
  using namespace atrium::sim;
  auto options = read_options(argc, argv);
  if (!options) return fail(options.error());
  return options->command == SimOptions::Command::random ? run_random(*options)
                                                         : measure_collectives(*options);
}
