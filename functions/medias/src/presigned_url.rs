//! `POST /api/medias/presigned-url`.

use std::time::Duration;

use axum::extract::State;
use serde::Serialize;
use shared::{
    auth::limits::{self, MEDIA_BY_ACCOUNT, MEDIA_FILE_BY_ACCOUNT},
    http::{Error, Fields, Input, LiveCaller, NoMetaData, OkWith, Problem, Result, extract::Valid},
    models::account::AccountId,
};
use utoipa::ToSchema;

use crate::{
    app::App,
    form::{FormError, SignedUrl, Upload},
    media_type::MediaType,
    name::MediaName,
};

/// Maximum size of a file: 10 MiB.
pub const MOST_BYTES: u64 = 10 * 1024 * 1024;
/// Maximum number of files per call.
pub const MOST_FILES: usize = 20;
/// How long a form is valid.
pub const LIFETIME: Duration = Duration::from_secs(15 * 60);

/// A request to upload files.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct PresignUploads {
    /// The files, 1 to 20.
    #[schema(min_items = 1, max_items = 20)]
    files: Vec<FileToUpload>,
    /// An address of the caller's account.
    #[schema(max_length = 128)]
    user_address: Option<String>,
}

/// A file to upload.
#[derive(Debug, ToSchema)]
pub struct FileToUpload {
    /// File name without control characters. It must end in `.png`, `.jpg`, `.jpeg`, `.gif`, `.webp` or
    /// `.avif`, in any case.
    #[schema(min_length = 1, max_length = 255)]
    filename: String,
    /// The media type that the name claims.
    #[schema(ignore)]
    media_type: MediaType,
}

impl Input for PresignUploads {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let files = fields.objects("files", 1..=MOST_FILES);
        let user_address = fields.optional_text("userAddress", 128);
        Some(Self { files: files?, user_address: user_address? })
    }
}

impl Input for FileToUpload {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let filename = fields.text("filename", 255)?;
        if filename.chars().any(char::is_control) {
            return fields.wrong("filename", "must have no control characters");
        }
        match MediaType::of(&filename) {
            Some(media_type) => Some(Self { filename, media_type }),
            None => fields.wrong("filename", "must end in .png, .jpg, .jpeg, .gif, .webp or .avif"),
        }
    }
}

/// How to upload a file, and where to download it afterwards.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MediaUpload {
    /// Key of the file in the bucket.
    key: String,
    /// Public URL of the file, once it is uploaded.
    url: String,
    /// The form that uploads the file, valid for 15 minutes.
    signed_url: SignedUrl,
    /// File name as sent in the request.
    file_name: String,
    /// Media type that the file is stored with, regardless of its content.
    #[schema(example = "image/png")]
    mime_type: &'static str,
    /// Maximum size of the file in bytes.
    #[schema(example = 10_485_760)]
    size: u64,
}

/// Returns a form for each file, with which the client uploads it directly to S3.
///
/// Send each form as `multipart/form-data` to `signedUrl.url`: first the fields of `signedUrl.fields`,
/// unchanged and in any order, then the file as the field `file`. S3 refuses files that are too large, have
/// another type or key, or arrive after the form has expired. Forms are not stored, so `Idempotency-Key` is
/// ignored.
#[utoipa::path(
    post,
    path = "/api/medias/presigned-url",
    tag = "medias",
    security(("bearer" = [])),
    request_body = PresignUploads,
    responses((
        status = 200,
        description = "The forms, in the order of the files",
        body = OkWith<Vec<MediaUpload>, NoMetaData>
    ))
)]
pub async fn create_media_upload(
    State(app): State<App>,
    caller: LiveCaller,
    Valid(request): Valid<PresignUploads>,
) -> Result<OkWith<Vec<MediaUpload>, NoMetaData>> {
    let account = caller.account.id;
    if let Some(address) = &request.user_address {
        caller.own_address(app.network, address)?;
    }
    // A form is useless if the uploaded file is not served.
    let served_at = app.served.url.as_deref().ok_or_else(|| Error::new(Problem::MediaNotServed))?;
    let (own, files) = (account.to_string(), u32::try_from(request.files.len()));
    limits::hit(&app, MEDIA_BY_ACCOUNT, &own).await?;
    limits::hit_times(&app, MEDIA_FILE_BY_ACCOUNT, &own, files.unwrap_or(u32::MAX)).await?;
    let mut uploads = Vec::new();
    for file in request.files {
        uploads.push(MediaUpload::of(&app, served_at, account, file).await?);
    }
    Ok(OkWith::all(uploads, NoMetaData {}))
}

impl MediaUpload {
    async fn of(
        app: &App,
        served_at: &str,
        account: AccountId,
        file: FileToUpload,
    ) -> Result<Self, FormError> {
        let FileToUpload { filename, media_type } = file;
        let (media, now) = (&app.media, app.clock.now());
        let key = MediaName::new(app.random.id(now), media_type).key(account);
        let upload = Upload {
            bucket: &media.bucket,
            key: &key,
            content_type: media_type.mime(),
            most_bytes: MOST_BYTES,
        };
        Ok(Self {
            url: format!("{served_at}/{key}"),
            signed_url: SignedUrl::sign(&app.aws, upload, now, LIFETIME).await?,
            key,
            file_name: filename,
            mime_type: media_type.mime(),
            size: MOST_BYTES,
        })
    }
}
