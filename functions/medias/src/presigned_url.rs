//! `POST /api/medias/presigned-url`.

use std::time::Duration;

use axum::extract::State;
use serde::Serialize;
use shared::{
    app::App,
    auth::rate_limit::{self, MEDIA_BY_ACCOUNT},
    http::{Fields, Input, LiveCaller, NoMetaData, OkWith, Result, extract::Valid},
    models::account::AccountId,
};
use utoipa::ToSchema;

use crate::{
    form::{FormError, SignedUrl, Upload},
    media_type::MediaType,
};

/// The most bytes of a file: 10 MiB.
pub const MOST_BYTES: u64 = 10 * 1024 * 1024;
/// The most files of a call.
pub const MOST_FILES: usize = 20;
/// How long a form is good.
pub const LIFETIME: Duration = Duration::from_secs(15 * 60);

/// Files that are to be uploaded.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct PresignUploads {
    /// 1 to 20 of them.
    #[schema(min_items = 1, max_items = 20)]
    files: Vec<FileToUpload>,
    /// An address of the account's own.
    #[schema(max_length = 128)]
    user_address: Option<String>,
}

/// A file that is to be uploaded.
#[derive(Debug, ToSchema)]
pub struct FileToUpload {
    /// Its name, without control characters; it ends in `.png`, `.jpg`, `.jpeg`, `.gif`, `.webp` or
    /// `.avif`, in any case.
    #[schema(min_length = 1, max_length = 255)]
    filename: String,
    /// What the name says that it is.
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

/// How a file is uploaded, and where it is then.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MediaUpload {
    /// Its key in the storage.
    key: String,
    /// Where everybody gets it, once it is uploaded.
    url: String,
    /// The form that uploads it, good for 15 minutes.
    signed_url: SignedUrl,
    /// Its name, as it was sent.
    file_name: String,
    /// The media type that it is stored as, whatever it holds.
    #[schema(example = "image/png")]
    mime_type: &'static str,
    /// The most bytes that the storage takes.
    #[schema(example = 10_485_760)]
    size: u64,
}

/// A form for each file, by which the client uploads it to the storage itself.
///
/// Send each as `multipart/form-data` to `signedUrl.url`: the fields of `signedUrl.fields` as they
/// are, in any order, then the file, in a field `file`. The storage refuses what is larger, of
/// another type or key, or late. Forms are not kept: `Idempotency-Key` is ignored.
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
pub async fn presigned_url(
    State(app): State<App>,
    caller: LiveCaller,
    Valid(request): Valid<PresignUploads>,
) -> Result<OkWith<Vec<MediaUpload>, NoMetaData>> {
    let account = caller.account.id;
    if let Some(address) = &request.user_address {
        caller.own_address(&app, address)?;
    }
    rate_limit::hit(&app, MEDIA_BY_ACCOUNT, &account.to_string()).await?;
    let mut uploads = Vec::new();
    for file in request.files {
        uploads.push(MediaUpload::of(&app, account, file).await?);
    }
    Ok(OkWith::new(uploads, NoMetaData {}))
}

impl MediaUpload {
    async fn of(app: &App, account: AccountId, file: FileToUpload) -> Result<Self, FormError> {
        let FileToUpload { filename, media_type } = file;
        let (media, now) = (&app.config.media, app.clock.now());
        // The file's own name would be a way to choose the key.
        let key = format!("media/{account}/{}.{}", app.random.id(now), media_type.extension());
        let upload = Upload {
            bucket: &media.bucket,
            key: &key,
            content_type: media_type.mime(),
            most_bytes: MOST_BYTES,
        };
        Ok(Self {
            url: format!("{}/{key}", media.url),
            signed_url: SignedUrl::sign(&app.config.aws, upload, now, LIFETIME).await?,
            key,
            file_name: filename,
            mime_type: media_type.mime(),
            size: MOST_BYTES,
        })
    }
}
