# SPDX-License-Identifier: Apache-2.0
"""Makes the core wrong in one place at a time and sees whether a test notices.

    python3 Tests/Mutants/run.py [--rooms Fold,Negotiation] [--every N] [--minutes M] [--list]
                                 [--stages 2] [--numbers 12,45]

A room is a folder of `Sources/Protocol`, or `Rendezvous`, which is a module. All mutants are built
at once, in a copy; each is then one run of the tests of its room with MUTANT=number. The list of
those that nobody noticed is the last thing printed; known ones stand with their reason in
`survivors.txt`, and one more than these is a failure.
"""

import argparse
import collections
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import points

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
COPY = f"{ROOT}/.build/mutants"
BINARY = f"{COPY}/.build/release/seatagentPackageTests.xctest"
ROOMS = "Fold,Negotiation,CBOR,Wire,Session"
#: A module of its own that is broken as one room.
MODULE = "Rendezvous"
#: Quick tests first; only who survives them meets the others.
STAGES = [
    "FoldTests|RunningFoldAgain|FoldCases|TallyTests|VoteCheckTests|CoordinatorTests"
    "|ParticipantTests|SwapsTests"
    "|CoordinatorRowTests|ParticipantRowTests|ParticipantDoubtRowTests|SwapWishTests"
    "|SwapsRestTests|AskTests|OneYesTests|PromiseTests|LostSeatTests|ReplacementTests"
    "|RingCounterTests|ConsentTests|KeptYesTests|StandingYesTests|SwapRoomTests|LateClaimTests"
    "|WelcomeTests|TrustTests"
    "|SwapRecordTests|InvariantsTests|SlotLockTests|CertificateAssemblyTests|FinalityTests"
    "|AttackTests|SeatViewTests|CBOR|EntryTests|SessionTests|SessionStateTests"
    "|LogSetTests|VerificationTests|PenaltiesTests|DuplicateTests|MisdeedTests"
    "|BookTests|BookFoldTests|BookLedgerTests|LostGrantTests|AttendanceTests|VenueFoldTests",
    "CrashTests|NodeTests|LeaveTests|LinkTests|SilenceTests|VectorTests|BookPropertyTests"
    "|DeskRoomTests|DeskBookingTests|DeskReasonTests|DayPageTests|BookRulesTests"
    "|BookingComplaintTests|BookingTextTests|LedgerBorderTests|LedgersTests|VenueSwapTests"
    "|DeskPropertyTests|DeskNewsTests|StaysTests|PresenceTests|StayCrowdTests|BookRoomTests"
    "|LetterTests|MailedTests|MeetVectorTests",
    "FoldTurmoil|FoldChaos|ExplorerTests|RandomLife|ManInTheMiddle",
]
#: Rooms that have tests of their own.
STAGES_OF = {
    "Matching": [
        "MatchBoundsTests|MatchBordersTests|MatcherAimTests|MatcherTests|PartyGainTests"
        "|PlanSearchTests"
        "|RingSearchTests|SameProposalsTests|SceneTests",
        "MatchPropertyTests|MatchingNodeTests|SeatedTests|BookingWishTests|WishTests"
        "|AutomaticRingsTests|AutomaticYesTests",
        "SimulationTests",
    ],
    "Desk": [
        "DeskBookingTests|DeskLotTests|DeskReasonTests|DeskRoomTests|DeskStaffTests"
        "|DeskStateTests|DeskQueueTests|DeskNewsTests|DeskPartsTests|DeskOfferTests"
        "|DeskFillTests|DeskEdgeTests|DeskServingTests|DeskAbsenceTests|DeskReturnTests"
        "|DeskPeopleTests|DeskWordTests|DeskStrandedMoneyTests|DeskPromiseTests"
        "|DeskLyingMemberTests|DeskWordsOfMembersTests|HearsayHoldsTests|DeskEndsTests",
        "DeskPropertyTests|VenueClockTests|LedgersTests|AsksTests|HostingTests|FormsTests"
        "|StaysTests|VenueDaysTests|VenueSwapTests|VectorTests",
        "DeskSimulationTests",
    ],
    MODULE: [
        "MeetCardTests|MeetFormTests|MeetHomesTests|MeetLetterTests|MeetMendedTests"
        "|MeetNameTests|MeetWitnessTests|MeetingTests|ReadingTests|TunnelTests|TunnelsTests"
        "|MeetRecordsTests|MeetVectorTests|BoxLimitsTests|OneHomeTests|MeetMemoryTests"
        "|MeetQuestionTests|MeetMailTests|MeetTimesTests|OwnBoxTests|TunnelRoomTests"
        "|MeetIntakeTests",
        "VectorTests|MeetCrowdTests|MeetSimulationTests|LetterTests|MailedTests",
    ],
}
#: A build is tried so many times, each time without the mutants that do not compile.
BUILDS = 30


