#!/usr/bin/env python3
"""Drives Valhalla and OSRM, the two engines that our loops are compared with and checked against.

Owns their graphs, their processes and the recipes for a loop; it must not know anything of our own graph or search.
One JSON document comes in on stdin, JSON lines go out on stdout, words for a person go to stderr.
Only the standard library and the executables inside the two wheels of `requirements.txt` are used: the wheels' Python
modules need Python 3.12, their executables need no Python at all.
"""

import argparse
import contextlib
import hashlib
import http.client
import json
import math
import os
import pathlib
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse

EARTH_RADIUS_M = 6_371_008.8
# Points closer together than this are one place: the engines round to 0.1 m, our lines to half a meter.
SAME_PLACE_M = 0.5
# Where the wheels were unpacked to, seen from the root of the repository.
DEFAULT_TOOLS = pathlib.Path("target/tools/rivals")
# Raised whenever the way a graph is built changes, so that `build` does not keep an old one.
BUILD_VERSION = 5
# The kinds of ways that make a square where they are areas.
SQUARES = ("pedestrian", "footway", "path", "living_street", "platform")
# With one of these Valhalla takes a closed way for an area and drops it, as it does a pedestrian square that is a park, too.
NOT_OF_WAYS = ("area", "type", "building", "landuse", "leisure", "natural")
START_TIMEOUT_S = 60
REQUEST_TIMEOUT_S = 60

# What a person on foot may do: hike anywhere that is mapped as a path, use private roads only where the way is open
# on foot, never board a ferry. Valhalla's own default stops at the easiest grade of sac_scale.
WALKER = {"max_hiking_difficulty": 6, "use_ferry": 0.0}


class EngineError(Exception):
    """An engine's own refusal of one request, in its words; the engine goes on."""


class SetupError(Exception):
    """Nothing can be done before a person has installed or built something."""


# ---------------------------------------------------------------------------------------------------------------------
# Plane geometry. Every line is a list of (lat, lng) in degrees.


def distance_m(a, b):
    """Meters between two (lat, lng) points on the sphere."""
    lat_a, lat_b = math.radians(a[0]), math.radians(b[0])
    half_dlat = (lat_b - lat_a) / 2
    half_dlng = math.radians(b[1] - a[1]) / 2
    h = math.sin(half_dlat) ** 2 + math.cos(lat_a) * math.cos(lat_b) * math.sin(half_dlng) ** 2
    return 2 * EARTH_RADIUS_M * math.asin(min(1.0, math.sqrt(h)))


def length_m(line):
    """Meters along a line; 0 for fewer than two points."""
    return sum(distance_m(a, b) for a, b in zip(line, line[1:]))


def offset(point, east_m, north_m):
    """The point that lies this many meters east and north; good for some kilometers, not at the poles."""
    lat = point[0] + math.degrees(north_m / EARTH_RADIUS_M)
    lng = point[1] + math.degrees(east_m / (EARTH_RADIUS_M * math.cos(math.radians(point[0]))))
    return (lat, lng)


def decode_polyline6(text):
    """The (lat, lng) points of an encoded polyline with six decimals, the form of Valhalla's shapes."""
    line, lat, lng, index = [], 0, 0, 0
    while index < len(text):
        deltas = []
        for _ in range(2):
            shift = result = 0
            while True:
                byte = ord(text[index]) - 63
                index += 1
                result |= (byte & 0x1F) << shift
                shift += 5
                if byte < 0x20:
                    break
            deltas.append(~(result >> 1) if result & 1 else result >> 1)
        lat += deltas[0]
        lng += deltas[1]
        line.append((lat / 1e6, lng / 1e6))
    return line


def encode_polyline6(line):
    """The encoded polyline with six decimals of a line."""
    text, before = "", (0, 0)
    for point in line:
        place = tuple(round(degrees * 1e6) for degrees in point)
        for now, last in zip(place, before):
            delta = now - last
            rest = ~(delta << 1) if delta < 0 else delta << 1
            while rest >= 0x20:
                text += chr((0x20 | rest & 0x1F) + 63)
                rest >>= 5
            text += chr(rest + 63)
        before = place
    return text


def is_same_place(a, b):
    """Whether two points differ by no more than rounding."""
    return distance_m(a, b) <= SAME_PLACE_M


def without_doubles(line):
    """The line without points that are the same place as the last one kept."""
    kept = line[:1]
    for point in line[1:]:
        if not is_same_place(kept[-1], point):
            kept.append(point)
    return kept


def repeated_share(line):
    """The share (0..1) of a loop's length that lies on segments walked before, in either direction."""
    seen, total, repeated = set(), 0.0, 0.0
    for a, b in zip(line, line[1:]):
        key = (a, b) if a <= b else (b, a)
        meters = distance_m(a, b)
        total += meters
        if key in seen:
            repeated += meters
        seen.add(key)
    return repeated / total if total else 0.0


def off_segment_m(point, a, b):
    """Meters from a point to the straight piece from `a` to `b`, on the plane that touches the earth there."""
    shrink = math.cos(math.radians(point[0]))
    to_m = lambda p: (math.radians(p[1] - a[1]) * shrink * EARTH_RADIUS_M, math.radians(p[0] - a[0]) * EARTH_RADIUS_M)
    (px, py), (bx, by) = to_m(point), to_m(b)
    square = bx * bx + by * by
    t = max(0.0, min(1.0, (px * bx + py * by) / square)) if square else 0.0
    return math.hypot(px - t * bx, py - t * by)


