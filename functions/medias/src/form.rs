//! Forms that upload one file (`multipart/form-data`), and that S3 checks.
//!
//! AWS Signature Version 4 for POST: "Browser-Based Uploads Using POST",
//! <https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-authentication-HTTPPOST.html>.

use std::{
    fmt,
    time::{Duration, SystemTime},
};

use aws_sdk_s3::config::endpoint::{DefaultResolver, InvalidParams, Params, ResolveEndpoint};
use aws_sigv4::sign::v4::{calculate_signature, generate_signing_key};
use aws_smithy_types::{
    DateTime,
    date_time::{ConversionError, DateTimeFormatError, Format},
};
use base::{
    aws::AwsConfig,
    clock::Timestamp,
    secret::{reveal, reveal_optional},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use serde_json::{Value, json};
use shared::http::{AsProblem, Problem};
use utoipa::ToSchema;

const ALGORITHM: &str = "AWS4-HMAC-SHA256";

/// What a form permits: uploading one file, any number of times until it expires.
#[derive(Clone, Copy, Debug)]
pub struct Upload<'a> {
    /// Name of the bucket.
    pub bucket: &'a str,
    /// Key of the file.
    pub key: &'a str,
    /// Media type that S3 stores the file with.
    pub content_type: &'a str,
    /// Maximum size in bytes; the minimum is 1.
    pub most_bytes: u64,
}

/// A form: its URL and its fields. The file follows them as the field `file`.
#[derive(Debug, Serialize, ToSchema)]
pub struct SignedUrl {
    /// URL that the form is sent to by POST.
    url: String,
    /// Every field except the file; the client sends each unchanged.
    fields: FormFields,
}

/// The fields of a form: the signed ones, the policy and its signature.
#[derive(Debug, Serialize, ToSchema)]
pub struct FormFields {
    #[serde(flatten)]
    signed: SignedFields,
    /// The policy that S3 checks: an expiry, and one condition per field.
    #[serde(rename = "Policy", serialize_with = "reveal")]
    #[schema(value_type = String)]
    policy: SecretString,
    /// The signed policy.
    #[serde(rename = "X-Amz-Signature", serialize_with = "reveal")]
    #[schema(value_type = String)]
    signature: SecretString,
}

/// The fields that the policy has a condition for.
#[derive(Debug, Serialize, ToSchema)]
pub struct SignedFields {
    /// Key of the file.
    key: String,
    /// Name of the bucket.
    bucket: String,
    /// Media type that S3 stores the file with.
    #[serde(rename = "Content-Type")]
    content_type: String,
    /// `AWS4-HMAC-SHA256`.
    #[serde(rename = "X-Amz-Algorithm")]
    algorithm: &'static str,
    /// The access key and the scope of the signature: day, region and service.
    #[serde(rename = "X-Amz-Credential")]
    credential: String,
    /// Time of the signature.
    #[serde(rename = "X-Amz-Date")]
    #[schema(example = "20261121T103000Z")]
    date: String,
    /// The token of the service's temporary credentials, if it has such credentials.
    #[serde(
        rename = "X-Amz-Security-Token",
        skip_serializing_if = "Option::is_none",
        serialize_with = "reveal_optional"
    )]
    #[schema(value_type = String, required = false)]
    security_token: Option<SecretString>,
}