def sources(rooms):
    for room in rooms.split(","):
        folder = f"Sources/{MODULE}" if room == MODULE else f"Sources/Protocol/{room}"
        for name in sorted(os.listdir(f"{ROOT}/{folder}")):
            yield f"{folder}/{name}"


def room_of(path):
    """`Fold` of `Sources/Protocol/Fold/Book.swift`; the module where that is the room."""
    parts = path.split("/")
    return MODULE if parts[1] == MODULE else parts[2]


def stages_of(room, count):
    """The tests of a room, the quick ones first."""
    return STAGES_OF.get(room, STAGES)[:count]


def write(rooms, dropped):
    """The copy with all mutants but the dropped ones; the mutants."""
    found, number = [], 1
    operators = {"Protocol/Base": []}
    for path in sources(rooms):
        with open(f"{ROOT}/{path}") as file:
            writer = points.Writer(path, dropped, number)
            text = writer.text(file.read())
        put(path, text)
        found += writer.points
        home = MODULE if room_of(path) == MODULE else "Protocol/Base"
        operators.setdefault(home, []).extend(writer.operators)
        number = writer.next
    for home, these in operators.items():
        put(f"Sources/{home}/Mutant.swift", points.declarations(these))
    if MODULE not in operators and os.path.exists(f"{COPY}/Sources/{MODULE}/Mutant.swift"):
        os.unlink(f"{COPY}/Sources/{MODULE}/Mutant.swift")
    return found


def put(path, text):
    """Writes a file of the copy unless it is so already: then it is not built again."""
    path = f"{COPY}/{path}"
    if os.path.exists(path):
        with open(path) as file:
            if file.read() == text:
                return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def copy(rooms):
    """All files but those that are written with mutants in them."""
    os.makedirs(COPY, exist_ok=True)
    mutated = set(sources(rooms))
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    for path in listed.stdout.split("\0")[:-1]:
        if path not in mutated and os.path.exists(f"{ROOT}/{path}"):
            os.makedirs(os.path.dirname(f"{COPY}/{path}") or COPY, exist_ok=True)
            place = f"{COPY}/{path}"
            if os.path.islink(place):
                os.unlink(place)
            shutil.copy2(f"{ROOT}/{path}", place, follow_symlinks=False)
    with open(f"{ROOT}/Package.swift") as file:
        text = file.read().replace("    .treatAllWarnings(as: .error),\n", "")
    put("Package.swift", text)


