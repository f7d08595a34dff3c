//! The shape of every success.

use axum::{
    Json,
    response::{IntoResponse, Response},
};
use http::StatusCode;
use serde::Serialize;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

/// A success: `code` is the text `1`, `message` is `common.success`.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Envelope<T> {
    /// Always `1`.
    #[schema(value_type = String, example = "1")]
    code: &'static str,
    /// Always `common.success`.
    #[schema(value_type = String, example = "common.success")]
    message: &'static str,
    /// What was asked for.
    data: T,
    /// Where the page stands, on paginated lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    meta_data: Option<MetaData>,
}

/// The `data` of an endpoint that has nothing to say but success: null.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Nothing;

impl PartialSchema for Nothing {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Null).into()
    }
}

impl ToSchema for Nothing {}

/// Where a page stands in its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MetaData {
    /// How many items the whole list has.
    pub total_items: u64,
    /// This page, from 1.
    pub current_page: u64,
    /// Items per page.
    pub page_size: u64,
    /// How many pages that makes.
    pub total_pages: u64,
}

impl<T> Envelope<T> {
    /// A success with `data`.
    pub fn ok(data: T) -> Self {
        Self { code: "1", message: "common.success", data, meta_data: None }
    }

    /// `data`, and where the page stands.
    pub fn into_parts(self) -> (T, Option<MetaData>) {
        (self.data, self.meta_data)
    }

    /// A success with one page of a list.
    pub fn page(data: T, meta_data: MetaData) -> Self {
        Self { meta_data: Some(meta_data), ..Self::ok(data) }
    }
}

impl<T: Serialize> IntoResponse for Envelope<T> {
    fn into_response(self) -> Response {
        Json(self).into_response()
    }
}

/// A success that made something, and what is to be said beside it: status 201.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedWith<T, M> {
    /// Always `1`.
    #[schema(value_type = String, example = "1")]
    code: &'static str,
    /// Always `common.success`.
    #[schema(value_type = String, example = "common.success")]
    message: &'static str,
    /// What was made.
    data: T,
    /// What is to be said beside it.
    meta_data: M,
}

impl<T, M> CreatedWith<T, M> {
    /// `data`, and `meta_data` beside it.
    pub fn new(data: T, meta_data: M) -> Self {
        Self { code: "1", message: "common.success", data, meta_data }
    }
}

impl<T: Serialize, M: Serialize> IntoResponse for CreatedWith<T, M> {
    fn into_response(self) -> Response {
        (StatusCode::CREATED, Json(self)).into_response()
    }
}

/// A success, and what is to be said beside it: status 200.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OkWith<T, M> {
    /// Always `1`.
    #[schema(value_type = String, example = "1")]
    code: &'static str,
    /// Always `common.success`.
    #[schema(value_type = String, example = "common.success")]
    message: &'static str,
    /// What was asked for.
    data: T,
    /// What is to be said beside it.
    meta_data: M,
}

impl<T, M> OkWith<T, M> {
    /// `data`, and `meta_data` beside it.
    pub fn new(data: T, meta_data: M) -> Self {
        Self { code: "1", message: "common.success", data, meta_data }
    }
}

impl<T: Serialize, M: Serialize> IntoResponse for OkWith<T, M> {
    fn into_response(self) -> Response {
        Json(self).into_response()
    }
}

/// Nothing.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct NoMetaData {}

/// A success that made something: status 201.
#[derive(Clone, Debug)]
pub struct Created<T>(pub T);

impl<T: Serialize> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        (StatusCode::CREATED, Envelope::ok(self.0)).into_response()
    }
}
