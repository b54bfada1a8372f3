//! One SQLite file with what users felt and what the server did. The only place that knows SQL.
//!
//! WAL with `synchronous=FULL`: a commit is on disk before it returns, so what was acknowledged survives a kill.
use crate::exchange::{Exchange, Phase};
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS turns (
    id TEXT PRIMARY KEY,
    revision INTEGER NOT NULL,
    started_at REAL NOT NULL,
    received_at INTEGER NOT NULL,
    context TEXT NOT NULL, -- the batch without its turns
    turn TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS turns_by_start ON turns (started_at);
CREATE INDEX IF NOT EXISTS turns_by_arrival ON turns (received_at);
CREATE TABLE IF NOT EXISTS server_requests (
    request_id TEXT PRIMARY KEY,
    trace_id TEXT NOT NULL,
    response_id TEXT,
    started_at INTEGER NOT NULL,
    format TEXT NOT NULL,
    model TEXT NOT NULL,
    status INTEGER NOT NULL,
    ending TEXT NOT NULL,
    headers_at REAL,
    phases TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS server_requests_by_trace ON server_requests (trace_id);
CREATE INDEX IF NOT EXISTS server_requests_by_response ON server_requests (response_id);
";

/// Readers don't wait for the writer: in WAL mode each has its own view.
#[derive(Debug)]
pub struct Store {
    writer: Mutex<Connection>,
    reader: Mutex<Connection>,
}

/// A turn as it was received.
#[derive(Clone, Debug)]
pub struct StoredTurn {
    pub received_at: u64,
    /// The batch without its turns.
    pub context: Value,
    pub turn: Value,
}

/// The server's view of a request, as it was kept.
#[derive(Clone, Debug)]
pub struct StoredExchange {
    pub request_id: String,
    pub model: String,
    pub status: u16,
    pub end: String,
    pub headers_at: Option<f64>,
    pub phases: Vec<Phase>,
}

/// What a page may know of a request; `EventSource` hides the headers from it.
#[derive(Clone, Copy, Debug)]
pub struct Ids<'a> {
    pub request: Option<&'a str>,
    pub trace: Option<&'a str>,
    pub response: Option<&'a str>,
}

impl Store {
    pub fn open(path: &Path) -> rusqlite::Result<Self> {
        if let Some(folder) = path.parent()
            && let Err(error) = std::fs::create_dir_all(folder)
        {
            eprintln!("demo-server: {}: {error}", folder.display());
        }
        let writer = connect(path)?;
        writer.execute_batch(SCHEMA)?;
        let reader = connect(path)?;
        reader.pragma_update(None, "query_only", true)?;
        Ok(Self { writer: Mutex::new(writer), reader: Mutex::new(reader) })
    }

    /// Keeps the highest revision of each turn; all of the batch or none. Returns the turns that were new or newer.
    pub fn save_batch(
        &self,
        context: &Value,
        turns: &[Value],
        received_at: u64,
    ) -> rusqlite::Result<Vec<usize>> {
        let mut writer = lock(&self.writer);
        let transaction = writer.transaction()?;
        let mut saved = Vec::new();
        {
            let mut upsert = transaction.prepare_cached(
                "INSERT INTO turns (id, revision, started_at, received_at, context, turn)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                 ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, started_at = excluded.started_at,
                     received_at = excluded.received_at, context = excluded.context, turn = excluded.turn
                 WHERE excluded.revision > turns.revision",
            )?;
            for (index, turn) in turns.iter().enumerate() {
                let changed = upsert.execute(params![
                    turn["id"].as_str(),
                    // A whole number may be written 2.0.
                    turn["revision"].as_f64().map(|revision| revision as u64),
                    turn["startedAt"].as_f64(),
                    received_at,
                    context.to_string(),
                    turn.to_string()
                ])?;
                if changed > 0 {
                    saved.push(index);
                }
            }
        }
        transaction.commit()?;
        Ok(saved)
    }

    pub fn save_exchange(&self, exchange: &Exchange) -> rusqlite::Result<()> {
        let phases = serde_json::to_string(&exchange.phases).unwrap_or_default();
        lock(&self.writer).execute(
            "INSERT OR REPLACE INTO server_requests VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            params![
                exchange.request_id,
                exchange.trace_id,
                exchange.response_id,
                exchange.started_at,
                exchange.format.name(),
                exchange.model,
                exchange.status,
                exchange.end,
                exchange.headers_at,
                phases
            ],
        )?;
        Ok(())
    }

    /// The turns that started in `[from, to)`, newest first.
    pub fn turns_between(&self, from: f64, to: f64, limit: usize) -> rusqlite::Result<Vec<StoredTurn>> {
        self.turns(
            "SELECT received_at, context, turn FROM turns WHERE started_at >= ?1 AND started_at < ?2
             ORDER BY started_at DESC LIMIT ?3",
            params![from, to, limit],
        )
    }

    /// The turns that arrived since then, newest first; only the one with this id, if one is given.
    pub fn turns_since(
        &self,
        since: u64,
        id: Option<&str>,
        limit: usize,
    ) -> rusqlite::Result<Vec<StoredTurn>> {
        self.turns(
            "SELECT received_at, context, turn FROM turns WHERE received_at >= ?1 AND (?2 IS NULL OR id = ?2)
             ORDER BY received_at DESC, started_at DESC LIMIT ?3",
            params![since, id, limit],
        )
    }

    /// The request that one of these ids names, the surest first.
    pub fn exchange(&self, ids: &Ids<'_>) -> rusqlite::Result<Option<StoredExchange>> {
        let reader = lock(&self.reader);
        let mut select = reader.prepare_cached(
            "SELECT request_id, model, status, ending, headers_at, phases FROM server_requests
             WHERE request_id = ?1 OR trace_id = ?2 OR response_id = ?3
             ORDER BY request_id = ?1 DESC, trace_id = ?2 DESC LIMIT 1",
        )?;
        let row = select.query_row([ids.request, ids.trace, ids.response], |row| {
            Ok(StoredExchange {
                request_id: row.get(0)?,
                model: row.get(1)?,
                status: row.get(2)?,
                end: row.get(3)?,
                headers_at: row.get(4)?,
                phases: serde_json::from_str(&row.get::<_, String>(5)?).unwrap_or_default(),
            })
        });
        row.optional()
    }

    fn turns(&self, sql: &str, params: impl rusqlite::Params) -> rusqlite::Result<Vec<StoredTurn>> {
        let reader = lock(&self.reader);
        let mut select = reader.prepare_cached(sql)?;
        let rows = select.query_map(params, |row| {
            Ok(StoredTurn {
                received_at: row.get(0)?,
                context: serde_json::from_str(&row.get::<_, String>(1)?).unwrap_or_default(),
                turn: serde_json::from_str(&row.get::<_, String>(2)?).unwrap_or_default(),
            })
        })?;
        rows.collect()
    }
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    Ok(connection)
}

/// A panic elsewhere leaves no half-done state behind: transactions roll back.
fn lock(connection: &Mutex<Connection>) -> MutexGuard<'_, Connection> {
    connection.lock().unwrap_or_else(PoisonError::into_inner)
}
