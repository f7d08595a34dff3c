//! Examples of requests and answers: recorded by the tests, so that they are real.

use serde_json::{Map, Value};

use super::walk::{change_operations, insert};
use crate::base::examples::{Example, Examples};

/// Adds the recorded example of each operation to its parameters, its body and its answer.
pub(super) fn with_examples(mut document: Value, examples: &Examples) -> Value {
    change_operations(&mut document, |path, method, operation| {
        let first = path.strip_prefix("/api").filter(|first| first.starts_with("/auth/"));
        let key = format!("{} {}", method.to_uppercase(), first.unwrap_or(path));
        let Some(example) = examples.get(&key) else { return };
        for_segments(first.unwrap_or(path), example, operation);
        let body = operation.get_mut("requestBody").filter(|_| !example.body.is_null());
        if let Some(content) = body.and_then(|body| body.pointer_mut("/content/application~1json"))
        {
            insert(content, "example", example.body.clone());
        }
        let answers = operation.get_mut("responses").and_then(Value::as_object_mut);
        let success = answers.into_iter().flatten().find(|(status, _)| status.starts_with("20"));
        if let Some(content) =
            success.and_then(|(_, it)| it.pointer_mut("/content/application~1json"))
        {
            insert(content, "example", example.answer.clone());
        }
    });
    document
}

/// Adds the variable segments of the path.
fn for_segments(pattern: &str, example: &Example, operation: &mut Map<String, Value>) {
    let sent = example.path.split('?').next().unwrap_or_default();
    let sent = sent.strip_prefix("/api").filter(|it| it.starts_with("/auth/")).unwrap_or(sent);
    let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
    for parameter in parameters.into_iter().flatten() {
        if parameter.get("in").is_none_or(|place| place != "path") {
            continue;
        }
        let name = parameter.get("name").and_then(Value::as_str).map(|name| format!("{{{name}}}"));
        let segments = pattern.split('/').zip(sent.split('/'));
        let segment = segments.into_iter().find(|(own, _)| Some(*own) == name.as_deref());
        let is_text = parameter.pointer("/schema/type").is_some_and(|kind| kind == "string");
        if let Some((_, value)) = segment {
            let number = value.parse::<u64>().ok().filter(|_| !is_text);
            insert(parameter, "example", number.map_or_else(|| value.into(), Value::from));
        }
    }
}
