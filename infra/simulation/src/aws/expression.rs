//! The expressions that the store sends; any other form stops the run.
//!
//! Semantics: Amazon DynamoDB Developer Guide, "Condition expressions" and "Update expressions".

use std::{cmp::Ordering, collections::BTreeSet};

use serde_json::{Map, Value, json};

/// The attributes of a row, in DynamoDB's format.
pub type Row = Map<String, Value>;

/// Why DynamoDB refuses an expression.
pub type Invalid = String;

/// A number of DynamoDB. The store keeps whole numbers only.
pub fn number(value: &Value) -> Option<i128> {
    let text = value.get("N")?.as_str()?;
    Some(text.parse().unwrap_or_else(|_| panic!("the model knows whole numbers only: {text}")))
}

fn equal(one: &Value, other: &Value) -> bool {
    match (number(one), number(other)) {
        (Some(one), Some(other)) => one == other,
        (None, None) => one == other,
        _ => false,
    }
}

/// The order of two values of one type that has an order; `None` otherwise.
pub fn order(one: &Value, other: &Value) -> Option<Ordering> {
    if let (Some(one), Some(other)) = (number(one), number(other)) {
        return Some(one.cmp(&other));
    }
    let text = |value: &Value| value.get("S").and_then(Value::as_str).map(str::to_owned);
    Some(text(one)?.cmp(&text(other)?))
}

/// The names and values of a request, and which of them its expressions use.
pub struct Names<'a> {
    names: Option<&'a Row>,
    values: Option<&'a Row>,
    used: BTreeSet<String>,
}

impl<'a> Names<'a> {
    /// The names and values of a request, or of an action of a transaction.
    pub fn of(request: &'a Value) -> Self {
        let map = |name: &str| request.get(name).and_then(Value::as_object);
        Self {
            names: map("ExpressionAttributeNames"),
            values: map("ExpressionAttributeValues"),
            used: BTreeSet::new(),
        }
    }

    /// Checks that every name and value is used.
    ///
    /// # Errors
    /// A name or value is unused, or a map is empty.
    pub fn all_used(&self) -> Result<(), Invalid> {
        for map in [self.names, self.values].into_iter().flatten() {
            if map.is_empty() {
                return Err("ExpressionAttributeNames or -Values must not be empty".to_owned());
            }
            if let Some(unused) = map.keys().find(|key| !self.used.contains(*key)) {
                return Err(format!("{unused} is unused in expressions"));
            }
        }
        Ok(())
    }

    fn value(&mut self, placeholder: &str) -> Result<Value, Invalid> {
        let value = self.values.and_then(|values| values.get(placeholder));
        let value = value.ok_or(format!("{placeholder} is not defined"))?;
        self.used.insert(placeholder.to_owned());
        Ok(value.clone())
    }

    fn path(&mut self, text: &str) -> Result<Vec<String>, Invalid> {
        let mut path = Vec::new();
        for part in text.split('.') {
            path.push(match part.strip_prefix('#') {
                Some(_) => {
                    let name = self.names.and_then(|names| names.get(part));
                    let name =
                        name.and_then(Value::as_str).ok_or(format!("{part} is not defined"))?;
                    self.used.insert(part.to_owned());
                    name.to_owned()
                }
                None => part.to_owned(),
            });
        }
        Ok(path)
    }
}

fn tokens(text: &str) -> Vec<String> {
    let mut spaced = text.replace("<=", " \u{1} ");
    for mark in ["(", ")", ",", "<", ">", "=", "+"] {
        spaced = spaced.replace(mark, &format!(" {mark} "));
    }
    spaced.split_whitespace().map(|token| token.replace('\u{1}', "<=")).collect()
}

struct Cursor {
    tokens: Vec<String>,
    at: usize,
    text: String,
}

impl Cursor {
    fn new(text: &str) -> Self {
        Self { tokens: tokens(text), at: 0, text: text.to_owned() }
    }

    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }

    fn take(&mut self) -> String {
        let token = self.peek().to_owned();
        self.at += 1;
        token
    }

    fn expect(&mut self, token: &str) {
        let found = self.take();
        assert!(found == token, "the model does not know this expression: {}", self.text);
    }

    fn unknown(&self) -> ! {
        panic!("the model does not know this expression: {}", self.text)
    }
}

fn find<'a>(row: Option<&'a Row>, path: &[String]) -> Option<&'a Value> {
    let (first, rest) = path.split_first()?;
    let mut value = row?.get(first)?;
    for part in rest {
        value = value.get("M")?.get(part)?;
    }
    Some(value)
}

/// Whether a condition holds for a row.
///
/// # Errors
/// A name or value is not defined.
pub fn holds(text: &str, names: &mut Names<'_>, row: Option<&Row>) -> Result<bool, Invalid> {
    let mut cursor = Cursor::new(text);
    let held = any(&mut cursor, names, row)?;
    if cursor.at != cursor.tokens.len() {
        cursor.unknown();
    }
    Ok(held)
}

fn any(cursor: &mut Cursor, names: &mut Names<'_>, row: Option<&Row>) -> Result<bool, Invalid> {
    let mut held = all(cursor, names, row)?;
    while cursor.peek() == "OR" {
        cursor.take();
        held |= all(cursor, names, row)?;
    }
    Ok(held)
}

fn all(cursor: &mut Cursor, names: &mut Names<'_>, row: Option<&Row>) -> Result<bool, Invalid> {
    let mut held = one(cursor, names, row)?;
    while cursor.peek() == "AND" {
        cursor.take();
        held &= one(cursor, names, row)?;
    }
    Ok(held)
}

