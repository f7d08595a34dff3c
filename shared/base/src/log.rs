//! What is logged.

use tracing_subscriber::filter::{LevelFilter, Targets};

crate::section! {
    /// What is logged.
    pub struct LogConfig {
        /// How much is logged: `info` is one line per request; also `<target>=<level>`, comma separated, for a
        /// crate or module such as `shared::http`
        pub filter: Targets = "RUST_LOG" or "error" via filter,
    }
}

/// Reads what is to be logged: one level of everything, `error` where none is said, and levels of single
/// targets (`<target>=<level>`), comma separated. Nothing turns errors off: alarms count them. Targets
/// whose errors a client causes log nothing.
///
/// # Errors
/// A text for the operator if a part is neither, or a second part is a level of everything.
pub fn filter(text: &str) -> Result<Targets, String> {
    let mut all = None;
    let mut filter = Targets::new();
    for part in text.split(',').map(str::trim) {
        let (target, level) = match part.split_once('=') {
            Some((target, level)) => (Some(target.trim()), level.trim()),
            None => (None, part),
        };
        let level = match level {
            "error" => LevelFilter::ERROR,
            "warn" => LevelFilter::WARN,
            "info" => LevelFilter::INFO,
            "debug" => LevelFilter::DEBUG,
            "trace" => LevelFilter::TRACE,
            _ => return Err(format!("{part:?} has no level (error, warn, info, debug or trace)")),
        };
        match target {
            Some("") => return Err(format!("{part:?} names no target")),
            // Targets are named after crates, in whose names `-` is `_`.
            Some(target) => filter = filter.with_target(target.replace('-', "_"), level),
            None if all.replace(level).is_some() => {
                return Err(format!("{part:?} is a second level of everything"));
            }
            None => {}
        }
    }
    let filter = filter.with_default(all.unwrap_or(LevelFilter::ERROR));
    Ok(MUTE.iter().fold(filter, |filter, target| filter.with_target(*target, LevelFilter::OFF)))
}

/// Targets that log the faults of clients' requests as errors: any client could raise an alarm, and put text
/// into the log. A passkey that the library refuses is an answer, not a fault.
const MUTE: [&str; 1] = ["webauthn_rs_core"];

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    #[test]
    fn what_is_logged_is_said_by_levels() {
        use tracing::Level;
        for (text, shared, others) in [
            ("error", Level::ERROR, Level::ERROR),
            ("info", Level::INFO, Level::INFO),
            ("warn, shared=debug", Level::DEBUG, Level::WARN),
            ("shared = info", Level::INFO, Level::ERROR),
            ("shared::http=trace,mail-worker=warn", Level::TRACE, Level::ERROR),
        ] {
            let filter = super::filter(text).unwrap();
            for (target, most) in [("shared::http", shared), ("hyper", others)] {
                let levels = [Level::ERROR, Level::WARN, Level::INFO, Level::DEBUG, Level::TRACE];
                for level in levels {
                    let logs = filter.would_enable(target, &level);
                    assert_eq!(logs, level <= most, "{text}: {target} {level}");
                }
            }
        }
        let worker = super::filter("mail-worker=info").unwrap();
        assert!(worker.would_enable("mail_worker::delivery", &Level::INFO));
    }

    #[test]
    fn what_a_client_sends_is_logged_as_no_error() {
        for text in ["error", "trace", "webauthn_rs_core=trace"] {
            let filter = super::filter(text).unwrap();
            for target in ["webauthn_rs_core::core", "webauthn_rs_core::internals"] {
                assert!(!filter.would_enable(target, &tracing::Level::ERROR), "{text}: {target}");
            }
        }
    }

    #[test]
    fn what_is_no_level_is_refused() {
        for text in ["verbose", "info,", "shared=all", "off", "=debug", "info,warn"] {
            assert!(super::filter(text).is_err(), "{text}");
        }
    }
}
