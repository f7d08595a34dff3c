//! An HTTP client that counts what DynamoDB is asked, and what it charges.

use std::sync::{Arc, Mutex};

use aws_sdk_dynamodb::config::RuntimeComponents;
use aws_smithy_runtime_api::client::{
    http::{
        HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
    },
    orchestrator::{HttpRequest, HttpResponse},
    result::ConnectorError,
};
use aws_smithy_types::body::SdkBody;
use http_body_util::BodyExt;
use local::{Client, LocalStack, functions, server::Server};
use serde_json::{Value, json};
use shared::{app::App, outbound::Outbound};

/// What was counted since the last reset.
#[derive(Clone, Debug, Default)]
pub(crate) struct Count {
    /// Operations, in the order of their answers.
    pub(crate) operations: Vec<String>,
    /// Capacity units, read and write together.
    pub(crate) capacity: f64,
}

/// All functions of a world, over an application whose questions to DynamoDB are counted. They are
/// served for as long as the server lives.
pub(crate) async fn serve(stack: &LocalStack) -> (Server, Client, CountingHttp) {
    let http = CountingHttp::default();
    let own = stack.app();
    let app = App::over(
        own.config.clone(),
        own.clock.clone(),
        own.random.clone(),
        Outbound::new(),
        http.clone(),
    );
    let server = Server::start(functions::routes().into_service(app)).await.unwrap();
    let client = stack.client(server.url());
    (server, client, http)
}

/// Counts, and passes everything on. Clones share their count.
#[derive(Clone, Debug, Default)]
pub(crate) struct CountingHttp {
    outbound: Outbound,
    count: Arc<Mutex<Count>>,
}

impl CountingHttp {
    /// What was counted, and starts anew.
    pub(crate) fn take(&self) -> Count {
        std::mem::take(&mut *self.count.lock().unwrap())
    }
}

impl HttpClient for CountingHttp {
    fn http_connector(
        &self,
        settings: &HttpConnectorSettings,
        components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(CountingConnector {
            next: self.outbound.http_connector(settings, components),
            count: self.count.clone(),
        })
    }
}

#[derive(Debug)]
struct CountingConnector {
    next: SharedHttpConnector,
    count: Arc<Mutex<Count>>,
}

impl HttpConnector for CountingConnector {
    fn call(&self, mut request: HttpRequest) -> HttpConnectorFuture {
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        let operation = target.rsplit('.').next().unwrap_or_default().to_owned();
        // The emulator checks no signatures, so a request may ask for its price on the way.
        if let Some(Ok(Value::Object(mut body))) =
            request.body().bytes().map(serde_json::from_slice)
        {
            body.insert("ReturnConsumedCapacity".to_owned(), json!("TOTAL"));
            let body = Value::Object(body).to_string();
            request.headers_mut().insert("content-length", body.len().to_string());
            *request.body_mut() = SdkBody::from(body);
        }
        let (answer, count) = (self.next.call(request), self.count.clone());
        HttpConnectorFuture::new(async move {
            let mut response: HttpResponse = answer.await?;
            let body = std::mem::replace(response.body_mut(), SdkBody::taken());
            let bytes = body.collect().await.map_err(ConnectorError::io)?.to_bytes();
            let price = serde_json::from_slice(&bytes)
                .map(|answer: Value| price(&answer["ConsumedCapacity"]));
            let mut count = count.lock().unwrap();
            count.operations.push(operation);
            count.capacity += price.unwrap_or_default();
            drop(count);
            *response.body_mut() = SdkBody::from(bytes);
            Ok(response)
        })
    }
}

fn price(consumed: &Value) -> f64 {
    match consumed {
        Value::Array(tables) => tables.iter().map(price).sum(),
        table => table["CapacityUnits"].as_f64().unwrap_or_default(),
    }
}
