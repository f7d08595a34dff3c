//! Lists as requested by clients: page, sort, select, populate, filters (`docs/decisions/0002-lists.md`).

mod filter;

use std::{cmp::Ordering, collections::BTreeMap, future::Future, marker::PhantomData};

use axum::extract::FromRequestParts;
use http::request::Parts;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use store::{
    Store, StoreError,
    lists::{self, List, Member, Order, PageWindow},
};
use utoipa::IntoParams;

use super::{
    Envelope, Error, FieldError, Params, Problem,
    envelope::MetaData,
    query::{Plus, decode, is_for_others, pairs, unknown_parameter},
    relations::{TOKEN, WALLET},
};

pub use filter::Filter;
use filter::{Filters, unknown};

const DEFAULT_PAGE_SIZE: u64 = 10;
const LARGEST_PAGE_SIZE: u64 = 100;
/// Larger page numbers are refused.
const LAST_PAGE: u64 = 1_000_000_000;
/// Larger list lengths are refused: JavaScript cannot represent them exactly.
const LONGEST: u64 = 9_007_199_254_740_991;
const MOST_RELATIONS: usize = 5;
/// The longest list that is sorted or filtered in memory.
pub const MOST_SORTED: u64 = 5_000;

/// Whether a field is returned by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// Returned by default.
    Visible,
    /// Returned only with `select=+field`.
    Hidden,
}

/// The order of a field's values, if lists can be sorted by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SortOrder {
    /// None.
    Unsorted,
    /// Texts by their characters, numbers by their value.
    Plain,
    /// Texts that contain numbers, compared by value (`9` before `10`, `840000:9` before `840000:10`).
    Digits,
}

/// A field of a listed resource.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    name: &'static str,
    visibility: Visibility,
    order: SortOrder,
}

impl Field {
    /// A field that is returned by default. Lists can be sorted by it.
    pub const fn visible(name: &'static str) -> Self {
        Self { name, visibility: Visibility::Visible, order: SortOrder::Plain }
    }

    /// A field that is returned only on request. Lists cannot be sorted by it.
    pub const fn hidden(name: &'static str) -> Self {
        Self { name, visibility: Visibility::Hidden, order: SortOrder::Unsorted }
    }

    /// A field whose text contains numbers: an amount, or a rune id.
    pub const fn in_digits(self) -> Self {
        Self { order: SortOrder::Digits, ..self }
    }

    /// A field without an order: its value is composite, has no meaning to people, or is read only for the
    /// rows of the page.
    pub const fn unsorted(self) -> Self {
        Self { order: SortOrder::Unsorted, ..self }
    }

    fn is_sortable(&self) -> bool {
        self.order != SortOrder::Unsorted
    }
}

/// The items of a list. Their JSON has the declared fields, an `id`, and nothing else.
///
/// Data that must never leave the service is not declared as a field, so no query can reach it.
pub trait Resource: Serialize {
    /// All fields except `id`, which is always present.
    const FIELDS: &'static [Field];
    /// Fields that say when a row was appended. Sorting by one of them reads the list in its stored order.
    /// The first one is the default, descending.
    const SEQUENCE: &'static [&'static str] = &["createdAt"];
    /// Relations that `populate` accepts in addition to `wallet` and `token`, which every list accepts.
    const RELATIONS: &'static [&'static str] = &[];
    /// Fields to filter by. For those that choose a list, the handler reads [`ListQuery::filter`] and takes the
    /// list that has exactly those rows; [`ListQuery::read`] applies the others.
    const FILTERS: &'static [Filter] = &[];
}

/// The query of every list as described in the OpenAPI document; [`ListQuery`] reads it.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code)]
pub struct ListParameters {
    /// Page number, from 1.
    #[param(default = 1, minimum = 1, maximum = 1_000_000_000)]
    page: Option<u64>,
    /// Items per page. Values above 100 count as 100.
    #[param(rename = "pageSize", default = 10, minimum = 1)]
    page_size: Option<u64>,
    /// Fields to sort by, separated by comma or space: `id`, and every visible field with one value; the error
    /// names them. A leading `-` means descending.
    #[param(default = "-createdAt")]
    sort: Option<String>,
    /// Fields to return, separated by comma or space. `a b`: only these; `-a`: all except this one; `+h`:
    /// also the hidden field `h`.
    select: Option<String>,
    /// Relations to add, separated by comma or space. Every list has two. `token` is the row's token or rune
    /// with symbol and divisibility from the token catalogue. `wallet` is the sign-in wallet of the row's
    /// account; outside the list of accounts it is set only on the caller's own rows. Either is null if
    /// absent.
    populate: Option<String>,
}

