//! How AWS is called: credentials, time limits, and the one call that needs no SDK of its own.

use std::time::{Duration, SystemTime};

use aws_credential_types::Credentials;
use aws_smithy_types::timeout::TimeoutConfig;
use bytes::Bytes;
use secrecy::ExposeSecret;
use serde::Deserialize;
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

/// Limit of one attempt to reach SSM.
const ATTEMPT: Duration = Duration::from_secs(3);

/// SSM's parameters: `GetParameter` and `PutParameter`, signed by `aws-sigv4`.
///
/// The SDK of SSM is the largest there is, and takes longer to compile than everything else of
/// this service together.
#[derive(Clone, Debug)]
pub struct Parameters {
    aws: AwsConfig,
    outbound: Outbound,
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
    /// Parameters of the configured account and region.
    pub fn new(aws: AwsConfig, outbound: Outbound) -> Self {
        Self { aws, outbound }
    }

    /// A parameter's value.
    ///
    /// # Errors
    /// [`OutboundError`].
    pub async fn get(&self, name: &str) -> Result<String, OutboundError> {
        let answer = self.call("GetParameter", &json!({ "Name": name })).await?;
        serde_json::from_value::<GetParameter>(answer)
            .map(|answer| answer.parameter.value)
            .map_err(|error| OutboundError::Malformed(error.to_string()))
    }

    /// Gives a parameter a value.
    ///
    /// # Errors
    /// [`OutboundError`].
    pub async fn put(&self, name: &str, value: &str) -> Result<(), OutboundError> {
        let request = json!({ "Name": name, "Value": value, "Type": "String", "Overwrite": true });
        self.call("PutParameter", &request).await.map(drop)
    }

    async fn call(&self, operation: &str, request: &Value) -> Result<Value, OutboundError> {
        let region = &self.aws.region;
        let url = self
            .aws
            .ssm_endpoint
            .clone()
            .unwrap_or_else(|| format!("https://ssm.{region}.amazonaws.com/"));
        let body = request.to_string();
        let target = format!("AmazonSSM.{operation}");
        let mut request = http::Request::post(&url)
            .header(http::header::CONTENT_TYPE, "application/x-amz-json-1.1")
            .header("x-amz-target", target)
            .body(Bytes::from(body))
            .map_err(|error| OutboundError::Malformed(error.to_string()))?;
        self.sign(&mut request).map_err(|error| OutboundError::Malformed(error.to_string()))?;
        // A burst of cold starts is throttled, which SSM answers as 400.
        let mut answer = self.outbound.call(request.clone(), ATTEMPT).await;
        for pause_ms in [50, 200] {
            if !matches!(answer, Err(OutboundError::Status(_))) {
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
            .name("ssm")
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
