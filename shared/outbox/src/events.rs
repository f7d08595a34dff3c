//! Events as clients read them: one page of a numbered list, and when to ask again. Webhooks and sockets carry the same
//! [`EventItem`]s.

use base::clock::Timestamp;
use serde::Serialize;
use shared::{
    core::Core,
    events::{self, Event, EventsError},
    http::{Error, OkWith, Result},
    input::{Fields, Input},
    keys::EventList,
    models::event::{EventState, EventType, StateChange},
    problem::{Params, Problem},
};
use utoipa::{IntoParams, ToSchema};

/// The most events of an answer.
const MOST: u32 = 100;
/// After how many ms a list that has been read to its end may have another event.
const POLL_AFTER_MS: u32 = 5_000;

/// Query of a list of events.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct EventsQuery {
    /// Only events after the one with this number: `metaData.next` of the previous response, or 0. Without it,
    /// the list begins with the oldest event that is kept.
    #[param(value_type = Option<u64>, minimum = 0)]
    after: Option<u64>,
    /// The maximum number of events in the response; 100 by default.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100)]
    limit: u32,
    /// Only events of these types, separated by comma or space.
    #[param(value_type = Option<String>, max_length = 400)]
    types: Vec<EventType>,
}

impl Input for EventsQuery {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let after = fields.optional_parsed("after", 20);
        let limit = fields.optional_parsed("limit", 10);
        let limit = fields.in_range("limit", limit, 1..=MOST);
        let types = fields.optional_text("types", 400);
        let types = types.and_then(|types| {
            let types = types.unwrap_or_default();
            let names = types.split([',', ' ']).filter(|name| !name.is_empty());
            let types = names.map(str::parse).collect::<std::result::Result<_, _>>();
            types.map_err(|error: String| fields.wrong::<()>("types", error)).ok()
        });
        Some(Self { after: after?, limit: limit?.unwrap_or(MOST), types: types? })
    }
}

/// The data of an event: the id of the item that changed, and its state before and after.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventData {
    /// The transaction: its txid or, for a swap, the hash of its intent.
    #[serde(skip_serializing_if = "Option::is_none")]
    tx_id: Option<String>,
    /// The export.
    #[serde(skip_serializing_if = "Option::is_none")]
    export_id: Option<String>,
    /// The session. Missing if all sessions ended together, except for the one in which a credential was
    /// changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<String>,
    /// The mint.
    #[serde(skip_serializing_if = "Option::is_none")]
    mint_id: Option<String>,
    /// The deposit.
    #[serde(skip_serializing_if = "Option::is_none")]
    deposit_id: Option<String>,
    /// The height of the block that has the coins.
    #[serde(skip_serializing_if = "Option::is_none")]
    block_height: Option<u32>,
    /// The state before the event; null if the item is new. For `vmBlock.filled`, a number of virtual blocks.
    #[schema(required = true)]
    before: Option<EventState>,
    /// The state after the event. For `vmBlock.filled`, a number of virtual blocks, lower than before if a
    /// reorganisation has emptied some.
    after: EventState,
}

impl From<StateChange> for EventData {
    fn from(StateChange { kind, subject, before, after }: StateChange) -> Self {
        let (mut tx_id, mut export_id, mut session_id) = (None, None, None);
        let (mut mint_id, mut deposit_id, mut block_height) = (None, None, None);
        let id = match kind {
            EventType::Transaction
            | EventType::Xchain
            | EventType::VmTransaction
            | EventType::Refund => &mut tx_id,
            EventType::ExportCompleted | EventType::ExportFailed => &mut export_id,
            EventType::SessionEnded => &mut session_id,
            EventType::VmBlock | EventType::Mint => &mut mint_id,
            EventType::DepositSeen | EventType::DepositConfirmed => &mut deposit_id,
            EventType::RenewalAdvised | EventType::RenewalNeeded => {
                block_height = subject.parse().ok();
                &mut None
            }
        };
        *id = Some(subject).filter(|subject| !subject.is_empty());
        Self { tx_id, export_id, session_id, mint_id, deposit_id, block_height, before, after }
    }
}

/// An event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventItem {
    /// The id of the event, unique in the service.
    id: String,
    /// The number of the event in its list: 1, 2, 3, without gaps.
    #[schema(minimum = 1)]
    sequence: u64,
    r#type: EventType,
    /// When the event was written, ms since the epoch. Events are ordered by number: the times of two events
    /// written concurrently may be in another order.
    timestamp: Timestamp,
    data: EventData,
}

impl EventItem {
    /// An event of a list.
    pub fn of(list: &EventList, Event { sequence, at, change }: Event) -> Self {
        let (r#type, id) = (change.kind, format!("{}-{sequence}", list.name().replace('#', "-")));
        Self { id, sequence, r#type, timestamp: at, data: change.into() }
    }

    /// Its id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Its number in its list.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// Its type.
    pub fn kind(&self) -> EventType {
        self.r#type
    }
}

/// The position in the list at which a response ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventsMeta {
    /// Send it as `after` in the next request. If it equals `newest`, the response reaches the end of the list.
    next: u64,
    /// The number of the newest event; 0 if there has been none.
    newest: u64,
    /// The number of the oldest event that is kept; one more than `newest` if no event is kept.
    oldest: u64,
    /// The number of ms after which to poll again; 0 if there are more events.
    poll_after_ms: u32,
}

/// A page of events.
pub type EventsAnswer = OkWith<Vec<EventItem>, EventsMeta>;

/// The answer to a query of a list of events; `None` if the list has never had one.
///
/// # Errors
/// [`Problem::EventsTooOld`] if an event that the client lacks has been deleted; [`Problem::Validation`] if
/// no event has had the number it asks after; [`Problem::Unavailable`] or [`Problem::Internal`] if the store
/// fails.
pub async fn answer(
    app: &Core,
    list: &EventList,
    query: &EventsQuery,
) -> Result<Option<EventsAnswer>> {
    let limit = usize::try_from(query.limit).unwrap_or(usize::MAX);
    let page = match events::read(&app.store, list, query.after, limit, &query.types).await {
        Ok(Some(page)) => page,
        Ok(None) => return Ok(None),
        Err(error) => return Err(refused(error, "after")),
    };
    let poll_after_ms = if page.next == page.newest { POLL_AFTER_MS } else { 0 };
    let meta =
        EventsMeta { next: page.next, newest: page.newest, oldest: page.oldest, poll_after_ms };
    let events = page.events.into_iter().map(|event| EventItem::of(list, event));
    Ok(Some(OkWith::all(events.collect(), meta)))
}

/// The answer for a list that has never had an event.
///
/// # Errors
/// [`Problem::Validation`] if no event has had that number.
pub fn none_yet(query: &EventsQuery) -> Result<EventsAnswer> {
    if query.after.is_some_and(|after| after > 0) {
        return Err(refused(EventsError::NotYet { newest: 0 }, "after"));
    }
    let meta = EventsMeta { next: 0, newest: 0, oldest: 1, poll_after_ms: POLL_AFTER_MS };
    Ok(OkWith::all(Vec::new(), meta))
}

/// The error of a request for events that cannot be read; `field` has the number that it asked for.
pub fn refused(error: EventsError, field: &str) -> Error {
    match error {
        EventsError::TooOld { oldest, .. } => {
            let params = Params::new().number("oldest", oldest);
            Error::with_details(Problem::EventsTooOld, error.to_string()).with_params(params)
        }
        EventsError::NotYet { newest } => {
            Error::field(field, error).with_params(Params::new().number("newest", newest))
        }
        EventsError::Store(error) => error.into(),
    }
}