/// The further parameter of lists whose rows do not go. The others [refuse](ListQuery::refuse_as_of) it.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code)]
pub struct AsOf {
    /// The list as it was when it had this many items: `metaData.asOf` of an earlier page. Pages of a growing
    /// list then neither repeat nor skip a row. Filters by state do not accept it, because their rows come and
    /// go.
    #[param(rename = "asOf", maximum = 9_007_199_254_740_991_u64)]
    as_of: Option<u64>,
}

/// A validated query of a list of `R`.
#[derive(Debug)]
pub struct ListQuery<R> {
    window: PageWindow,
    sort: Vec<SortKey>,
    fields: Vec<&'static str>,
    relations: Vec<&'static str>,
    filters: Filters,
    /// The length of the list to read; `None` for its current length.
    as_of: Option<u64>,
    resource: PhantomData<fn() -> R>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SortKey {
    field: &'static str,
    order: SortOrder,
    descending: bool,
}

impl<R: Resource, S: Sync> FromRequestParts<S> for ListQuery<R> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Error> {
        Self::parse(parts.uri.query().unwrap_or_default())
    }
}

impl<R: Resource> ListQuery<R> {
    /// Parses a raw query.
    ///
    /// # Errors
    /// An error that names every invalid parameter.
    pub fn parse(query: &str) -> Result<Self, Error> {
        let mut errors = Vec::new();
        let mut wrong = |field: &str, message: String| {
            errors.push(FieldError { field: field.to_owned(), message });
        };
        let mut given = BTreeMap::new();
        for (name, value) in pairs(query) {
            match name {
                None => wrong("query", "is not UTF-8".to_owned()),
                Some(name) => {
                    if given.insert(name.clone(), value).is_some() {
                        wrong(&name, "is given twice".to_owned());
                    }
                }
            }
        }
        let mut parsed = Self {
            window: PageWindow { page: 1, size: DEFAULT_PAGE_SIZE },
            sort: R::SEQUENCE
                .iter()
                .take(1)
                .map(|field| SortKey { field, order: SortOrder::Plain, descending: true })
                .collect(),
            fields: names(|field| field.visibility == Visibility::Visible, R::FIELDS),
            relations: Vec::new(),
            filters: Filters::default(),
            as_of: None,
            resource: PhantomData,
        };
        for (name, raw) in &given {
            let known: Vec<_> = parameters::<R>().collect();
            if is_for_others(name, known.iter().map(String::as_str)) {
                continue;
            }
            if !known.contains(name) {
                wrong(name, unknown_parameter(parameters::<R>()));
                continue;
            }
            let Some(value) = decode(raw, Plus::Space) else {
                wrong(name, "is not UTF-8".to_owned());
                continue;
            };
            let outcome = match name.as_str() {
                // Clients also send parameters for form fields that were left empty.
                _ if value.trim().is_empty() => Ok(()),
                _ if is_no_value(&value) => Err(format!(
                    "is the text \"{value}\": the client probably sent a variable without a value"
                )),
                "page" => number(&value, 1, LAST_PAGE).map(|page| parsed.window.page = page),
                "pageSize" => number(&value, 1, u64::MAX)
                    .map(|size| parsed.window.size = size.min(LARGEST_PAGE_SIZE)),
                "sort" => sort::<R>(&value).map(|sort| parsed.sort = sort),
                "select" => decode(raw, Plus::Prefix)
                    .ok_or_else(|| "is not UTF-8".to_owned())
                    .and_then(|value| select::<R>(&value))
                    .map(|fields| parsed.fields = fields),
                "populate" => populate::<R>(&value).map(|relations| parsed.relations = relations),
                "asOf" => number(&value, 0, LONGEST).map(|as_of| parsed.as_of = Some(as_of)),
                other => parsed.filters.read(R::FILTERS, other, &value),
            };
            if let Err(message) = outcome {
                wrong(name, message);
            }
        }
        for (parameter, message) in parsed.filters.incomplete(R::FILTERS) {
            wrong(&parameter, message);
        }
        if errors.is_empty() { Ok(parsed) } else { Err(Error::fields(errors)) }
    }

    /// The value of a filter that chooses a list, in canonical form.
    pub fn filter(&self, name: &str) -> Option<&str> {
        self.filters.list(name)
    }

