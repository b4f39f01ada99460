"""Tasks on a Ray cluster: a worker for each core and each GPU, or for each computer, that runs one after the other.

A worker that is lost is replaced and its task run again; a computer that cannot open a file leaves its task to others.
"""

import logging
import os
import re
import socket
import time
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from training import version
from training.errors import UserError
from training.runs.events import Outcome, decode
from training.runs.reporter import Reporter
from training.tasks import ray_probe, ray_worker
from training.tasks.executor import AGAIN, OnEvent, Task
from training.texts import Text

# Both are read when Ray is imported. Started by `uv run`, Ray would start each worker by it too: they would not answer.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")  # else it writes a line for each process that is started
_token = Path(os.environ.get("RAY_AUTH_TOKEN_PATH", "~/.ray/auth_token")).expanduser()
if "RAY_AUTH_TOKEN" in os.environ or _token.is_file():  # as `ray start` does; Ray's client would send none
    os.environ.setdefault("RAY_AUTH_MODE", "token")
logging.getLogger("ray").setLevel(logging.CRITICAL)  # what it says of lost connections is said in a sentence

try:
    import ray
    from ray.exceptions import RayActorError, RayError
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy
except ModuleNotFoundError as missing:
    raise UserError(
        "Ray is not installed, so no cluster can be used.", "Install it: pip install 'wce-desktop[cluster]'."
    ) from missing

ANSWER_SECONDS = 5.0
"""How long an address may take to answer."""
PROBE_SECONDS = 60.0
"""How long a computer may take to start its first process."""
LOOK_SECONDS = 10.0
"""How often the cluster is asked for computers that have joined."""
MOST_LOSSES = 3
"""After so many lost workers a task counts as failed: it may be what ends them."""


@contextmanager
def connected(address: str) -> Iterator[None]:
    """A connection to the cluster while the block runs; one that is there already is used and left open.

    Args:
        address: "ray://HOST:10001", "HOST:6379" on a computer of the cluster, "auto" for the cluster that this computer
            belongs to, or "local" for one that lives as long as the block.

    Raises:
        UserError: it does not answer, or is of another version of Ray or Python.
    """
    if ray.is_initialized():
        yield
        return
    _check_answers(address)
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if address == "local":
        options |= {"include_dashboard": False}
    for is_last in (False, True):
        try:
            ray.init(address, **options)
            break
        except (ConnectionError, RuntimeError, ValueError, OSError, RayError) as error:
            if is_last or not isinstance(error, ConnectionAbortedError):  # of a head that is only starting
                raise _refused(address, error) from error
    try:
        yield
    finally:
        with suppress(Exception):  # of a cluster that is gone
            ray.shutdown()


def _check_answers(address: str) -> None:
    """Raise `UserError` where nothing listens at an address; Ray itself tries for minutes."""
    if address in ("auto", "local"):
        return
    try:
        parts = urlsplit(address if "://" in address else f"//{address}")
        host, port = parts.hostname, parts.port or (10001 if parts.scheme == "ray" else 6379)
    except ValueError:
        host, port = None, 0
    if not host or parts.scheme not in ("", "ray"):
        raise UserError(
            "{address} is not the address of a cluster.", "Write ray://HOST:10001, auto or local.", repr(address)
        )
    try:
        socket.create_connection((host, port), timeout=ANSWER_SECONDS).close()
    except OSError as error:
        raise UserError(
            "The cluster at {address} does not answer ({reason}).",
            "Check the address and the network, and that the head runs there: ray start --head.",
            address,
            error.strerror or Text("no answer in {seconds:.0f} s", ANSWER_SECONDS),
        ) from error


_MISMATCH = re.compile("version mismatch")


def _refused(address: str, error: Exception) -> UserError:
    said = str(error).lower()
    if _MISMATCH.search(said):
        return UserError(
            "The cluster at {address} runs another version of Ray or Python.",
            "Install the same versions on all computers: here are Ray {ray} and Python {python}.",
            address,
            ray.__version__,
            version.versions()["python"],
        )
    if "auth" in said and "token" in said:
        return UserError(
            "The cluster at {address} refuses this computer: its token is missing or another one.",
            "Copy the token of the head to ~/.ray/auth_token.",
            address,
        )
    if address == "auto":
        return UserError(
            "No cluster runs on this computer.",
            "Start one with ray start --head, or give its address: ray://HOST:10001.",
        )
    return UserError(
        "The cluster at {address} cannot be used ({reason}).",
        "Check that ray start --head still runs there, and that ~/.ray/auth_token is the same as there.",
        address,
        type(error).__name__,
    )


