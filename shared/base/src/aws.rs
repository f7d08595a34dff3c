//! How AWS is called: credentials, limits of time, and what its errors are to us.

mod parameters;
pub mod spans;

use std::{
    error::Error,
    sync::{Arc, OnceLock},
    time::Duration,
};

use aws_credential_types::Credentials;
use aws_sdk_kms::{Client as KmsClient, config::Region};
use aws_smithy_runtime_api::client::{
    http::HttpClient, interceptors::SharedInterceptor, orchestrator::HttpResponse, result::SdkError,
};
use aws_smithy_types::{
    error::metadata::ProvideErrorMetadata, retry::RetryConfig, timeout::TimeoutConfig,
};
use bytes::Bytes;
use secrecy::{ExposeSecret, SecretString};

use crate::{
    clock::Timestamp,
    outbound::{Outbound, OutboundError, with_causes},
    settings::{optional, optional_secret, secret},
};

pub use parameters::Parameters;
pub use spans::interceptors;

crate::section! {
    /// How AWS is reached.
    pub struct AwsConfig {
        /// Region of the AWS services; set by Lambda
        pub region: String = "AWS_REGION",
        /// Credentials; set by Lambda
        pub access_key_id: String = "AWS_ACCESS_KEY_ID",
        /// Credentials; set by Lambda
        pub secret_access_key: SecretString = "AWS_SECRET_ACCESS_KEY" via secret,
        /// Credentials; set by Lambda, empty if they are not temporary
        pub session_token: Option<SecretString> = "AWS_SESSION_TOKEN" or "" via optional_secret,
        /// Another address for DynamoDB
        pub dynamodb_endpoint: Option<String> = "AWS_ENDPOINT_URL_DYNAMODB" or "" via optional,
        /// Another address for S3; buckets are in the path then
        pub s3_endpoint: Option<String> = "AWS_ENDPOINT_URL_S3" or "" via optional,
        /// Another address for Secrets Manager
        pub secrets_endpoint: Option<String> = "AWS_ENDPOINT_URL_SECRETS_MANAGER" or "" via optional,
        /// Another address for SSM
        pub ssm_endpoint: Option<String> = "AWS_ENDPOINT_URL_SSM" or "" via optional,
        /// Another address for KMS
        pub kms_endpoint: Option<String> = "AWS_ENDPOINT_URL_KMS" or "" via optional,
        /// Another address for SQS
        pub sqs_endpoint: Option<String> = "AWS_ENDPOINT_URL_SQS" or "" via optional,
        /// Another address for SES
        pub ses_endpoint: Option<String> = "AWS_ENDPOINT_URL_SESV2" or "" via optional,
        /// Another address for the connections of API Gateway's WebSocket APIs; id and stage of the API are in the path then
        pub sockets_endpoint: Option<String> = "AWS_ENDPOINT_URL_APIGATEWAYMANAGEMENTAPI" or "" via optional,
    }
}

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

/// Signs a request of our own to a service of AWS (Signature Version 4).
///
/// # Errors
/// The request has a header or an address that cannot be signed.
pub fn sign(
    aws: &AwsConfig,
    service: &str,
    at: Timestamp,
    request: &mut http::Request<Bytes>,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    use aws_sigv4::{
        http_request::{SignableBody, SignableRequest, SigningSettings, sign},
        sign::v4,
    };
    let identity = aws.credentials().into();
    let how = v4::SigningParams::builder()
        .identity(&identity)
        .region(&aws.region)
        .name(service)
        .time(at.into())
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
    let (instructions, _signature) = sign(signable, &how)?.into_parts();
    instructions.apply_to_request_http1x(request);
    Ok(())
}

/// Limits of one call and of all its repetitions.
pub fn timeouts(outbound: &Outbound) -> TimeoutConfig {
    limits(outbound, Duration::from_secs(5), Duration::from_secs(12))
}

/// Limits of one call, and of all its repetitions, of a service that answers within milliseconds.
pub fn short_timeouts(outbound: &Outbound) -> TimeoutConfig {
    limits(outbound, Duration::from_secs(3), Duration::from_secs(7))
}

/// Limits of one call, and of all its repetitions, as long as the client's patience makes them.
pub(crate) fn limits(outbound: &Outbound, attempt: Duration, all: Duration) -> TimeoutConfig {
    TimeoutConfig::builder()
        .operation_attempt_timeout(outbound.stretched(attempt))
        .operation_timeout(outbound.stretched(all))
        .build()
}

/// Up to two repetitions, the first within 50 ms: a burst of cold starts is throttled.
pub fn retries() -> RetryConfig {
    RetryConfig::standard().with_initial_backoff(Duration::from_millis(50))
}

/// KMS of the configured account and region.
#[derive(Clone, Debug)]
pub struct Kms {
    aws: Arc<AwsConfig>,
    outbound: Outbound,
    client: OnceLock<KmsClient>,
}

impl Kms {
    /// Connects nowhere yet.
    pub fn new(aws: Arc<AwsConfig>, outbound: Outbound) -> Self {
        Self { aws, outbound, client: OnceLock::new() }
    }

    /// Made at its first use, so that a function without keys neither makes nor even links it.
    pub fn client(&self) -> &KmsClient {
        self.client.get_or_init(|| {
            let (http, limits) = (self.outbound.clone(), short_timeouts(&self.outbound));
            kms(&self.aws, http, limits, interceptors(&self.outbound))
        })
    }
}

fn kms(
    aws: &AwsConfig,
    http: impl HttpClient + 'static,
    limits: TimeoutConfig,
    spans: Option<SharedInterceptor>,
) -> KmsClient {
    let mut config = aws_sdk_kms::Config::builder()
        .region(Region::new(aws.region.clone()))
        .credentials_provider(aws.credentials())
        .http_client(http)
        .retry_config(retries())
        .timeout_config(limits);
    config.set_endpoint_url(aws.kms_endpoint.clone());
    config.set_interceptors(spans);
    KmsClient::from_conf(config.build())
}

