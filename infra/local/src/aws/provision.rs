//! Creates the template's resources outside of DynamoDB and S3.

use std::sync::Arc;

use aws_sdk_kms::{
    Client as Kms,
    operation::create_key::builders::CreateKeyFluentBuilder,
    types::{KeySpec, KeyUsageType},
};
use aws_sdk_secretsmanager::error::DisplayErrorContext;
use aws_sdk_sqs::types::QueueAttributeName;
use base::{
    aws::{self, AwsConfig},
    outbound::Outbound,
};
use serde_json::Value;

use crate::{
    aws::template::{KmsKey, Resources},
    base::failure::{Context, Failure, Result},
};

/// Creates queues, secrets and keys. Those of an earlier start are kept, unless the stack `is_new`.
pub async fn create(
    aws: &Arc<AwsConfig>,
    url: &str,
    resources: &Resources,
    is_new: bool,
) -> Result<()> {
    let outbound = Outbound::new();
    queues(aws, url, &outbound, resources).await?;
    let secrets = secrets_manager(aws, url, &outbound);
    for name in &resources.secrets {
        let created = secrets.create_secret().name(name).send().await;
        if let Err(error) = created
            && !error.as_service_error().is_some_and(|error| error.is_resource_exists_exception())
        {
            return Err(Failure::new(format!("secret {name}: {}", DisplayErrorContext(&error))));
        }
    }
    let kms = kms(aws, url, &outbound);
    // The list has the keys of all stacks, and tests start a thousand of them.
    let known = if is_new { Vec::new() } else { aliases(&kms).await? };
    for KmsKey { alias, create } in resources.keys.iter().filter(|key| !known.contains(&key.alias))
    {
        let doing = format_args!("key {alias}");
        let made = create_key(&kms, create).send().await.map_err(aws::failure).context(doing)?;
        let key = made.key_metadata.context("KMS names no key")?;
        name_key(&kms, alias, &key.key_id).await.context(doing)?;
    }
    Ok(())
}

/// A request that creates a KMS key as the template describes it.
pub(crate) fn create_key(kms: &Kms, described: &Value) -> CreateKeyFluentBuilder {
    let text = |name| described.get(name).and_then(Value::as_str);
    kms.create_key()
        .set_key_spec(text("KeySpec").map(KeySpec::from))
        .set_key_usage(text("KeyUsage").map(KeyUsageType::from))
        .set_multi_region(described.get("MultiRegion").and_then(Value::as_bool))
}

/// Gives a KMS key an alias.
pub(crate) async fn name_key(kms: &Kms, alias: &str, key_id: &str) -> Result<()> {
    let name = kms.create_alias().alias_name(alias).target_key_id(key_id);
    name.send().await.map_err(aws::failure).context("alias")?;
    Ok(())
}

/// The aliases of all KMS keys.
pub(crate) async fn aliases(kms: &Kms) -> Result<Vec<String>> {
    let aliases = kms.list_aliases().into_paginator().items().send().try_collect().await;
    let aliases: Vec<_> = aliases.map_err(aws::failure).context("KMS")?;
    Ok(aliases.into_iter().filter_map(|alias| alias.alias_name).collect())
}

async fn queues(
    aws: &AwsConfig,
    url: &str,
    outbound: &Outbound,
    resources: &Resources,
) -> Result<()> {
    let client = sqs(aws, url, outbound);
    for queue in &resources.queues {
        let mut create = client.create_queue().queue_name(&queue.name);
        for (name, value) in &queue.attributes {
            create = create.attributes(QueueAttributeName::from(name.as_str()), value);
        }
        let doing = format_args!("queue {}", queue.name);
        create
            .send()
            .await
            .map_err(|error| DisplayErrorContext(error).to_string())
            .context(doing)?;
    }
    Ok(())
}

/// A client of the local SQS.
pub(crate) fn sqs(aws: &AwsConfig, url: &str, outbound: &Outbound) -> aws_sdk_sqs::Client {
    let config = aws_sdk_sqs::Config::builder()
        .region(aws_sdk_sqs::config::Region::new(aws.region.clone()))
        .credentials_provider(aws.credentials())
        .http_client(outbound.clone())
        .endpoint_url(url);
    aws_sdk_sqs::Client::from_conf(config.build())
}

/// A client of the local KMS.
pub(crate) fn kms(aws: &AwsConfig, url: &str, outbound: &Outbound) -> Kms {
    let config = aws_sdk_kms::Config::builder()
        .region(aws_sdk_kms::config::Region::new(aws.region.clone()))
        .credentials_provider(aws.credentials())
        .http_client(outbound.clone())
        .endpoint_url(url);
    Kms::from_conf(config.build())
}

