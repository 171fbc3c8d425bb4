//! Many sessions in one log, told apart by a field of each line: each is a log of its own, judged by itself.
//!
//! A `reset` of a session ends it, so that memory does not grow with the log. So many are open at once; later ones are counted and not judged.

use super::Watch;
use interplay_answers::LogNote;
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// So many at once, unless somebody says otherwise.
const MOST: usize = 10_000;
/// More sessions without room are not told apart.
const MOST_IGNORED: usize = 1_000_000;

#[derive(Clone)]
pub(super) struct Sessions {
    /// `peer`, or `args.user` for a field inside another.
    field: Vec<String>,
    most: usize,
    open: BTreeMap<Arc<str>, Watch>,
    /// So many there were.
    count: u64,
    /// Hashes of those for which there was no room.
    ignored: BTreeSet<u64>,
}

impl Sessions {
    pub(super) fn new(field: &str, most: Option<usize>) -> Sessions {
        let field = field.split('.').map(Into::into).collect();
        Sessions { field, most: most.unwrap_or(MOST), open: BTreeMap::new(), count: 0, ignored: BTreeSet::new() }
    }

    /// The session of a line.
    fn key(&self, fields: &Map<String, Json>) -> Option<Arc<str>> {
        let (first, inner) = self.field.split_first()?;
        let found = inner.iter().try_fold(fields.get(first)?, |json, name| json.get(name))?;
        Some(match found {
            Json::String(text) => text.as_str().into(),
            other => other.to_string().into(),
        })
    }
}

impl Watch {
    /// Judges a line in its session. The line was counted here, and is counted there instead.
    pub(super) fn feed_session(
        &mut self,
        mut sessions: Sessions,
        fields: Result<Map<String, Json>, String>,
        last: bool,
    ) -> Vec<LogNote> {
        let notes = match fields {
            Err(_) => self.feed_fields(fields, last),
            Ok(fields) => self.route(&mut sessions, fields, last),
        };
        self.sessions = Some(sessions);
        notes
    }

    fn route(&mut self, sessions: &mut Sessions, fields: Map<String, Json>, last: bool) -> Vec<LogNote> {
        let resets = fields.get("type").and_then(Json::as_str) == Some("reset");
        let Some(key) = sessions.key(&fields) else {
            if resets {
                std::mem::take(&mut sessions.open).values().for_each(|session| self.absorb(session));
                return Vec::new();
            }
            let field = sessions.field.join(".");
            return self.broken(format!("this line has no `{field}`, so its session is unknown (--for-each)"));
        };
        if resets && let Some(ended) = sessions.open.remove(&key) {
            self.absorb(&ended);
        }
        if resets && !fields.contains_key("state") {
            return Vec::new();
        }
        if !sessions.open.contains_key(&key) {
            if sessions.open.len() >= sessions.most {
                let mut hasher = DefaultHasher::new();
                key.hash(&mut hasher);
                if sessions.ignored.len() < MOST_IGNORED {
                    sessions.ignored.insert(hasher.finish());
                }
                return Vec::new();
            }
            let mut session = match self.fork() {
                Ok(session) => session,
                Err(error) => return self.broken(error.to_string()),
            };
            session.session = Some(key.clone());
            session.connection = self.connection;
            session.summary.from = None;
            sessions.count += 1;
            sessions.open.insert(key.clone(), session);
        }
        let Some(session) = sessions.open.get_mut(&key) else { return Vec::new() };
        // Its lines are numbered as in the whole log.
        session.before = self.before + self.summary.lines - session.summary.lines - 1;
        session.summary.lines += 1;
        let notes = session.feed_fields(Ok(fields), last);
        self.summary.cut |= session.is_cut();
        notes
    }

    /// What a session shows counts here; its lines were counted already.
    fn absorb(&mut self, session: &Watch) {
        let lines = self.summary.lines;
        self.add(session);
        self.summary.lines = lines;
    }

    /// All sessions as one.
    pub(super) fn together(&self) -> Watch {
        let mut all = self.clone();
        if let Some(sessions) = all.sessions.take() {
            sessions.open.values().for_each(|session| all.absorb(session));
            all.summary.sessions = Some((sessions.count, sessions.ignored.len() as u64));
        }
        all
    }

    /// What each session has to be known by to go on.
    pub(super) fn save_sessions(&self) -> Json {
        let Some(sessions) = &self.sessions else { return Json::Null };
        let saved = sessions.open.iter().map(|(key, session)| (key.to_string(), session.save()));
        let mut ignored: Vec<u64> = sessions.ignored.iter().copied().collect();
        ignored.sort();
        json!({ "open": saved.collect::<Map<_, _>>(), "count": sessions.count, "ignored": ignored })
    }

    pub(super) fn restore_sessions(&mut self, saved: &Json) -> Result<(), String> {
        let Some(mut sessions) = self.sessions.take() else {
            return if saved.is_null() { Ok(()) } else { Err("it has sessions (--for-each)".into()) };
        };
        let open = saved.get("open").and_then(Json::as_object).ok_or("it has no sessions (--for-each)")?;
        for (key, saved) in open {
            let mut session = self.fork().map_err(|error| error.to_string())?;
            session.restore(saved)?;
            session.session = Some(key.as_str().into());
            sessions.open.insert(key.as_str().into(), session);
        }
        sessions.count = saved.get("count").and_then(Json::as_u64).unwrap_or(0);
        let ignored = saved.get("ignored").and_then(Json::as_array);
        sessions.ignored = ignored.into_iter().flatten().filter_map(Json::as_u64).collect();
        self.sessions = Some(sessions);
        Ok(())
    }
}
