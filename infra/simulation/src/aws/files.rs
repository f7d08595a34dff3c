//! S3 in memory: objects, and uploads in parts.

use std::collections::BTreeMap;

use bytes::Bytes;
use http::{HeaderValue, Method, StatusCode};

use crate::{
    choice::Choices,
    wire::{Arrived, Host, Reply},
};

#[derive(Debug, Default)]
struct Upload {
    path: String,
    parts: BTreeMap<u32, Bytes>,
}

/// All buckets; a path begins with the bucket.
#[derive(Debug, Default)]
pub struct Files {
    /// Objects by path.
    pub objects: BTreeMap<String, Bytes>,
    uploads: BTreeMap<String, Upload>,
    made: u64,
}

fn xml(status: StatusCode, body: &str) -> Reply {
    let head = r#"<?xml version="1.0" encoding="UTF-8"?>"#;
    Reply::text(status, "application/xml", format!("{head}{body}"))
}

fn refused(status: StatusCode, code: &str) -> Reply {
    xml(status, &format!("<Error><Code>{code}</Code><Message>{code}</Message></Error>"))
}

fn etag(body: &Bytes) -> String {
    format!("\"{:016x}\"", crate::choice::hash(0, &hex::encode(body)))
}

fn tagged(mut reply: Reply, tag: &str) -> Reply {
    reply.headers.insert("etag", HeaderValue::from_str(tag).expect("a tag is text"));
    reply
}

impl Files {
    /// Number of uploads that are neither completed nor aborted.
    pub fn open_uploads(&self) -> usize {
        self.uploads.len()
    }
}

impl Host for Files {
    fn handle(&mut self, arrived: &Arrived, _choices: &mut Choices) -> Reply {
        let query: BTreeMap<&str, &str> = arrived
            .query
            .split('&')
            .filter(|pair| !pair.is_empty())
            .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
            .collect();
        let (path, upload) = (arrived.path.clone(), query.get("uploadId").copied());
        let empty = || xml(StatusCode::OK, "");
        match (&arrived.method, upload) {
            (&Method::POST, None) if query.contains_key("uploads") => {
                self.made += 1;
                let id = format!("upload-{}", self.made);
                self.uploads.insert(id.clone(), Upload { path, parts: BTreeMap::new() });
                let body = "<InitiateMultipartUploadResult><UploadId>";
                xml(
                    StatusCode::OK,
                    &format!("{body}{id}</UploadId></InitiateMultipartUploadResult>"),
                )
            }
            (&Method::PUT, Some(upload)) => {
                let Some(upload) = self.uploads.get_mut(upload) else {
                    return refused(StatusCode::NOT_FOUND, "NoSuchUpload");
                };
                let number = query.get("partNumber").and_then(|number| number.parse().ok());
                upload.parts.insert(number.expect("a part has a number"), arrived.body.clone());
                tagged(empty(), &etag(&arrived.body))
            }
            (&Method::POST, Some(id)) => {
                let Some(upload) = self.uploads.remove(id) else {
                    return refused(StatusCode::NOT_FOUND, "NoSuchUpload");
                };
                let asked = String::from_utf8_lossy(&arrived.body).into_owned();
                let asked = asked.replace("&quot;", "\"");
                let tags = upload.parts.values().map(etag);
                if tags.clone().count() != asked.matches("<ETag>").count()
                    || !tags.clone().all(|tag| asked.contains(&tag))
                {
                    self.uploads.insert(id.to_owned(), upload);
                    return refused(StatusCode::BAD_REQUEST, "InvalidPart");
                }
                let file: Vec<u8> =
                    upload.parts.values().flat_map(|part| part.iter().copied()).collect();
                let file = Bytes::from(file);
                let tag = etag(&file);
                self.objects.insert(upload.path, file);
                let tag = tag.replace('"', "&quot;");
                let body = "<CompleteMultipartUploadResult><ETag>";
                xml(StatusCode::OK, &format!("{body}{tag}</ETag></CompleteMultipartUploadResult>"))
            }
            (&Method::DELETE, Some(id)) => match self.uploads.remove(id) {
                Some(_) => Reply::text(StatusCode::NO_CONTENT, "application/xml", ""),
                None => refused(StatusCode::NOT_FOUND, "NoSuchUpload"),
            },
            (&Method::PUT, None) => {
                self.objects.insert(path, arrived.body.clone());
                tagged(empty(), &etag(&arrived.body))
            }
            (&Method::DELETE, None) => {
                self.objects.remove(&path);
                Reply::text(StatusCode::NO_CONTENT, "application/xml", "")
            }
            (method @ (&Method::GET | &Method::HEAD), None) => match self.objects.get(&path) {
                Some(file) => {
                    let body = if *method == Method::GET { file.clone() } else { Bytes::new() };
                    let mut reply = Reply::text(StatusCode::OK, "application/octet-stream", body);
                    let length = HeaderValue::from_str(&file.len().to_string());
                    reply.headers.insert("content-length", length.expect("digits"));
                    tagged(reply, &etag(file))
                }
                None if *method == Method::HEAD => {
                    Reply::text(StatusCode::NOT_FOUND, "application/xml", "")
                }
                None => refused(StatusCode::NOT_FOUND, "NoSuchKey"),
            },
            (method, _) => panic!("the model of S3 does not know {method} {path}"),
        }
    }

    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }
}