/// A client of the local Secrets Manager.
pub(crate) fn secrets_manager(
    aws: &AwsConfig,
    url: &str,
    outbound: &Outbound,
) -> aws_sdk_secretsmanager::Client {
    let config = aws_sdk_secretsmanager::Config::builder()
        .region(aws_sdk_secretsmanager::config::Region::new(aws.region.clone()))
        .credentials_provider(aws.credentials())
        .http_client(outbound.clone())
        .endpoint_url(url);
    aws_sdk_secretsmanager::Client::from_conf(config.build())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::BTreeMap;

    use base::aws::AwsConfig;

    use super::*;
    use crate::{
        aws::{
            dynamodb::DynamoDb,
            ministack::Ministack,
            storage::Storage,
            template::{self, Deployment, tests::FIXTURE},
        },
        base::{
            client::Client,
            names::{ACCESS_KEY_ID, REGION, SECRET_ACCESS_KEY},
        },
        stack::LocalStack,
    };

    fn aws(url: &str) -> Arc<AwsConfig> {
        Arc::new(AwsConfig {
            region: REGION.into(),
            access_key_id: ACCESS_KEY_ID.into(),
            secret_access_key: SECRET_ACCESS_KEY.into(),
            session_token: None,
            dynamodb_endpoint: None,
            s3_endpoint: None,
            secrets_endpoint: Some(url.into()),
            ssm_endpoint: Some(url.into()),
            kms_endpoint: None,
            sqs_endpoint: None,
            ses_endpoint: None,
            sockets_endpoint: None,
        })
    }

    #[tokio::test]
    async fn what_the_template_declares_is_there_and_works() {
        let ministack = Ministack::shared().await.unwrap();
        let stack = format!("fixture-{}", std::process::id());
        let parameters = [("Name".to_owned(), "me".to_owned())].into();
        let deployment = Deployment { stack, parameters, queue_url: ministack.url().to_owned() };
        let resources = template::read(FIXTURE, &deployment).unwrap();
        create(&aws(ministack.url()), ministack.url(), &resources, true).await.unwrap();
        // A second start finds everything in place.
        create(&aws(ministack.url()), ministack.url(), &resources, false).await.unwrap();

        // The URL in the functions' settings accepts a message, and a message that no worker deletes ends up
        // in the dead-letter queue.
        let worker = resources.functions.get("Worker").unwrap();
        let jobs = worker.get("QUEUE").unwrap();
        let client = sqs(&aws(ministack.url()), ministack.url(), &Outbound::new());
        client.send_message().queue_url(jobs).message_body("hello").send().await.unwrap();
        for _attempt in 0..4 {
            client.receive_message().queue_url(jobs).visibility_timeout(0).send().await.unwrap();
        }
        let failed = jobs.replace("-Jobs", "-dead");
        let received = client.receive_message().queue_url(failed).send().await.unwrap();
        assert_eq!(received.messages().first().unwrap().body(), Some("hello"));

        let dynamodb = DynamoDb::start(None, &resources.tables).await.unwrap();
        assert!(dynamodb.url().starts_with("http://127.0.0.1:"));
        let storage = Storage::start(None, &resources.buckets).await.unwrap();
        let bucket = resources.buckets.first().unwrap();
        assert!(storage.root().join(bucket).is_dir());
    }

    #[tokio::test]
    async fn browsers_of_any_origin_may_upload() {
        let storage = Storage::start(None, &["files".to_owned()]).await.unwrap();
        let client = Client::new(storage.url());
        let preflight = client
            .request(http::Method::OPTIONS, "/files/a")
            .header("origin", "http://localhost:5173")
            .header("access-control-request-method", "PUT")
            .send()
            .await
            .expect(200);
        assert_eq!(preflight.header("access-control-allow-origin"), "*");
        // Requests without a signature are refused.
        let refused = client.get("/files/a").header("origin", "http://localhost:5173").send().await;
        assert_eq!((refused.status, refused.header("access-control-allow-origin")), (403, "*"));
    }

    #[tokio::test]
    async fn the_real_template_is_created() {
        let stack = LocalStack::start().await;
        let tables = &stack.app().config.tables;
        let names = [&tables.accounts, &tables.activity, &tables.ephemeral];
        assert_eq!(names.iter().collect::<std::collections::BTreeSet<_>>().len(), 3);
        for table in shared::tables::ALL {
            stack.app().store.ping(table).await.unwrap();
        }
        let settings: BTreeMap<_, _> = stack.settings().iter().collect();
        assert!(settings.values().all(|value| !value.contains("amazonaws.com")), "{settings:?}");
    }
}
