//! The reference as a page, made from the OpenAPI document. The page is complete without its script, which
//! only adds a search, marks the reader's place, and names this server in the samples.

use std::{borrow::Cow, fmt::Write};

use askama::Template;
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};
use serde_json::{Map, Value};

use super::samples::{Samples, samples};

/// The heading of the table of codes in the document's description. The page shows that table last.
const CODES: &str = "\n## Codes\n";

/// Envelopes: an answer shows their fields instead of their names.
const ENVELOPES: [&str; 4] = ["CreatedWith_", "Envelope_", "OkWith_", "Single_"];

const SCHEMAS: &str = "#/components/schemas/";

/// The prefix of a schema's anchor.
const ANCHOR: &str = "schema-";

#[derive(Template)]
#[template(path = "docs.html")]
struct Page<'a> {
    title: &'a str,
    style: &'a str,
    script: &'a str,
    chapters: Vec<Chapter>,
    guide: String,
    groups: Vec<Group<'a>>,
    events: Vec<Operation<'a>>,
    schemas: Vec<Schema<'a>>,
    codes: String,
}

/// A chapter of the guide.
struct Chapter {
    id: String,
    title: String,
}

struct Group<'a> {
    name: &'a str,
    text: &'a str,
    operations: Vec<Operation<'a>>,
}

struct Operation<'a> {
    id: &'a str,
    method: String,
    path: &'a str,
    access: &'static str,
    summary: &'a str,
    text: String,
    also_at: Vec<&'a str>,
    parameters: Fields,
    body: Vec<Form>,
    answers: Vec<Answer<'a>>,
    samples: Option<Samples>,
    errors: Vec<Problem<'a>>,
}

struct Answer<'a> {
    status: &'a str,
    text: String,
    fields: Fields,
}

/// An error that an operation may answer with.
struct Problem<'a> {
    status: &'a str,
    code: &'a str,
    key: &'a str,
    meaning: &'a str,
}

struct Schema<'a> {
    id: String,
    name: &'a str,
    text: String,
    kind: Vec<Part>,
    fields: Fields,
}

/// A table of fields or parameters.
#[derive(Template)]
#[template(path = "fields.html")]
struct Fields {
    rows: Vec<Row>,
}

/// One of the forms that a value may have.
struct Form {
    title: String,
    fields: Fields,
}

/// A field or parameter.
struct Row {
    name: String,
    is_required: bool,
    kind: Vec<Part>,
    text: String,
    /// The forms of a field that is an object of its own.
    inner: Vec<Form>,
}

impl Row {
    /// A row that is not about one field of the document: it stands for all fields of a type, or is the word
    /// between two forms.
    fn bare(name: String, kind: Vec<Part>) -> Self {
        Self { name, is_required: false, kind, text: String::new(), inner: Vec::new() }
    }
}

/// A part of the name of a type, and the anchor of the schema that it names.
struct Part {
    text: String,
    link: Option<String>,
}

/// Renders the page of a document. Parts that the document lacks are left empty. The document may be older
/// than this code, since the program that writes the document contains this code.
pub(crate) fn render(document: &Value, style: &str, script: &str) -> Result<String, askama::Error> {
    let text = |path: &str| document.pointer(path).and_then(Value::as_str);
    let title = text("/info/title").unwrap_or_default();
    let description = text("/info/description").unwrap_or_default();
    let (guide, codes) = description.split_once(CODES).unwrap_or((description, ""));
    let document = Document(document);
    let mut chapters = chapters(guide);
    let guide = with_anchors(guide, &chapters);
    chapters.push(Chapter { id: "guide-samples".to_owned(), title: "Samples".to_owned() });
    let page = Page {
        title,
        style,
        script,
        guide,
        chapters,
        groups: document.groups(),
        events: document.events(),
        schemas: document.schemas(),
        codes: anchored(codes),
    };
    page.render()
}

/// Text as HTML. Tags in it stay text.
fn markdown(text: &str) -> String {
    let events = Parser::new_ext(text, Options::ENABLE_TABLES);
    written(events.map(|event| match event {
        Event::Html(tag) | Event::InlineHtml(tag) => Event::Text(tag),
        event => event,
    }))
}