/// Why a form could not be signed; always a failure of the service.
#[derive(Debug, thiserror::Error)]
pub enum FormError {
    /// The time cannot be formatted.
    #[error("failed to format the signing time")]
    Date(#[from] DateTimeFormatError),
    /// The time does not fit the formatter's type.
    #[error("the signing time is out of range")]
    Time(#[from] ConversionError),
    /// The policy could not be serialized.
    #[error("failed to serialize the policy")]
    Policy(#[from] serde_json::Error),
    /// The bucket name is invalid.
    #[error("invalid bucket name")]
    Bucket(#[from] InvalidParams),
    /// The SDK has no endpoint for the bucket in the region.
    #[error("no endpoint for the bucket: {0}")]
    Address(Box<dyn std::error::Error + Send + Sync>),
}

impl AsProblem for FormError {
    fn problem(&self) -> Problem {
        Problem::Internal
    }
}

impl SignedUrl {
    /// Signs a form that is valid from `now` on, by the clock of S3.
    pub async fn sign(
        aws: &AwsConfig,
        upload: Upload<'_>,
        now: Timestamp,
        lifetime: Duration,
    ) -> Result<Self, FormError> {
        let signer = Signer::at(aws, now)?;
        let signed = SignedFields {
            key: upload.key.to_owned(),
            bucket: upload.bucket.to_owned(),
            content_type: upload.content_type.to_owned(),
            algorithm: ALGORITHM,
            credential: signer.credential(),
            date: signer.date.clone(),
            security_token: aws.session_token.clone(),
        };
        let policy = signed.policy(&iso_8601(now.plus(lifetime))?, upload.most_bytes)?;
        let signature = signer.sign(&policy).into();
        Ok(Self {
            url: address(aws, upload.bucket).await?,
            fields: FormFields { signed, policy: policy.into(), signature },
        })
    }
}

impl SignedFields {
    /// The policy in base64. Every form field is also a policy condition, so S3 enforces key, type and size.
    fn policy(&self, expiration: &str, most_bytes: u64) -> Result<String, serde_json::Error> {
        let fields = serde_json::to_value(self)?;
        let fields = fields.as_object().into_iter().flatten();
        let mut conditions: Vec<Value> =
            fields.map(|(name, value)| json!({ (name.as_str()): value })).collect();
        conditions.push(json!(["content-length-range", 1, most_bytes]));
        let policy = json!({ "expiration": expiration, "conditions": conditions });
        Ok(BASE64_STANDARD.encode(policy.to_string()))
    }
}

/// Signs policies for one day and one region.
struct Signer<'a> {
    aws: &'a AwsConfig,
    time: SystemTime,
    /// Time of the signature, such as `20151229T000000Z`.
    date: String,
}

impl fmt::Debug for Signer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signer({})", self.credential())
    }
}

impl<'a> Signer<'a> {
    fn at(aws: &'a AwsConfig, now: Timestamp) -> Result<Self, FormError> {
        let date = iso_8601(now)?.replace(['-', ':'], "");
        Ok(Self { aws, time: DateTime::from_secs(now.past_seconds()).try_into()?, date })
    }

    /// The access key and the scope of the signature (`X-Amz-Credential`).
    fn credential(&self) -> String {
        let AwsConfig { access_key_id, region, .. } = self.aws;
        let day = self.date.split('T').next().unwrap_or_default();
        format!("{access_key_id}/{day}/{region}/s3/aws4_request")
    }

