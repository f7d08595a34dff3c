//! How AWS is called: credentials, time limits, and the one call that needs no SDK of its own.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use aws_credential_types::Credentials;
use aws_smithy_types::timeout::TimeoutConfig;
use bytes::Bytes;
use secrecy::ExposeSecret;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use crate::{
    config::AwsConfig,
    outbound::{Outbound, OutboundError},
};

impl AwsConfig {
    /// The credentials of the environment. Lambda's hold for as long as the instance lives.
    pub fn credentials(&self) -> Credentials {
        let token = self.session_token.as_ref().map(|token| token.expose_secret().to_owned());
        Credentials::new(
            &self.access_key_id,
            self.secret_access_key.expose_secret(),
            token,
            None,
            "environment",
        )
    }
}

/// Limits of one call and of all its repetitions.
pub fn timeouts() -> TimeoutConfig {
    TimeoutConfig::builder()
        .operation_attempt_timeout(Duration::from_secs(5))
        .operation_timeout(Duration::from_secs(12))
        .build()
}

/// Limit of one attempt at a signed call.
const ATTEMPT: Duration = Duration::from_secs(3);

/// A service that is called by requests of our own, signed by `aws-sigv4`.
///
/// Of these services we need one or two calls each, and their SDKs (SSM's above all) take longer
/// to compile than everything else together.
#[derive(Clone, Debug)]
pub struct Signed {
    aws: Arc<AwsConfig>,
    outbound: Outbound,
    service: &'static str,
    url: String,
}

impl Signed {
    /// KMS of the configured account and region.
    pub fn kms(aws: Arc<AwsConfig>, outbound: Outbound) -> Self {
        let endpoint = aws.kms_endpoint.clone();
        Self::new(aws, outbound, "kms", "kms", endpoint.as_deref())
    }

    /// A service of the configured account and region. `service` is the name that signatures
    /// carry, `host` the first label of its host name.
    pub fn new(
        aws: Arc<AwsConfig>,
        outbound: Outbound,
        service: &'static str,
        host: &str,
        endpoint: Option<&str>,
    ) -> Self {
        let url = match endpoint {
            Some(url) => url.trim_end_matches('/').to_owned(),
            None => format!("https://{host}.{}.{}", aws.region, domain_of(&aws.region)),
        };
        Self { aws, outbound, service, url }
    }

    /// Calls an operation of a service that speaks `application/x-amz-json-1.1`.
    ///
    /// # Errors
    /// [`OutboundError`].
    pub async fn operation<T: DeserializeOwned>(
        &self,
        target: &str,
        body: &Value,
    ) -> Result<T, OutboundError> {
        let request = http::Request::post(format!("{}/", self.url))
            .header(http::header::CONTENT_TYPE, "application/x-amz-json-1.1")
            .header("x-amz-target", target);
        self.call(request, body).await
    }

    /// `POST`s JSON to a path of a service that speaks REST.
    ///
    /// # Errors
    /// [`OutboundError`].
    pub async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &Value,
    ) -> Result<T, OutboundError> {
        let request = http::Request::post(format!("{}{path}", self.url))
            .header(http::header::CONTENT_TYPE, "application/json");
        self.call(request, body).await
    }

    async fn call<T: DeserializeOwned>(
        &self,
        request: http::request::Builder,
        body: &Value,
    ) -> Result<T, OutboundError> {
        let malformed = |error: &dyn std::fmt::Display| OutboundError::Malformed(error.to_string());
        let mut request =
            request.body(Bytes::from(body.to_string())).map_err(|error| malformed(&error))?;
        self.sign(&mut request).map_err(|error| malformed(&error))?;
        let mut pauses_ms = [50, 200].into_iter();
        loop {
            let answer = self.outbound.send(request.clone(), ATTEMPT).await;
            let (refusal, pause_ms) = match answer {
                Ok(answer) if answer.status().is_success() => {
                    let body = answer.body();
                    let body = if body.is_empty() { b"null" } else { body.as_ref() };
                    return serde_json::from_slice(body).map_err(|error| malformed(&error));
                }
                Ok(answer) => (Refusal::of(self.service, &answer), pauses_ms.next()),
                Err(OutboundError::Busy { retry_after }) => {
                    let status = http::StatusCode::SERVICE_UNAVAILABLE.as_u16();
                    let reason = format!("not available for {retry_after} s");
                    (Refusal { status, reason }, pauses_ms.next())
                }
                Err(error) => return Err(error),
            };
            match pause_ms {
                Some(pause_ms) if refusal.may_be_repeated(self.service) => {
                    tokio::time::sleep(Duration::from_millis(pause_ms)).await;
                }
                _ => return Err(refusal.into()),
            }
        }
    }

    fn sign(
        &self,
        request: &mut http::Request<Bytes>,
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        use aws_sigv4::{
            http_request::{SignableBody, SignableRequest, SigningSettings, sign},
            sign::v4,
        };
        let identity = self.aws.credentials().into();
        let parameters = v4::SigningParams::builder()
            .identity(&identity)
            .region(&self.aws.region)
            .name(self.service)
            .time(SystemTime::now())
            .settings(SigningSettings::default())
            .build()?
            .into();
        let headers = request
            .headers()
            .iter()
            .filter_map(|(name, value)| Some((name.as_str(), value.to_str().ok()?)));
        let signable = SignableRequest::new(
            request.method().as_str(),
            request.uri().to_string(),
            headers,
            SignableBody::Bytes(request.body()),
        )?;
        let (instructions, _signature) = sign(signable, &parameters)?.into_parts();
        instructions.apply_to_request_http1x(request);
        Ok(())
    }
}

