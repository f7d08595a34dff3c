//! Files in S3.

use std::{
    fmt,
    sync::{Arc, OnceLock},
    time::Duration,
};

use aws_sdk_s3::{
    Client,
    config::{Region, RequestChecksumCalculation, ResponseChecksumValidation},
    error::{DisplayErrorContext, ProvideErrorMetadata, SdkError},
    presigning::PresigningConfig,
    primitives::ByteStream,
    types::{CompletedMultipartUpload, CompletedPart},
};

use crate::{
    aws::{AwsConfig, interceptors, limits},
    clock::Timestamp,
    outbound::Outbound,
};

/// The least that a part of an upload has, but for the last one, in bytes (Amazon S3 User Guide,
/// "Multipart upload limits").
pub const LEAST_PART: usize = 5 * 1024 * 1024;
/// The most parts that an upload has (the same).
pub const MOST_PARTS: usize = 10_000;

/// Why a file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum BlobError {
    /// The upload was completed, or given up.
    #[error("there is no such upload")]
    NoSuchUpload,
    /// The parts of an upload are not what they were when they were sent.
    #[error("S3 rejects the parts: {0}")]
    WrongParts(String),
    /// S3 does not answer, or says no.
    #[error("S3: {0}")]
    Unavailable(String),
}

impl<E, R> From<SdkError<E, R>> for BlobError
where
    SdkError<E, R>: std::error::Error + ProvideErrorMetadata,
{
    fn from(error: SdkError<E, R>) -> Self {
        let text = DisplayErrorContext(&error).to_string();
        match error.code() {
            Some("NoSuchUpload") => Self::NoSuchUpload,
            Some("InvalidPart" | "InvalidPartOrder" | "EntityTooSmall") => Self::WrongParts(text),
            _ => Self::Unavailable(text),
        }
    }
}

/// A bucket.
pub struct Bucket {
    aws: Arc<AwsConfig>,
    name: String,
    outbound: Outbound,
    client: OnceLock<Client>,
}

