"""Spark sessions. A process has one Spark context, started on first use and stopped at its end; every backend has a session and a
catalog of its own in it."""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import signal
import socket
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kanon_sql.backends.spark_url import SparkUrl
from kanon_sql.errors import ConnectionFailed, JobError

SETTINGS = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.ansi.enabled": "true",
    # A literal that reads like ${this} is a literal.
    "spark.sql.variable.substitute": "false",
    "spark.sql.adaptive.enabled": "true",
}
"""What every statement relies on: set on Spark Connect as well."""
CONTEXT_SETTINGS = {
    "spark.app.name": "kanon_sql",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
    "spark.sql.sources.default": "parquet",
}
SHORT_LIVED = (
    "-XX:Tier4InvocationThreshold=50000 -XX:Tier4MinInvocationThreshold=6000 "
    "-XX:Tier4CompileThreshold=150000 -XX:Tier4BackEdgeThreshold=400000"
)
"""On one machine the JVM is there for this process alone: a third of its time went into optimizing code that ran for seconds. Loops over
many rows still pass these thresholds, ten times its own. Another collector would spare more, but two that are asked for do not start."""
LISTENS_SECONDS = 20
CONNECT_RETRIES, CONNECT_BACKOFF = 8, 10_000
"""How often, and after how many milliseconds at most, a Connect server that is lost is asked again: about three quarters of a minute."""

_context: Any = None
_started_with: tuple[object, ...] = ()


def imported() -> Any:
    """pyspark, which is an extra."""
    try:
        # It speaks of pandas, which nothing here uses.
        warnings.filterwarnings("ignore", message="PySpark does not yet fully support pandas")
        import pyspark
    except ImportError as error:
        raise JobError("Spark needs the extra: pyspark is not installed", "pip install 'kanon-sql[spark]'") from error
    return pyspark


def local_session(url: SparkUrl) -> Any:
    """A session with a catalog of its own on the process's Spark context."""
    imported()
    from pyspark.sql import SparkSession

    context = _shared_context(url)
    options = context._jvm.java.util.HashMap()
    chosen = SETTINGS | {"spark.sql.warehouse.dir": url.warehouse} | _partitions(url) | dict(url.settings)
    for key, value in chosen.items():
        options.put(key, value)
    # SparkSession.builder would hand out the session that is there, with its catalog.
    java_session = context._jvm.org.apache.spark.sql.classic.SparkSession(context._jsc.sc(), options)
    if context.getConf().get("spark.ui.enabled") == "false":
        # Every session adds one who writes down each plan and each task for the pages of the UI, and who stays when the session goes.
        watching = java_session.sharedState().statusStore().listener()
        if watching.isDefined():
            context._jsc.sc().removeSparkListener(watching.get())
    return SparkSession(context, java_session)


def connect_session(url: SparkUrl) -> Any:
    """A session on a Spark Connect server, whose catalog is the server's."""
    imported()
    try:
        from pyspark.sql.connect.client import DefaultChannelBuilder
        from pyspark.sql.connect.client.retries import DefaultPolicy

        # Connect's own class: the general one marks the whole process as a client, and no other Spark starts in it any more.
        from pyspark.sql.connect.session import SparkSession

        # A client waits ten minutes for a server that is not there: ask whether anybody listens first.
        host, _, port = DefaultChannelBuilder(str(url.remote)).endpoint.rpartition(":")
        socket.create_connection((host.strip("[]"), int(port)), LISTENS_SECONDS).close()
        session = SparkSession.builder.remote(str(url.remote)).create()
        session.client.set_retry_policies([DefaultPolicy(max_retries=CONNECT_RETRIES, max_backoff=CONNECT_BACKOFF)])
        for key, value in SETTINGS.items():
            session.conf.set(key, value)
    except ImportError as error:
        raise JobError(
            "Spark Connect needs more than pyspark: grpcio and pyarrow", "pip install 'kanon-sql[spark]'"
        ) from error
    except Exception as error:
        raise ConnectionFailed(
            "cannot connect to the Spark Connect server", "check source.url and that the server runs"
        ) from error
    return session


def _partitions(url: SparkUrl) -> dict[str, str]:
    """Few partitions on one machine: handing work between tasks costs more than it saves. A cluster keeps its own default."""
    if not url.local:
        return {}
    inside = str(url.master).removeprefix("local").strip("[]").split(",")[0].strip()
    cores = 1 if inside == "" else (os.cpu_count() or 1) if inside == "*" else int(inside)
    return {"spark.sql.shuffle.partitions": str(max(2, cores))}


def _shared_context(url: SparkUrl) -> Any:
    global _context, _started_with
    # Executors and memory are the context's and cannot change; what a session may set for itself is not compared.
    wanted = (url.master, tuple(item for item in url.settings if not item[0].startswith("spark.sql.")))
    if _context is not None and _context._jsc is not None and not _context._jsc.sc().isStopped():
        if wanted == _started_with:
            return _context
        stop()
    from pyspark import SparkConf, SparkContext

    conf = SparkConf()
    # A logger of the JVM speaks before any setting reaches it, unless the command line names its file.
    quiet = Path(__file__).with_name("spark_log4j2.properties").as_uri()
    settings = CONTEXT_SETTINGS | {"spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile={quiet}"}
    if url.local:
        settings["spark.driver.extraJavaOptions"] += f" {SHORT_LIVED}"
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        settings |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    for key, value in (settings | dict(url.settings)).items():
        conf.set(key, value)
    conf.setMaster(str(url.master))
    if shutil.which("java") is None and not os.environ.get("JAVA_HOME"):
        raise ConnectionFailed(
            "Spark needs Java 17 or newer: there is none on this machine", "install it, or set JAVA_HOME"
        )
    try:
        with _kept_interrupt_handler():
            _context = SparkContext(conf=conf)
    except Exception as error:
        raise ConnectionFailed(
            f"cannot start Spark on {url.master}", "check source.url, Java 17 or newer, and that the master runs"
        ) from error
    _started_with = wanted
    atexit.register(stop)
    return _context


def stop() -> None:
    """Stop the process's Spark context, if there is one."""
    global _context
    context, _context = _context, None
    if context is not None:
        with contextlib.suppress(Exception):  # a cluster that is gone cannot be told
            context.stop()


@contextlib.contextmanager
def _kept_interrupt_handler() -> Iterator[None]:
    """Starting Spark replaces the handler of an interrupt by its own: put the program's back."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
