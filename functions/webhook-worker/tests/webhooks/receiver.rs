//! A receiver whose behaviour tests choose.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use local::Latch;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
    time::sleep,
};

/// What a receiver does with a request.
#[derive(Clone, Debug)]
pub(crate) enum Mood {
    /// Answers with this text, head and body.
    Says(String),
    /// Answers 200 and returns the body of the request.
    Echoes,
    /// Answers late.
    Late(Duration),
    /// Answers with this text once the latch is open.
    Held(Latch, String),
    /// Never answers.
    Silent,
    /// Answers 200, with a body that never ends.
    Endless,
    /// Closes the connection in the middle of the head.
    BreaksOff,
}

impl Mood {
    pub(crate) fn status(status: &str) -> Self {
        Self::Says(format!("HTTP/1.1 {status}\r\ncontent-length: 2\r\n\r\nhi"))
    }

    pub(crate) fn held(latch: &Latch, status: &str) -> Self {
        Self::Held(latch.clone(), format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n"))
    }

    pub(crate) fn fine() -> Self {
        Self::status("204 No Content")
    }
}

/// A request that arrived.
#[derive(Clone, Debug)]
pub(crate) struct Received {
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Received {
    pub(crate) fn header(&self, name: &str) -> &str {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(header, _)| header.eq_ignore_ascii_case(name)).map_or("", |(_, value)| value)
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    pub(crate) fn sequence(&self) -> u64 {
        self.json()["sequence"].as_u64().unwrap()
    }
}

pub(crate) struct Receiver {
    pub(crate) url: String,
    mood: Arc<Mutex<Mood>>,
    received: Arc<Mutex<Vec<Received>>>,
    verifications: Arc<Mutex<Vec<Received>>>,
    server: JoinHandle<()>,
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl Receiver {
    /// Starts a receiver that confirms its URL, whatever its mood.
    pub(crate) async fn start(mood: Mood) -> Self {
        Self::started(mood, true).await
    }

    /// Starts a server that knows nothing about webhooks: its mood decides every answer.
    pub(crate) async fn start_stranger(mood: Mood) -> Self {
        Self::started(mood, false).await
    }

    async fn started(mood: Mood, confirms: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hooks?a=b", listener.local_addr().unwrap());
        let mood = Arc::new(Mutex::new(mood));
        let received = Arc::<Mutex<Vec<Received>>>::default();
        let verifications = Arc::<Mutex<Vec<Received>>>::default();
        let (moods, logs) = (mood.clone(), (received.clone(), verifications.clone()));
        let server = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (moods, logs) = (moods.clone(), logs.clone());
                tokio::spawn(async move {
                    let _broken = serve(stream, &moods, (&logs.0, &logs.1), confirms).await;
                });
            }
        });
        Self { url, mood, received, verifications, server }
    }

    pub(crate) fn is(&self, mood: Mood) {
        *self.mood.lock().unwrap() = mood;
    }

    /// The requests it got, without the verifications.
    pub(crate) fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    /// The verifications it got.
    pub(crate) fn verifications(&self) -> Vec<Received> {
        self.verifications.lock().unwrap().clone()
    }

    pub(crate) fn sequences(&self) -> Vec<u64> {
        self.received().iter().map(Received::sequence).collect()
    }
}

/// An answer that confirms the URL.
pub(crate) fn confirmation(challenge: &Value) -> String {
    let body = json!({ "challenge": challenge }).to_string();
    format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len())
}

async fn serve(
    mut stream: TcpStream,
    mood: &Mutex<Mood>,
    (log, verifications): (&Mutex<Vec<Received>>, &Mutex<Vec<Received>>),
    confirms: bool,
) -> std::io::Result<()> {
    let mut bytes = Vec::new();
    let received = loop {
        let mut buffer = [0; 4_096];
        let read = stream.read(&mut buffer).await?;
        bytes.extend_from_slice(&buffer[..read]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let received = Received { head: head.to_owned(), body: body.to_owned() };
            if body.len() >= received.header("content-length").parse().unwrap_or(0) {
                break received;
            }
        }
        if read == 0 {
            return Ok(());
        }
    };
    let event = serde_json::from_str::<Value>(&received.body).unwrap_or_default();
    let echo = format!(
        "HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{}",
        received.body.len(),
        received.body
    );
    if event["type"] == "webhook.verification" {
        verifications.lock().unwrap().push(received);
        if confirms {
            return stream.write_all(confirmation(&event["data"]["challenge"]).as_bytes()).await;
        }
    } else {
        log.lock().unwrap().push(received);
    }
    let mood = mood.lock().unwrap().clone();
    match mood {
        Mood::Echoes => stream.write_all(echo.as_bytes()).await,
        Mood::Says(answer) => stream.write_all(answer.as_bytes()).await,
        Mood::Late(span) => {
            sleep(span).await;
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await
        }
        Mood::Held(latch, answer) => {
            latch.pass().await;
            stream.write_all(answer.as_bytes()).await
        }
        Mood::Silent => std::future::pending().await,
        Mood::Endless => {
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n").await?;
            loop {
                stream.write_all(&[b'x'; 1_024]).await?;
            }
        }
        Mood::BreaksOff => stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-le").await,
    }
}
