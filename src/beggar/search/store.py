"""The store of a hunt: one SQLite file that survives whatever happens to the hunt.

A finished unit and all it found are one transaction: a unit is in the store with everything, or
not at all. The file can be read while a hunt goes on; only one hunt writes to it at a time.

This module imports `errors` and `finds`.
"""

import json
import os
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Final, NamedTuple, Self

from beggar.errors import BeggarError, quoted
from beggar.search.finds import FoundCycle, FoundDeal, FoundGame, Unit

__all__ = ["MOST_GAMES", "VERSION", "Kept", "Store"]

#: The version of the tables; a store of a newer one is not touched.
VERSION: Final = 1

#: How many of the longest games are kept.
MOST_GAMES: Final = 1000

# "bgmy", so that a file is known for what it is.
_APPLICATION: Final = 0x62676D79

_TABLES: Final = """
CREATE TABLE hunt (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE units (
    seed TEXT NOT NULL, number INTEGER NOT NULL, tried INTEGER NOT NULL,
    told TEXT, seconds REAL NOT NULL,
    PRIMARY KEY (seed, number)
) WITHOUT ROWID;
-- A cycle is the same whoever finds it, and finds says which units did so first.
CREATE TABLE cycles (
    name TEXT PRIMARY KEY, deck TEXT NOT NULL, size INTEGER NOT NULL,
    cards INTEGER NOT NULL, tricks INTEGER NOT NULL,
    short_cards INTEGER NOT NULL, short_tricks INTEGER NOT NULL,
    lean INTEGER NOT NULL, states INTEGER
) WITHOUT ROWID;
CREATE TABLE finds (
    seed TEXT NOT NULL, unit INTEGER NOT NULL, name TEXT NOT NULL REFERENCES cycles,
    PRIMARY KEY (seed, unit, name)
) WITHOUT ROWID;
CREATE INDEX finds_of_cycle ON finds (name, seed, unit);
CREATE TABLE deals (
    deal TEXT PRIMARY KEY, rank TEXT NOT NULL, cycle TEXT NOT NULL REFERENCES cycles,
    cards INTEGER NOT NULL, tricks INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE games (
    deal TEXT PRIMARY KEY, rank TEXT NOT NULL, cards INTEGER NOT NULL,
    tricks INTEGER NOT NULL, how TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX games_by_length ON games (tricks, cards, deal);
"""


class Kept(NamedTuple):
    """How much is in a store.

    Attributes
    ----------
    units, tried : int
        Units done, and games or candidates played in them.
    seconds : float
        What they took, added up.
    cycles, whole_cycles : int
        Cycles found; those of whole decks among them.
    deals : int
        Deals known to lead into one of them.
    longest : FoundGame or None
    """

    units: int
    tried: int
    seconds: float
    cycles: int
    whole_cycles: int
    deals: int
    longest: FoundGame | None


