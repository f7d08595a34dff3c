//! Ports for programs that can neither report the port they were given nor inherit an open socket: bitcoind,
//! ord, ministack.

use std::{
    fs::{self, File},
    net::{Ipv4Addr, TcpListener},
    path::{Path, PathBuf},
};

use base::random::{Random, SystemSource};
use rustix::process::getuid;

use crate::base::failure::{Context, Failure, Result};

/// The first port of the range, and the number of its ports. The range is below the ports that systems assign
/// themselves (Linux: from 32768; macOS and IANA: from 49152), so only a program that asks for a specific
/// port takes one of these.
const FIRST: u16 = 20_000;
const COUNT: u16 = 10_000;
/// How many ports are tried: far more than programs ever use at a time.
const TRIES: usize = 1_000;
/// The folder with the reservations of all programs, including those that have their own folder for temporary
/// files.
const SHARED: &str = "/tmp";

/// A loopback port that no other program started from this user's clones takes until it is dropped.
#[derive(Debug)]
pub struct Port {
    number: u16,
    /// A locked file; the system unlocks it at the latest when this process ends.
    _lock: File,
}

impl Port {
    /// Reserves a port that is free now.
    ///
    /// # Errors
    /// No port is free, or there is no folder for reservations.
    pub fn reserve() -> Result<Self> {
        let folder = folder()?;
        let random: &dyn Random = &SystemSource;
        let any = || u16::try_from(random.up_to(u64::from(COUNT.saturating_sub(1)))).ok();
        let mut tries = (0..TRIES).filter_map(|_| Some(FIRST.saturating_add(any()?)));
        let reserved = tries.find_map(|number| Self::try_reserve(&folder, number));
        reserved.ok_or_else(|| Failure::new("no port is free"))
    }

    fn try_reserve(folder: &Path, number: u16) -> Option<Self> {
        let lock = File::create(folder.join(number.to_string())).ok()?;
        lock.try_lock().ok()?;
        // A program that reserves no ports may use it.
        TcpListener::bind((Ipv4Addr::LOCALHOST, number)).ok()?;
        Some(Self { number, _lock: lock })
    }

    /// Its number.
    pub fn number(&self) -> u16 {
        self.number
    }
}

/// The folder of this user's reservations.
fn folder() -> Result<PathBuf> {
    let folder = Path::new(SHARED).join(format!("runeport-ports-{}", getuid().as_raw()));
    fs::create_dir_all(&folder).context("ports")?;
    Ok(folder)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_reserved_port_is_not_reserved_again() {
        let port = Port::reserve().unwrap();
        assert!((FIRST..FIRST.saturating_add(COUNT)).contains(&port.number()));
        assert!(Port::try_reserve(&folder().unwrap(), port.number()).is_none());
        // The program for which it is reserved can bind it.
        TcpListener::bind((Ipv4Addr::LOCALHOST, port.number())).unwrap();
    }

    #[test]
    fn a_port_that_another_program_has_is_left_out() {
        let port = Port::reserve().unwrap();
        let number = port.number();
        let _taken = TcpListener::bind((Ipv4Addr::LOCALHOST, number)).unwrap();
        drop(port);
        assert!(Port::try_reserve(&folder().unwrap(), number).is_none());
    }
}