def turns_back(a, b, c):
    """Whether a walk from `a` by `b` to `c` goes back on its own steps at `b`, for as long as the shorter part."""
    return off_segment_m(c, a, b) < SAME_PLACE_M or off_segment_m(a, b, c) < SAME_PLACE_M


# ---------------------------------------------------------------------------------------------------------------------
# The engines: a process each, on a free port of 127.0.0.1, asked over HTTP by one connection.


class Engine:
    """One running engine; a context manager that starts the process and ends it.

    `name` is what the output calls it. `peak_mb()` is the most memory the process has held so far, in MiB.
    """

    name = ""

    def __init__(self, tools, graphs):
        self.tools, self.graphs = pathlib.Path(tools).resolve(), pathlib.Path(graphs).resolve()
        self.process = self.connection = self.scratch = None

    def command(self, port):
        """The command line that serves this engine's graph on 127.0.0.1:`port`."""
        raise NotImplementedError

    def __enter__(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="rivals-")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        log = pathlib.Path(self.scratch.name, "log")
        with log.open("w", encoding="utf-8") as out:
            self.process = subprocess.Popen(self.command(port), stdout=out, stderr=out, cwd=self.scratch.name)
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=REQUEST_TIMEOUT_S)
        started = time.monotonic()
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                return self
            if self.process.poll() is not None or time.monotonic() - started > START_TIMEOUT_S:
                words = log.read_text(encoding="utf-8", errors="replace")[-2000:]
                self.__exit__()
                raise SetupError(f"{self.name} did not start:\n{words}")
            time.sleep(0.02)

    def __exit__(self, *_):
        self.connection.close()
        # Valhalla drains its queue for half a minute when it is asked to stop; nothing here is worth that wait.
        self.process.kill()
        self.process.wait()
        self.scratch.cleanup()

    def peak_mb(self):
        """The process's peak resident memory so far in MiB; None where the system does not tell."""
        with contextlib.suppress(OSError):
            for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii").splitlines():
                if line.startswith("VmHWM:"):
                    return round(int(line.split()[1]) / 1024, 1)
        return None

    def ask(self, method, path, document=None):
        """The JSON answer to one request. A closed keep-alive connection is opened again once."""
        body = None if document is None else json.dumps(document)
        for attempt in (1, 2):
            try:
                self.connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
                return json.loads(self.connection.getresponse().read())
            except (http.client.HTTPException, ConnectionError):
                self.connection.close()
                if attempt == 2:
                    raise
        raise AssertionError("unreachable")


class Valhalla(Engine):
    """Valhalla's pedestrian costing over the wheel's `valhalla_service`."""

    name = "valhalla"

    def command(self, port):
        config = valhalla_config(self.tools, self.graphs / "valhalla", port)
        path = pathlib.Path(self.scratch.name, "valhalla.json")
        path.write_text(json.dumps(config), encoding="utf-8")
        return [self.tools / "valhalla/bin/valhalla_service", path, "1"]

    def call(self, action, document):
        """The answer to one of Valhalla's actions. Raises EngineError with Valhalla's own words."""
        answer = self.ask("POST", f"/{action}", document)
        if "error" in answer:
            raise EngineError(f"{answer.get('error_code')}: {answer['error']}")
        return answer

    def route(self, points):
        """The walk through all points in turn as one line, without turning round at a point in between."""
        kinds = ["break"] + ["break_through"] * (len(points) - 2) + ["break"]
        answer = self.call(
            "route",
            {
                "locations": [{"lat": p[0], "lon": p[1], "type": k} for p, k in zip(points, kinds)],
                "costing": "pedestrian",
                "costing_options": {"pedestrian": WALKER},
                "directions_type": "none",
            },
        )
        return [point for leg in answer["trip"]["legs"] for point in decode_polyline6(leg["shape"])]


class Osrm(Engine):
    """OSRM with its own foot profile and multi-level Dijkstra, over the wheel's `osrm-routed`."""

    name = "osrm"

    def command(self, port):
        program = self.tools / "osrm/bin/osrm-routed"
        return [program, "-a", "MLD", "-i", "127.0.0.1", "-p", str(port), "-t", "1", self.graphs / "osrm/area.osrm"]

    def call(self, points, **options):
        """The answer of OSRM's route service through these points. Raises EngineError with OSRM's own words."""
        places = ";".join(f"{p[1]:.6f},{p[0]:.6f}" for p in points)
        answer = self.ask("GET", f"/route/v1/foot/{places}?{urllib.parse.urlencode(options)}")
        if answer.get("code") != "Ok":
            raise EngineError(f"{answer.get('code')}: {answer.get('message', '')}")
        return answer

    def route(self, points):
        """The walk through all points in turn as one line, without turning round at a point in between."""
        answer = self.call(points, overview="full", geometries="geojson", continue_straight="true")
        return [(lat, lng) for lng, lat in answer["routes"][0]["geometry"]["coordinates"]]


ENGINES = (Valhalla, Osrm)