class Store:
    """The store of one hunt. Use `create`, `open` or `read`; then as a context manager.

    Attributes
    ----------
    path : str
    kind : str
        What is hunted: ``"exhaustive"``, ``"infinite"`` or ``"longest"``.
    params : dict
        What makes this hunt another than others, its seed aside, as JSON knows it.
    seed : int
        What its units draw from.
    span : str
        The range that the hunt was begun for, as ``A:B``; empty for all.
    """

    def __init__(self, path: str, connection: sqlite3.Connection, lock: IO[str] | None) -> None:
        self.path = path
        self.connection = connection
        self._lock = lock
        told = dict(connection.execute("SELECT key, value FROM hunt"))
        self.kind: str = told["kind"]
        self.params: dict[str, Any] = json.loads(told["params"])
        self.seed = int(told["seed"])
        self.span: str = told["range"]

    # -- Opening ---------------------------------------------------------------------------

    @classmethod
    def create(
        cls, path: str, kind: str, params: dict[str, Any], seed: int, span: str = ""
    ) -> Self:
        """Make the store of a new hunt; *span* is what of it is to be done, if not told.

        Raises
        ------
        BeggarError
            If there is a file of that name, or it cannot be made.
        """
        if not path or not Path(path).absolute().parent.is_dir():
            raise BeggarError(f"cannot make {quoted(path)}: there is no such folder")
        lock = _locked(path)
        target = Path(path)
        aside = target.with_name(f".{target.name}.beggar-new")
        try:
            if target.exists():
                raise BeggarError(f"{quoted(path)} is there already: expected a new file")
            # Under another name until it is whole: a hunt may be killed here, too. What a hunt
            # left behind whose store was removed is not to get into this one.
            for stale in (aside, *(Path(f"{path}-{log}") for log in ("wal", "shm", "journal"))):
                stale.unlink(missing_ok=True)
            with (
                closing(sqlite3.connect(aside, isolation_level=None)) as connection,
                _transaction(connection),
            ):
                for statement in _TABLES.split(";"):
                    connection.execute(statement)
                told = {
                    "kind": kind,
                    "params": json.dumps(params, sort_keys=True),
                    "seed": str(seed),
                    "range": span,
                }
                connection.executemany("INSERT INTO hunt VALUES (?, ?)", told.items())
                connection.execute(f"PRAGMA application_id = {_APPLICATION}")
                connection.execute(f"PRAGMA user_version = {VERSION}")
            os.rename(aside, path)
            return cls(path, _connect(path), lock)
        except BaseException as error:
            aside.unlink(missing_ok=True)
            _unlock(path, lock)
            if isinstance(error, (OSError, sqlite3.Error)):
                raise _told(path, error) from None
            raise

    @classmethod
    def open(cls, path: str) -> Self:
        """Open the store of a hunt to go on with it.

        Raises
        ------
        BeggarError
            If it is no store, a newer one, or another process hunts into it.
        """
        cls.read(path).close()
        lock = _locked(path)
        try:
            return cls(path, _connect(path), lock)
        except sqlite3.Error as error:
            _unlock(path, lock)
            raise _told(path, error) from None

    @classmethod
    def read(cls, path: str) -> Self:
        """Open a store to read it, which can be done while its hunt goes on.

        Raises
        ------
        BeggarError
            If it is no store, or a newer one.
        """
        if not Path(path).is_file():
            raise BeggarError(f"no hunt {quoted(path)}: expected the file of one")
        try:
            with open(path, "rb") as file:
                header = file.read(100)
        except OSError as error:
            raise BeggarError(f"cannot read {quoted(path)}: {error.strerror}") from None
        # Looked at without SQLite, so that a file of another sort is left as it is.
        application = int.from_bytes(header[68:72], "big")
        version = int.from_bytes(header[60:64], "big")
        if not header.startswith(b"SQLite format 3\0") or application != _APPLICATION:
            raise BeggarError(f"{quoted(path)} is not the store of a hunt")
        if version > VERSION:
            raise BeggarError(
                f"{quoted(path)} is the store of a newer version ({version}): "
                f"expected {VERSION} at most"
            )
        try:
            return cls(path, _connect(path, read_only=True), None)
        except (sqlite3.Error, KeyError, ValueError) as error:
            raise _told(path, error) from None

    def check_same(self, kind: str, params: dict[str, Any], seed: int | None) -> None:
        """Raise unless this is the store of a certain hunt.

        Raises
        ------
        BeggarError
            If it is another's; the message says what differs.
        """
        if kind != self.kind:
            raise BeggarError(
                f"{quoted(self.path)} is the store of a hunt {self.kind}: expected {kind}"
            )
        wanted = json.loads(json.dumps(params))
        for key in sorted(wanted.keys() | self.params.keys()):
            if wanted.get(key) != self.params.get(key):
                raise BeggarError(
                    f"{quoted(self.path)} is the store of another hunt: its {key} is "
                    f"{quoted(json.dumps(self.params.get(key)))}, not "
                    f"{quoted(json.dumps(wanted.get(key)))}"
                )
        if seed is not None and seed != self.seed:
            raise BeggarError(
                f"{quoted(self.path)} is the store of another hunt: its seed is {self.seed}, "
                f"not {seed}"
            )

    def close(self) -> None:
        """Close the file, and let others hunt into it."""
        self.connection.close()
        if self._lock is not None:
            _unlock(self.path, self._lock)
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- Units -----------------------------------------------------------------------------

    def done(self) -> set[int]:
        """Return the numbers of the units that are done."""
        rows = self.connection.execute("SELECT number FROM units WHERE seed = ?", (str(self.seed),))
        return {number for (number,) in rows}

    def add(self, number: int, unit: Unit, seconds: float, since: int = 0) -> int:
        """Keep a finished unit and all it found, in one transaction.

        Parameters
        ----------
        number : int
        unit : Unit
        seconds : float
            What it took.
        since : int
            The first unit of its generation: what units before that found is not news.

        Returns
        -------
        int
            How many cycles were not known at all.

        Raises
        ------
        BeggarError
            If the unit is there already, or it cannot be written (the disk is full): then
            nothing of it is in the store.
        """
        try:
            with _transaction(self.connection):
                return self._add(str(self.seed), number, unit, seconds, since)
        except sqlite3.Error as error:
            raise _told(self.path, error) from None

    def _add(self, seed: str, number: int, unit: Unit, seconds: float, since: int) -> int:
        run = self.connection.execute
        told = None if unit.told is None else json.dumps(unit.told)
        run("INSERT INTO units VALUES (?, ?, ?, ?, ?)", (seed, number, unit.tried, told, seconds))
        new = 0
        for cycle in unit.cycles:
            found = run(
                "INSERT INTO cycles VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (*cycle[:3], *cycle.period, *cycle.short, cycle.lean, cycle.states),
            )
            new += found.rowcount > 0
            known = run(
                "SELECT 1 FROM finds WHERE name = ? AND seed = ? AND unit < ? LIMIT 1",
                (cycle.name, seed, since),
            ).fetchone()
            if not known:
                run("INSERT INTO finds VALUES (?, ?, ?)", (seed, number, cycle.name))
            self.connection.executemany(
                "INSERT INTO deals VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                [
                    (deal.deal, str(deal.rank), cycle.name, deal.cards, deal.tricks)
                    for deal in cycle.deals
                ],
            )
        if unit.games:
            self.connection.executemany(
                _ADD_GAME,
                [(game.deal, str(game.rank), *game[2:]) for game in unit.games],
            )
            run(
                "DELETE FROM games WHERE deal IN (SELECT deal FROM games "
                "ORDER BY tricks DESC, cards DESC, deal LIMIT -1 OFFSET ?)",
                (MOST_GAMES,),
            )
        return new

    # -- What is known -----------------------------------------------------------------------

    def kept(self) -> Kept:
        """Return how much there is."""
        run = self.connection.execute
        units, tried, seconds = run(
            "SELECT count(*), coalesce(sum(tried), 0), coalesce(sum(seconds), 0.0) FROM units"
        ).fetchone()
        cycles, whole = run("SELECT count(*), count(states) FROM cycles").fetchone()
        (deals,) = run("SELECT count(*) FROM deals").fetchone()
        longest = next(self.games(1), None)
        return Kept(units, tried, seconds, cycles, whole, deals, longest)

    def cycles(self, *, whole: bool = False, before: int | None = None) -> Iterator[FoundCycle]:
        """Yield the cycles, without their deals, those of more cards first.

        Parameters
        ----------
        whole : bool
            Only those of whole decks.
        before : int, optional
            Only those that units of this hunt's own seed before this one found.
        """
        query = f"SELECT {_CYCLE} FROM cycles"
        where, values = [], []
        if whole:
            where.append("states IS NOT NULL")
        if before is not None:
            where.append("name IN (SELECT name FROM finds WHERE seed = ? AND unit < ?)")
            values += [str(self.seed), before]
        if where:
            query += f" WHERE {' AND '.join(where)}"
        for row in self.connection.execute(f"{query} ORDER BY size DESC, name", values):
            yield _cycle(row)

    def news(self, start: int, stop: int) -> Iterator[FoundCycle]:
        """Yield the cycles that units from one to before another found, in order.

        Only units of the hunt's own seed count, so that what a merged store holds besides does
        not change what is done next.
        """
        rows = self.connection.execute(
            f"SELECT {_CYCLE}, min(unit) AS age FROM finds JOIN cycles USING (name) "
            "WHERE seed = ? AND unit >= ? AND unit < ? GROUP BY name ORDER BY age, name",
            (str(self.seed), start, stop),
        )
        for *row, _ in rows:
            yield _cycle(row)

    def deals(self, cycle: str | None = None) -> Iterator[tuple[str, FoundDeal]]:
        """Yield the deals known to lead into cycles, or into one, with its name, by rank."""
        query, values = "SELECT cycle, deal, rank, cards, tricks FROM deals", []
        if cycle is not None:
            query += " WHERE cycle = ?"
            values.append(cycle)
        rows = self.connection.execute(f"{query} ORDER BY cycle, length(rank), rank", values)
        for name, deal, rank, cards, tricks in rows:
            yield name, FoundDeal(deal, int(rank), cards, tricks)

    def games(self, most: int = MOST_GAMES) -> Iterator[FoundGame]:
        """Yield the longest games, the longest first."""
        rows = self.connection.execute(
            "SELECT deal, rank, cards, tricks, how FROM games "
            "ORDER BY tricks DESC, cards DESC, deal LIMIT ?",
            (most,),
        )
        for deal, rank, cards, tricks, how in rows:
            yield FoundGame(deal, int(rank), cards, tricks, how)

    def told(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield what else units came to, with their numbers, in order."""
        rows = self.connection.execute(
            "SELECT number, told FROM units WHERE told IS NOT NULL ORDER BY seed, number"
        )
        for number, told in rows:
            yield number, json.loads(told)

    # -- Merging -----------------------------------------------------------------------------

    def merge(self, other: "Store") -> int:
        """Take over all units of another store of the same hunt, or of one with another seed.

        Returns
        -------
        int
            How many units were new.

        Raises
        ------
        BeggarError
            If the hunts are not the same, or it cannot be written.
        """
        # Where nothing is drawn, units are the same whatever the seed.
        other.check_same(self.kind, self.params, self.seed if self.kind == "exhaustive" else None)
        try:
            with _transaction(self.connection):
                return self._merge(other.connection)
        except sqlite3.Error as error:
            raise _told(self.path, error) from None

    def _merge(self, other: sqlite3.Connection) -> int:
        many = self.connection.executemany
        done = set(self.connection.execute("SELECT seed, number FROM units"))
        new = [row for row in other.execute("SELECT * FROM units") if row[:2] not in done]
        many("INSERT INTO units VALUES (?, ?, ?, ?, ?)", new)
        for table, columns in (("cycles", 9), ("finds", 3), ("deals", 5)):
            places = ", ".join("?" * columns)
            many(
                f"INSERT INTO {table} VALUES ({places}) ON CONFLICT DO NOTHING",
                other.execute(f"SELECT * FROM {table}"),
            )
        many(_ADD_GAME, other.execute("SELECT * FROM games"))
        self.connection.execute(
            "DELETE FROM games WHERE deal IN (SELECT deal FROM games "
            "ORDER BY tricks DESC, cards DESC, deal LIMIT -1 OFFSET ?)",
            (MOST_GAMES,),
        )
        return len(new)


# The same game may be found in several ways: one of them is kept, by its name.
_ADD_GAME: Final = (
    "INSERT INTO games VALUES (?, ?, ?, ?, ?) "
    "ON CONFLICT DO UPDATE SET how = min(how, excluded.how)"
)

_CYCLE: Final = "name, deck, size, cards, tricks, short_cards, short_tricks, lean, states"


def _cycle(row: Sequence[Any]) -> FoundCycle:
    """Return the cycle of a row of the columns above."""
    name, deck, size, cards, tricks, short_cards, short_tricks, lean, states = row
    return FoundCycle(name, deck, size, (cards, tricks), (short_cards, short_tricks), lean, states)


def _connect(path: str, read_only: bool = False) -> sqlite3.Connection:
    mode = "ro" if read_only else "rwc"
    connection = sqlite3.connect(
        f"{Path(path).absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None, timeout=30
    )
    if not read_only:
        # With a log, others can read meanwhile. What says which file this is stands in the file
        # itself: it was written before.
        connection.execute("PRAGMA journal_mode = WAL")
    # What is committed survives a loss of power, too.
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # A full disk may have rolled back already.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _told(path: str, error: Exception) -> BeggarError:
    return BeggarError(f"cannot use {quoted(path)}: {error}")


def _locked(path: str) -> IO[str]:
    """Lock a hunt for this process; the system unlocks it when the process is no more.

    Raises
    ------
    BeggarError
        If another process has it.
    """
    beside = _beside(path)
    while True:
        try:
            lock = open(beside, "a", encoding="utf-8")  # noqa: SIM115
        except OSError as error:
            raise BeggarError(f"cannot write {quoted(beside)}: {error.strerror}") from None
        try:
            _lock(lock)
        except OSError:
            lock.close()
            raise BeggarError(
                f"another process hunts into {quoted(path)}: expected to be the only one "
                f"('beggar hunt status' can be asked meanwhile)"
            ) from None
        try:
            # Whoever had it before may have removed the file that we waited for.
            if os.path.samestat(os.fstat(lock.fileno()), os.stat(beside)):
                return lock
        except FileNotFoundError:
            pass
        lock.close()


def _beside(path: str) -> str:
    """Return the name of the lock of a store, whatever links lead to it.

    It is a file of its own: closing a second handle of a database would unlock it for SQLite.
    """
    real = Path(os.path.realpath(path))
    return str(real.with_name(f".{real.name}.beggar-lock"))


def _lock(file: IO[str]) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _unlock(path: str, lock: IO[str]) -> None:
    # While it is still ours, so that nobody else's is removed; where that is not allowed, it stays.
    with suppress(OSError):
        os.unlink(_beside(path))
    lock.close()
