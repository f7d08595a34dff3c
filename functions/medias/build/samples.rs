//! The request of an operation in three languages, made from its recorded example.

use std::fmt::Write;

use serde_json::Value;

use super::page::{list_of, map_of, text_of};

/// An operation's example.
pub(crate) struct Samples {
    pub(crate) curl: String,
    pub(crate) typescript: String,
    pub(crate) python: String,
    pub(crate) status: String,
    pub(crate) answer: String,
}

/// The parts of a request.
struct Request<'a> {
    method: &'a str,
    path: &'a str,
    segments: Vec<(&'a str, &'a Value)>,
    query: Vec<(&'a str, &'a Value)>,
    body: Option<&'a Value>,
    takes_token: bool,
}

/// A language in which values are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    TypeScript,
    Python,
}

/// The samples of an operation; `None` if no answer in JSON was recorded.
pub(crate) fn samples(method: &str, path: &str, operation: &Value) -> Option<Samples> {
    let responses = map_of(operation, "responses")?;
    let (status, success) = responses.iter().find(|(status, _)| status.starts_with('2'))?;
    let answer = success.pointer("/content/application~1json/example")?;
    let given = |place: &str| {
        let parameters = list_of(operation, "parameters").iter();
        let own = parameters.filter(|parameter| text_of(parameter, "in") == place);
        let given = own.filter_map(|it| Some((text_of(it, "name"), it.get("example")?)));
        given.collect::<Vec<_>>()
    };
    let request = Request {
        method,
        path,
        segments: given("path"),
        query: given("query"),
        body: operation.pointer("/requestBody/content/application~1json/example"),
        takes_token: !list_of(operation, "security").is_empty(),
    };
    Some(Samples {
        curl: request.in_curl(),
        typescript: request.in_typescript(answer.get("data").is_some()),
        python: request.in_python(),
        status: status.clone(),
        answer: serde_json::to_string_pretty(answer).ok()?,
    })
}

impl Request<'_> {
    /// Path and query with the recorded values.
    fn target(&self) -> String {
        let mut target = self.path.to_owned();
        for (name, value) in &self.segments {
            target = target.replace(&format!("{{{name}}}"), &escaped(&plain(value)));
        }
        for (place, (name, value)) in self.query.iter().enumerate() {
            let sign = if place == 0 { '?' } else { '&' };
            // Writing to a `String` cannot fail, here and below.
            let _ = write!(target, "{sign}{name}={}", escaped(&plain(value)));
        }
        target
    }

    fn in_curl(&self) -> String {
        let mut text = "curl -s".to_owned();
        let is_implied = self.method == if self.body.is_some() { "POST" } else { "GET" };
        if !is_implied {
            let _ = write!(text, " -X {}", self.method);
        }
        let _ = write!(text, " \"$BASE{}\"", self.target());
        if self.takes_token {
            text.push_str(" \\\n  -H \"Authorization: Bearer $TOKEN\"");
        }
        if let Some(body) = self.body {
            let json = serde_json::to_string_pretty(body).unwrap_or_default();
            let json = json.replace('\'', "'\\''");
            let _ = write!(text, " \\\n  -H 'Content-Type: application/json' \\\n  -d '{json}'");
        }
        text
    }

    fn in_typescript(&self, has_data: bool) -> String {
        let mut options = String::new();
        let object = |pairs: &[(&str, &Value)]| {
            let fields = pairs.iter().map(|(name, value)| {
                format!("{}: {}", name_in_typescript(name), written(value, 2, Language::TypeScript))
            });
            format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
        };
        let mut params = Vec::new();
        for (place, pairs) in [("path", &self.segments), ("query", &self.query)] {
            if !pairs.is_empty() {
                params.push(format!("{place}: {}", object(pairs)));
            }
        }
        if !params.is_empty() {
            let _ = writeln!(options, "  params: {{ {} }},", params.join(", "));
        }
        if let Some(body) = self.body {
            let _ = writeln!(options, "  body: {},", written(body, 1, Language::TypeScript));
        }
        let result = if has_data { "{ data }" } else { "answer" };
        let (method, path) = (self.method.to_lowercase(), self.path);
        let options = if options.is_empty() { String::new() } else { format!(", {{\n{options}}}") };
        format!("const {result} = await call(api, '{method}', '{path}'{options})")
    }

    fn in_python(&self) -> String {
        let body = self.body.map(|body| format!(", {}", written(body, 0, Language::Python)));
        format!(
            "answer = send(\"{}\", \"{}\"{})",
            self.method,
            self.target(),
            body.unwrap_or_default()
        )
    }
}

/// A value as a part of a URL.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// Text for a URL: `:` and `,` may stay in paths and queries (RFC 3986, section 3.3).
fn escaped(text: &str) -> String {
    let mut url = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~:,".contains(&byte) {
            url.push(char::from(byte));
        } else {
            let _ = write!(url, "%{byte:02X}");
        }
    }
    url
}

/// A value as a literal. Its further lines are indented by `depth` steps.
fn written(value: &Value, depth: usize, language: Language) -> String {
    let deeper = depth.saturating_add(1);
    let (own, inner) = ("  ".repeat(depth), "  ".repeat(deeper));
    let lines = |open: char, parts: Vec<String>, close: char| match parts.is_empty() {
        true => format!("{open}{close}"),
        false => {
            let lines = parts.iter().map(|part| format!("{inner}{part},\n"));
            format!("{open}\n{}{own}{close}", lines.collect::<String>())
        }
    };
    match value {
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, field)| {
                let name = match language {
                    Language::TypeScript => name_in_typescript(name),
                    Language::Python => quoted(name, language),
                };
                format!("{name}: {}", written(field, deeper, language))
            });
            lines('{', fields.collect(), '}')
        }
        Value::Array(items) => {
            let items = items.iter().map(|item| written(item, deeper, language));
            lines('[', items.collect(), ']')
        }
        Value::String(text) => quoted(text, language),
        Value::Null if language == Language::Python => "None".to_owned(),
        Value::Bool(true) if language == Language::Python => "True".to_owned(),
        Value::Bool(false) if language == Language::Python => "False".to_owned(),
        other => other.to_string(),
    }
}

/// A text as a literal: JSON's escapes mean the same in both languages.
fn quoted(text: &str, language: Language) -> String {
    let json = Value::from(text).to_string();
    let is_simple = !text.contains(['\'', '"', '\\']) && !text.contains(char::is_control);
    match language {
        Language::TypeScript if is_simple => format!("'{text}'"),
        _ => json,
    }
}

fn name_in_typescript(name: &str) -> String {
    let is_word = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let starts = name.bytes().next().is_some_and(|byte| !byte.is_ascii_digit());
    if is_word && starts { name.to_owned() } else { quoted(name, Language::TypeScript) }
}
