//! What writes have to say to others.

use std::{any::Any, fmt, sync::Arc};

/// What writes have to say to others. An [`Announcer`](crate::Announcer) makes further writes of it, in the
/// same commit.
#[derive(Clone)]
pub struct Notice(Arc<dyn Any + Send + Sync>);

impl Notice {
    /// A notice with this content.
    pub fn new<T: Any + Send + Sync>(content: T) -> Self {
        Self(Arc::new(content))
    }

    /// Its content, if that is a `T`.
    pub fn content<T: Any>(&self) -> Option<&T> {
        self.0.downcast_ref()
    }
}

impl fmt::Debug for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Notice")
    }
}