    /// The values of a filter that chooses rows, in canonical form.
    pub fn row_filter(&self, name: &str) -> Option<&[String]> {
        self.filters.rows(name)
    }

    /// The same query without a filter that chooses rows, for a list that contains exactly the rows that the
    /// filter would choose.
    #[must_use]
    pub fn without_filter(mut self, name: &str) -> Self {
        self.filters.without(name);
        self
    }

    /// Whether `populate` names this relation.
    pub fn populates(&self, relation: &str) -> bool {
        self.relations.contains(&relation)
    }

    /// Reads the requested page of a list. Sorting by `createdAt` alone reads the list in its own order, in
    /// which rows of the same time keep the order of appending. Other sorts, and filters that choose rows, are
    /// done in memory, with ties broken by id. `load` turns members into rows, reading them in batches if
    /// needed; members whose row is gone are left out.
    ///
    /// # Errors
    /// [`Problem::SortTooLarge`] if the list is too long for this sort or filter; the problem of the store's
    /// error if the store fails.
    pub async fn read<M, F>(
        &self,
        store: &Store,
        list: &List,
        load: impl Fn(Vec<Member<M>>) -> F,
    ) -> Result<ListPage<R>, Error>
    where
        M: Serialize + DeserializeOwned,
        F: Future<Output = Result<Vec<R>, StoreError>>,
    {
        if let Some((window, order)) = self.walk().filter(|_| !self.filters.choose_rows()) {
            let slice = lists::page(store, list, window, order, self.as_of).await?;
            let (total, rows) = (slice.total, load(slice.members).await?);
            return Ok(ListPage { rows, total, as_of: Some(total) });
        }
        self.read_with(store, list, Vec::new(), load).await
    }

