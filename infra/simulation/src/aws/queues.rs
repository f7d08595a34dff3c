//! SQS in memory, with its dead letters, as Lambda's event source mapping reads it.

use std::collections::BTreeMap;

use local::template::Queue as Declared;
use serde_json::{Value, json};

use super::{done, refused};
use crate::{
    choice::Choices,
    wire::{Arrived, Host, Reply},
};

/// A message.
#[derive(Clone, Debug)]
pub struct Message {
    /// Its number.
    pub id: u64,
    /// Its body.
    pub body: String,
    /// How often it was received.
    pub receives: u32,
    /// When it becomes visible, in ms.
    visible_at: i64,
    /// Changes with every receive.
    pub receipt: u64,
}

/// A queue.
#[derive(Debug, Default)]
struct Queue {
    messages: BTreeMap<u64, Message>,
    /// How long a received message is hidden, in ms.
    hidden_ms: i64,
    /// The queue to which messages move after this many receives.
    dead_letters: Option<(String, u32)>,
}

/// The queues.
#[derive(Debug, Default)]
pub struct Queues {
    queues: BTreeMap<String, Queue>,
    next: u64,
    /// Every body that was ever accepted, by queue.
    accepted: Vec<(String, String)>,
}

fn name_of(url: &str) -> &str {
    url.rsplit(['/', ':']).next().unwrap_or_default()
}

impl Queues {
    /// Empty queues.
    pub fn new(declared: &[Declared]) -> Self {
        let queues = declared.iter().map(|queue| {
            let attribute = |name: &str| queue.attributes.get(name).map(String::as_str);
            let hidden = attribute("VisibilityTimeout").and_then(|text| text.parse::<i64>().ok());
            let policy = attribute("RedrivePolicy").map(serde_json::from_str::<Value>);
            let dead_letters = policy.and_then(Result::ok).map(|policy| {
                let target = policy["deadLetterTargetArn"].as_str().unwrap_or_default();
                let most = &policy["maxReceiveCount"];
                let most = most.as_u64().or_else(|| most.as_str()?.parse().ok());
                let most = most.and_then(|most| u32::try_from(most).ok());
                (name_of(target).to_owned(), most.expect("a redrive policy has a count"))
            });
            let hidden_ms = hidden.unwrap_or(30) * 1000;
            let state = Queue { messages: BTreeMap::new(), hidden_ms, dead_letters };
            (queue.name.clone(), state)
        });
        Self { queues: queues.collect(), ..Self::default() }
    }

    fn queue(&mut self, url: &str) -> &mut Queue {
        let name = name_of(url);
        self.queues.get_mut(name).unwrap_or_else(|| panic!("there is no queue {name}"))
    }

    fn add(&mut self, url: &str, body: &str, now: i64) -> u64 {
        self.next += 1;
        let id = self.next;
        let message =
            Message { id, body: body.to_owned(), receives: 0, visible_at: now, receipt: 0 };
        self.queue(url).messages.insert(id, message);
        id
    }

    /// Queues a message from inside AWS, such as a schedule's.
    pub fn put(&mut self, url: &str, body: &str, now: i64) {
        self.add(url, body, now);
    }

    /// Receives visible messages. Some become visible again after a second, so they are delivered twice.
    pub fn receive(
        &mut self,
        url: &str,
        most: usize,
        now: i64,
        (repeated, choices): (u64, &mut Choices),
    ) -> Vec<Message> {
        let mut next = self.next;
        let (mut received, mut dead) = (Vec::new(), Vec::new());
        let queue = self.queue(url);
        for message in queue.messages.values_mut() {
            if message.visible_at > now || received.len() >= most {
                continue;
            }
            if let Some((target, most)) = &queue.dead_letters
                && message.receives >= *most
            {
                dead.push((message.id, target.clone(), message.body.clone()));
                continue;
            }
            next += 1;
            message.receives += 1;
            message.receipt = next;
            let again = choices.happens("sqs/repeat", repeated);
            message.visible_at = if again { now + 1_000 } else { now + queue.hidden_ms };
            received.push(message.clone());
        }
        self.next = next;
        for (id, target, body) in dead {
            self.queue(url).messages.remove(&id);
            self.add(&target, &body, now);
        }
        received
    }

    /// Deletes a message that was handled.
    pub fn delete(&mut self, url: &str, id: u64) {
        self.queue(url).messages.remove(&id);
    }

    /// The messages in a queue.
    pub fn messages(&mut self, url: &str) -> Vec<Message> {
        self.queue(url).messages.values().cloned().collect()
    }

    /// The number of messages that can be received now.
    pub fn waiting(&mut self, url: &str, now: i64) -> usize {
        self.queue(url).messages.values().filter(|message| message.visible_at <= now).count()
    }

    /// The bodies of all messages that a queue ever accepted, without dead letters.
    pub fn accepted(&self, url: &str) -> impl Iterator<Item = &str> {
        let name = name_of(url).to_owned();
        let of_queue = move |(queue, _): &&(String, String)| *queue == name;
        self.accepted.iter().filter(of_queue).map(|(_, body)| body.as_str())
    }

    /// The name of a queue's dead letters.
    pub fn dead_letters(&mut self, url: &str) -> Option<String> {
        self.queue(url).dead_letters.as_ref().map(|(name, _)| name.clone())
    }
}

impl Host for Queues {
    fn handle(&mut self, arrived: &Arrived, _choices: &mut Choices) -> Reply {
        let request: Value = serde_json::from_slice(&arrived.body).expect("a request is JSON");
        let url = request["QueueUrl"].as_str().expect("a request names its queue").to_owned();
        match arrived.operation() {
            "SendMessageBatch" => {
                let entries = request["Entries"].as_array().cloned().unwrap_or_default();
                let sent: Vec<_> = entries
                    .iter()
                    .map(|entry| {
                        let body = entry["MessageBody"].as_str().expect("a message has a body");
                        self.accepted.push((name_of(&url).to_owned(), body.to_owned()));
                        let id = self.add(&url, body, arrived.at);
                        json!({ "Id": entry["Id"], "MessageId": id.to_string(), "MD5OfMessageBody": "" })
                    })
                    .collect();
                done(&json!({ "Successful": sent, "Failed": [] }))
            }
            "ChangeMessageVisibility" => {
                let receipt = request["ReceiptHandle"].as_str().and_then(|text| text.parse().ok());
                let seconds = request["VisibilityTimeout"].as_i64().unwrap_or_default();
                let queue = self.queue(&url);
                let message = queue
                    .messages
                    .values_mut()
                    .find(|message| Some(message.receipt) == receipt && message.receipt > 0);
                match message {
                    Some(message) => {
                        message.visible_at = arrived.at + seconds * 1000;
                        done(&json!({}))
                    }
                    None => refused("com.amazonaws.sqs#MessageNotInflight", "not in flight"),
                }
            }
            operation => panic!("the model of SQS does not know {operation}"),
        }
    }

    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }
}
