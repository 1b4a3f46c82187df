"""The form of the local store's file, as numbered steps that only go forward; SQL text alone, no driver.

`records` and `standings` are append-only, and triggers hold it: a row is written once, and the one change it may see is that its body is forgotten. `titles`,
`keys` and `words` are made from the bodies and can be rebuilt at any time. A step that was released is never edited; a new one is added behind it.
"""

APPLICATION_ID = 0x7275_6C64
"""`ruld`, in the file's header: tells a store from any other SQLite file."""

_FIRST = (
    """
    CREATE TABLE records (
        seq INTEGER PRIMARY KEY,
        kind TEXT NOT NULL CHECK (kind IN ('keep', 'forget')),
        digest TEXT NOT NULL,
        body BLOB,
        at TEXT,
        branch TEXT,
        salt BLOB,
        leaf TEXT NOT NULL,
        chain TEXT NOT NULL
    ) STRICT
    """,
    "CREATE UNIQUE INDEX records_by_digest ON records (digest, kind)",
    """
    CREATE TRIGGER records_are_never_deleted BEFORE DELETE ON records
    BEGIN SELECT RAISE(ABORT, 'records are append-only'); END
    """,
    """
    CREATE TRIGGER records_are_only_forgotten BEFORE UPDATE ON records
    WHEN NEW.body IS NOT NULL OR NEW.at IS NOT NULL OR NEW.branch IS NOT NULL OR NEW.salt IS NOT NULL OR OLD.kind <> 'keep'
        OR NEW.seq <> OLD.seq OR NEW.kind <> OLD.kind OR NEW.digest <> OLD.digest OR NEW.leaf <> OLD.leaf OR NEW.chain <> OLD.chain
    BEGIN SELECT RAISE(ABORT, 'records are append-only'); END
    """,
    "CREATE TABLE titles (seq INTEGER PRIMARY KEY, status TEXT NOT NULL, title TEXT NOT NULL, evidence TEXT NOT NULL) STRICT",
    """
    CREATE TABLE keys (
        kind TEXT NOT NULL,
        value TEXT NOT NULL,
        seq INTEGER NOT NULL,
        branch TEXT NOT NULL,
        PRIMARY KEY (kind, value, seq, branch)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX keys_by_seq ON keys (seq)",
    """CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = "unicode61 remove_diacritics 0 tokenchars '_./:@$-'")""",
    "CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
)

_STANDINGS = (
    """
    CREATE TABLE standings (
        seq INTEGER PRIMARY KEY,
        digest TEXT NOT NULL,
        body BLOB,
        salt BLOB,
        leaf TEXT NOT NULL,
        chain TEXT NOT NULL
    ) STRICT
    """,
    "CREATE INDEX standings_by_digest ON standings (digest, seq)",
    """
    CREATE TRIGGER standings_are_never_deleted BEFORE DELETE ON standings
    BEGIN SELECT RAISE(ABORT, 'standings are append-only'); END
    """,
    """
    CREATE TRIGGER standings_are_only_forgotten BEFORE UPDATE ON standings
    WHEN NEW.body IS NOT NULL OR NEW.salt IS NOT NULL OR NEW.seq <> OLD.seq OR NEW.digest <> OLD.digest OR NEW.leaf <> OLD.leaf OR NEW.chain <> OLD.chain
    BEGIN SELECT RAISE(ABORT, 'standings are append-only'); END
    """,
)

MIGRATIONS: tuple[tuple[str, ...], ...] = (_FIRST, _STANDINGS)
"""Step n brings a file from version n to n + 1."""

LAST = "SELECT seq, chain FROM records ORDER BY seq DESC LIMIT 1"
ROW = "SELECT seq, kind, digest, body, at, branch, salt, leaf, chain FROM records"
LAST_STANDING = "SELECT seq, chain FROM standings ORDER BY seq DESC LIMIT 1"
STANDING = "SELECT seq, digest, body, salt, leaf, chain FROM standings"
KEPT = """
    SELECT records.seq, records.digest, records.at, titles.status, titles.title, records.branch
    FROM records JOIN titles ON titles.seq = records.seq WHERE records.kind = 'keep' AND records.body IS NOT NULL
"""
FIND = """
    WITH asked (n, kind, value) AS (VALUES {places})
    SELECT asked.n, records.digest, keys.branch, titles.evidence
    FROM asked CROSS JOIN keys ON keys.kind = asked.kind AND keys.value = asked.value
    CROSS JOIN records ON records.seq = keys.seq CROSS JOIN titles ON titles.seq = keys.seq
    ORDER BY asked.n, keys.seq DESC, keys.branch
"""
COUNT = "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)"
SEARCH = """
    SELECT records.digest, -found.rank, titles.evidence
    FROM (
        SELECT rowid, rank FROM (SELECT rowid, rank FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ?) ORDER BY rank, rowid DESC LIMIT ?
    ) AS found
    JOIN records ON records.seq = found.rowid JOIN titles ON titles.seq = found.rowid ORDER BY found.rank, found.rowid DESC
"""
STRAYS = """
    SELECT (SELECT count(*) FROM keys WHERE seq NOT IN (SELECT seq FROM records WHERE body IS NOT NULL))
        + (SELECT count(*) FROM titles WHERE seq NOT IN (SELECT seq FROM records WHERE body IS NOT NULL))
        + (SELECT count(*) FROM words WHERE rowid NOT IN (SELECT seq FROM records WHERE body IS NOT NULL))
"""
