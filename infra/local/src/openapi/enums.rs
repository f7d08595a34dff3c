//! What each value of an enum means: the doc comments of its variants, which derived schemas leave out.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use serde_json::{Value, json};
use syn::{Attribute, Expr, Fields, Ident, Item, ItemEnum, Lit, Meta};

use super::walk::insert;
use crate::base::{
    failure::{Context, Result},
    workspace,
};

/// Where the enums of schemas are.
const SOURCES: [&str; 2] = ["shared", "functions"];

/// By name, the texts of the variants; two enums may have the same name.
type Enums = BTreeMap<String, Vec<Vec<String>>>;

/// Adds a sentence for each value of each enum.
///
/// # Errors
/// The sources cannot be read.
pub(super) fn with_meanings(mut document: Value) -> Result<Value> {
    static ENUMS: OnceLock<Result<Enums>> = OnceLock::new();
    let enums = ENUMS.get_or_init(read).as_ref().map_err(Clone::clone)?;
    let schemas = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut);
    for (name, schema) in schemas.into_iter().flatten() {
        let values = schema.get("enum").and_then(Value::as_array).map_or(0, Vec::len);
        let same = enums.get(name).and_then(|all| all.iter().find(|all| all.len() == values));
        if let Some(texts) = same {
            insert(schema, "x-enum-descriptions", json!(texts));
        }
    }
    Ok(document)
}

fn read() -> Result<Enums> {
    let mut enums = Enums::new();
    let mut folders: Vec<PathBuf> = SOURCES.map(|folder| workspace::root().join(folder)).into();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).context(folder.display())?.flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                read_file(&path, &mut enums)?;
            }
        }
    }
    Ok(enums)
}

fn read_file(path: &Path, enums: &mut Enums) -> Result<()> {
    let text = fs::read_to_string(path).context(path.display())?;
    if !text.contains("enum ") || !text.contains("Schema") {
        return Ok(());
    }
    for item in syn::parse_file(&text).context(path.display())?.items {
        if let Item::Enum(item) = item
            && let Some(texts) = meanings(&item)
        {
            enums.entry(schema_name(&item)).or_default().push(texts);
        }
    }
    Ok(())
}

/// The name of an enum's schema: its own, or another one by `#[schema(as = …)]`.
fn schema_name(item: &ItemEnum) -> String {
    let mut name = item.ident.to_string();
    for attribute in item.attrs.iter().filter(|attribute| attribute.path().is_ident("schema")) {
        // Other arguments end the reading.
        let _other = attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("as") {
                name = meta.value()?.parse::<Ident>()?.to_string();
            }
            Ok(())
        });
    }
    name
}

/// The texts of an enum whose variants have no fields, if every variant has one.
fn meanings(item: &ItemEnum) -> Option<Vec<String>> {
    let texts = item.variants.iter().map(|variant| {
        let text = doc(&variant.attrs);
        (matches!(variant.fields, Fields::Unit) && !text.is_empty()).then_some(text)
    });
    texts.collect()
}

/// The first paragraph of a doc comment.
fn doc(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| {
        let Meta::NameValue(meta) = &attribute.meta else { return None };
        let Expr::Lit(literal) = &meta.value else { return None };
        let Lit::Str(text) = &literal.lit else { return None };
        meta.path.is_ident("doc").then(|| text.value().trim().to_owned())
    });
    lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}