/// The longest text of a refusal that is kept, in characters.
const LONGEST_REASON: usize = 500;

/// Why a call failed, with the name of AWS's error and its message.
pub fn failure<E>(error: SdkError<E, HttpResponse>) -> OutboundError
where
    E: ProvideErrorMetadata + Error + 'static,
{
    read_failure(&error, ProvideErrorMetadata::message)
}

/// Why a call failed, with only the name of AWS's error: SES's message may name a mailbox.
pub fn failure_by_name<E>(error: SdkError<E, HttpResponse>) -> OutboundError
where
    E: ProvideErrorMetadata + Error + 'static,
{
    read_failure(&error, |_| None)
}

fn read_failure<E>(
    error: &SdkError<E, HttpResponse>,
    message: impl Fn(&E) -> Option<&str>,
) -> OutboundError
where
    E: ProvideErrorMetadata + Error + 'static,
{
    match error {
        SdkError::TimeoutError(_) => OutboundError::Timeout,
        SdkError::DispatchFailure(failure) if failure.is_timeout() => OutboundError::Timeout,
        SdkError::DispatchFailure(failure) => OutboundError::Unreachable(
            failure.as_connector_error().map_or_else(String::new, |error| with_causes(error)),
        ),
        SdkError::ServiceError(refusal) => {
            let name = refusal.err().code().unwrap_or("no error name");
            let message = message(refusal.err()).unwrap_or_default();
            let reason = format!("{name} {message}");
            OutboundError::Refused {
                status: refusal.raw().status().as_u16(),
                reason: reason.trim().chars().take(LONGEST_REASON).collect(),
            }
        }
        error => OutboundError::Malformed(error.to_string()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::{collections::VecDeque, sync::Mutex};

    use aws_sdk_kms::operation::get_public_key::{GetPublicKeyError, GetPublicKeyOutput};
    use aws_smithy_runtime_api::client::{
        http::{HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector},
        orchestrator::HttpRequest,
        runtime_components::RuntimeComponents,
    };
    use aws_smithy_types::body::SdkBody;

    use super::*;

    /// AWS that gives these answers, one after another: status and body.
    #[derive(Clone, Debug)]
    struct Answers(Arc<Mutex<VecDeque<(u16, &'static str)>>>);

    impl Answers {
        fn new<const N: usize>(answers: [(u16, &'static str); N]) -> Self {
            Self(Arc::new(Mutex::new(answers.into())))
        }

        fn left(&self) -> usize {
            self.0.lock().unwrap().len()
        }
    }

    impl HttpConnector for Answers {
        fn call(&self, _request: HttpRequest) -> HttpConnectorFuture {
            let (status, body) = self.0.lock().unwrap().pop_front().unwrap();
            let answer = HttpResponse::new(status.try_into().unwrap(), SdkBody::from(body));
            HttpConnectorFuture::ready(Ok(answer))
        }
    }

    impl HttpClient for Answers {
        fn http_connector(
            &self,
            _settings: &HttpConnectorSettings,
            _components: &RuntimeComponents,
        ) -> SharedHttpConnector {
            SharedHttpConnector::new(self.clone())
        }
    }

    fn aws() -> AwsConfig {
        AwsConfig {
            region: "us-east-1".to_owned(),
            access_key_id: "key".to_owned(),
            secret_access_key: "secret".into(),
            session_token: None,
            dynamodb_endpoint: None,
            s3_endpoint: None,
            secrets_endpoint: None,
            ssm_endpoint: None,
            kms_endpoint: None,
            sqs_endpoint: None,
            ses_endpoint: None,
            sockets_endpoint: None,
        }
    }

    /// What AWS's answers make of a question for a public key, and how many are left.
    async fn ask<const N: usize>(
        answers: [(u16, &'static str); N],
        read: fn(SdkError<GetPublicKeyError, HttpResponse>) -> OutboundError,
    ) -> (Result<GetPublicKeyOutput, OutboundError>, usize) {
        let answers = Answers::new(answers);
        let kms = kms(&aws(), answers.clone(), short_timeouts(&Outbound::new()), None);
        let asked = kms.get_public_key().key_id("k").send().await;
        (asked.map_err(read), answers.left())
    }

    const DENIED: &str =
        r#"{"__type":"com.amazonaws.kms#AccessDeniedException","message":"not you"}"#;
    const THROTTLED: &str = r#"{"__type":"ThrottlingException"}"#;
    const KEY: &str = r#"{"KeyId":"arn"}"#;

    #[tokio::test]
    async fn refusals_are_named() {
        for (body, read, status, reason) in [
            (DENIED, failure as fn(_) -> _, 400, "AccessDeniedException not you"),
            (DENIED, failure_by_name, 400, "AccessDeniedException"),
            ("<html>", failure, 404, "no error name"),
        ] {
            let (asked, _) = ask([(status, body)], read).await;
            let refused = OutboundError::Refused { status, reason: reason.to_owned() };
            assert_eq!(asked.unwrap_err().to_string(), refused.to_string());
        }
    }

    #[tokio::test]
    async fn what_may_pass_is_asked_again() {
        for (first, repeated) in [
            ((400, THROTTLED), true),
            ((503, ""), true),
            ((500, ""), true),
            ((400, DENIED), false),
            ((404, ""), false),
        ] {
            let (asked, left) = ask([first, (200, KEY)], failure).await;
            assert_eq!((asked.is_ok(), left == 0), (repeated, repeated), "{first:?}");
        }
    }
}