    /// Reads a whole list, and sorts and filters it in memory together with further rows.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub async fn read_with<M, F>(
        &self,
        store: &Store,
        list: &List,
        further: Vec<R>,
        load: impl Fn(Vec<Member<M>>) -> F,
    ) -> Result<ListPage<R>, Error>
    where
        M: Serialize + DeserializeOwned,
        F: Future<Output = Result<Vec<R>, StoreError>>,
    {
        let Some(members) = lists::all(store, list, MOST_SORTED, self.as_of).await? else {
            let shorter = R::FILTERS.iter().filter(|filter| filter.shortens());
            let shorter: Vec<_> = shorter
                .map(Filter::parameter)
                .filter(|name| name.strip_suffix("_eq").is_some_and(|it| self.filter(it).is_none()))
                .collect();
            return Err(self.too_long(&shorter));
        };
        let as_of = u64::try_from(members.len()).unwrap_or(u64::MAX);
        let mut rows = load(members).await?;
        rows.extend(further);
        let found = self.sorted_page(rows)?;
        Ok(ListPage { as_of: Some(as_of), ..found })
    }

    /// The page and direction, if the query sorts only by the order of the list itself.
    pub fn walk(&self) -> Option<(PageWindow, Order)> {
        let is_descending = self.sorts_by(|field| R::SEQUENCE.contains(&field))?;
        let order = if is_descending { Order::NewestFirst } else { Order::OldestFirst };
        Some((self.window, order))
    }

    /// The page, and whether the sort is descending, if the query sorts only by this field.
    pub fn sorted_by(&self, field: &str) -> Option<(PageWindow, bool)> {
        Some((self.window, self.sorts_by(|it| it == field)?))
    }

    /// Whether the sort is descending, if the query sorts only by one such field.
    fn sorts_by(&self, is_field: impl Fn(&str) -> bool) -> Option<bool> {
        match self.sort.as_slice() {
            [key] if is_field(key.field) => Some(key.descending),
            _ => None,
        }
    }

    /// Whether the response includes this field.
    pub fn selects(&self, field: &str) -> bool {
        self.fields.contains(&field)
    }

    /// The error for a list with more than [`MOST_SORTED`] rows that would have to be sorted or filtered in
    /// memory. `shorter` are filters with which it would be shorter.
    pub fn too_long(&self, shorter: &[String]) -> Error {
        let mut details = format!("The list has more than {MOST_SORTED} items.");
        if self.walk().is_none() {
            let always = R::SEQUENCE.iter();
            let always: Vec<_> =
                always.flat_map(|field| [(*field).to_owned(), format!("-{field}")]).collect();
            details.push_str(&format!(" It can be sorted by {}.", always.join(" and ")));
        }
        if self.filters.choose_rows() {
            details.push_str(" Its rows cannot be filtered.");
        }
        if !shorter.is_empty() {
            details.push_str(&format!(" A shorter list: {}.", shorter.join(", ")));
        }
        let params = Params::new().number("maximum", MOST_SORTED);
        Error::with_details(Problem::SortTooLarge, details).with_params(params)
    }

    /// Refuses `asOf`, for lists whose rows can be removed.
    ///
    /// # Errors
    /// The error for that parameter, if the query has it.
    pub fn refuse_as_of(&self) -> Result<(), Error> {
        match self.as_of {
            None => Ok(()),
            Some(_) => {
                Err(Error::field("asOf", "does not work here: the rows of this list come and go"))
            }
        }
    }

    /// The requested page out of all rows that the filters choose.
    ///
    /// # Errors
    /// Only errors of the server: a row that cannot be written as JSON, for example.
    pub fn sorted_page(&self, rows: Vec<R>) -> Result<ListPage<R>, Error> {
        let mut keyed = rows
            .into_iter()
            .map(|row| Ok((object(&row)?, row)))
            .collect::<Result<Vec<_>, Error>>()?;
        keyed.retain(|(row, _)| self.filters.match_row(row));
        keyed.sort_by(|(a, _), (b, _)| self.compare(a, b));
        let total = u64::try_from(keyed.len()).unwrap_or(u64::MAX);
        let skipped = self.window.page.saturating_sub(1).saturating_mul(self.window.size);
        let skipped = usize::try_from(skipped).unwrap_or(usize::MAX);
        let size = usize::try_from(self.window.size).unwrap_or(usize::MAX);
        let page = keyed.into_iter().skip(skipped).take(size).map(|(_, row)| row);
        Ok(ListPage { rows: page.collect(), total, as_of: None })
    }

    /// Compares by the requested fields. Ties are broken by id, so that pages never overlap.
    fn compare(&self, a: &Map<String, Value>, b: &Map<String, Value>) -> Ordering {
        let by_field = |key: &SortKey| {
            let order = compare(a.get(key.field), b.get(key.field), key.order);
            if key.descending { order.reverse() } else { order }
        };
        let by_id = || compare(a.get("id"), b.get("id"), SortOrder::Plain);
        self.sort.iter().map(by_field).find(|order| order.is_ne()).unwrap_or_else(by_id)
    }

    /// Shapes the rows as requested. `related` gives the value of a relation for the row at an index.
    ///
    /// # Errors
    /// Only errors of the server: a row that cannot be written as JSON, for example.
    pub fn answer(
        &self,
        found: &ListPage<R>,
        related: impl Fn(&'static str, usize) -> Value,
    ) -> Result<Envelope<Vec<Value>>, Error> {
        let mut rows = Vec::with_capacity(found.rows.len());
        for (place, row) in found.rows.iter().enumerate() {
            let mut row = object(row)?;
            row.retain(|name, _| name == "id" || self.fields.contains(&name.as_str()));
            for relation in &self.relations {
                row.insert((*relation).to_owned(), related(relation, place));
            }
            rows.push(Value::Object(row));
        }
        let meta_data = MetaData {
            total_items: found.total,
            current_page: self.window.page,
            page_size: self.window.size,
            total_pages: found.total.div_ceil(self.window.size),
            as_of: found.as_of,
        };
        Ok(Envelope::page(rows, meta_data))
    }
}

/// A page of rows and the total number of rows.
#[derive(Debug)]
pub struct ListPage<R> {
    /// In the requested order.
    pub rows: Vec<R>,
    /// The number of rows in the whole list.
    pub total: u64,
    /// The length of the list that they were read from, filtered or not; `None` if its rows can be removed.
    pub as_of: Option<u64>,
}

fn object<R: Serialize>(row: &R) -> Result<Map<String, Value>, Error> {
    match serde_json::to_value(row) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => {
            Err(Error::new(Problem::Internal).caused_by("a listed resource is not a JSON object"))
        }
        Err(error) => Err(Error::new(Problem::Internal).caused_by(error)),
    }
}

/// Orders missing values before null, booleans, numbers and texts.
fn compare(a: Option<&Value>, b: Option<&Value>, order: SortOrder) -> Ordering {
    let rank = |value: Option<&Value>| match value {
        None => 0_u8,
        Some(Value::Null) => 1,
        Some(Value::Bool(_)) => 2,
        Some(Value::Number(_)) => 3,
        Some(_) => 4,
    };
    match (a, b) {
        (Some(Value::Number(a)), Some(Value::Number(b))) => a.as_i128().cmp(&b.as_i128()),
        (Some(Value::String(a)), Some(Value::String(b))) if order == SortOrder::Digits => {
            numbers_in(a).cmp(&numbers_in(b)).then_with(|| a.cmp(b))
        }
        (Some(Value::String(a)), Some(Value::String(b))) => a.cmp(b),
        (Some(Value::Bool(a)), Some(Value::Bool(b))) => a.cmp(b),
        (a, b) => rank(a).cmp(&rank(b)),
    }
}

