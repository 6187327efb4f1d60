// Words a race report: both accesses with their lines, and why nothing orders them.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/report/text.hpp"

#include <algorithm>
#include <mutex>
#include <set>
#include <string>

#include "atrium_message.hpp"
#include "atrium_words.hpp"
#include "race/model/dialect.hpp"
#include "race/model/job.hpp"
#include "race/model/site.hpp"
#include "race/report/places.hpp"
#include "race/report/suppressions.hpp"

namespace atrium::race {
namespace {

std::string pe_of(int pe) {
  return std::string(dialect.process) + " " + std::to_string(job.numbers && pe >= 0 ? job.numbers[pe] : pe);
}

std::string routine_of(const AccessSide& side) {
  const Origin origin(side.origin);
  const auto routine = static_cast<Routine>(origin.routine());
  std::string text = routine_at(origin);
  if (side.kind & is_flaglike && routine == Routine::load) text = "volatile load";
  if (origin.bytes() != 0) text += ", " + counted(origin.bytes(), "byte");
  return text;
}

bool has(const AccessSide& side, const char* part) {
  return std::string(name_of(static_cast<Routine>(Origin(side.origin).routine()))).find(part) !=
         std::string::npos;
}

bool is_plain(const AccessSide& side) {
  const auto routine = static_cast<Routine>(Origin(side.origin).routine());
  return routine == Routine::load || routine == Routine::store;
}

bool writes(const AccessSide& side) { return side.kind & is_write; }
bool is_atomic_side(const AccessSide& side) { return side.kind & is_atomic; }

// "is putting", "loads": what a side does with the bytes.
std::string doing(const AccessSide& side, bool under_way) {
  const char* verb = is_plain(side)         ? (writes(side) ? "stores" : "loads")
                     : is_atomic_side(side) ? (writes(side) ? "atomically changes" : "atomically reads")
                     : writes(side)         ? "writes"
                                            : "reads";
  if (!under_way || is_plain(side)) return verb;
  if (side.local) return writes(side) ? "is still getting" : "is still putting from here";
  if (is_atomic_side(side)) return "is changing atomically";
  return writes(side) ? "is putting" : "is getting";
}

std::string where_text(const RaceReport& report) {
  if (!report.symmetric)
    return "private memory of " + pe_of(report.finder) + " at " + hexadecimal(report.offset);
  const std::string owner = " of " + pe_of(report.owner);
  if (!report.in_heap) {
    const NamedVariable& variable = variable_at(job.globals_begin + report.offset);
    if (variable.name.empty()) return "static memory" + owner;
    std::string text = "`" + variable.whole() + "`" + owner + " (static)";
    if (variable.offset != 0) text = "byte " + with_commas(variable.offset) + " of " + text;
    return text;
  }
  if (report.block_bytes == 0) return "the symmetric heap" + owner;
  const Origin allocated(report.block_origin);
  const uint64_t into = report.offset - report.block;
  const std::string block = "the block of " + counted(report.block_bytes, "byte") + " from " +
                            routine_at(allocated) + ", " + place_of(allocated).short_text();
  if (into < report.block_bytes)
    return "byte " + with_commas(into) + " of " + block + ", on" + owner.substr(3);
  return counted(into - report.block_bytes, "byte") + " behind " + block + ", on" + owner.substr(3);
}

std::string since_text(const RaceReport& report) {
  const AccessSide& side = report.theirs;
  if (!side.is_operation) return "";
  if (side.local) return "; its buffer is in use until a quiet";
  return side.pe == report.finder ? "; no fence or quiet since" : "; not known to be complete";
}

std::string why_text(const RaceReport& report) {
  if (report.fault == Fault::note)
    return "only atomic operations and signals may change what is waited for (9.11.1)";
  if (report.fault != Fault::race) return "";
  if (report.theirs.pe == report.finder)
    return report.theirs.strand != report.mine.strand
               ? "two threads, sections or tasks of " + pe_of(report.finder) + " that nothing orders"
               : "operations of one PE are ordered by fence (writes to one PE) or completed by quiet";
  const std::string who = pe_of(report.finder), other = pe_of(report.other);
  if (report.learned == 0) return who + " has not synchronised with " + other + " since the start";
  const Origin learned(report.learned);
  return who + " last synchronised with " + other + " by " + routine_at(learned) + ", " +
         place_of(learned).short_text();
}

bool ended_with_its_session(const RaceReport& report) {
  return report.fault == Fault::freed &&
         Origin(report.learned).routine() == static_cast<unsigned>(Routine::shmem_finalize);
}

std::string try_text(const RaceReport& report) {
  const AccessSide &mine = report.mine, &theirs = report.theirs;
  switch (report.fault) {
    case Fault::note:
      return "shmem_atomic_set or shmem_signal_set to change it, a wait or test to see it";
    case Fault::overrun:
      return "a larger block, or smaller counts and indices";
    case Fault::freed:
      return ended_with_its_session(report)
                 ? "shmem_malloc after each shmem_init: no block outlives shmem_finalize"
                 : "shmem_free when all PEs are done with the block";
    case Fault::unwritten:
      return "shmem_calloc, or a write and a barrier before it is read";
    case Fault::race:
      break;
  }
  const bool one_pe = theirs.pe == report.finder;
  if (is_atomic_side(mine) && is_atomic_side(theirs)) return dialect.same_type;
  if ((theirs.is_operation && theirs.context) || (mine.is_operation && mine.context))
    return "shmem_ctx_quiet on that context before a barrier; a barrier completes the default context only";
  if (one_pe && theirs.strand != mine.strand) return "a barrier, lock or wait between the threads";
  if (one_pe && (theirs.local || mine.local)) return "shmem_quiet before the buffer is used again";
  if (one_pe) return writes(mine) && writes(theirs) ? "shmem_fence between them" : "shmem_quiet between them";
  if (has(theirs, "put_signal"))
    return "a wait for the signal of this very put, or shmem_barrier_all between them";
  if (theirs.is_operation && writes(theirs))
    return "shmem_put_signal and shmem_signal_wait_until, or shmem_barrier_all between them";
  return dialect.to_order;
}

std::string line_of(const std::string& name, const std::string& text) {
  return "  " + name + std::string(name.size() < 6 ? 6 - name.size() : 0, ' ') + " " + text + "\n";
}

std::string side_line(const AccessSide& side, const std::string& more) {
  std::string what = routine_of(side);
  if (what.size() < 34) what.resize(34, ' ');
  return line_of(pe_of(side.pe), what + " " + place_of(Origin(side.origin)).text() + more);
}

std::string json_side(const AccessSide& side) {
  const Origin origin(side.origin);
  const SourcePlace& place = place_of(origin);
  return "{\"pe\": " + std::to_string(side.pe) + ", \"routine\": " + quoted_for_json(routine_at(origin)) +
         ", \"bytes\": " + std::to_string(origin.bytes()) +
         ", \"writes\": " + (writes(side) ? "true" : "false") + ", \"file\": " + quoted_for_json(place.file) +
         ", \"line\": " + std::to_string(place.line) + ", \"function\": " + quoted_for_json(place.function) +
         ", \"module\": " + quoted_for_json(module_of(origin)) +
         ", \"offset\": " + std::to_string(origin.offset()) + "}";
}

const char* word_of(Fault fault) {
  switch (fault) {
    case Fault::race:
      return "race";
    case Fault::note:
      return "note";
    case Fault::overrun:
      return "overrun";
    case Fault::freed:
      return "use after free";
    case Fault::unwritten:
      return "unwritten memory";
  }
  return "";
}

// Several instructions may belong to one line: a loop that the compiler has unrolled. Never freed, as threads may go on
// while the process ends.
bool is_printed_first(const std::string& line) {
  static std::mutex& lock = *new std::mutex;
  static std::set<std::string>& reported = *new std::set<std::string>;
  const std::lock_guard guard(lock);
  return reported.insert(line).second;
}

}  // namespace

std::string headline_of(const RaceReport& report) {
  const AccessSide &mine = report.mine, &theirs = report.theirs;
  const std::string head = std::string("atrium: ") + word_of(report.fault) + ": " + pe_of(mine.pe) + " ";
  switch (report.fault) {
    case Fault::overrun:
      return head + doing(mine, false) + " outside of a block of the symmetric heap";
    case Fault::freed:
      return head + doing(mine, false) + " a block that was freed";
    case Fault::unwritten:
      return head + doing(mine, false) + " symmetric memory that nobody has written";
    case Fault::note:
      return head + doing(mine, false) + " a flag that " + pe_of(theirs.pe) + " " + doing(theirs, false);
    case Fault::race:
      break;
  }
  const size_t bytes = Origin(mine.origin).bytes();
  return head + doing(mine, false) + " " + (bytes == 0 ? "memory" : counted(bytes, "byte")) + " that " +
         (theirs.pe == mine.pe ? "it" : pe_of(theirs.pe)) + " " + doing(theirs, theirs.is_operation);
}

void print_short(const RaceReport& report) {
  if (suppressed(report)) return;
  const bool pair = report.fault == Fault::race || report.fault == Fault::note;
  const std::string line = headline_of(report) + ": " + place_of(Origin(report.mine.origin)).short_text() +
                           (pair ? " and " + place_of(Origin(report.theirs.origin)).short_text() : "") + "\n";
  if (is_printed_first(line)) write_to_stderr(line);
}

std::string text_of(const RaceReport& report, uint64_t count, int pairs) {
  const bool pair = report.fault == Fault::race || report.fault == Fault::note;
  std::string text = headline_of(report) + "\n" + side_line(report.mine, "");
  if (pair) text += side_line(report.theirs, since_text(report));
  text += line_of("where", where_text(report));
  if (report.fault == Fault::freed && report.learned != 0)
    text += line_of("freed", place_of(Origin(report.learned)).text() +
                                 (ended_with_its_session(report) ? ", by shmem_finalize" : ""));
  if (const std::string why = why_text(report); !why.empty()) text += line_of("why", why);
  text += line_of("try", try_text(report));
  if (count > 1) {
    text += "  (";
    if (pairs > 1)
      text += "at least " + counted(static_cast<uint64_t>(pairs), "pair") + " of " + dialect.process + "s, ";
    text += counted(count, "time") + ")\n";
  }
  return text;
}

std::string json_of(const RaceReport& report, uint64_t count, int pairs) {
  const bool pair = report.fault == Fault::race || report.fault == Fault::note;
  std::string text = std::string("{\"fault\": ") + quoted_for_json(word_of(report.fault)) +
                     ", \"text\": " + quoted_for_json(headline_of(report)) +
                     ", \"access\": " + json_side(report.mine);
  if (pair) text += ", \"other\": " + json_side(report.theirs);
  return text + ", \"where\": " + quoted_for_json(where_text(report)) +
         ", \"owner\": " + std::to_string(report.owner) + ", \"why\": " + quoted_for_json(why_text(report)) +
         ", \"try\": " + quoted_for_json(try_text(report)) + ", \"times\": " + std::to_string(count) +
         ", \"pairs_of_pes\": " + std::to_string(pairs) + "}";
}

}  // namespace atrium::race
