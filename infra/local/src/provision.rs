//! Creates what the template declares outside of DynamoDB and S3.

use aws_sdk_secretsmanager::error::DisplayErrorContext;
use aws_sdk_sqs::types::QueueAttributeName;
use shared::{aws::Parameters, config::AwsConfig, outbound::Outbound};

use crate::{
    failure::{Context, Failure, Result},
    template::Resources,
};

/// Creates queues, secrets and parameters. What an earlier start created stays.
///
/// # Errors
/// The service says no.
pub async fn create(aws: &AwsConfig, url: &str, resources: &Resources) -> Result<()> {
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
    let parameters = Parameters::new(aws.clone(), outbound);
    for parameter in &resources.parameters {
        let doing = format_args!("parameter {}", parameter.name);
        parameters.put(&parameter.name, &parameter.value).await.context(doing)?;
    }
    Ok(())
}

async fn queues(aws: &AwsConfig, url: &str, outbound: &Outbound, resources: &Resources) -> Result<()> {
    let config = aws_sdk_sqs::Config::builder()
        .region(aws_sdk_sqs::config::Region::new(aws.region.clone()))
        .credentials_provider(aws.credentials())
        .http_client(outbound.clone())
        .endpoint_url(url);
    let client = aws_sdk_sqs::Client::from_conf(config.build());
    for queue in &resources.queues {
        let mut create = client.create_queue().queue_name(&queue.name);
        for (name, value) in &queue.attributes {
            create = create.attributes(QueueAttributeName::from(name.as_str()), value);
        }
        let doing = format_args!("queue {}", queue.name);
        create.send().await.map_err(|error| DisplayErrorContext(error).to_string()).context(doing)?;
    }
    Ok(())
}

/// A client of the local Secrets Manager.
pub(crate) fn secrets_manager(aws: &AwsConfig, url: &str, outbound: &Outbound) -> aws_sdk_secretsmanager::Client {
    let config = aws_sdk_secretsmanager::Config::builder()
        .region(aws_sdk_secretsmanager::config::Region::new(aws.region.clone()))
        .credentials_provider(aws.credentials())
        .http_client(outbound.clone())
        .endpoint_url(url);
    aws_sdk_secretsmanager::Client::from_conf(config.build())
}
