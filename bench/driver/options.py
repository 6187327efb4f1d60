"""The command line of ./atrium bench."""
# SPDX-License-Identifier: BSD-3-Clause
import argparse
import pathlib

# No round begins that would end later: two and twelve minutes are promised, three for several plans with --quick.
BUDGET_S, QUICK_BUDGET_S, QUICK_BUDGET_OF_SEVERAL_S = 700, 105, 170


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="./atrium bench", allow_abbrev=False,
        description="Measures Atrium beside its peers and the machine's own limits, in one interleaved run.",
        epilog="A whole run writes bench/results/MACHINE/; with --quick, --only, --check or --against it goes to build/bench/MACHINE/. "
               "docs/howto/benchmark.md explains what is measured and how to read it.")
    parser.add_argument("plan", nargs="?", default="core", help="what to measure: a file of bench/plans/ (default: core)")
    parser.add_argument("part", nargs="*", help="of a plan that stands for several, as papers: only these")
    parser.add_argument("--quick", action="store_true", help="fewer rounds and repeats: within two minutes")
    parser.add_argument("--rounds", type=positive, help="how often everything is run (default: 7, 3 with --quick)")
    parser.add_argument("--only", metavar="PATTERN", action="append", default=[],
                        help="only programs whose name contains PATTERN, and the limits; may be repeated")
    parser.add_argument("--peer", metavar="NAME=CC:RUN", action="append", default=[],
                        help='another library, as "sos=/opt/sos/bin/oshcc:/opt/sos/bin/oshrun"; may be repeated')
    parser.add_argument("--programs", metavar="FOLDER", type=pathlib.Path,
                        help="where the programs lie that the plan does not compile (applications): FOLDER/LIBRARY/PROGRAM")
    parser.add_argument("--alone", action="store_true", help="without peers")
    parser.add_argument("--no-limits", action="store_true", help="without what the machine itself can do")
    parser.add_argument("--output", metavar="DIR", type=pathlib.Path, help="where CSV, page and description go")
    parser.add_argument("--check", action="store_true",
                        help="compare the ratios with the committed ones; exit status 1 when one got worse")
    parser.add_argument("--against", metavar="BUILD", type=pathlib.Path,
                        help="the build folder of another commit: measure it in turns with this one, without peers and limits; "
                             "exit status 1 when this one is slower")
    args = parser.parse_args(arguments)
    if args.against and not (args.against / "bin/oshrun").exists():
        parser.error(f"--against {args.against}: no build of Atrium there (bin/oshrun); ./atrium build makes one in the folder build")
    args.budget_s = float("inf") if args.rounds else QUICK_BUDGET_S if args.quick else BUDGET_S
    args.rounds = args.rounds or (3 if args.quick else 7)
    return args


def share(spent_s, plans_left):
    """What the next of several plans may take with --quick."""
    return max(QUICK_BUDGET_OF_SEVERAL_S - spent_s, 0) / plans_left


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return number