/// The numbers in a text, each as its length without leading zeros and its digits, so that tuples compare by
/// value.
fn numbers_in(text: &str) -> Vec<(usize, &str)> {
    let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
    numbers.map(|digits| digits.trim_start_matches('0')).map(|it| (it.len(), it)).collect()
}

fn names(wanted: impl Fn(&Field) -> bool, fields: &'static [Field]) -> Vec<&'static str> {
    fields.iter().filter(|field| wanted(field)).map(|field| field.name).collect()
}

fn number(text: &str, least: u64, most: u64) -> Result<u64, String> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    // Digits that do not fit into 64 bits are a number above every limit.
    let number = digits.then(|| text.parse().unwrap_or(u64::MAX));
    number.filter(|number| (least..=most).contains(number)).ok_or_else(|| {
        if most == u64::MAX {
            format!("must be a number from {least}")
        } else {
            format!("must be a number from {least} to {most}")
        }
    })
}

/// The parameters of a list.
fn parameters<R: Resource>() -> impl Iterator<Item = String> {
    let of_every_list = ["page", "pageSize", "sort", "select", "populate", "asOf"];
    of_every_list.into_iter().map(str::to_owned).chain(R::FILTERS.iter().map(Filter::parameter))
}

/// Whether a text is JavaScript's text for a missing value.
fn is_no_value(text: &str) -> bool {
    matches!(text, "undefined" | "null" | "NaN")
}

fn words(value: &str) -> impl Iterator<Item = &str> {
    value.split([',', ' ']).filter(|word| !word.is_empty())
}

fn sort<R: Resource>(value: &str) -> Result<Vec<SortKey>, String> {
    let mut keys: Vec<SortKey> = Vec::new();
    for word in words(value) {
        let (name, descending) = word.strip_prefix('-').map_or((word, false), |name| (name, true));
        let sortable = || {
            let fields = R::FIELDS.iter().filter(|field| field.is_sortable());
            [("id", SortOrder::Plain)].into_iter().chain(fields.map(|it| (it.name, it.order)))
        };
        let Some((field, order)) = sortable().find(|(field, _)| *field == name) else {
            return Err(unknown("sort", sortable().map(|(field, _)| field)));
        };
        if keys.iter().any(|key| key.field == field) {
            return Err(format!("names {field} twice"));
        }
        keys.push(SortKey { field, order, descending });
    }
    if keys.is_empty() { Err("must name a field".to_owned()) } else { Ok(keys) }
}

fn select<R: Resource>(value: &str) -> Result<Vec<&'static str>, String> {
    let (mut only, mut without, mut also) = (Vec::new(), Vec::new(), Vec::new());
    for word in words(value) {
        let (list, name) = match word.strip_prefix('-') {
            Some(name) => (&mut without, name),
            None => match word.strip_prefix('+') {
                Some(name) => (&mut also, name),
                None => (&mut only, word),
            },
        };
        if name == "id" {
            // `id` is always returned.
            list.push("id");
            continue;
        }
        let field = R::FIELDS.iter().find(|field| field.name == name);
        list.push(
            field.ok_or_else(|| unknown("field", R::FIELDS.iter().map(|field| field.name)))?.name,
        );
    }
    if !only.is_empty() && !without.is_empty() {
        return Err("mixes fields to return and fields to leave out".to_owned());
    }
    let hidden = |name: &&'static str| {
        R::FIELDS.iter().any(|field| field.name == *name && field.visibility == Visibility::Hidden)
    };
    if let Some(name) = only.iter().find(|name| hidden(name)) {
        return Err(format!("names the hidden field {name}: write +{name}"));
    }
    let mut fields = if only.is_empty() {
        names(
            |field| field.visibility == Visibility::Visible && !without.contains(&field.name),
            R::FIELDS,
        )
    } else {
        only
    };
    fields.append(&mut also);
    Ok(fields)
}