def valhalla_config(tools, tiles, port=None):
    """Valhalla's own default settings with this graph's folder, no network address but 127.0.0.1 and no other data."""
    script = tools / "valhalla/valhalla_build_config.py"
    made = subprocess.run([sys.executable, script], check=True, capture_output=True, text=True)
    config = json.loads(made.stdout)
    mjolnir = config["mjolnir"]
    mjolnir["tile_dir"] = str(tiles)
    # The defaults name files that a bare machine lacks; each would only be a warning more in the log.
    for key in ("tile_extract", "traffic_extract", "admin", "landmarks", "timezone"):
        mjolnir.pop(key, None)
    mjolnir["concurrency"] = 1
    # A platform may be walked; whether a loop should use one is not for this check to say.
    mjolnir["include_platforms"] = True
    config.pop("additional_data", None)
    config["meili"]["customizable"].append("breakage_distance")
    if port is not None:
        config["httpd"]["service"]["listen"] = f"tcp://127.0.0.1:{port}"
    return config


# ---------------------------------------------------------------------------------------------------------------------
# build


def build(tools, pbf, folder):
    """Yields a line per engine about its graph for this extract; keeps a graph that is already there for this file."""
    tools, pbf, folder = pathlib.Path(tools).resolve(), pathlib.Path(pbf).resolve(), pathlib.Path(folder).resolve()
    for program in ("valhalla/bin/valhalla_build_tiles", "osrm/bin/osrm-extract"):
        if not (tools / program).exists():
            raise SetupError(f"{tools / program} is missing: run setup.sh first")
    folder.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256(pbf.read_bytes()).hexdigest()
    with tempfile.TemporaryDirectory(prefix="rivals-") as scratch:
        yield from build_each(tools, pbf, digest, folder, pathlib.Path(scratch))


def build_each(tools, pbf, digest, folder, scratch):
    """The lines of `build`; the extract is made fit for the engines, in `scratch`, only if one of them is built."""
    clean = None
    for engine, make in (("valhalla", build_valhalla), ("osrm", build_osrm)):
        stamp = folder / f"{engine}.json"
        wanted = {"pbf_sha256": digest, "build_version": BUILD_VERSION}
        with contextlib.suppress(OSError, ValueError):
            built = json.loads(stamp.read_text(encoding="utf-8"))
            if all(built.get(key) == value for key, value in wanted.items()):
                yield {"engine": engine, "built": False, **built}
                continue
        stamp.unlink(missing_ok=True)
        shutil.rmtree(folder / engine, ignore_errors=True)
        (folder / engine).mkdir()
        clean = clean or clean_extract(pbf, scratch)
        started = time.monotonic()
        peak_mb = make(tools, clean[0], folder / engine)
        size_mb = sum(f.stat().st_size for f in (folder / engine).rglob("*") if f.is_file()) / 1e6
        facts = {"seconds": round(time.monotonic() - started, 1), "peak_mb": peak_mb, "size_mb": round(size_mb, 1)}
        # The stamp is written last: a build that was cut off is made again.
        stamp.write_text(json.dumps({**wanted, **facts, "changes": clean[1]}), encoding="utf-8")
        yield {"engine": engine, "built": True, **wanted, **facts, "changes": clean[1]}


def clean_extract(pbf, folder):
    """The extract in the form both engines read as we do, and the changes that took: (path, list of words).

    Both read nodes before ways and take ids for positive and growing; files cut by other tools are not always so.
    Renumbering changes the ids of ways that `walkable` names in its reasons, so it is done only where it must be.
    """
    run = lambda *words: subprocess.run(["osmium", *words], check=True, capture_output=True, text=True).stdout
    try:
        facts = json.loads(run("fileinfo", "--extended", "--json", str(pbf)))["data"]
    except FileNotFoundError:
        raise SetupError("osmium is missing: apt-get install osmium-tool") from None
    except subprocess.CalledProcessError as error:
        raise SetupError(f"{pbf} cannot be read: {error.stderr.strip()}") from None
    wanted = []
    if not facts["objects_ordered"] or facts["multiple_versions"]:
        wanted += ["sort", "merge"]
    if min(facts["minid"].values()) < 0:
        wanted.append("renumber")
    for change in wanted:
        made = folder / f"{change}.osm.pbf"
        run(change, str(pbf), "--output", str(made), "--overwrite")
        pbf = made
    made = folder / "clean.osm.pbf"
    n_cut, n_squares = write_clean_ways(pbf, made)
    return made, [*wanted, f"{n_cut} ways cut at missing nodes", f"{n_squares} squares made into ways"]