    /// The signature of a policy, in hex.
    fn sign(&self, policy: &str) -> String {
        let secret = self.aws.secret_access_key.expose_secret();
        let key = generate_signing_key(secret, self.time, &self.aws.region, "s3");
        calculate_signature(key, policy.as_bytes())
    }
}

/// A time to the second, such as `2015-12-29T00:00:00Z`.
fn iso_8601(moment: Timestamp) -> Result<String, DateTimeFormatError> {
    DateTime::from_secs(moment.past_seconds()).fmt(Format::DateTime)
}

/// URL that forms for a bucket are sent to: the endpoint that the S3 SDK uses.
async fn address(aws: &AwsConfig, bucket: &str) -> Result<String, FormError> {
    let place = Params::builder()
        .region(&aws.region)
        .bucket(bucket)
        .set_endpoint(aws.s3_endpoint.clone())
        .force_path_style(aws.s3_endpoint.is_some())
        .build()?;
    let endpoint = DefaultResolver::new().resolve_endpoint(&place).await;
    Ok(endpoint.map_err(FormError::Address)?.url().to_owned())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;

    /// The credentials in AWS's examples.
    fn aws(session_token: Option<&str>) -> AwsConfig {
        AwsConfig {
            region: "us-east-1".into(),
            access_key_id: "AKIAIOSFODNN7EXAMPLE".into(),
            secret_access_key: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".into(),
            session_token: session_token.map(Into::into),
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

    /// 2015-12-29, 00:00 UTC.
    const NOW: Timestamp = Timestamp(1_451_347_200_000);

    async fn form(session_token: Option<&str>) -> Value {
        let upload = Upload {
            bucket: "sigv4examplebucket",
            key: "media/a/b.png",
            content_type: "image/png",
            most_bytes: 10,
        };
        let aws = aws(session_token);
        let form = SignedUrl::sign(&aws, upload, NOW, Duration::from_secs(900)).await.unwrap();
        serde_json::to_value(form).unwrap()
    }

    fn policy(form: &Value) -> Value {
        let policy = form["fields"]["Policy"].as_str().unwrap();
        serde_json::from_slice(&BASE64_STANDARD.decode(policy).unwrap()).unwrap()
    }

    /// The example of "Browser-Based Upload using HTTP POST (Using AWS Signature Version 4)",
    /// <https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-post-example.html>. It signs this text in
    /// base64, with CR LF line endings.
    #[test]
    fn the_published_example_has_the_published_signature() {
        let policy = [
            r#"{ "expiration": "2015-12-30T12:00:00.000Z","#,
            r#"  "conditions": ["#,
            r#"    {"bucket": "sigv4examplebucket"},"#,
            r#"    ["starts-with", "$key", "user/user1/"],"#,
            r#"    {"acl": "public-read"},"#,
            r#"    {"success_action_redirect": "http://sigv4examplebucket.s3.amazonaws.com/successful_upload.html"},"#,
            r#"    ["starts-with", "$Content-Type", "image/"],"#,
            r#"    {"x-amz-meta-uuid": "14365123651274"},"#,
            r#"    {"x-amz-server-side-encryption": "AES256"},"#,
            r#"    ["starts-with", "$x-amz-meta-tag", ""],"#,
            "",
            r#"    {"x-amz-credential": "AKIAIOSFODNN7EXAMPLE/20151229/us-east-1/s3/aws4_request"},"#,
            r#"    {"x-amz-algorithm": "AWS4-HMAC-SHA256"},"#,
            r#"    {"x-amz-date": "20151229T000000Z" }"#,
            "  ]",
            "}",
        ];
        let aws = aws(None);
        let signer = Signer::at(&aws, NOW).unwrap();
        assert_eq!(signer.date, "20151229T000000Z");
        assert_eq!(signer.credential(), "AKIAIOSFODNN7EXAMPLE/20151229/us-east-1/s3/aws4_request");
        assert_eq!(
            signer.sign(&BASE64_STANDARD.encode(policy.join("\r\n"))),
            "8afdbf4008c03f22c2cd3cdb72e4afbb1f6a588f3255ac628749a66d7f09699e"
        );
    }

    #[tokio::test]
    async fn every_field_but_policy_and_signature_is_a_condition() {
        let form = form(None).await;
        let fields = form["fields"].as_object().unwrap();
        let names: Vec<_> = fields.keys().map(String::as_str).collect();
        assert_eq!(
            names,
            [
                "Content-Type",
                "Policy",
                "X-Amz-Algorithm",
                "X-Amz-Credential",
                "X-Amz-Date",
                "X-Amz-Signature",
                "bucket",
                "key"
            ]
        );
        let policy = policy(&form);
        assert_eq!(policy["expiration"], "2015-12-29T00:15:00Z");
        let conditions = policy["conditions"].as_array().unwrap();
        for (name, value) in fields {
            let condition = json!({ (name.as_str()): value });
            let exempt = matches!(name.as_str(), "Policy" | "X-Amz-Signature");
            assert_eq!(conditions.contains(&condition), !exempt, "{name}");
        }
        assert!(conditions.contains(&json!(["content-length-range", 1, 10])));
        assert_eq!(conditions.len(), fields.len() - 1);
    }

    #[tokio::test]
    async fn the_session_token_is_a_field_and_a_condition() {
        let form = form(Some("of-an-hour")).await;
        assert_eq!(form["fields"]["X-Amz-Security-Token"], "of-an-hour");
        let conditions = policy(&form)["conditions"].clone();
        let condition = json!({ "X-Amz-Security-Token": "of-an-hour" });
        assert!(conditions.as_array().unwrap().contains(&condition), "{conditions}");
    }

    #[tokio::test]
    async fn forms_are_sent_to_the_bucket() {
        let url = form(None).await["url"].clone();
        assert_eq!(url, "https://sigv4examplebucket.s3.us-east-1.amazonaws.com");
        let china = AwsConfig { region: "cn-north-1".into(), ..aws(None) };
        let url = address(&china, "b-b").await.unwrap();
        assert_eq!(url, "https://b-b.s3.cn-north-1.amazonaws.com.cn");
        let local = AwsConfig { s3_endpoint: Some("http://127.0.0.1:1/".into()), ..aws(None) };
        assert_eq!(address(&local, "b-b").await.unwrap(), "http://127.0.0.1:1/b-b");
    }

    #[tokio::test]
    async fn debug_output_hides_the_form_fields() {
        let aws = aws(Some("of-an-hour"));
        let upload = Upload { bucket: "b", key: "k", content_type: "c", most_bytes: 1 };
        let form = SignedUrl::sign(&aws, upload, NOW, Duration::ZERO).await.unwrap();
        let (signature, policy) =
            (form.fields.signature.expose_secret(), form.fields.policy.expose_secret());
        let printed = format!("{form:?} {:?}", Signer::at(&aws, NOW).unwrap());
        for secret in [signature, policy, "of-an-hour", "wJalrXUtnFEMI"] {
            assert!(!printed.contains(secret), "{secret}");
        }
    }

    #[tokio::test]
    async fn unformattable_times_are_refused() {
        let upload = Upload { bucket: "b", key: "k", content_type: "c", most_bytes: 1 };
        for now in [Timestamp(i64::MAX), Timestamp(i64::MIN)] {
            assert!(
                SignedUrl::sign(&aws(None), upload, now, Duration::from_secs(1)).await.is_err()
            );
        }
    }
}