@dataclass(eq=False)
class _Worker:
    """One process of the cluster and what it does."""

    actor: Any
    node: str
    has_gpu: bool
    begun: Any
    """Reference to its first answer; None once it is there."""
    task: Task | None = None
    run: Any = None
    talk: Any = None

    @property
    def awaited(self) -> list[Any]:
        return [reference for reference in (self.begun, self.run, self.talk) if reference is not None]


class RayExecutor:
    """Runs tasks on the cluster that this process is connected to; see `connected`."""

    def __init__(self, address: str, run_job: str, cores: int | None = 1) -> None:
        """`run_job`: "module:function", a `RunJob` of every computer; `cores`: of a worker, None: all, or a GPU."""
        self.address, self._run_job, self._cores = address, run_job, cores

    def run(self, tasks: Sequence[Task], reporter: Reporter, on_event: OnEvent) -> Iterator[tuple[Task, Outcome]]:
        """See `Executor`."""
        pool = _Pool(self._run_job, self._cores, tasks, reporter, on_event)
        try:
            yield from pool.outcomes()
        except (RayError, ConnectionError, OSError) as error:
            pool.workers.clear()  # they end with the connection; each call would wait for it
            raise UserError(
                "The cluster at {address} no longer answers.",
                "What is finished is kept; start it again with --resume once the cluster runs.",
                self.address,
            ) from error
        finally:
            pool.close()

    def kinds(self, reporter: Reporter) -> dict[str, int]:
        """See `Executor`."""
        pool = _Pool(self._run_job, self._cores, (), reporter, lambda *_: None)
        return Counter(kind for node in pool.look() for kind in pool.kinds_of(node))

    def machine(self, reporter: Reporter) -> dict[str, str] | None:
        """What cells of the cluster are kept under; None where all computers are as this one, so that it can go on."""
        kinds = sorted(self.kinds(reporter))
        if kinds == [version.processor()]:
            return None
        return {"device": "cluster", "kind": ", ".join(kinds), "precision": "", "threads": str(self._cores or "all")}