fn one(cursor: &mut Cursor, names: &mut Names<'_>, row: Option<&Row>) -> Result<bool, Invalid> {
    let first = cursor.take();
    if first == "(" {
        let held = any(cursor, names, row)?;
        cursor.expect(")");
        return Ok(held);
    }
    if first == "attribute_not_exists" {
        cursor.expect("(");
        let path = names.path(&cursor.take())?;
        cursor.expect(")");
        return Ok(find(row, &path).is_none());
    }
    let path = names.path(&first)?;
    let left = find(row, &path).cloned();
    match cursor.take().as_str() {
        "IN" => {
            cursor.expect("(");
            let mut held = false;
            loop {
                let value = names.value(&cursor.take())?;
                held |= left.as_ref().is_some_and(|left| equal(left, &value));
                match cursor.take().as_str() {
                    "," => {}
                    ")" => return Ok(held),
                    _ => cursor.unknown(),
                }
            }
        }
        "BETWEEN" => {
            let low = names.value(&cursor.take())?;
            cursor.expect("AND");
            let high = names.value(&cursor.take())?;
            let left = left.as_ref();
            let above = left.and_then(|left| order(left, &low)).is_some_and(Ordering::is_ge);
            let below = left.and_then(|left| order(left, &high)).is_some_and(Ordering::is_le);
            Ok(above && below)
        }
        comparison @ ("=" | "<" | "<=" | ">") => {
            let right = names.value(&cursor.take())?;
            let Some(left) = left else { return Ok(false) };
            let order = || order(&left, &right);
            Ok(match comparison {
                "=" => equal(&left, &right),
                "<" => order().is_some_and(Ordering::is_lt),
                "<=" => order().is_some_and(Ordering::is_le),
                _ => order().is_some_and(Ordering::is_gt),
            })
        }
        _ => cursor.unknown(),
    }
}

fn sum(one: &Value, other: &Value) -> Result<Value, Invalid> {
    match (number(one), number(other)) {
        (Some(one), Some(other)) => Ok(json!({ "N": (one + other).to_string() })),
        _ => Err("an operand in the update expression has an incorrect data type".to_owned()),
    }
}

/// Changes a row by an update expression. All operands are read from the row as it was.
///
/// # Errors
/// The expression cannot be applied to the row.
pub fn change(text: &str, names: &mut Names<'_>, row: &mut Row) -> Result<(), Invalid> {
    let before = row.clone();
    let mut cursor = Cursor::new(text);
    let mut changed: Vec<Vec<String>> = Vec::new();
    while !cursor.peek().is_empty() {
        let verb = cursor.take();
        loop {
            let path = names.path(&cursor.take())?;
            if matches!(path.first().map(String::as_str), Some("pk" | "sk")) {
                return Err("Cannot update attribute: this attribute is part of the key".to_owned());
            }
            let overlaps =
                |other: &Vec<String>| other.iter().zip(&path).all(|(one, other)| one == other);
            if changed.iter().any(overlaps) {
                return Err("Two document paths overlap with each other".to_owned());
            }
            match verb.as_str() {
                "SET" => {
                    cursor.expect("=");
                    let value = operand(&mut cursor, names, &before)?;
                    put(row, &path, Some(value))?;
                }
                "ADD" => {
                    let value = names.value(&cursor.take())?;
                    let old = find(Some(&before), &path).cloned();
                    let zero = json!({ "N": "0" });
                    put(row, &path, Some(sum(&old.unwrap_or(zero), &value)?))?;
                }
                "REMOVE" => put(row, &path, None)?,
                _ => cursor.unknown(),
            }
            changed.push(path);
            if cursor.peek() != "," {
                break;
            }
            cursor.take();
        }
    }
    Ok(())
}

fn operand(cursor: &mut Cursor, names: &mut Names<'_>, before: &Row) -> Result<Value, Invalid> {
    let first = cursor.take();
    if first.starts_with(':') {
        return names.value(&first);
    }
    let missing = "The provided expression refers to an attribute that does not exist in the item";
    if first == "if_not_exists" {
        cursor.expect("(");
        let path = names.path(&cursor.take())?;
        cursor.expect(",");
        let value = names.value(&cursor.take())?;
        cursor.expect(")");
        return Ok(find(Some(before), &path).cloned().unwrap_or(value));
    }
    if first == "list_append" {
        cursor.expect("(");
        let list = operand(cursor, names, before)?;
        cursor.expect(",");
        let items = operand(cursor, names, before)?;
        cursor.expect(")");
        return joined(&list, &items);
    }
    let path = names.path(&first)?;
    cursor.expect("+");
    let added = names.value(&cursor.take())?;
    let old = find(Some(before), &path).ok_or(missing)?;
    sum(old, &added)
}

fn joined(list: &Value, items: &Value) -> Result<Value, Invalid> {
    let members = |value: &Value| value.get("L").and_then(Value::as_array).cloned();
    match (members(list), members(items)) {
        (Some(list), Some(items)) => {
            let all = [list, items].concat();
            Ok(json!({ "L": all }))
        }
        _ => Err("an operand in the update expression has an incorrect data type".to_owned()),
    }
}

fn put(row: &mut Row, path: &[String], value: Option<Value>) -> Result<(), Invalid> {
    let wrong = "The document path provided in the update expression is invalid for update";
    let (last, way) = path.split_last().ok_or(wrong)?;
    let mut place = row;
    for part in way {
        let inner = place.get_mut(part).and_then(|value| value.get_mut("M"));
        place = inner.and_then(Value::as_object_mut).ok_or(wrong)?;
    }
    match value {
        Some(value) => {
            place.insert(last.clone(), value);
        }
        None => {
            place.remove(last);
        }
    }
    Ok(())
}
