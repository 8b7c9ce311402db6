"""What the comparisons of robot files share: options, engines, and the page that they write."""

import argparse
import platform
import textwrap
from pathlib import Path

import tables
from common import HERE, ROOT, WORK, cargo, commit, processor, there
from engines import Asked


def options(about, what, record):
    """The options of a comparison; `what` are the files that it reads."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("--only", nargs="*", help=f"{what} whose path contains one of these")
    parser.add_argument("--states", type=int, default=5, help="random states of each")
    parser.add_argument("--seconds", type=float, default=0.02, help="how long one measurement lasts")
    parser.add_argument("--peers-cardan", type=Path, help="a program that is there already")
    parser.add_argument("--jobs", help="jobs of cargo")
    parser.add_argument("--record", action="store_true", help=f"write {record.relative_to(ROOT)}")
    args = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    return args


def cardan(args):
    program = args.peers_cardan and there(args.peers_cardan)
    return Asked("cardan", [program or cargo(HERE / "cardan" / "Cargo.toml", "peers-cardan", args.jobs)])


def wanted(files, args):
    return [file for file in files if args.only is None or any(word in file for word in args.only)]


def agreement(heads, shown, refused, asked):
    """The table of those that were compared, whose last cell says whether they agree, and why others were not."""
    good = sum(row[-1] == "yes" for row in shown)
    text = f"{good} of {len(shown)} agree ({asked}).\n\n" + tables.table(heads, shown) + "\n"
    if refused:
        text += "\nNot compared, with the message of the reader that refused:\n\n"
        text += tables.table([heads[0], "why"], refused, 2) + "\n"
    return text, good


def closing(versions):
    return "\n" + textwrap.fill(f"Measured on {processor()}, {platform.system()}; {versions}, cardan at {commit()}.", 100) + "\n"


def write(text, name, head, args, record):
    """Prints the text, and writes it below the target directory and, if asked, into the notes."""
    (WORK / name).write_text(text)
    print(text)
    if args.record:
        record.write_text(head + text)
