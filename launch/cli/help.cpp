// The text of `oshrun --help`, with a line for each flag.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/cli/help.hpp"

#include <cstdio>

namespace atrium {
namespace {

constexpr const char* text = R"(usage: oshrun [flags] [--] PROGRAM [ARGUMENT...]

Starts PROGRAM as the PEs of one OpenSHMEM job, on this host or several, forwards
what they print line by line, and ends all of them when one fails.

  -n, -np, --ntasks N   number of PEs (default: the usable CPUs)
  -x NAME[=VALUE]       set a variable for the PEs (may be repeated)
  --wdir, --wd DIR      start the PEs in DIR
  --stdin PES           who reads standard input: 0 (default), a list, all, none
  --timeout SECONDS     end the job after that time, with status 124
  --hosts a,b:4         start PEs on these hosts, as many as the slots say
  --hostfile FILE       the same, a line for each host
  -N COUNT              COUNT PEs on each host, as --map-by ppr:COUNT:node
  --agent COMMAND       what reaches another host instead of ssh; %h is the host
                        (in a Slurm job: its hosts and tasks by default, by srun;
                        PBS, LSF, Grid Engine, OAR: hosts and slots, by ssh)
  --remote-oshrun PATH  where oshrun is on the other hosts (default: as here)
  --tree-width N        reach at most N hosts from here, and N more from each of
                        them (default 32)
  --nodes N             pretend N nodes on this one, with N groups of PEs that
                        share no memory; 1+3: the PEs of each; N:cyclic
  -l, --label,
  --tag-output          begin each line with the number of the PE that wrote it
  -q, --quiet           no notes (also ATRIUM_QUIET=1)
  -v, --verbose         say what is started and how it ends

  --bind-to WHAT        auto (default: equal shares of the cores when the PEs
                        fit), none, hwthread, core, numa, package (or socket)
  --map-by,
  --rank-by WHAT        slot (default: neighbours are near), core, hwthread
                        (both as slot), node (in turns over the hosts), numa,
                        package (or socket)
  --report-bindings     print which CPUs each PE may use
  --same-addresses      code and data have the same addresses on all PEs: no
                        address space randomization
  --oversubscribe       accepted: -n N always starts N PEs; drops the note

  --check[=WHAT]        look for mistakes: arguments, deadlock, leaks (these by
                        default), races, strict
  --gdb[=PES]           run PEs under gdb: on the terminal when there is one
                        (default PE 0), else print where they crash (default all)
  --valgrind[=PES]      run PEs under valgrind (default all)
  --wrap 'PES:COMMAND'  run PEs under any other command
  --profile[=NAME]      where the time goes: tables at the end, NAME.html, NAME.csv
  --trace FILE          a time line for Perfetto, or NAME.otf2 for Vampir
  --trace-size SIZE     memory of each PE for the time line (default 16M)
  --top[=SECONDS]       what every PE does now, again and again
  --backtrace           a PE that crashes prints its back trace

  -V, --version         print the version
  -h, --help            print this text

When all PEs wait for each other, oshrun reports it; with --check it ends the
job. For any job kill -USR1 to oshrun, or --timeout, says where each PE is.

PES is a list such as 0,2-5, or all. Common flags of mpirun are taken as well
(--allow-run-as-root, --mca, --host, ...); oshrun(1) lists them.

Exit status: that of the first PE that failed (128 + signal number if a signal
ended it), 0 if none did; 2 wrong usage, 35 all PEs waited for each other
(--check), 66 races were seen, 124 timeout, 126 not executable, 127 not found.
)";

}  // namespace

void print_help() { std::fputs(text, stdout); }

void print_version() { std::puts("oshrun (Atrium) " ATRIUM_VERSION ", OpenSHMEM 1.6"); }

}  // namespace atrium