fn populate<R: Resource>(value: &str) -> Result<Vec<&'static str>, String> {
    let allowed = || [WALLET, TOKEN].into_iter().chain(R::RELATIONS.iter().copied());
    let mut relations = Vec::new();
    for word in words(value) {
        let relation = allowed().find(|relation| *relation == word);
        let relation = relation.ok_or_else(|| unknown("relation", allowed()))?;
        if !relations.contains(&relation) {
            relations.push(relation);
        }
    }
    if relations.len() > MOST_RELATIONS {
        return Err(format!("names more than {MOST_RELATIONS} relations"));
    }
    Ok(relations)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use proptest::prelude::*;
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Thing {
        id: String,
        name: String,
        size: i64,
        note: Option<String>,
        tags: Vec<Tag>,
        created_at: i64,
    }

    #[derive(Debug, Deserialize, Serialize)]
    #[serde(rename_all = "camelCase")]
    enum Tag {
        Old,
        BrandNew,
    }

    impl Resource for Thing {
        const FIELDS: &'static [Field] = &[
            Field::visible("name"),
            Field::visible("size"),
            Field::hidden("note"),
            Field::visible("createdAt"),
        ];
        const RELATIONS: &'static [&'static str] = &["a", "b", "c", "d", "e", "f"];
        const FILTERS: &'static [Filter] = &[
            Filter::of::<u64>("size"),
            Filter::of::<String>("name"),
            Filter::of_rows::<Tag>("tag", "tags"),
            Filter::of_plain_rows::<u64>("weight", "size").with_one_of(&["name", "tag"]),
        ];
    }

    fn parse(query: &str) -> Result<ListQuery<Thing>, Error> {
        ListQuery::parse(query)
    }

    fn fields(query: &str) -> Vec<&'static str> {
        parse(query).unwrap().fields
    }

    #[test]
    fn an_empty_query_has_defaults() {
        let query = parse("").unwrap();
        assert_eq!(query.window, PageWindow { page: 1, size: 10 });
        assert_eq!(
            query.sort,
            [SortKey { field: "createdAt", order: SortOrder::Plain, descending: true }]
        );
        assert_eq!(query.fields, ["name", "size", "createdAt"]);
    }

    #[test]
    fn page_sizes_are_clamped_and_pages_validated() {
        for large in ["1000", "18446744073709551615", "18446744073709551616", &"9".repeat(40)] {
            assert_eq!(parse(&format!("pageSize={large}")).unwrap().window.size, 100);
        }
        assert_eq!(parse("page=1000000000").unwrap().window.page, 1_000_000_000);
        for bad in [
            "page=0",
            "page=-1",
            "page=1.5",
            "page=%2B1",
            "page=+1",
            "page=1e3",
            "page=0x1",
            "page=99999999999999999999999",
            "page=1000000001",
            "pageSize=0",
            "pageSize=-5",
            "pageSize=ten",
            "page=1&page=2",
            "page=%FF",
            "%FF=1",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn empty_parameters_count_as_absent() {
        let query = parse("page=&pageSize=&sort=&select=&populate=%20").unwrap();
        assert_eq!(query.window, PageWindow { page: 1, size: 10 });
        assert_eq!(
            query.sort,
            [SortKey { field: "createdAt", order: SortOrder::Plain, descending: true }]
        );
        assert_eq!(query.fields, ["name", "size", "createdAt"]);
        assert!(query.relations.is_empty());
        assert!(parse("asOf=").unwrap().as_of.is_none());
        let query = parse("size_eq=&name_eq=%20&tag_eq=").unwrap();
        assert!(query.filter("size").is_none() && query.filter("name").is_none());
        assert!(!query.filters.choose_rows());
    }

    #[test]
    fn texts_of_missing_values_are_named() {
        for bad in [
            "page=undefined",
            "sort=null",
            "select=undefined",
            "populate=null",
            "name_eq=undefined",
            "name_eq=null",
            "tag_eq=undefined",
            "pageSize=NaN",
            "asOf=undefined",
        ] {
            let error = format!("{:?}", parse(bad).unwrap_err());
            assert!(error.contains("a variable without a value"), "{bad}: {error}");
        }
        assert!(parse("utm_campaign=null").is_ok(), "not a parameter of lists");
    }

    #[test]
    fn rows_are_filtered_by_any_of_the_values() {
        let thing = |id: &str, size, tags| Thing {
            id: id.into(),
            name: "n".into(),
            size,
            note: None,
            tags,
            created_at: 0,
        };
        let found = |query: &str| {
            let rows = vec![
                thing("1", 5, vec![Tag::Old]),
                thing("2", 5, vec![Tag::BrandNew, Tag::Old]),
                thing("3", 7, vec![]),
            ];
            let found = parse(query).unwrap().sorted_page(rows).unwrap();
            (found.rows.into_iter().map(|row| row.id).collect::<String>(), found.total)
        };
        assert_eq!(found("sort=id"), ("123".into(), 3));
        assert_eq!(found("sort=-id&tag_eq=old"), ("21".into(), 2));
        assert_eq!(found("tag_eq=brandNew"), ("2".into(), 1));
        assert_eq!(found("sort=id&tag_eq=brandNew,%20old&pageSize=1"), ("1".into(), 2));
        assert_eq!(found("name_eq=n&weight_eq=007,8&sort=id"), ("3".into(), 1));
        assert_eq!(found("tag_eq=old&weight_eq=7"), (String::new(), 0));
        for (bad, message) in [
            ("tag_eq=new", "must be one of old, brandNew"),
            ("tag_eq=old,", "must be one of old, brandNew"),
            ("tag_eq=Old", "must be one of old, brandNew"),
            ("weight_eq=7", "works only together with name_eq or tag_eq"),
            ("name_eq=n&weight_eq=heavy", "must be a whole number"),
        ] {
            let error = format!("{:?}", parse(bad).unwrap_err());
            assert!(error.contains(message), "{bad}: {error}");
        }
    }

    #[test]
    fn a_list_that_is_too_long_says_what_works() {
        let details = |query: &str, shorter: &[String]| {
            format!("{:?}", parse(query).unwrap().too_long(shorter))
        };
        let sorted = details("sort=size", &["name_eq".into(), "size_eq".into()]);
        assert!(sorted.contains("sorted by createdAt and -createdAt."), "{sorted}");
        assert!(sorted.contains("A shorter list: name_eq, size_eq."), "{sorted}");
        assert!(!sorted.contains("filtered"), "{sorted}");
        let filtered = details("tag_eq=old", &[]);
        assert!(filtered.contains("cannot be filtered"), "{filtered}");
        assert!(!filtered.contains("sorted") && !filtered.contains("shorter"), "{filtered}");
    }

    #[test]
    fn a_length_is_a_number_that_javascript_can_count() {
        assert_eq!(parse("asOf=0").unwrap().as_of, Some(0));
        assert_eq!(parse("asOf=9007199254740991").unwrap().as_of, Some(LONGEST));
        for bad in ["asOf=-1", "asOf=9007199254740992", "asOf=1.0", "asOf=+1"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
        assert!(parse("asOf=3").unwrap().refuse_as_of().is_err());
        assert!(parse("").unwrap().refuse_as_of().is_ok());
    }

    #[test]
    fn select_accepts_plus_as_prefix_or_space() {
        assert_eq!(fields("select=name,size"), ["name", "size"]);
        assert_eq!(fields("select=name+size"), ["name", "size"]);
        assert_eq!(fields("select=name%20size"), ["name", "size"]);
        assert_eq!(fields("select=-size"), ["name", "createdAt"]);
        assert_eq!(fields("select=+note"), ["name", "size", "createdAt", "note"]);
        assert_eq!(fields("select=%2Bnote"), ["name", "size", "createdAt", "note"]);
        assert_eq!(fields("select=name++note"), ["name", "note"]);
        assert_eq!(fields("select=name,%2Bnote"), ["name", "note"]);
        assert_eq!(fields("select=-name+%2Bnote"), ["size", "createdAt", "note"]);
        assert_eq!(fields("select=id"), ["id"]);
        for bad in [
            "select=name,-size",
            "select=secret",
            "select=note",
            "select=%2Bsecret",
            "select=na%2Bme",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn unknown_names_are_refused_with_the_allowed_ones() {
        for (bad, allowed) in [
            ("sort=secret", "name, size, createdAt"),
            ("sort=note", "name, size, createdAt"),
            ("sort=name,name", "twice"),
            ("sort=-", "name, size, createdAt"),
            ("sort=,", "must name a field"),
            ("populate=z", "wallet, token, a, b, c"),
            ("populate=a,b,c,d,e,f", "more than 5"),
            ("secret_eq=1", "size_eq, name_eq, tag_eq, weight_eq"),
            ("size_eq=ten", "must be a whole number"),
            ("limit=1", "allowed: page, pageSize, sort, select, populate, asOf, size_eq, name_eq"),
            ("size_eq[]=1", "size_eq, name_eq, tag_eq, weight_eq"),
            ("size_eq%5B0%5D=1", "size_eq, name_eq, tag_eq, weight_eq"),
            ("filter[size]=1", "size_eq, name_eq, tag_eq, weight_eq"),
            ("size=1", "size_eq, name_eq, tag_eq, weight_eq"),
            ("utm=1", "size_eq, name_eq, tag_eq, weight_eq"),
            ("select=secret", "name, size, note, createdAt"),
        ] {
            let error = format!("{:?}", parse(bad).unwrap_err());
            assert!(error.contains(allowed), "{bad}: {error}");
        }
        assert!(parse("utm_source=x&_=1700000000000&_eq=1").is_ok());
        for query in ["_page=2", "_page_size=5", "_sort=createdAt", "_asOf=1"] {
            assert!(parse(query).is_err(), "{query}");
        }
        assert_eq!(parse("populate=wallet,token").unwrap().relations, ["wallet", "token"]);
        let filtered = parse("name_eq=a+b&size_eq=007").unwrap();
        assert_eq!((filtered.filter("name"), filtered.filter("size")), (Some("a b"), Some("7")));
    }

    #[test]
    fn rows_are_shaped_as_requested() {
        let thing = Thing {
            id: "7".into(),
            name: "n".into(),
            size: 1,
            note: None,
            tags: Vec::new(),
            created_at: 5,
        };
        let found = ListPage { rows: vec![thing], total: 11, as_of: Some(12) };
        let answer = parse("select=name,%2Bnote&populate=a&pageSize=3&page=2").unwrap();
        let answer = answer.answer(&found, |relation, place| json!([relation, place])).unwrap();
        assert_eq!(
            serde_json::to_value(answer).unwrap(),
            json!({"code": "1", "message": "common.success",
                "data": [{"id": "7", "name": "n", "note": null, "a": ["a", 0]}],
                "metaData": {"totalItems": 11, "currentPage": 2, "pageSize": 3, "totalPages": 4,
                    "asOf": 12}})
        );
    }

    #[test]
    fn sorts_by_several_fields_and_breaks_ties_by_id() {
        let thing = |id: &str, name: &str, size| Thing {
            id: id.into(),
            name: name.into(),
            size,
            note: None,
            tags: Vec::new(),
            created_at: 0,
        };
        let rows = || {
            vec![thing("3", "a", 10), thing("1", "a", 9), thing("2", "b", 9), thing("0", "a", 9)]
        };
        let ids = |query: &str| {
            let found = parse(query).unwrap().sorted_page(rows()).unwrap();
            found.rows.into_iter().map(|row| row.id).collect::<String>()
        };
        assert_eq!(ids("sort=size,-name"), "2013");
        assert_eq!(ids("sort=-size name"), "3012");
        assert_eq!(ids("sort=name&pageSize=2&page=2"), "32");
        assert_eq!(ids("sort=name&page=9"), "");
    }

    #[test]
    fn texts_with_numbers_are_sorted_by_their_numbers() {
        let by = |order, texts: &[&str]| {
            let mut texts: Vec<_> = texts.iter().map(|text| json!(text)).collect();
            texts.sort_by(|a, b| compare(Some(a), Some(b), order));
            texts.iter().map(|text| text.as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        let amounts = ["100000000000000000000", "9", "10", "0"];
        assert_eq!(by(SortOrder::Digits, &amounts), ["0", "9", "10", "100000000000000000000"]);
        let runes = ["840000:10", "840000:9", "1:1"];
        assert_eq!(by(SortOrder::Digits, &runes), ["1:1", "840000:9", "840000:10"]);
        assert_eq!(by(SortOrder::Plain, &runes), ["1:1", "840000:10", "840000:9"]);
    }

    proptest! {
        #[test]
        fn the_order_of_digits_is_total(texts in proptest::collection::vec("[0-9:a]{0,5}", 3)) {
            let values: Vec<_> = texts.iter().map(|text| json!(text)).collect();
            let [a, b, c] = values.as_slice() else { return Ok(()) };
            let order = |a, b| compare(Some(a), Some(b), SortOrder::Digits);
            prop_assert_eq!(order(a, b), order(b, a).reverse());
            prop_assert_eq!(order(a, b).is_eq(), a == b);
            if order(a, b).is_le() && order(b, c).is_le() {
                prop_assert!(order(a, c).is_le());
            }
        }

        #[test]
        fn no_query_panics(query in "[a-zA-Z0-9%+&=,_ -]{0,60}") {
            let _ = parse(&query);
        }
    }
}