def write_clean_ways(pbf, to):
    """Copies an extract with what Valhalla drops whole ways for made fit for it: (ways cut, squares changed).

    A way that leaves the extract names nodes that are not in it: it is cut into the parts that are, each part but the
    first with an id after all others. A square drawn as a walkable area loses `area=yes`, and the border of one drawn
    as a relation gets the relation's tags, so that its outline is a way for both engines as it is for us; what a square
    is beside that (a park, a pitch) is taken off it.
    """
    squares = tags_of_squares(pbf)
    read = subprocess.Popen(["osmium", "cat", str(pbf), "-f", "opl"], stdout=subprocess.PIPE, text=True)
    words = ["osmium", "cat", "-F", "opl", "-", "--output", str(to), "--overwrite"]
    write = subprocess.Popen(words, stdin=subprocess.PIPE, text=True)
    nodes, last_id, parts, n_cut, n_squares = set(), 0, [], 0, 0
    for line in read.stdout:
        if line[0] == "n":
            nodes.add(line[: line.index(" ")])
        elif line[0] == "w":
            fields = line.split()
            last_id = max(last_id, int(fields[0][1:]))
            for i, field in enumerate(fields):
                if field[0] == "T":
                    fields[i] = "T" + ",".join(tags_of_outline(field[1:].split(","), squares.get(fields[0])))
                    n_squares += fields[i] != field
                elif field[0] == "N":
                    runs = present_runs(field[1:].split(",") if field[1:] else [], nodes)
                    if runs != [field[1:]]:
                        n_cut += 1
                    fields[i] = "N" + (runs[0] if runs else "")
                    parts += [(list(fields), i, run) for run in runs[1:]]
            line = " ".join(fields) + "\n"
        elif parts:
            write.stdin.writelines(part_lines(parts, last_id))
            parts = []
        write.stdin.write(line)
    write.stdin.writelines(part_lines(parts, last_id))
    write.stdin.close()
    if read.wait() or write.wait():
        raise SetupError(f"osmium could not copy {pbf}")
    return n_cut, n_squares


def tags_of_squares(pbf):
    """The tags of squares that are relations, by the names (`w` and the id) of the ways that are their borders."""
    words = ["osmium", "cat", str(pbf), "--object-type", "relation", "-f", "opl"]
    relations = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    squares = {}
    for line in relations.splitlines():
        fields = {field[0]: field[1:] for field in line.split()}
        tags = fields.get("T", "").split(",")
        if "type=multipolygon" in tags and any(f"highway={kind}" in tags for kind in SQUARES):
            names = (member.split("@")[0] for member in fields.get("M", "").split(","))
            squares.update((name, tags) for name in names if name.startswith("w"))
    return squares


def tags_of_outline(tags, square):
    """The tags of a way, changed where it is the outline of a square; `square` has those of the relation if it is one."""
    if any(tag.startswith("highway=") for tag in tags):
        square = [] if "area=yes" in tags else None
    if square is None:
        return tags
    wanted = dict(tag.split("=", 1) for tag in [*square, *tags] if tag)
    return [f"{key}={value}" for key, value in wanted.items() if key not in NOT_OF_WAYS]


def present_runs(names, nodes):
    """The runs of two or more neighbors among a way's nodes that are all in the extract, each joined by commas."""
    runs = [[]]
    for name in names:
        if name in nodes:
            runs[-1].append(name)
        elif runs[-1]:
            runs.append([])
    return [",".join(run) for run in runs if len(run) > 1]


def part_lines(parts, last_id):
    """The OPL lines of the cut-off parts of ways, numbered on from `last_id`."""
    for k, (fields, place, run) in enumerate(parts, 1):
        yield " ".join([f"w{last_id + k}", *fields[1:place], f"N{run}", *fields[place + 1 :]]) + "\n"


def run_measured(command, log):
    """Runs one program to its end and gives its peak resident memory in MiB. Raises SetupError with its last words."""
    with log.open("a", encoding="utf-8") as out:
        process = subprocess.Popen([str(word) for word in command], stdout=out, stderr=out)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        words = log.read_text(encoding="utf-8", errors="replace")[-2000:]
        raise SetupError(f"{command[0]} failed with {process.returncode}:\n{words}")
    return round(usage.ru_maxrss / 1024, 1)


def build_valhalla(tools, pbf, folder):
    """Builds Valhalla's tiles into the folder; the peak memory in MiB."""
    with tempfile.TemporaryDirectory(prefix="rivals-") as scratch:
        config = pathlib.Path(scratch, "valhalla.json")
        config.write_text(json.dumps(valhalla_config(tools, folder)), encoding="utf-8")
        return run_measured([tools / "valhalla/bin/valhalla_build_tiles", "-c", config, pbf], folder / "build.log")


def build_osrm(tools, pbf, folder):
    """Builds OSRM's foot graph into the folder; the peak memory of the hungriest step in MiB.

    Multi-level Dijkstra rather than contraction hierarchies: the graph is ready in a tenth of the time, and a query
    over a town takes a millisecond either way.
    """
    area, programs, log = folder / "area.osrm", tools / "osrm/bin", folder / "build.log"
    profile = tools / "osrm/share/profiles/foot.lua"
    extract = ["-t", "1", "-p", profile, "-o", folder / "area", pbf]
    steps = (("osrm-extract", extract), ("osrm-partition", ["-t", "1", area]), ("osrm-customize", ["-t", "1", area]))
    return max(run_measured([programs / program, *words], log) for program, words in steps)


# ---------------------------------------------------------------------------------------------------------------------
# loops

# How many points the circle has besides the start, how often its radius is corrected, and how many directions the
# better variant may choose from. NOTES.md has what other numbers brought.
VIAS = 3
CORRECTIONS = 3
DIRECTIONS = 8
# A way through a town is about this much longer than the polygon it follows; only the first guess of the radius.
USUAL_DETOUR = 1.3
# A loop this good by `badness` is not tried to be bettered: 1 % off in length and hardly a step walked twice.
GOOD_ENOUGH = 0.05


