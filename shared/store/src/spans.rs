//! Attributes of the span of a call to DynamoDB: the tables, the rows, and the capacity units that it
//! consumed.

use std::{collections::BTreeSet, sync::Arc};

use aws_sdk_dynamodb::{
    operation::{
        batch_get_item::{BatchGetItemInput, BatchGetItemOutput},
        delete_item::{DeleteItemInput, DeleteItemOutput},
        get_item::{GetItemInput, GetItemOutput},
        put_item::{PutItemInput, PutItemOutput},
        query::{QueryInput, QueryOutput},
        transact_write_items::{TransactWriteItemsInput, TransactWriteItemsOutput},
        update_item::{UpdateItemInput, UpdateItemOutput},
    },
    types::{ConsumedCapacity, ReturnConsumedCapacity, TransactWriteItem},
};
use aws_smithy_runtime_api::client::interceptors::context::{Input, Output};
use base::{
    aws::spans::Details,
    span::{Span, Value},
};

use super::{Table, Tables};

/// Reads tables, rows and units of the store's calls.
#[derive(Debug)]
pub(super) struct Units(Arc<Tables>);

impl Units {
    pub(super) fn new(tables: Arc<Tables>) -> Self {
        Self(tables)
    }

    /// The name that the code uses for a table; each deployment has names of its own.
    fn plain_name(&self, name: &str) -> &'static str {
        self.0.named(name).map_or("another", Table::plain_name)
    }
}

impl Details for Units {
    fn ask(&self, input: &mut Input) {
        let total = Some(ReturnConsumedCapacity::Total);
        macro_rules! ask {
            ($($input:ty),+) => {
                $(if let Some(input) = input.downcast_mut::<$input>() {
                    input.return_consumed_capacity = total;
                    return;
                })+
            };
        }
        ask!(
            GetItemInput,
            QueryInput,
            BatchGetItemInput,
            PutItemInput,
            UpdateItemInput,
            DeleteItemInput,
            TransactWriteItemsInput
        );
    }

    fn read_input(&self, input: &Input, span: &mut Span) {
        let mut tables = BTreeSet::new();
        macro_rules! table_of {
            ($($input:ty),+) => {
                $(if let Some(input) = input.downcast_ref::<$input>() {
                    tables.extend(input.table_name().map(|name| self.plain_name(name)));
                })+
            };
        }
        table_of!(GetItemInput, QueryInput, PutItemInput, UpdateItemInput, DeleteItemInput);
        let mut rows = None;
        if let Some(input) = input.downcast_ref::<BatchGetItemInput>() {
            let wanted = input.request_items().into_iter().flatten();
            let wanted = wanted.map(|(name, keys)| (self.plain_name(name), keys.keys().len()));
            let wanted: Vec<_> = wanted.collect();
            tables.extend(wanted.iter().map(|(name, _)| *name));
            rows = Some(wanted.iter().map(|(_, keys)| *keys).sum());
        }
        if let Some(input) = input.downcast_ref::<TransactWriteItemsInput>() {
            let names = input.transact_items().iter().filter_map(table_of_action);
            tables.extend(names.map(|name| self.plain_name(name)));
            rows = Some(input.transact_items().len());
        }
        if !tables.is_empty() {
            let tables: Vec<_> = tables.into_iter().collect();
            span.set("aws.dynamodb.table_names", tables.join(" "));
        }
        note_rows(rows, span);
    }

    fn read_output(&self, output: &Output, span: &mut Span) {
        macro_rules! units_of {
            ($($output:ty),+) => {
                $(if let Some(output) = output.downcast_ref::<$output>() {
                    note_units(output.consumed_capacity(), span);
                })+
            };
        }
        units_of!(
            GetItemOutput,
            QueryOutput,
            BatchGetItemOutput,
            PutItemOutput,
            UpdateItemOutput,
            DeleteItemOutput,
            TransactWriteItemsOutput
        );
        if let Some(output) = output.downcast_ref::<QueryOutput>() {
            note_rows(usize::try_from(output.count()).ok(), span);
        }
    }
}

fn note_rows(rows: Option<usize>, span: &mut Span) {
    if let Some(rows) = rows.and_then(|rows| u32::try_from(rows).ok()) {
        span.set("runeport.rows", rows);
    }
}

fn note_units<'a>(consumed: impl IntoIterator<Item = &'a ConsumedCapacity>, span: &mut Span) {
    let mut units = consumed.into_iter().filter_map(ConsumedCapacity::capacity_units).peekable();
    if units.peek().is_some() {
        span.set("aws.dynamodb.consumed_units", Value::Units(units.sum()));
    }
}

fn table_of_action(action: &TransactWriteItem) -> Option<&str> {
    let put = action.put().map(|put| put.table_name());
    let update = || action.update().map(|update| update.table_name());
    let delete = || action.delete().map(|delete| delete.table_name());
    let check = || action.condition_check().map(|check| check.table_name());
    put.or_else(update).or_else(delete).or_else(check)
}
