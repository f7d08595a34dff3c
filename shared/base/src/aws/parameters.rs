//! SSM's parameters, by requests of our own that `aws-sigv4` signs: two calls are needed, and the
//! SDK of SSM takes longer to compile than all the others together.

use std::{fmt, sync::Arc, time::Duration};

use bytes::Bytes;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::{AwsConfig, LONGEST_REASON, sign};
use crate::{
    clock::Clock,
    outbound::{Call, Outbound, OutboundError, Party},
};

/// Limit of one attempt at a call.
const ATTEMPT: Duration = Duration::from_secs(3);

/// SSM's parameters.
#[derive(Clone)]
pub struct Parameters {
    aws: Arc<AwsConfig>,
    outbound: Outbound,
    clock: Arc<dyn Clock>,
    url: String,
}

impl fmt::Debug for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parameters").field("url", &self.url).finish_non_exhaustive()
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct GetParameter {
    parameter: Parameter,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Parameter {
    value: String,
}

impl Parameters {
    /// Parameters of the configured account and region; connects nowhere yet.
    pub fn new(aws: Arc<AwsConfig>, outbound: Outbound, clock: Arc<dyn Clock>) -> Self {
        let url = match &aws.ssm_endpoint {
            Some(url) => url.trim_end_matches('/').to_owned(),
            None => format!("https://ssm.{}.{}", aws.region, domain_of(&aws.region)),
        };
        Self { aws, outbound, clock, url }
    }

    /// A parameter's value, decrypted if it is a `SecureString`.
    ///
    /// # Errors
    /// [`OutboundError::Refused`] if there is no such parameter, or this function may not read it; another
    /// [`OutboundError`] if SSM does not answer.
    pub async fn get(&self, name: &str) -> Result<String, OutboundError> {
        let request = json!({ "Name": name, "WithDecryption": true });
        let answer: GetParameter = self.call("GetParameter", &request).await?;
        Ok(answer.parameter.value)
    }

    /// Gives a parameter a value.
    pub async fn put(&self, name: &str, value: &str) -> Result<(), OutboundError> {
        self.put_as("String", name, value).await
    }

    /// Sets a parameter as a `SecureString`.
    pub async fn put_secret(&self, name: &str, value: &SecretString) -> Result<(), OutboundError> {
        self.put_as("SecureString", name, value.expose_secret()).await
    }

    async fn put_as(&self, kind: &str, name: &str, value: &str) -> Result<(), OutboundError> {
        let request = json!({ "Name": name, "Value": value, "Type": kind, "Overwrite": true });
        self.call::<Value>("PutParameter", &request).await.map(drop)
    }

    /// Calls an operation, in `application/x-amz-json-1.1`.
    async fn call<T: DeserializeOwned>(
        &self,
        operation: &'static str,
        body: &Value,
    ) -> Result<T, OutboundError> {
        let malformed = |error: &dyn std::fmt::Display| OutboundError::Malformed(error.to_string());
        let mut request = http::Request::post(format!("{}/", self.url))
            .header(http::header::CONTENT_TYPE, "application/x-amz-json-1.1")
            .header("x-amz-target", format!("AmazonSSM.{operation}"))
            .body(Bytes::from(body.to_string()))
            .map_err(|error| malformed(&error))?;
        sign(&self.aws, "ssm", self.clock.now(), &mut request)
            .map_err(|error| malformed(&error))?;
        let asked = Call::new(Party::SSM, operation);
        let mut pauses_ms = [50, 200].into_iter();
        loop {
            let refusal = match self.outbound.send(asked, request.clone(), ATTEMPT).await {
                Ok(answer) if answer.status().is_success() => {
                    return serde_json::from_slice(answer.body())
                        .map_err(|error| malformed(&error));
                }
                Ok(answer) => Refusal::of(&answer),
                Err(OutboundError::Busy { retry_after }) => {
                    let status = http::StatusCode::SERVICE_UNAVAILABLE.as_u16();
                    Refusal { status, reason: format!("not available for {retry_after} s") }
                }
                Err(error) => return Err(error),
            };
            match pauses_ms.next() {
                Some(pause_ms) if refusal.may_pass() => {
                    tokio::time::sleep(Duration::from_millis(pause_ms)).await;
                }
                _ => return Err(refusal.into()),
            }
        }
    }
}

/// The domain of AWS that a region belongs to: China has its own.
fn domain_of(region: &str) -> &'static str {
    if region.starts_with("cn-") { "amazonaws.com.cn" } else { "amazonaws.com" }
}

/// How SSM says no.
struct Refusal {
    status: u16,
    /// The name of the error, and what SSM says of it.
    reason: String,
}

impl Refusal {
    /// Reads an answer: the name is in the body (`__type`) or in a header.
    fn of(answer: &http::Response<Bytes>) -> Self {
        let body: Value = serde_json::from_slice(answer.body()).unwrap_or_default();
        let text = |name: &str| body.get(name).and_then(Value::as_str);
        let header = answer.headers().get("x-amzn-errortype").and_then(|name| name.to_str().ok());
        let name = text("__type").or(header).unwrap_or("no error name");
        let name = name.rsplit('#').next().unwrap_or(name);
        let message = text("message").or(text("Message")).unwrap_or_default();
        let reason = format!("{name} {message}").trim().chars().take(LONGEST_REASON).collect();
        Self { status: answer.status().as_u16(), reason }
    }

    /// Whether the same call may succeed a moment later: a burst of cold starts is throttled, which
    /// SSM answers as 400.
    fn may_pass(&self) -> bool {
        self.status == 429 || self.status >= 500 || self.reason.starts_with("Throttl")
    }
}

impl From<Refusal> for OutboundError {
    fn from(Refusal { status, reason }: Refusal) -> Self {
        Self::Refused { status, reason }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn refusal(status: u16, header: Option<&str>, body: &str) -> Refusal {
        let mut answer = http::Response::builder().status(status);
        if let Some(name) = header {
            answer = answer.header("x-amzn-errortype", name);
        }
        Refusal::of(&answer.body(Bytes::from(body.to_owned())).unwrap())
    }

    #[test]
    fn refusals_are_named() {
        let json = r#"{"__type":"com.amazonaws.ssm#AccessDeniedException","message":"not you"}"#;
        assert_eq!(refusal(400, None, json).reason, "AccessDeniedException not you");
        let header = Some("BadRequestException:http://internal.amazon.com/");
        let rest = refusal(400, header, r#"{"message":"no"}"#).reason;
        assert!(rest.starts_with("BadRequestException") && rest.ends_with("no"), "{rest}");
        assert_eq!(refusal(500, None, "<html>").reason, "no error name");
    }

    #[test]
    fn what_may_pass_is_asked_again() {
        let throttled = r#"{"__type":"ThrottlingException"}"#;
        let denied = r#"{"__type":"AccessDeniedException"}"#;
        for (status, body, repeated) in [
            (400, throttled, true),
            (429, "", true),
            (503, "", true),
            (400, denied, false),
            (404, "", false),
        ] {
            assert_eq!(refusal(status, None, body).may_pass(), repeated, "{status} {body}");
        }
    }

    #[test]
    fn regions_of_china_have_their_domain() {
        assert_eq!(domain_of("cn-north-1"), "amazonaws.com.cn");
        assert_eq!(domain_of("us-gov-west-1"), "amazonaws.com");
    }
}
