//! What functions with routes need: the check of access tokens, CORS, and CloudFront in front.

use std::{ops::Deref, sync::Arc};

use base::section;

use super::{
    cors::{AllowedOrigin, allowed_origins},
    edge::{Edge, EdgeConfig},
};
use crate::{
    core::Core,
    crypto::{
        signing::{PublicKeys, PublicKeysConfig},
        token::{TokenConfig, Tokens},
    },
};

section! {
    /// The pages that may call from a browser.
    pub struct CorsConfig {
        /// Origins that browsers may call from, comma separated; `https://app-*-team.example.app` and
        /// `https://*.preview.example.com` are patterns for previews, `http://localhost:*` is every port of
        /// the user's machine
        pub origins: Vec<AllowedOrigin> = "CORS_ORIGINS" or "" via allowed_origins,
    }
}

/// The settings of a [`Ingress`], in addition to those of its core.
pub type IngressConfig = (PublicKeysConfig, TokenConfig, CorsConfig, EdgeConfig);

/// Everything that a request passes before its handler. Cloning is cheap.
#[derive(Clone)]
pub struct Ingress(Arc<Parts>);

/// The parts of a [`Ingress`].
pub struct Parts {
    core: Core,
    /// Verifies access tokens.
    pub tokens: Arc<Tokens>,
    /// Origins that browsers may call from.
    pub cors_origins: Vec<AllowedOrigin>,
    /// CloudFront, if it is in front.
    pub edge: Option<Arc<Edge>>,
}

impl Deref for Ingress {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl Deref for Parts {
    type Target = Core;

    fn deref(&self) -> &Core {
        &self.core
    }
}

impl Ingress {
    /// The gate with these settings.
    pub fn new(core: Core, (keys, tokens, cors, edge): IngressConfig) -> Self {
        let keys =
            PublicKeys::new(core.aws.clone(), keys, core.outbound.clone(), core.clock.clone());
        let tokens = Tokens::new(tokens, keys, core.clock.clone(), core.random.clone());
        let edge = Edge::new(&core, edge);
        Self(Arc::new(Parts { core, tokens: Arc::new(tokens), cors_origins: cors.origins, edge }))
    }
}
