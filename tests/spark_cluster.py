"""Whether Spark can run here, and a real cluster on this machine for the tests that kill parts of it."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

OLDEST_JAVA = 17


@cache
def spark_is_missing() -> str | None:
    """Why Spark cannot be tested here; None when it can."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    if java is None or not Path(java).exists():
        return f"Spark is left out: it needs Java {OLDEST_JAVA} or newer, and there is none here"
    told = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=60, check=False).stderr
    found = re.search(r'version "(\d+)', told)
    if found is None or int(found[1]) < OLDEST_JAVA:
        return f"Spark is left out: it needs Java {OLDEST_JAVA} or newer, here is {found[1] if found else 'an unknown one'}"
    if importlib.util.find_spec("pyspark") is None:
        return "Spark is left out: pyspark is not installed (pip install -e '.[spark]')"
    return None


class SparkCluster:
    """One master and some workers as processes of their own on the loopback address, stopped by their process ids."""

    def __init__(self, directory: Path, workers: int = 2) -> None:
        self.directory = directory
        self.port = free_port()
        self.wanted = workers
        self.master: subprocess.Popen[bytes] | None = None
        self.workers: list[subprocess.Popen[bytes]] = []

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def __enter__(self) -> SparkCluster:
        try:
            self.master = self._start(
                "org.apache.spark.deploy.master.Master",
                ["--host", "127.0.0.1", "--port", str(self.port), "--webui-port", str(free_port())],
                "master",
            )
            self._wait(lambda: _listens(self.port), "the master does not listen")
            for _ in range(self.wanted):
                self.add_worker()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def add_worker(self) -> None:
        """Start a worker with one core, and wait until the master has it."""
        number = len(self.workers)
        self.workers.append(
            self._start(
                "org.apache.spark.deploy.worker.Worker",
                [
                    f"spark://{self.address}",
                    *("--host", "127.0.0.1", "--cores", "1", "--memory", "1g", "--webui-port", str(free_port())),
                    *("--work-dir", str(self.directory / f"worker_{number}")),
                ],
                f"worker_{number}",
            )
        )
        log = self.directory / f"worker_{number}.log"
        self._wait(lambda: "Successfully registered with master" in log.read_text(errors="replace"), "no worker")

    def kill_worker(self, number: int) -> None:
        """As a machine that goes down: without a word. Its executor ends when it misses it."""
        self.workers[number].kill()
        self.workers[number].wait(timeout=30)

    def stop(self) -> None:
        for process in [*self.workers, self.master]:
            if process is not None and process.poll() is None:
                process.terminate()
                try:
                    process.wait(timeout=20)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait(timeout=20)

    def _start(self, main: str, arguments: list[str], name: str) -> subprocess.Popen[bytes]:
        import pyspark

        home = Path(pyspark.__file__).parent
        environment = os.environ | {
            "SPARK_HOME": str(home),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_DAEMON_MEMORY": "256m",
        }
        with (self.directory / f"{name}.log").open("wb") as log:
            return subprocess.Popen(
                [str(home / "bin" / "spark-class"), main, *arguments],
                stdout=log,
                stderr=subprocess.STDOUT,
                env=environment,
                cwd=self.directory,
            )

    @staticmethod
    def _wait(ready: Callable[[], bool], complaint: str, seconds: float = 180) -> None:
        deadline = time.monotonic() + seconds
        while not ready():
            if time.monotonic() > deadline:
                raise TimeoutError(complaint)
            time.sleep(0.2)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def connect_server(directory: Path) -> Iterator[str]:
    """A Spark Connect server of its own; its URL."""
    import pyspark

    home, port = Path(pyspark.__file__).parent, free_port()
    environment = os.environ | {"SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1"}
    settings = {
        "spark.master": "local[2]",
        "spark.ui.enabled": "false",
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": str(port),
        "spark.sql.shuffle.partitions": "1",
        "spark.sql.warehouse.dir": str(directory / "warehouse"),
    }
    given = [part for key, value in settings.items() for part in ("--conf", f"{key}={value}")]
    main = "org.apache.spark.sql.connect.service.SparkConnectServer"
    with (directory / "connect.log").open("wb") as log:
        process = subprocess.Popen(
            [str(home / "bin" / "spark-submit"), "--class", main, *given, "spark-internal"],
            stdout=log,
            stderr=subprocess.STDOUT,
            env=environment,
            cwd=directory,
        )
    try:
        SparkCluster._wait(lambda: _listens(port), "the Connect server does not listen")
        yield f"sc://127.0.0.1:{port}"
    finally:
        process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(timeout=20)