/// The headings of a text, in order.
fn chapters(text: &str) -> Vec<Chapter> {
    let (mut chapters, mut open) = (Vec::new(), None);
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. }) => open = Some(String::new()),
            Event::Text(part) | Event::Code(part) => {
                if let Some(title) = &mut open {
                    title.push_str(&part);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                if let Some(title) = open.take() {
                    let id = format!("guide-{}", title.to_lowercase().replace(' ', "-"));
                    chapters.push(Chapter { id, title });
                }
            }
            _ => {}
        }
    }
    chapters
}

/// Text as HTML, each of its headings with its anchor.
fn with_anchors(text: &str, chapters: &[Chapter]) -> String {
    let mut ids = chapters.iter().map(|chapter| CowStr::from(chapter.id.as_str()));
    written(Parser::new_ext(text, Options::ENABLE_TABLES).map(|event| match event {
        Event::Start(Tag::Heading { level, classes, attrs, .. }) => {
            Event::Start(Tag::Heading { level, id: ids.next(), classes, attrs })
        }
        Event::Html(tag) | Event::InlineHtml(tag) => Event::Text(tag),
        event => event,
    }))
}

/// The table of codes, each with the anchor that errors link to.
fn anchored(text: &str) -> String {
    let is_code = |text: &str| text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    written(Parser::new_ext(text, Options::ENABLE_TABLES).map(|event| match event {
        Event::Text(code) if is_code(&code) => {
            Event::InlineHtml(CowStr::from(format!("<b id=\"code-{code}\">{code}</b>")))
        }
        Event::Html(tag) | Event::InlineHtml(tag) => Event::Text(tag),
        event => event,
    }))
}

fn written<'a>(events: impl Iterator<Item = Event<'a>>) -> String {
    let mut page = String::new();
    html::push_html(&mut page, events);
    page
}

pub(crate) fn text_of<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

pub(crate) fn list_of<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

pub(crate) fn map_of<'a>(value: &'a Value, name: &str) -> Option<&'a Map<String, Value>> {
    value.get(name).and_then(Value::as_object)
}

/// The name of the schema that a value references.
fn reference(value: &Value) -> Option<&str> {
    text_of(value, "$ref").strip_prefix(SCHEMAS)
}

fn is_envelope(name: &str) -> bool {
    ENVELOPES.iter().any(|prefix| name.starts_with(prefix))
}

fn anchor(name: &str) -> String {
    format!("{ANCHOR}{name}")
}

fn plain(text: impl Into<String>) -> Part {
    Part { text: text.into(), link: None }
}

/// Joins the names of types with a word between them.
fn joined(kinds: impl Iterator<Item = Vec<Part>>, word: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    for kind in kinds {
        if !parts.is_empty() {
            parts.push(plain(word));
        }
        parts.extend(kind);
    }
    parts
}

#[derive(Clone, Copy)]
struct Document<'a>(&'a Value);