def trimmed(line):
    """The line without the parts where it goes back on its own steps; a stem shared by start and end stays.

    What is left is still a walk along the same ways, so no engine has to be asked again.
    """
    kept = []
    for point in line:
        while len(kept) > 1 and not is_same_place(kept[-1], point) and turns_back(kept[-2], kept[-1], point):
            kept.pop()
        if not kept or not is_same_place(kept[-1], point):
            kept.append(point)
    return kept


def circle(start, perimeter_m, direction, n_vias, clockwise):
    """The via points of a loop from `start`: corners of a regular polygon of this perimeter through the start.

    `direction` is the bearing, in radians from north, of the polygon's center seen from the start.
    """
    corners = n_vias + 1
    radius = perimeter_m / (2 * corners * math.sin(math.pi / corners))
    center = offset(start, radius * math.sin(direction), radius * math.cos(direction))
    turn = 2 * math.pi / corners * (1 if clockwise else -1)
    bearings = (direction + math.pi + turn * k for k in range(1, corners))
    return [offset(center, radius * math.sin(b), radius * math.cos(b)) for b in bearings]


def badness(line, wanted_m):
    """What makes one loop worse than another: the part of the length error over 1 %, and walking a way twice.

    The weights are those of our own search, so that a rival chooses among its tries by the yardstick it is judged by.
    """
    error = abs(length_m(line) / wanted_m - 1) if len(line) > 2 else math.inf
    return 30 * max(0.0, error - 0.01) + 14 * repeated_share(line)


def loop_one_direction(engine, start, wanted_m, direction, clockwise, recipe):
    """The best loop in one direction: (badness, line, number of routes asked for). The line is None if none was found.

    A polygon through the start is walked, and its perimeter corrected by the length that came out. The length jumps
    as a via snaps to another street, so a correction stays between the largest polygon known to be too short and the
    smallest known to be too long: without that bound it swings to and fro.
    """
    perimeter, too_short, too_long = wanted_m / USUAL_DETOUR, None, None
    best, n_routes = (math.inf, None), 0
    for _ in range(1 + recipe["corrections"]):
        vias, line = circle(start, perimeter, direction, recipe["vias"], clockwise), []
        n_routes += 1
        with contextlib.suppress(EngineError):
            line = without_doubles(engine.route([start, *vias, start]))
        if length_m(line) < SAME_PLACE_M:
            # Mostly a via off the map or across water: come closer.
            too_long, perimeter = perimeter, 0.7 * perimeter
            continue
        if recipe["trim"]:
            short = trimmed(line)
            # Where the ways hold no loop, next to nothing is left and the walk there and back is the answer.
            line = short if length_m(short) > wanted_m / 4 else line
        best = min(best, (badness(line, wanted_m), line), key=lambda found: found[0])
        if best[0] < GOOD_ENOUGH:
            break
        came_out = length_m(line)
        if came_out < wanted_m:
            too_short = max(perimeter, too_short or 0.0)
        else:
            too_long = min(perimeter, too_long or math.inf)
        perimeter *= min(2.0, max(0.5, wanted_m / came_out))
        if recipe["bounded"] and too_short and too_long and not too_short < perimeter < too_long:
            perimeter = math.sqrt(too_short * too_long)
    return *best, n_routes


def loop(engine, request, n_directions, recipe=None):
    """One output line: the loop that this engine finds for a request, and what finding it took."""
    recipe = {"vias": VIAS, "corrections": CORRECTIONS, "trim": True, "bounded": True, **(recipe or {})}
    chance = random.Random(request["seed"])
    first, clockwise = chance.uniform(0, 2 * math.pi), chance.random() < 0.5
    start, wanted_m = (request["lat"], request["lng"]), request["length_m"]
    best, n_routes, started = (math.inf, None), 0, time.perf_counter()
    for k in range(n_directions):
        direction = first + 2 * math.pi * k / n_directions
        *found, n = loop_one_direction(engine, start, wanted_m, direction, clockwise, recipe)
        best, n_routes = min(best, found, key=lambda f: f[0]), n_routes + n
    ms = round((time.perf_counter() - started) * 1000, 1)
    name = engine.name if n_directions == 1 else f"{engine.name} x{n_directions}"
    line = best[1]
    took = {"ms": ms, "tries": n_directions, "routes": n_routes}
    if line is None:
        return {"id": request["id"], "engine": name, "error": "no route through any circle", **took}
    return {"id": request["id"], "engine": name, "line": line, "length_m": round(length_m(line), 1), **took}


# ---------------------------------------------------------------------------------------------------------------------
# walkable

# Our lines are rounded to half a meter and simplified by one, so a place on them is at most about 1.5 m off the way it
# stands for. Twice that is the most that counts as "on the way"; the search looks further only to say what is near.
MOST_OFF_M = 3
SEARCH_RADIUS_M = 5
# The line is looked at in steps of this length, and the walk that Valhalla makes of a step may be this much longer:
# one end 3 m before and one 3 m behind where they belong.
STEP_M = 5
# Rounding can put one of two points this close behind the other, and Valhalla takes no step back.
SHORTEST_STEP_M = 2
MOST_LONGER_M = 6
MOST_LONGER_SHARE = 0.02