class _Pool:
    """The workers of one run, what each does, and what is left to do."""

    def __init__(
        self, run_job: str, cores: int | None, tasks: Sequence[Task], reporter: Reporter, on_event: OnEvent
    ) -> None:
        self._run_job, self._cores, self._reporter, self._on_event = run_job, cores, reporter, on_event
        self._waiting = deque(tasks)
        self.workers: list[_Worker] = []
        self._losses: dict[str, int] = defaultdict(int)
        self._out_of_reach: dict[str, dict[str, str]] = defaultdict(dict)
        """Task -> computers that cannot open its file, with the file."""
        self._names: dict[str, str] = {}
        """Computers that may be used, with their names; `_refusals`: those that may not."""
        self._refusals: dict[str, UserError] = {}
        self._processors: dict[str, str] = {}
        self._resources: dict[str, dict[str, float]] = {}
        self._looked_seconds = float("-inf")

    def outcomes(self) -> Iterator[tuple[Task, Outcome]]:
        while self._waiting or any(worker.task for worker in self.workers):
            self._reporter.check()
            stop = self._reporter.stop_requested
            if not stop:
                self.look()
                self._hand_out()
                yield from self._impossible()
            elif not any(worker.task for worker in self.workers):
                return
            for worker in self.workers:
                if worker.task is not None and worker.talk is None:
                    worker.talk = worker.actor.talk.remote(stop)
            awaited = [reference for worker in self.workers for reference in worker.awaited]
            ready = set(ray.wait(awaited, num_returns=1, timeout=1.0)[0]) if awaited else set()
            if ready:  # all that are ready: one call for many short tasks
                ready |= set(ray.wait(awaited, num_returns=len(awaited), timeout=0)[0])
            for worker in list(self.workers):
                yield from self._attend(worker, ready)

    def close(self) -> None:
        """End all workers."""
        for worker in self.workers:
            with suppress(Exception):
                ray.kill(worker.actor)
        self.workers.clear()

    def _attend(self, worker: _Worker, ready: set[Any]) -> Iterator[tuple[Task, Outcome]]:
        """Take what a worker answered."""
        try:
            if worker.begun in ready:
                ray.get(worker.begun)
                worker.begun = None
            if worker.talk in ready or (worker.talk is not None and worker.run in ready):
                self._hear(worker, ray.get(worker.talk))
                worker.talk = None
            if worker.run in ready:
                task, lines = worker.task, ray.get(worker.run)
                assert task is not None
                self._hear(worker, lines[:-1])
                worker.task = worker.run = None
                yield from self._ended(worker, task, decode(lines[-1]))
        except RayActorError:
            yield from self._lost(worker)

    def _hear(self, worker: _Worker, lines: Sequence[str]) -> None:
        for line in lines:
            event = decode(line)
            if worker.task is not None and not isinstance(event, Outcome):
                self._on_event(worker.task, event)

    def _ended(self, worker: _Worker, task: Task, outcome: Any) -> Iterator[tuple[Task, Outcome]]:
        path = outcome.result.get(ray_worker.UNREACHABLE)
        if path is None:
            yield task, outcome
            return
        self._out_of_reach[task.name][worker.node] = path
        self._reporter.log(Text("{name}: not within reach of {computer}.", task.name, self._names[worker.node]))
        self._waiting.append(task)

    def _lost(self, worker: _Worker) -> Iterator[tuple[Task, Outcome]]:
        self.workers.remove(worker)
        self._looked_seconds = float("-inf")
        if worker.task is None:
            return
        task = worker.task
        self._losses[task.name] += 1
        name = self._names.get(worker.node, "")
        if self._losses[task.name] < MOST_LOSSES:
            self._reporter.log(Text("A worker on {computer} was lost; {task} goes on elsewhere.", name, task.name))
            self._waiting.appendleft(replace(task, job={**task.job, AGAIN: True}))
            return
        message = Text("{count} workers were lost with it, the last one on {computer}.", MOST_LOSSES, name)
        yield task, Outcome("failed", message, Text("Its memory may not suffice; see the log of that computer."))

    def _hand_out(self) -> None:
        """Give every free worker the next task that its computer can open; GPUs first."""
        free = [worker for worker in self.workers if worker.begun is None and worker.task is None]
        for worker in sorted(free, key=lambda each: not each.has_gpu):
            task = next((task for task in self._waiting if self._suits(worker, task)), None)
            if task is not None:
                self._waiting.remove(task)
                worker.task = task
                worker.run = worker.actor.run.remote(dict(task.job), [str(path) for path in task.reads])

    def _suits(self, worker: _Worker, task: Task) -> bool:
        is_kind = task.kind in ("", self.kind_of(worker.node, worker.has_gpu))
        return is_kind and worker.node not in self._out_of_reach[task.name]

    def _impossible(self) -> Iterator[tuple[Task, Outcome]]:
        """Tasks that no computer can do: it is of another kind, or cannot open the files."""
        for task in list(self._waiting):
            lacking = self._out_of_reach.get(task.name, {})
            may = {node for node in self._names if not task.kind or task.kind in self.kinds_of(node)}
            if may - set(lacking):
                continue
            self._waiting.remove(task)
            names = ", ".join(sorted(self._names[node] for node in lacking if node in self._names))
            if lacking:
                message = Text("{path} is not within reach of any worker ({computers}).", min(lacking.values()), names)
                yield task, Outcome("failed", message, Text("Put it on a share that every computer has at this path."))
            else:
                yield task, Outcome("failed", Text("No computer of the cluster has a worker of {kind}.", task.kind))

    def look(self) -> Sequence[str]:
        """The computers; starts workers on those that have joined, and for those that were lost."""
        if time.monotonic() - self._looked_seconds < LOOK_SECONDS:
            return list(self._names)
        self._looked_seconds = time.monotonic()
        self._resources = nodes = {node["NodeID"]: node["Resources"] for node in ray.nodes() if node["Alive"]}
        self._probe([node for node in nodes if node not in self._names and node not in self._refusals])
        self._names = {node: name for node, name in self._names.items() if node in nodes}
        if not self._names:
            raise next(iter(self._refusals.values()), UserError("The cluster has no computer that works.", ""))
        for node in self._names:
            self._staff(node)
        return list(self._names)

    def _staff(self, node: str) -> None:
        """Start the workers that a computer can have and lacks, of each kind no more than there are tasks for it."""
        tasks = [*self._waiting, *(worker.task for worker in self.workers if worker.task is not None)]
        for has_gpu in (True, False):
            kind = self.kind_of(node, has_gpu)
            alike = [each for each in self.workers if self.kind_of(each.node, each.has_gpu) == kind]
            missing = sum(task.kind in ("", kind) for task in tasks) - len(alike)
            shares = [cores for cores, with_gpu in self.shares(node) if with_gpu == has_gpu]
            there = sum(worker.node == node for worker in alike)
            self.workers += [self._start(node, cores, has_gpu) for cores in shares[there : there + max(0, missing)]]

    def shares(self, node: str) -> list[tuple[int, bool]]:
        """Cores of each worker that a computer can have, and whether it has a GPU."""
        resources = self._resources[node]
        cores, gpus = int(resources.get("CPU", 0)), int(resources.get("GPU", 0))
        each = min(self._cores or max(1, cores // max(1, gpus)), max(1, cores))
        left = (cores - gpus * each) // each if self._cores or not gpus else 0
        return [(each, True)] * min(gpus, cores // each) + [(each, False)] * max(0, left)

    def kinds_of(self, node: str) -> list[str]:
        """The kind of each worker that a computer can have."""
        return [self.kind_of(node, has_gpu) for _, has_gpu in self.shares(node)]

    def kind_of(self, node: str, has_gpu: bool) -> str:
        """What a worker is called: its processor, and its GPU."""
        names = [name.partition(":")[2] for name in self._resources[node] if name.startswith("accelerator_type:")]
        return self._processors[node] + (f" and {', '.join(names) or 'GPU'}" if has_gpu else "")

    def _start(self, node: str, cores: int, has_gpu: bool) -> _Worker:
        options = {
            "num_cpus": cores,
            "num_gpus": int(has_gpu),
            "max_concurrency": 2,
            "scheduling_strategy": NodeAffinitySchedulingStrategy(node, soft=False),
        }
        actor = ray.remote(ray_worker.Worker).options(**options).remote(self._run_job, cores)
        return _Worker(actor, node, has_gpu, actor.begin.remote())

    def _probe(self, nodes: Sequence[str]) -> None:
        """Ask computers which program they have; one with another version is refused with a sentence."""
        if not nodes:
            return
        ray.cloudpickle.register_pickle_by_value(ray_probe)
        probe = ray.remote(ray_probe.about)
        asked = {
            probe.options(
                num_cpus=0, scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=False)
            ).remote(): node
            for node in nodes
        }
        ready, late = ray.wait(list(asked), num_returns=len(asked), timeout=PROBE_SECONDS)
        for reference in ready:
            with suppress(RayError):
                self._admit(asked[reference], ray.get(reference))
        for reference in late:
            error = UserError("A computer of the cluster does not answer.", "See the log of Ray there.")
            self._refuse(asked[reference], error)

    def _admit(self, node: str, answer: dict[str, str]) -> None:
        ours = {"version": version.version(), "code": version.code_digest()}
        if all(answer[name] == value for name, value in ours.items()):
            self._names[node] = answer["name"]
            self._processors[node] = answer["processor"]
        elif not answer["version"]:
            hint = "Install it there, in the Python that started Ray: pip install 'wce-desktop[cluster]'."
            self._refuse(
                node, UserError("The computer {name} of the cluster lacks this program.", hint, answer["name"])
            )
        else:
            error = UserError(
                "The computer {name} of the cluster has another version of this program ({theirs}; here {ours}).",
                "Install the same version on all computers.",
                answer["name"],
                *(f"{each['version']}, {each['code'][:8]}" for each in (answer, ours)),
            )
            self._refuse(node, error)

    def _refuse(self, node: str, error: UserError) -> None:
        self._refusals[node] = error
        self._reporter.log(error.message)