impl<'a> Document<'a> {
    fn schema(self, name: &str) -> Option<&'a Value> {
        self.0.get("components")?.get("schemas")?.get(name)
    }

    /// The target of a reference, or the value itself.
    fn resolved(self, value: &'a Value) -> &'a Value {
        let target = text_of(value, "$ref").strip_prefix('#');
        match target.and_then(|target| self.0.pointer(target)) {
            Some(target) => self.resolved(target),
            None => value,
        }
    }

    /// The operations by tag, in the order of the tags.
    fn groups(self) -> Vec<Group<'a>> {
        let operations = || {
            let paths = map_of(self.0, "paths").into_iter().flatten();
            paths.flat_map(|(path, item)| {
                let item = item.as_object().into_iter().flatten();
                item.map(move |(method, operation)| (path.as_str(), method, operation))
            })
        };
        let tags = list_of(self.0, "tags").iter();
        let group = |tag: &'a Value| {
            let name = text_of(tag, "name");
            let own = operations().filter(|(_, _, operation)| {
                list_of(operation, "tags").first().is_some_and(|tag| tag == name)
                    && operation.get("x-alias-of").is_none()
            });
            let operations = own.map(|(path, method, operation)| {
                let method = method.to_uppercase();
                let first = format!("{method} {path}");
                let aliases =
                    operations().filter(|(_, _, other)| text_of(other, "x-alias-of") == first);
                let also_at = aliases.map(|(path, _, _)| path).collect();
                self.operation(method, path, also_at, operation)
            });
            Group { name, text: text_of(tag, "description"), operations: operations.collect() }
        };
        tags.map(group).collect()
    }

    /// The requests that the service sends to webhooks, each as an operation of its receiver.
    fn events(self) -> Vec<Operation<'a>> {
        let events = map_of(self.0, "webhooks").into_iter().flatten();
        let sent = events.filter_map(|(event, item)| {
            let operation = item.get("post")?;
            let operation = self.operation("POST".to_owned(), event, Vec::new(), operation);
            Some(Operation { access: "Sent by the service", samples: None, ..operation })
        });
        sent.collect()
    }

    fn operation(
        self,
        method: String,
        path: &'a str,
        also_at: Vec<&'a str>,
        operation: &'a Value,
    ) -> Operation<'a> {
        let summary = text_of(operation, "summary");
        let ways = list_of(operation, "security");
        let access = match (ways.len(), summary.contains("Admins only.")) {
            (0, _) => "Public",
            (1, true) => "Admin",
            (1, false) => "Token",
            _ => "Public, token",
        };
        let parameters = list_of(operation, "parameters").iter().map(|parameter| {
            let schema = parameter.get("schema").unwrap_or(&Value::Null);
            let required = parameter.get("required").and_then(Value::as_bool).unwrap_or(false);
            let name = format!("{} ({})", text_of(parameter, "name"), text_of(parameter, "in"));
            let mut row = self.row(name, required, schema);
            row.text =
                markdown(&format!("{} {}", text_of(parameter, "description"), limits(schema)));
            row
        });
        let content = |value: &'a Value| {
            let content = map_of(value, "content")?.values().next()?;
            content.get("schema")
        };
        let schema = operation.get("requestBody").and_then(content);
        let body = schema.map(|schema| self.forms(schema)).unwrap_or_default();
        let (mut answers, mut errors) = (Vec::new(), Vec::new());
        for (status, response) in map_of(operation, "responses").into_iter().flatten() {
            let response = self.resolved(response);
            let schema = content(response);
            if status.as_str() >= "400" {
                let found = schema.map(|schema| self.problems(status, schema)).unwrap_or_default();
                if found.is_empty() {
                    let meaning = text_of(response, "description");
                    errors.push(Problem { status, code: "", key: "", meaning });
                }
                errors.extend(found);
                continue;
            }
            let mut fields = Vec::new();
            if let Some(schema) = schema {
                self.collect(schema, "", &mut fields, true);
                if reference(schema).is_some_and(is_envelope) {
                    fields.retain(|row| row.name != "code" && row.name != "message");
                }
            }
            let text = markdown(text_of(response, "description"));
            answers.push(Answer { status, text, fields: Fields { rows: fields } });
        }
        let samples = samples(&method, path, operation);
        // A description without further sentences repeats the summary.
        let description = Some(text_of(operation, "description")).filter(|text| *text != summary);
        Operation {
            id: text_of(operation, "operationId"),
            method,
            path,
            access,
            summary,
            text: markdown(description.unwrap_or_default()),
            also_at,
            parameters: Fields { rows: parameters.collect() },
            body,
            answers,
            samples,
            errors,
        }
    }

    /// The problems that an answer may report.
    fn problems(self, status: &'a str, schema: &'a Value) -> Vec<Problem<'a>> {
        let problem = |schema: &'a Value| {
            let problem = self.resolved(schema);
            let named = |field: &str| {
                let path = format!("/allOf/1/properties/{field}/enum/0");
                problem.pointer(&path).and_then(Value::as_str)
            };
            let (_, meaning) = text_of(problem, "description").split_once(": ")?;
            Some(Problem { status, code: named("code")?, key: named("message")?, meaning })
        };
        match list_of(schema, "oneOf") {
            [] => problem(schema).into_iter().collect(),
            several => several.iter().filter_map(problem).collect(),
        }
    }

    /// The forms of a body, with the fields of all objects in it.
    fn forms(self, schema: &'a Value) -> Vec<Form> {
        if let Some(name) = reference(schema) {
            return self.forms_of(name, &[]);
        }
        let mut rows = Vec::new();
        self.collect(schema, "", &mut rows, true);
        vec![Form { title: String::new(), fields: self.opened(rows, &[]) }]
    }

    /// The forms of a named schema that has fields. `above` are the schemas that lead to it.
    fn forms_of(self, name: &str, above: &[&str]) -> Vec<Form> {
        let Some(schema) = self.schema(name).filter(|_| !above.contains(&name)) else {
            return Vec::new();
        };
        let above: Vec<_> = above.iter().copied().chain([name]).collect();
        let alternatives = ["oneOf", "anyOf"].into_iter().flat_map(|one| list_of(schema, one));
        let named: Option<Vec<_>> = alternatives.map(reference).collect();
        if let Some(named) = named.filter(|named| !named.is_empty()) {
            return named.into_iter().flat_map(|name| self.forms_of(name, &above)).collect();
        }
        let mut rows = Vec::new();
        self.collect(schema, "", &mut rows, false);
        // A named schema may also be a text or a number, which has no fields.
        if rows.is_empty() {
            return Vec::new();
        }
        vec![Form { title: name.to_owned(), fields: self.opened(rows, &above) }]
    }

    /// Rows with the forms of the schemas that they lead to.
    fn opened(self, mut rows: Vec<Row>, above: &[&str]) -> Fields {
        for row in &mut rows {
            let links = row.kind.iter().filter_map(|part| part.link.as_deref());
            let names = links.filter_map(|link| link.strip_prefix(ANCHOR));
            row.inner = names.flat_map(|name| self.forms_of(name, above)).collect();
        }
        Fields { rows }
    }

    /// The schemas that others lead to, without envelopes and problems.
    fn schemas(self) -> Vec<Schema<'a>> {
        let all = self.0.pointer("/components/schemas").and_then(Value::as_object);
        let named = all.into_iter().flatten();
        let shown = named.filter(|(name, _)| !is_envelope(name) && !name.ends_with("Problem"));
        let schema = |(name, schema): (&'a String, &'a Value)| {
            let mut fields = Vec::new();
            self.collect(schema, "", &mut fields, false);
            let meanings = list_of(schema, "x-enum-descriptions");
            let mut text = format!("{} {}", text_of(schema, "description"), limits(schema));
            for (value, meaning) in list_of(schema, "enum").iter().zip(meanings) {
                let (value, meaning) = (value.as_str(), meaning.as_str());
                // Writing to a `String` cannot fail.
                let _ = write!(
                    text,
                    "\n- `{}`: {}",
                    value.unwrap_or_default(),
                    meaning.unwrap_or_default()
                );
            }
            let kind = if fields.is_empty() && meanings.is_empty() {
                self.kind(schema)
            } else {
                Vec::new()
            };
            let fields = Fields { rows: fields };
            Schema { id: anchor(name), name, text: markdown(&text), kind, fields }
        };
        shown.map(schema).collect()
    }

    /// Adds the fields of a schema, and those of objects inside it by their path. A reference to an envelope,
    /// or to any schema if `opened`, is replaced by the fields of that schema.
    fn collect(self, schema: &'a Value, prefix: &str, rows: &mut Vec<Row>, opened: bool) {
        let named = reference(schema);
        if let Some(name) = named {
            if is_envelope(name) || opened {
                let before = rows.len();
                if let Some(target) = self.schema(name) {
                    self.collect(target, prefix, rows, is_envelope(name));
                }
                if rows.len() > before {
                    return;
                }
            }
            rows.push(Row::bare(format!("{prefix}…"), self.kind(schema)));
            return;
        }
        for part in list_of(schema, "allOf") {
            self.collect(part, prefix, rows, false);
        }
        let alternatives = [list_of(schema, "oneOf"), list_of(schema, "anyOf")];
        let alternatives: Vec<_> = alternatives.into_iter().flatten().collect();
        if alternatives.iter().all(|one| reference(one).is_some()) && !alternatives.is_empty() {
            let kind = joined(alternatives.iter().map(|one| self.kind(one)), " or ");
            rows.push(Row::bare(format!("{prefix}…"), kind));
        } else {
            for (place, one) in alternatives.into_iter().enumerate() {
                if place > 0 {
                    rows.push(Row::bare(format!("{prefix}or"), Vec::new()));
                }
                self.collect(one, prefix, rows, false);
            }
        }
        let required = list_of(schema, "required");
        for (name, field) in map_of(schema, "properties").into_iter().flatten() {
            let is_required = required.iter().any(|one| one == name);
            let path = format!("{prefix}{name}");
            rows.push(self.row(path.clone(), is_required, field));
            if map_of(field, "properties").is_some() {
                self.collect(field, &format!("{path}."), rows, false);
            }
            if let Some(items) = field.get("items").filter(|it| map_of(it, "properties").is_some())
            {
                self.collect(items, &format!("{path}[]."), rows, false);
            }
        }
    }

    fn row(self, name: String, is_required: bool, schema: &Value) -> Row {
        // The text of an optional field is in the schema of its non-null form.
        let parts = ["oneOf", "anyOf", "allOf"].map(|parts| list_of(schema, parts));
        let mut texts = parts.into_iter().flatten().map(|part| text_of(part, "description"));
        let text = match text_of(schema, "description") {
            "" => texts.find(|text| !text.is_empty()).unwrap_or_default(),
            text => text,
        };
        let text = format!("{text} {}", limits(schema));
        let (kind, text) = (self.kind(schema), markdown(&text));
        Row { name, is_required, kind, text, inner: Vec::new() }
    }

    /// The name of a schema's type.
    fn kind(self, schema: &Value) -> Vec<Part> {
        if let Some(name) = reference(schema) {
            return vec![Part { text: name.to_owned(), link: Some(anchor(name)) }];
        }
        for (parts, word) in [("oneOf", " or "), ("anyOf", " or "), ("allOf", " and ")] {
            let parts = list_of(schema, parts);
            if !parts.is_empty() {
                return joined(parts.iter().map(|part| self.kind(part)), word);
            }
        }
        let values = list_of(schema, "enum");
        if !values.is_empty() {
            return joined(values.iter().map(|value| vec![plain(value.to_string())]), " or ");
        }
        let one = schema.get("type").and_then(Value::as_str);
        let kinds = one.into_iter().chain(list_of(schema, "type").iter().filter_map(Value::as_str));
        let name = |kind: &str| match kind {
            "array" => {
                let items = schema.get("items").map(|items| self.kind(items));
                [vec![plain("list of ")], items.unwrap_or_default()].into_iter().flatten().collect()
            }
            "object" => match schema.get("additionalProperties").filter(|it| it.is_object()) {
                Some(values) => {
                    [vec![plain("by name, ")], self.kind(values)].into_iter().flatten().collect()
                }
                None => vec![plain("object")],
            },
            "string" => match text_of(schema, "format") {
                "" => vec![plain("text")],
                format => vec![plain(format!("text ({format})"))],
            },
            kind => vec![plain(kind)],
        };
        joined(kinds.map(name), " or ")
    }
}

/// The limits that a schema sets for a value in addition to its type, as sentences.
fn limits(schema: &Value) -> String {
    let of = |name: &str| {
        let value = schema.get(name)?;
        Some(value.as_str().map_or_else(|| value.to_string().into(), Cow::from))
    };
    let mut text = String::new();
    for (least, most, what) in [
        ("minimum", "maximum", ""),
        ("minLength", "maxLength", " characters"),
        ("minItems", "maxItems", " items"),
    ] {
        let range = match (of(least), of(most)) {
            (Some(least), Some(most)) => format!("{least} to {most}{what}. "),
            (Some(least), None) => format!("At least {least}{what}. "),
            (None, Some(most)) => format!("At most {most}{what}. "),
            (None, None) => String::new(),
        };
        text.push_str(&range);
    }
    for (name, word) in [("pattern", "Pattern"), ("default", "Default"), ("example", "Example")] {
        if let Some(value) = of(name).filter(|value| !value.is_empty()) {
            // Writing to a `String` cannot fail.
            let _ = write!(text, "{word}: `{value}`. ");
        }
    }
    text
}