MATCHING = {
    "search_radius": SEARCH_RADIUS_M,
    "gps_accuracy": MOST_OFF_M,
    # Points closer together than this would be interpolated, not matched.
    "interpolation_distance": 0,
    "turn_penalty_factor": 0,
}


def with_steps(line, longest_m, shortest_m):
    """The line with its points at most `longest_m` and, but for its end, at least `shortest_m` meters apart."""
    stepped = line[:1]
    for i, b in enumerate(line[1:], 1):
        a = stepped[-1]
        if distance_m(a, b) < shortest_m and i < len(line) - 1:
            continue
        n = max(1, math.ceil(distance_m(a, b) / longest_m))
        stepped += [(a[0] + (b[0] - a[0]) * k / n, a[1] + (b[1] - a[1]) * k / n) for k in range(1, n)] + [b]
    return stepped


def split_at_turnbacks(line):
    """The line in pieces that meet where it goes back on its own steps, as at the far end of an out-and-back walk.

    Valhalla turns round only at nodes, a walker anywhere: a piece that held the turn would come out longer. A hook too
    short to tell from rounding is cut off instead.
    """
    kept, turns = [], []
    for point in line:
        if len(kept) > 1 and turns_back(kept[-2], kept[-1], point):
            if min(distance_m(kept[-2], kept[-1]), distance_m(kept[-1], point)) <= MOST_OFF_M:
                kept.pop()
            elif not turns or turns[-1] != len(kept) - 1:
                turns.append(len(kept) - 1)
        if not kept or not is_same_place(kept[-1], point):
            kept.append(point)
    cuts = [0, *turns, len(kept) - 1]
    return [kept[a : b + 1] for a, b in zip(cuts, cuts[1:]) if b > a]


def trace(valhalla, line, match, options=None, **trace_options):
    """Valhalla's attributes of a line, matched by `match`; lat/lng points in, the raw answer out."""
    return valhalla.call(
        "trace_attributes",
        {
            "shape": [{"lat": p[0], "lon": p[1]} for p in line],
            "costing": "pedestrian",
            "costing_options": {"pedestrian": options or WALKER},
            "shape_match": match,
            "trace_options": trace_options,
        },
    )


def places_along(answer):
    """For each edge of a matched walk a function from the share (0..1) of the whole edge to meters along the walk.

    The walk's first and last edge, and those where it turns round, are only part of the edge that the share is of.
    """
    shape = decode_polyline6(answer["shape"])
    so_far = [0.0]
    for a, b in zip(shape, shape[1:]):
        so_far.append(so_far[-1] + distance_m(a, b))

    def place(edge):
        begin_m, end_m = so_far[edge["begin_shape_index"]], so_far[edge["end_shape_index"]]
        source, target = edge.get("source_percent_along", 0.0), edge.get("target_percent_along", 1.0)
        whole_m = (end_m - begin_m) / (target - source) if target > source else 0.0
        return lambda share: begin_m + (share - source) * whole_m

    return [place(edge) for edge in answer["edges"]]


def disagreement(valhalla, piece, whole_m, options):
    """Where and why a piece of a line is not a walk along Valhalla's ways: (index, words), or None.

    `piece` has the line's steps, `whole_m` its length before points too close together were left out.
    Each step of at most 5 m must be matched without a gap, within 3 m of the way it is matched to, and the walk along
    Valhalla's edges must not be longer or shorter than the step by more than 6 m, nor than the piece by more than 2 %.
    """
    try:
        answer = trace(
            valhalla,
            piece,
            "map_snap",
            options,
            **MATCHING,
        )
    except EngineError as error:
        return len(piece) // 2, f"no match at all ({error})"
    places = places_along(answer)
    before = walked_m = 0.0
    for i, (point, matched) in enumerate(zip(piece, answer["matched_points"])):
        edge_index = matched.get("edge_index")
        if matched["type"] == "unmatched" or edge_index is None or edge_index >= len(places):
            return i, "no walkable way here, or none that goes on from the last one"
        off_m = distance_m(point, (matched["lat"], matched["lon"]))
        if off_m > MOST_OFF_M:
            return i, f"the nearest walkable way that goes on is {off_m:.1f} m away"
        edge = answer["edges"][edge_index]
        at = places[edge_index](matched["distance_along_edge"])
        if i:
            given, walked = distance_m(piece[i - 1], point), at - before
            walked_m += walked
            if abs(walked - given) > MOST_LONGER_M:
                return i, f"{given:.0f} m here are {walked:.0f} m by Valhalla's ways (way {edge.get('way_id')})"
        before = at
        if matched.get("begin_route_discontinuity") and i + 1 < len(piece):
            return i, f"way {edge.get('way_id')} does not go on to the next one"
    if abs(walked_m - whole_m) > max(MOST_LONGER_M, MOST_LONGER_SHARE * whole_m):
        return len(piece) - 1, f"{whole_m:.0f} m are {walked_m:.0f} m by Valhalla's ways"
    return None