def build(rooms):
    """Builds the copy; drops what the compiler refuses until it refuses nothing."""
    # What did not compile the last time does not now, if nothing changed.
    texts = "".join(open(f"{ROOT}/{path}").read() for path in sources(rooms))
    state = hashlib.sha256((texts + open(f"{HERE}/points.py").read()).encode()).hexdigest()
    memory = f"{COPY}/dropped.json"
    kept = json.load(open(memory)) if os.path.exists(memory) else {}
    dropped = set(kept.get(state, []))
    for _ in range(BUILDS):
        found = write(rooms, dropped)
        done = subprocess.run(
            ["swift", "build", "-c", "release", "--build-tests", "-Xswiftc", "-enable-testing"],
            cwd=COPY, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode == 0:
            with open(memory, "w") as file:
                json.dump({state: sorted(dropped)}, file)
            return found
        before = len(dropped)
        dropped |= refused(found, done.stdout)
        print(f"building: {len(found)} mutants, {len(dropped) - before} of them do not compile",
              flush=True)
        if len(dropped) == before:
            sys.exit("the copy does not compile:\n" + done.stdout[-3000:])
    sys.exit("the copy does not compile after many tries")


def refused(found, output):
    """Numbers of the mutants at which the compiler stops. What does not parse comes first: much
    of the rest follows from it. An error of a closure may stand lines before its cause."""
    wrong = [(os.path.relpath(path, COPY), int(line), what) for path, line, what in re.findall(
        r"^(/[^:\n]+\.swift):(\d+):\d+: error: (.*)", output, re.M)]
    first = [error for error in wrong if error[2].startswith("expected ")] or wrong
    for reach in (0, 2, 8, 30):
        numbers = {point.number for point in found if any(
            path == point.path and abs(line - point.line) <= reach for path, line, _ in first)}
        if numbers:
            return numbers
    return set()


def outcome(number, filters, limit):
    """`killed`, `hung` or `survived` after one run of some tests."""
    # Where it dies nobody asks, and to find that out takes minutes.
    # Tests that take fewer rounds of chance in `make test` (`Soak`) take all of them.
    env = {**os.environ, "MUTANT": str(number), "SWIFT_BACKTRACE": "enable=no",
           "SEATAGENT_SOAK": "1"}
    try:
        done = subprocess.run(
            [BINARY, "--testing-library", "swift-testing", "--filter", filters], cwd=COPY, env=env,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=limit)
    except subprocess.TimeoutExpired:
        return "hung"
    return "survived" if done.returncode == 0 else "killed"


def measured(rooms, count):
    """The stages of each room, each with the seconds after which a run of it hangs."""
    limits = {}
    for room in rooms:
        for filters in stages_of(room, count):
            began = time.monotonic()
            if outcome(0, filters, 900) != "survived":
                sys.exit(f"without any change these tests fail: {filters}")
            # Only what takes many times longer hangs: other work may slow the machine down.
            limits.setdefault(room, []).append((filters, 30 + 8 * (time.monotonic() - began)))
    return limits


def judge(point, limits):
    """`killed`, `hung` or `survived` after the tests of its room."""
    for filters, limit in limits[room_of(point.path)]:
        verdict = outcome(point.number, filters, limit)
        if verdict != "survived":
            return verdict
    return "survived"


def known():
    """Mutants that change nothing that anybody could see: their text and the reason."""
    reasons = {}
    path = f"{HERE}/survivors.txt"
    if os.path.exists(path):
        with open(path) as file:
            for line in file:
                if " | " in line and not line.startswith("#"):
                    parts = [part.strip() for part in line.split(" | ")]
                    reasons[tuple(parts[:3])] = parts[3]
    return reasons


def key(point):
    return os.path.basename(point.path), point.what, point.before


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rooms", default=ROOMS)
    parser.add_argument("--every", type=int, default=1, help="only each n-th mutant")
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--stages", type=int, default=9, help="leave slow tests out")
    parser.add_argument("--numbers", help="only these, as --list names them")
    options = parser.parse_args()
    copy(options.rooms)
    found = build(options.rooms)
    if options.list:
        for point in found:
            print(f"{point.number} {point.path}:{point.line} {point.what} | {point.before}")
        return 0
    limits = measured(options.rooms.split(","), options.stages)
    chosen = found[::options.every]
    if options.numbers:
        wanted = {int(number) for number in options.numbers.split(",")}
        chosen = [point for point in found if point.number in wanted]
    end = time.monotonic() + options.minutes * 60
    verdicts = collections.OrderedDict()

    def one(point):
        if time.monotonic() < end:
            verdict = verdicts[point.number] = judge(point, limits)
            if verdict != "killed":
                print(f"{verdict}: {point.number} {point.path}:{point.line} {point.what}"
                      f" | {point.before}", flush=True)
            if len(verdicts) % 25 == 0:
                print(f"{len(verdicts)} of {len(chosen)} done", flush=True)
    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(one, chosen))
    return report(chosen, verdicts)


def report(chosen, verdicts):
    reasons = known()
    rooms = collections.OrderedDict()
    new = []
    for point in chosen:
        if point.number not in verdicts:
            continue
        room = rooms.setdefault(room_of(point.path), collections.Counter())
        verdict = verdicts[point.number]
        if verdict == "survived" and key(point) in reasons:
            verdict = "equal"
        room[verdict] += 1
        if verdict == "survived":
            new.append(point)
            name = os.path.basename(point.path)
            print(f"{name} | {point.what} | {point.before} | line {point.line}")
    print("room            mutants  killed  of these hung  equal  survived  killed %")
    for room, count in rooms.items():
        killed = count["killed"] + count["hung"]
        judged = killed + count["survived"]
        print(f"{room:14}  {sum(count.values()):7}  {killed:6}  {count['hung']:13}"
              f"  {count['equal']:5}  {count['survived']:8}  {100 * killed / max(judged, 1):8.1f}")
    missed = len(chosen) - len(verdicts)
    if missed:
        print(f"{missed} mutants were not tried: the time was over")
    return 1 if new else 0


if __name__ == "__main__":
    sys.exit(main())