impl fmt::Debug for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bucket").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Bucket {
    /// The bucket of that name; connects nowhere yet.
    pub fn new(aws: Arc<AwsConfig>, name: String, outbound: Outbound) -> Self {
        Self { aws, name, outbound, client: OnceLock::new() }
    }

    /// Made at its first use, so that a function without files neither makes nor even links it.
    fn client(&self) -> &Client {
        self.client.get_or_init(|| {
            // A part has 5 MiB.
            let (attempt, all) = (Duration::from_secs(8), Duration::from_secs(18));
            let mut config = aws_sdk_s3::Config::builder()
                .region(Region::new(self.aws.region.clone()))
                .credentials_provider(self.aws.credentials())
                .http_client(self.outbound.clone())
                // Signatures cover the payload, and not every S3 service supports additional checksums.
                .request_checksum_calculation(RequestChecksumCalculation::WhenRequired)
                .response_checksum_validation(ResponseChecksumValidation::WhenRequired)
                .force_path_style(self.aws.s3_endpoint.is_some())
                .timeout_config(limits(&self.outbound, attempt, all));
            config.set_endpoint_url(self.aws.s3_endpoint.clone());
            config.set_interceptors(interceptors(&self.outbound));
            Client::from_conf(config.build())
        })
    }

    /// Writes a file in one request, and replaces an existing one.
    pub async fn put(&self, key: &str, file: Vec<u8>) -> Result<(), BlobError> {
        let put = self.client().put_object().bucket(&self.name).key(key);
        put.body(ByteStream::from(file)).send().await?;
        Ok(())
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`BlobError::Unavailable`], also if there is no such file.
    pub async fn get(&self, key: &str) -> Result<Vec<u8>, BlobError> {
        let found = self.client().get_object().bucket(&self.name).key(key).send().await?;
        let body = found.body.collect().await;
        let body = body.map_err(|error| BlobError::Unavailable(error.to_string()))?;
        Ok(body.to_vec())
    }

    /// Begins an upload in parts; answers its id.
    pub async fn begin(&self, key: &str, content_type: &str) -> Result<String, BlobError> {
        let begin = self.client().create_multipart_upload().bucket(&self.name).key(key);
        let begun = begin.content_type(content_type).send().await?;
        begun.upload_id.ok_or_else(|| BlobError::Unavailable("an upload without an id".to_owned()))
    }

    /// Sends a part of an upload, from 1, over the one that was there; answers its ETag.
    ///
    /// # Errors
    /// [`BlobError::NoSuchUpload`] if the upload was completed or given up; [`BlobError::Unavailable`] if S3
    /// fails.
    pub async fn send_part(
        &self,
        key: &str,
        upload: &str,
        number: usize,
        part: Vec<u8>,
    ) -> Result<String, BlobError> {
        let send = self.client().upload_part().bucket(&self.name).key(key).upload_id(upload);
        let send = send.part_number(place(number)).body(ByteStream::from(part));
        let sent = send.send().await?;
        sent.e_tag.ok_or_else(|| BlobError::Unavailable("a part without an ETag".to_owned()))
    }

    /// Makes a file of the parts with these ETags, in their order.
    ///
    /// # Errors
    /// [`BlobError::NoSuchUpload`] if the upload was completed or given up; [`BlobError::WrongParts`] if a
    /// part is missing or was replaced; [`BlobError::Unavailable`] if S3 fails.
    pub async fn complete(
        &self,
        key: &str,
        upload: &str,
        etags: &[String],
    ) -> Result<(), BlobError> {
        let parts = (1_usize..).zip(etags).map(|(number, etag)| {
            CompletedPart::builder().part_number(place(number)).e_tag(etag).build()
        });
        let parts = CompletedMultipartUpload::builder().set_parts(Some(parts.collect()));
        let complete = self.client().complete_multipart_upload().bucket(&self.name).key(key);
        let complete = complete.upload_id(upload).multipart_upload(parts.build());
        // S3 puts many parts together for minutes.
        let (attempt, all) = (Duration::from_secs(30), Duration::from_secs(35));
        let limits = limits(&self.outbound, attempt, all);
        let patient = aws_sdk_s3::config::Builder::new().timeout_config(limits);
        complete.customize().config_override(patient).send().await?;
        Ok(())
    }

    /// Gives an upload up, with its parts. One that is not there is given up already.
    pub async fn give_up(&self, key: &str, upload: &str) -> Result<(), BlobError> {
        let abort = self.client().abort_multipart_upload().bucket(&self.name).key(key);
        match abort.upload_id(upload).send().await.map_err(BlobError::from) {
            Ok(_) | Err(BlobError::NoSuchUpload) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// How many bytes a file has, if there is one.
    pub async fn size(&self, key: &str) -> Result<Option<u64>, BlobError> {
        match self.client().head_object().bucket(&self.name).key(key).send().await {
            Ok(found) => Ok(found.content_length.and_then(|length| u64::try_from(length).ok())),
            Err(error) if error.as_service_error().is_some_and(|error| error.is_not_found()) => {
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Deletes all files whose keys begin with `prefix`; returns how many there were.
    ///
    /// # Errors
    /// [`BlobError`]: some files may be deleted.
    pub async fn delete_all(&self, prefix: &str) -> Result<usize, BlobError> {
        let mut deleted: usize = 0;
        loop {
            // From the start each time: what is deleted is not listed again.
            let list = self.client().list_objects_v2().bucket(&self.name).prefix(prefix);
            let listed = list.send().await?;
            let keys: Vec<_> = listed.contents().iter().filter_map(|file| file.key()).collect();
            if keys.is_empty() {
                return Ok(deleted);
            }
            for key in keys {
                self.delete(key).await?;
                deleted = deleted.saturating_add(1);
            }
        }
    }

    /// Deletes a file, if there is one.
    pub async fn delete(&self, key: &str) -> Result<(), BlobError> {
        self.client().delete_object().bucket(&self.name).key(key).send().await?;
        Ok(())
    }

    /// A link that downloads a file under this name (letters, digits, `-`, `.`) from a start time until it expires. It
    /// works for anyone who has it. Makes no call to S3.
    ///
    /// # Errors
    /// [`BlobError::Unavailable`] if the SDK cannot sign the URL, which nothing in a request can cause.
    pub async fn download_url(
        &self,
        key: &str,
        file_name: &str,
        (from, span): (Timestamp, Duration),
    ) -> Result<String, BlobError> {
        let lasting = PresigningConfig::builder()
            .start_time(from.into())
            .expires_in(span)
            .build()
            .map_err(|error| BlobError::Unavailable(error.to_string()))?;
        let disposition = format!("attachment; filename=\"{file_name}\"");
        let get = self.client().get_object().bucket(&self.name).key(key);
        let link = get.response_content_disposition(disposition).presigned(lasting).await?;
        Ok(link.uri().to_owned())
    }
}

fn place(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
