//! Commits of writes, with what the announcer of the store adds to them.

use std::collections::HashMap;

use aws_sdk_dynamodb::{
    operation::transact_write_items::TransactWriteItemsError,
    types::{ConditionCheck, Delete, Put, TransactWriteItem, Update as UpdateAction},
};
use base::outbound::remaining;

use super::{
    CommitError, Key, MOST_ACTIONS, Store, StoreError, Writes,
    row::{FREE, key_item, number},
    store::COMMIT_ATTEMPTS,
    update::Parts,
    writes::{Action, Verb},
};

/// Builds the DynamoDB request of one write.
fn to_transact_item(of: &Action, store: &Store) -> Result<TransactWriteItem, StoreError> {
    let (table, key) = (store.name(of.key.table()), Some(key_item(&of.key)));
    let action = TransactWriteItem::builder();
    let conditions = match of.verb {
        Verb::UseUp => of.conditions.clone().mark_used(store.now().past_seconds()),
        _ => of.conditions.clone(),
    };
    let Parts { change, condition, names, values } = conditions.into_parts()?;
    // DynamoDB refuses empty maps.
    let (names, mut values) = (some(names, HashMap::is_empty), values);
    let mut condition = some(condition, String::is_empty);
    if matches!(of.verb, Verb::Insert(_)) {
        values.insert(":now".to_owned(), number(store.now().past_seconds()));
        condition = Some(match condition {
            Some(also) => format!("{FREE} OR ({also})"),
            None => FREE.to_owned(),
        });
    }
    let values = some(values, HashMap::is_empty);
    Ok(match &of.verb {
        Verb::Insert(item) | Verb::Put(item) => {
            let put = Put::builder()
                .table_name(table)
                .set_item(Some(store.dated(item.clone())))
                .set_condition_expression(condition)
                .set_expression_attribute_names(names)
                .set_expression_attribute_values(values);
            action.put(put.build()?)
        }
        Verb::Delete => {
            let delete = Delete::builder()
                .table_name(table)
                .set_key(key)
                .set_condition_expression(condition)
                .set_expression_attribute_names(names)
                .set_expression_attribute_values(values);
            action.delete(delete.build()?)
        }
        Verb::Update | Verb::UseUp => {
            let update = UpdateAction::builder()
                .table_name(table)
                .set_key(key)
                .update_expression(change)
                .set_condition_expression(condition)
                .set_expression_attribute_names(names)
                .set_expression_attribute_values(values);
            action.update(update.build()?)
        }
        Verb::Check => {
            let check = ConditionCheck::builder()
                .table_name(table)
                .set_key(key)
                .set_condition_expression(condition)
                .set_expression_attribute_names(names)
                .set_expression_attribute_values(values);
            action.condition_check(check.build()?)
        }
    }
    .build())
}

fn some<T>(value: T, is_empty: impl Fn(&T) -> bool) -> Option<T> {
    Some(value).filter(|value| !is_empty(value))
}

impl Store {
    /// Commits the writes. On contention it retries after a random pause. All attempts, including the SDK's
    /// own, carry one client token: so a commit whose answer was lost is not made twice, and a failed
    /// condition shows that none was made.
    pub async fn commit<E>(&self, writes: Writes<E>) -> Result<(), CommitError<E>> {
        self.commit_within(COMMIT_ATTEMPTS, writes).await
    }

    /// Commits writes that postpone a failed row of a worker's queue, so that the rows behind it come first.
    /// If that fails too, it logs the error, and the row stays due.
    pub async fn postpone(&self, key: &Key, writes: Writes<()>) {
        let error = match self.commit(writes).await {
            Ok(()) | Err(CommitError::Condition(())) => return,
            Err(CommitError::Contended) => "contended".to_owned(),
            Err(CommitError::Store(error)) => error.to_string(),
        };
        tracing::error!(row = key.pk(), error, "failed to postpone a row");
    }

    /// Makes a single attempt, for a writer that finds out by other means whether it was committed.
    ///
    /// # Errors
    /// As [`Self::commit`].
    pub(super) async fn try_commit<E>(&self, writes: Writes<E>) -> Result<(), CommitError<E>> {
        self.commit_within(1, writes).await
    }