def near(valhalla, point):
    """Words about the ways around a point that Valhalla lets a walker use."""
    answer = valhalla.ask(
        "POST",
        "/locate",
        {
            "locations": [{"lat": point[0], "lon": point[1], "radius": SEARCH_RADIUS_M}],
            "verbose": True,
            "costing": "pedestrian",
            "costing_options": {"pedestrian": WALKER},
        },
    )
    ways = {}
    for edge in (answer[0].get("edges") or []) if isinstance(answer, list) else []:
        way_id = edge["edge_info"]["way_id"]
        use = edge["edge"]["classification"]["use"]
        ways[way_id] = min(ways.get(way_id, (math.inf, "")), (edge["distance"], use))
    listed = ", ".join(f"{use} {way_id} at {m:.1f} m" for way_id, (m, use) in sorted(ways.items(), key=lambda w: w[1]))
    return f"walkable near by: {listed or 'nothing'}"


def walkable(valhalla, given):
    """One output line: whether Valhalla, too, takes a loop for a walk along ways open on foot, and where not.

    The rules of `disagreement` decide. `edge_walk` alone decides nothing: it asks for a point at every one of
    Valhalla's own nodes, which a simplified line does not have, and takes any line between two nodes of about the
    right length, however far off the way. `how` says `edge_walk` where it agrees, `map_snap` where it does not. A
    one-way tag that Valhalla takes to hold for feet as well (a cycleway shared with walkers) makes no loop
    unwalkable, nor does a hairpin that it matches from the other end alone, but both are told in `why`.
    """
    line = without_doubles([tuple(p) for p in given["line"]])
    if len(line) < 2:
        return {"id": given["id"], "walkable": False, "how": "map_snap", "why": "a line needs two places", "at": None}
    first, one_way = None, None
    for piece in split_at_turnbacks(line):
        stepped = with_steps(piece, STEP_M, SHORTEST_STEP_M)
        strict = disagreement(valhalla, stepped, length_m(piece), WALKER)
        if strict is None:
            continue
        both_ways = {**WALKER, "ignore_oneways": True}
        lenient = disagreement(valhalla, stepped, length_m(piece), both_ways)
        # In a hairpin the matcher loses its way in one direction and not in the other; a walker goes both.
        if lenient is None or disagreement(valhalla, stepped[::-1], length_m(piece), both_ways) is None:
            words = "only against a one-way tag that Valhalla applies to feet, or from its end"
            one_way = one_way or (stepped[strict[0]], words)
            continue
        first = stepped[lenient[0]], lenient[1]
        break
    if first is None:
        at, why = one_way or (None, "")
        how = "map_snap"
        with contextlib.suppress(EngineError):
            trace(valhalla, line, "edge_walk")
            how = "edge_walk"
        return {"id": given["id"], "walkable": True, "how": how, "why": why, "at": at}
    at, why = first
    why = f"{why}; {near(valhalla, at)}"
    return {"id": given["id"], "walkable": False, "how": "map_snap", "why": why, "at": at}


# ---------------------------------------------------------------------------------------------------------------------
# lengths

# Farther from any way than this OSRM refuses, as our own snapping does.
FARTHEST_SNAP_M = 250
# Between two points on a line that are so near each other OSRM has no better way than the line.
GUIDE_M = 40


def length(osrm, pair):
    """One output line: OSRM's foot length in meters between two points, its seconds, and where it snapped the ends."""
    radiuses = f"{FARTHEST_SNAP_M};{FARTHEST_SNAP_M}"
    answer = osrm.call([pair["from"], pair["to"]], overview="false", radiuses=radiuses)
    route, ends = answer["routes"][0], [point["location"][::-1] for point in answer["waypoints"]]
    off_m = [point["distance"] for point in answer["waypoints"]]
    return {
        "id": pair["id"],
        "engine": osrm.name,
        "length_m": route["distance"],
        "seconds": route["duration"],
        "from": ends[0],
        "to": ends[1],
        "off_m": off_m,
    }


def guides(line):
    """Points on a line `GUIDE_M` meters apart, its ends among them."""
    points, ahead_m = [line[0]], GUIDE_M
    for a, b in zip(line, line[1:]):
        meters = distance_m(a, b)
        while ahead_m < meters:
            share = ahead_m / meters
            points.append((a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share))
            ahead_m += GUIDE_M
        ahead_m -= meters
    return [*points, line[-1]]


def walked(osrm, given):
    """One output line: OSRM's length in meters of the walk through points so near each other that there is no choice."""
    answer = osrm.call(guides(given["line"]), overview="false", continue_straight="false")
    return {"id": given["id"], "engine": osrm.name, "length_m": answer["routes"][0]["distance"]}


# ---------------------------------------------------------------------------------------------------------------------
# record

# Nobody walks farther from one of the given places before the extract ends.
RECORDED_MINUTES = 120
RECORDED_PAIRS = 500
# So many places Valhalla is asked for at once.
LOCATED = 400


def ways_around(valhalla, point):
    """The lines of all ways that a walk from here can reach, each in one direction. One-way signs are not for feet."""
    answer = valhalla.ask(
        "POST",
        "/expansion",
        {
            "locations": [{"lat": point[0], "lon": point[1]}],
            "costing": "pedestrian",
            "costing_options": {"pedestrian": {**WALKER, "ignore_oneways": True}},
            "action": "isochrone",
            "contours": [{"time": RECORDED_MINUTES}],
            "dedupe": True,
            "generalize": 0,
        },
    )
    if "error" in answer:
        raise EngineError(answer["error"])
    lines = ([(lat, lng) for lng, lat in feature["geometry"]["coordinates"]] for feature in answer["features"])
    return {tuple(min(line, line[::-1])) for line in lines}