/// The domain of AWS that a region belongs to: China has its own.
pub fn domain_of(region: &str) -> &'static str {
    if region.starts_with("cn-") { "amazonaws.com.cn" } else { "amazonaws.com" }
}

/// How AWS says no.
struct Refusal {
    status: u16,
    /// The name of the error, and what AWS says of it.
    reason: String,
}

/// The longest text of a refusal that is kept, in characters.
const LONGEST_REASON: usize = 500;

impl Refusal {
    /// Reads an answer: the name is in the body (`__type`) or in a header, by protocol. What SES says
    /// besides may name a mailbox, and is left out.
    fn of(service: &str, answer: &http::Response<Bytes>) -> Self {
        let body: Value = serde_json::from_slice(answer.body()).unwrap_or_default();
        let text = |name: &str| body.get(name).and_then(Value::as_str);
        let header = answer.headers().get("x-amzn-errortype").and_then(|name| name.to_str().ok());
        let name = text("__type").or(header).unwrap_or("no error name");
        let name = name.rsplit('#').next().unwrap_or(name);
        let message = text("message").or(text("Message")).filter(|_| service != "ses");
        let message = message.unwrap_or_default();
        let reason = format!("{name} {message}").trim().chars().take(LONGEST_REASON).collect();
        Self { status: answer.status().as_u16(), reason }
    }

    /// Whether nothing was done: a burst of cold starts is throttled, which some services answer as
    /// 400. A failure of the service itself may have done what was asked, and a mail must not be
    /// sent twice for that.
    fn may_be_repeated(&self, service: &str) -> bool {
        let throttled = ["Throttl", "TooManyRequests", "SlowDown"];
        matches!(self.status, 429 | 503)
            || throttled.iter().any(|name| self.reason.starts_with(name))
            || (self.status >= 500 && service != "ses")
    }
}

impl From<Refusal> for OutboundError {
    fn from(Refusal { status, reason }: Refusal) -> Self {
        Self::Refused { status, reason }
    }
}

/// SSM's parameters.
#[derive(Clone, Debug)]
pub struct Parameters(Signed);

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
    /// Parameters of the configured account and region.
    pub fn new(aws: Arc<AwsConfig>, outbound: Outbound) -> Self {
        let endpoint = aws.ssm_endpoint.clone();
        Self(Signed::new(aws, outbound, "ssm", "ssm", endpoint.as_deref()))
    }

    /// A parameter's value.
    ///
    /// # Errors
    /// [`OutboundError`].
    pub async fn get(&self, name: &str) -> Result<String, OutboundError> {
        let request = json!({ "Name": name });
        let answer: GetParameter = self.0.operation("AmazonSSM.GetParameter", &request).await?;
        Ok(answer.parameter.value)
    }

    /// Gives a parameter a value.
    ///
    /// # Errors
    /// [`OutboundError`].
    pub async fn put(&self, name: &str, value: &str) -> Result<(), OutboundError> {
        let request = json!({ "Name": name, "Value": value, "Type": "String", "Overwrite": true });
        self.0.operation::<Value>("AmazonSSM.PutParameter", &request).await.map(drop)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn refusal(service: &str, status: u16, header: Option<&str>, body: &str) -> Refusal {
        let mut answer = http::Response::builder().status(status);
        if let Some(name) = header {
            answer = answer.header("x-amzn-errortype", name);
        }
        Refusal::of(service, &answer.body(Bytes::from(body.to_owned())).unwrap())
    }

    #[test]
    fn refusals_are_named() {
        let json = r#"{"__type":"com.amazonaws.kms#AccessDeniedException","message":"not you"}"#;
        assert_eq!(refusal("kms", 400, None, json).reason, "AccessDeniedException not you");
        assert_eq!(refusal("ses", 400, None, json).reason, "AccessDeniedException");
        let header = Some("BadRequestException:http://internal.amazon.com/");
        let rest = refusal("ssm", 400, header, r#"{"message":"no"}"#).reason;
        assert!(rest.starts_with("BadRequestException") && rest.ends_with("no"), "{rest}");
        assert_eq!(refusal("ssm", 500, None, "<html>").reason, "no error name");
    }

    #[test]
    fn what_may_have_been_done_is_not_repeated() {
        let throttled = r#"{"__type":"ThrottlingException"}"#;
        let denied = r#"{"__type":"AccessDeniedException"}"#;
        for (status, body, service, repeated) in [
            (400, throttled, "ssm", true),
            (400, throttled, "ses", true),
            (429, "", "ses", true),
            (503, "", "ses", true),
            (500, "", "kms", true),
            (500, "", "ses", false),
            (400, denied, "kms", false),
            (404, "", "ssm", false),
        ] {
            let refusal = refusal(service, status, None, body);
            assert_eq!(refusal.may_be_repeated(service), repeated, "{status} {body} {service}");
        }
    }

    #[test]
    fn regions_of_china_have_their_domain() {
        assert_eq!(domain_of("cn-north-1"), "amazonaws.com.cn");
        assert_eq!(domain_of("us-gov-west-1"), "amazonaws.com");
    }
}