    async fn commit_within<E>(
        &self,
        attempts: u32,
        writes: Writes<E>,
    ) -> Result<(), CommitError<E>> {
        let actions = self.actions(&writes)?;
        if writes.notices.is_empty() {
            return map_condition(self.commit_actions(attempts, actions).await, writes);
        }
        let announcement = self.announcer.announce(self, &writes.notices).await?;
        let room = MOST_ACTIONS.saturating_sub(actions.len());
        let mut is_moved = false;
        loop {
            let announced = self.actions(&announcement.writes(room, is_moved))?;
            let all = actions.iter().cloned().chain(announced).collect();
            match self.commit_actions(attempts, all).await {
                // Another writer has changed what the announcement depends on. Nothing was written, so the
                // next attempt is a new commit, without that condition.
                Err(CommitError::Condition(failed)) if !is_moved && failed >= actions.len() => {
                    is_moved = true;
                }
                sent => return map_condition(sent, writes),
            }
        }
    }

    async fn commit_actions(
        &self,
        attempts: u32,
        actions: Vec<TransactWriteItem>,
    ) -> Result<(), CommitError<usize>> {
        let token = hex::encode(self.random.bytes::<16>());
        for attempt in 0..attempts {
            match self.send(actions.clone(), &token).await {
                Err(CommitError::Contended)
                    if attempt.saturating_add(1) < attempts && !remaining().is_zero() =>
                {
                    self.pause(attempt).await;
                }
                sent => return sent,
            }
        }
        Err(CommitError::Contended)
    }

    fn actions<E>(&self, writes: &Writes<E>) -> Result<Vec<TransactWriteItem>, StoreError> {
        if let Some(error) = &writes.error {
            return Err(StoreError::Dynamo(error.clone()));
        }
        let sums = writes.tally.updates().into_iter();
        let sums = sums.map(|(key, conditions)| Action { key, verb: Verb::Update, conditions });
        let sums: Vec<_> = sums.collect();
        let actions = writes.actions.iter().map(|(action, _)| action).chain(&sums);
        actions.map(|action| to_transact_item(action, self)).collect()
    }

    /// One attempt. The error holds the index of the first condition that failed.
    async fn send(
        &self,
        actions: Vec<TransactWriteItem>,
        token: &str,
    ) -> Result<(), CommitError<usize>> {
        let sent = self.client.transact_write_items().set_transact_items(Some(actions));
        let Err(error) = sent.client_request_token(token).send().await else { return Ok(()) };
        if let Some(TransactWriteItemsError::TransactionCanceledException(cancelled)) =
            error.as_service_error()
        {
            let reasons = cancelled.cancellation_reasons();
            let codes: Vec<_> = reasons.iter().map(|reason| reason.code()).collect();
            if let Some(failed) =
                codes.iter().position(|code| *code == Some("ConditionalCheckFailed"))
            {
                return Err(CommitError::Condition(failed));
            }
            let is_contended = |code: &Option<&str>| {
                matches!(
                    code,
                    Some(
                        "TransactionConflict" | "ThrottlingError" | "ProvisionedThroughputExceeded"
                    )
                )
            };
            if codes.iter().any(is_contended) {
                return Err(CommitError::Contended);
            }
        }
        Err(StoreError::from(error).into())
    }
}

/// Maps the index of the failed condition to its error.
fn map_condition<E>(
    sent: Result<(), CommitError<usize>>,
    writes: Writes<E>,
) -> Result<(), CommitError<E>> {
    sent.map_err(|error| match error {
        CommitError::Condition(failed) => match writes.actions.into_iter().nth(failed) {
            Some((_, meaning)) => CommitError::Condition(meaning),
            None => CommitError::Store(StoreError::Dynamo(
                "a failed condition belongs to no write".to_owned(),
            )),
        },
        CommitError::Contended => CommitError::Contended,
        CommitError::Store(error) => CommitError::Store(error),
    })
}
