//! The shape of every successful response.

use axum::{
    Json,
    response::{IntoResponse, Response},
};
use http::StatusCode;
use serde::Serialize;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        ObjectBuilder, RefOr, Schema,
        schema::{SchemaType, Type},
    },
};

/// A successful response: `code` is the text `1`, `message` is `common.success`.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Envelope<T> {
    /// Always `1`.
    #[schema(value_type = String, example = "1")]
    code: &'static str,
    /// Always `common.success`.
    #[schema(value_type = String, example = "common.success")]
    message: &'static str,
    /// The result.
    data: T,
    /// The position of the page, on paginated lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    meta_data: Option<MetaData>,
}

/// The `data` of an endpoint that returns nothing: null.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Nothing;

impl PartialSchema for Nothing {
    fn schema() -> RefOr<Schema> {
        // Generators of clients do not support a type that is only null.
        let nullable = SchemaType::from_iter([Type::Object, Type::Null]);
        ObjectBuilder::new().schema_type(nullable).max_properties(Some(0)).into()
    }
}

impl ToSchema for Nothing {}

/// The position of a page in its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MetaData {
    /// Items in the whole list.
    pub total_items: u64,
    /// Number of this page, from 1.
    pub current_page: u64,
    /// Items per page.
    pub page_size: u64,
    /// Pages in the whole list.
    pub total_pages: u64,
    /// The length of the list. Send it as `asOf` in requests for the next pages. Absent if rows of the list
    /// come and go.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<u64>,
}

impl MetaData {
    /// The position of an answer that is one object rather than a page of a list.
    pub const ONE: Self =
        Self { total_items: 1, current_page: 1, page_size: 1, total_pages: 1, as_of: None };

    /// The position of an answer that is an array of `items` items rather than a page of a numbered list.
    pub fn all(items: usize) -> Self {
        let items = u64::try_from(items).unwrap_or(u64::MAX);
        Self { total_items: items, page_size: items.max(1), total_pages: items.min(1), ..Self::ONE }
    }
}

/// The position of a response in its list, and the other fields of `metaData`.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MetaDataWith<M> {
    /// Page 1 of 1 if the response is one object; for an array without page numbers, one page with the whole
    /// array.
    #[serde(flatten)]
    position: MetaData,
    #[serde(flatten)]
    more: M,
}

impl<T> Envelope<T> {
    /// A successful response with `data`.
    pub fn ok(data: T) -> Self {
        Self { code: "1", message: "common.success", data, meta_data: None }
    }

    /// `data` and the position of the page; or the answer itself if it is not a page.
    pub fn into_parts(self) -> (T, MetaData) {
        (self.data, self.meta_data.unwrap_or(MetaData::ONE))
    }

    /// A successful response with one page of a list.
    pub fn page(data: T, meta_data: MetaData) -> Self {
        Self { meta_data: Some(meta_data), ..Self::ok(data) }
    }
}

impl<T: Serialize> IntoResponse for Envelope<T> {
    fn into_response(self) -> Response {
        Json(self).into_response()
    }
}

/// A response with status 201 that carries further information about the created item in `metaData`.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedWith<T, M> {
    /// Always `1`.
    #[schema(value_type = String, example = "1")]
    code: &'static str,
    /// Always `common.success`.
    #[schema(value_type = String, example = "common.success")]
    message: &'static str,
    /// The created item.
    data: T,
    /// Further information about the created item.
    meta_data: MetaDataWith<M>,
}

impl<T, M> CreatedWith<T, M> {
    /// A response with `data` and what `metaData` says in addition to its position.
    pub fn new(data: T, more: M) -> Self {
        let meta_data = MetaDataWith { position: MetaData::ONE, more };
        Self { code: "1", message: "common.success", data, meta_data }
    }
}

impl<T: Serialize, M: Serialize> IntoResponse for CreatedWith<T, M> {
    fn into_response(self) -> Response {
        (StatusCode::CREATED, Json(self)).into_response()
    }
}

/// A response with status 200 that carries further information about the result in `metaData`.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OkWith<T, M> {
    /// Always `1`.
    #[schema(value_type = String, example = "1")]
    code: &'static str,
    /// Always `common.success`.
    #[schema(value_type = String, example = "common.success")]
    message: &'static str,
    /// The result.
    data: T,
    /// Further information about the result.
    meta_data: MetaDataWith<M>,
}

impl<T, M> OkWith<T, M> {
    /// A response with one object and what `metaData` says in addition to its position.
    pub fn new(data: T, more: M) -> Self {
        Self::at(data, MetaData::ONE, more)
    }

    /// A response at this position, and what `metaData` says in addition.
    pub fn at(data: T, position: MetaData, more: M) -> Self {
        let meta_data = MetaDataWith { position, more };
        Self { code: "1", message: "common.success", data, meta_data }
    }
}

impl<T, M> OkWith<Vec<T>, M> {
    /// A response with all items of an array, and what `metaData` says in addition to their number.
    pub fn all(data: Vec<T>, more: M) -> Self {
        let position = MetaData::all(data.len());
        Self::at(data, position, more)
    }

    /// The same response with each item changed.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> OkWith<Vec<U>, M> {
        let Self { code, message, data, meta_data } = self;
        OkWith { code, message, data: data.into_iter().map(change).collect(), meta_data }
    }
}

impl<T: Serialize, M: Serialize> IntoResponse for OkWith<T, M> {
    fn into_response(self) -> Response {
        Json(self).into_response()
    }
}

/// Nothing in addition to the position.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct NoMetaData {}

/// A response with status 201 for a created item.
#[derive(Clone, Debug)]
pub struct Created<T>(pub T);

impl<T: Serialize> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        (StatusCode::CREATED, Envelope::ok(self.0)).into_response()
    }
}
