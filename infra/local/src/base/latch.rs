//! Holds work back until a test releases it, so that the test decides the order of events.

use tokio::sync::watch;

/// Holds every task that arrives, until it is opened; afterwards it holds none. Clones are the same latch.
#[derive(Clone, Debug)]
pub struct Latch {
    held: watch::Sender<usize>,
    is_open: watch::Sender<bool>,
}

impl Default for Latch {
    fn default() -> Self {
        Self { held: watch::Sender::new(0), is_open: watch::Sender::new(false) }
    }
}

/// A held task.
struct Held<'a>(&'a watch::Sender<usize>);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|held| *held = held.saturating_sub(1));
    }
}

impl Latch {
    /// Waits until the latch is open.
    pub async fn pass(&self) {
        let mut opening = self.is_open.subscribe();
        if *opening.borrow() {
            return;
        }
        self.held.send_modify(|held| *held = held.saturating_add(1));
        let _held = Held(&self.held);
        // This struct owns the sender, so the wait cannot fail.
        let _ = opening.wait_for(|is_open| *is_open).await;
    }

    /// Waits until `count` tasks are held at the same time.
    pub async fn holds(&self, count: usize) {
        // As above.
        let _ = self.held.subscribe().wait_for(|held| *held >= count).await;
    }

    /// Number of tasks that are held now.
    pub fn held(&self) -> usize {
        *self.held.borrow()
    }

    /// Releases all tasks.
    pub fn open(&self) {
        self.is_open.send_replace(true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_latch_holds_everybody_until_it_is_opened() {
        let latch = Latch::default();
        let both = async { tokio::join!(latch.pass(), latch.pass()) };
        let opening = async {
            latch.holds(2).await;
            assert_eq!(latch.held(), 2);
            latch.open();
        };
        tokio::join!(both, opening);
        latch.pass().await;
        assert_eq!(latch.held(), 0);
    }
}
