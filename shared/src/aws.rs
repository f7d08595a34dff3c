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
            None => format!("https://{host}.{}.amazonaws.com", aws.region),
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
        // A burst of cold starts is throttled, which some services answer as 400.
        let mut answer = self.outbound.call(request.clone(), ATTEMPT).await;
        for pause_ms in [50, 200] {
            if !matches!(answer, Err(OutboundError::Status(_) | OutboundError::Busy { .. })) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(pause_ms)).await;
            answer = self.outbound.call(request.clone(), ATTEMPT).await;
        }
        answer?.ok_or(OutboundError::Status(404))
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