def closed_nodes(valhalla, nodes):
    """Those of these places at which Valhalla lets no walker pass, such as a locked gate."""
    closed = set()
    for first in range(0, len(nodes), LOCATED):
        locations = [{"lat": lat, "lon": lng, "radius": 0} for lat, lng in nodes[first : first + LOCATED]]
        document = {"locations": locations, "verbose": True, "costing": "pedestrian"}
        for found in valhalla.ask("POST", "/locate", document):
            for node in found.get("nodes") or []:
                if not node["access"]["pedestrian"]:
                    closed.add((node["lat"], node["lon"]))
    return sorted(closed.intersection(nodes))


def record(arguments, document):
    """Yields what a test needs to judge any walk in an area without the engines.

    First what the recording is of, then every way on which Valhalla lets one walk as an encoded polyline with six
    decimals, the places at which one cannot pass from one way to the next, and OSRM's lengths between places that are
    chosen by chance. None of it depends on our own map or search, except for the places in `around`: the ways that can
    be reached from any of them are recorded.
    """
    stamp = json.loads((arguments.graphs / "valhalla.json").read_text(encoding="utf-8"))
    versions = (arguments.tools / "requirements.txt").read_text(encoding="utf-8").splitlines()
    yield {
        "about": "Contains information from OpenStreetMap, (c) OpenStreetMap contributors, Open Database License 1.0.",
        "extract_sha256": stamp["pbf_sha256"],
        "engines": [line.split()[0] for line in versions if line[0] != "#"],
    }
    with Valhalla(arguments.tools, arguments.graphs) as valhalla:
        ways = set()
        for point in document["around"]:
            ways |= ways_around(valhalla, point)
        nodes = sorted({end for line in ways for end in (line[0], line[-1])})
        closed = closed_nodes(valhalla, nodes)
    yield from ({"way": encode_polyline6(line)} for line in sorted(ways))
    yield from ({"closed": place} for place in closed)
    chance = random.Random(1)
    with Osrm(arguments.tools, arguments.graphs) as osrm:
        for _ in range(RECORDED_PAIRS):
            pair = {"id": "", "from": chance.choice(nodes), "to": chance.choice(nodes)}
            with contextlib.suppress(EngineError):
                found = length(osrm, pair)
                if max(found["off_m"]) <= MOST_OFF_M:
                    yield {"from": pair["from"], "to": pair["to"], "length_m": found["length_m"]}


# ---------------------------------------------------------------------------------------------------------------------
# The command line


def each(engine, items, answer):
    """Yields one line per item: `answer(engine, item)`, or the engine's refusal. Then a line with its peak memory."""
    for item in items:
        try:
            yield answer(engine, item)
        except EngineError as error:
            yield {"id": item["id"], "engine": engine.name, "error": str(error)}
    yield {"engine": engine.name, "peak_mb": engine.peak_mb()}


def answers(command, arguments, document):
    """Yields the output lines of every command but `build` for the document that came in."""
    start = lambda engine: engine(arguments.tools, arguments.graphs)
    if command == "loops":
        for kind in ENGINES:
            with start(kind) as engine:
                for n_directions in (1, DIRECTIONS):
                    asked = [it for it in document["requests"] if n_directions in it["tries"]]
                    yield from each(engine, asked, lambda e, item: loop(e, item, n_directions))
    elif command == "walkable":
        with start(Valhalla) as engine:
            yield from each(engine, document["loops"], walkable)
    elif command == "lengths":
        with start(Osrm) as engine:
            yield from each(engine, document["pairs"], length)
    elif command == "record":
        yield from record(arguments, document)
    elif command == "walked":
        with start(Osrm) as engine:
            yield from each(engine, document["loops"], walked)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=pathlib.Path, default=DEFAULT_TOOLS, help="folder the wheels are unpacked in")
    commands = parser.add_subparsers(dest="command", required=True)
    builder = commands.add_parser("build", help="build both engines' graphs for an extract")
    builder.add_argument("--pbf", type=pathlib.Path, required=True)
    builder.add_argument("--to", type=pathlib.Path, required=True)
    for name, words in (
        ("loops", "loops of a wanted length, one and eight directions, by both engines"),
        ("walkable", "whether Valhalla takes a line for a walk"),
        ("lengths", "OSRM's length on foot between two points"),
        ("walked", "OSRM's length of a walk along a line"),
        ("record", "all that both engines know of walking in a small area"),
    ):
        commands.add_parser(name, help=words).add_argument("--graphs", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    try:
        if arguments.command == "build":
            lines = build(arguments.tools, arguments.pbf, arguments.to)
        else:
            lines = answers(arguments.command, arguments, json.load(sys.stdin))
        for line in lines:
            print(json.dumps(line, ensure_ascii=False), flush=True)
    except SetupError as error:
        sys.exit(f"rivals: {error}")


if __name__ == "__main__":
    main()
