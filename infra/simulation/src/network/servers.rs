//! The hosts: several Esplora servers behind one address, and ord.

use std::any::Any;

use bitcoin_model::{
    esplora,
    face::{Answer, Request},
    ord,
};
use http::StatusCode;

use super::Shared;
use crate::{
    choice::Choices,
    wire::{Arrived, Host, Reply},
};

/// Several servers behind one address; each call reaches any of them.
pub struct EsploraServers(pub Shared);

/// An ord server.
pub struct OrdServer(pub Shared);

fn reply(answer: Answer) -> Reply {
    let status = StatusCode::from_u16(answer.status).expect("a status");
    Reply::text(status, answer.content_type, answer.body)
}

/// Path and query of a call.
fn target(arrived: &Arrived) -> String {
    match arrived.query.as_str() {
        "" => arrived.path.clone(),
        query => format!("{}?{query}", arrived.path),
    }
}

impl Host for EsploraServers {
    fn handle(&mut self, arrived: &Arrived, choices: &mut Choices) -> Reply {
        let mut world = self.0.lock();
        let server = world.any_server(choices);
        let path = target(arrived);
        let answer = match (arrived.method.as_str(), path.as_str()) {
            ("POST", "/tx") => world.broadcast(server, arrived, choices),
            ("GET", "/fee-estimates") => esplora::fee_estimates(&world.estimates(), &[]),
            (method, path) => {
                let request = Request { method, path, body: &arrived.body };
                esplora::answer(&world.esplora_view(server), &request)
            }
        };
        world.note_missed(&path, &answer, arrived);
        reply(answer)
    }

    fn is_unreliable(&self) -> bool {
        self.0.lock().is_unsettled()
    }

    fn as_any(&mut self) -> &mut dyn Any {
        self
    }
}

impl Host for OrdServer {
    fn handle(&mut self, arrived: &Arrived, _choices: &mut Choices) -> Reply {
        let (world, path) = (self.0.lock(), target(arrived));
        let request = Request { method: arrived.method.as_str(), path: &path, body: &arrived.body };
        reply(ord::answer(&world.ord_view(), &request))
    }

    fn is_unreliable(&self) -> bool {
        self.0.lock().is_unsettled()
    }

    fn as_any(&mut self) -> &mut dyn Any {
        self
    }
}
