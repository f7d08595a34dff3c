//! What the template says of running the service: each alarm has its paragraph in the runbook and its
//! place on the dashboard, queues give up in the open, buckets are shut, and a new version of a function
//! takes over step by step.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    missing_docs
)]

use std::{collections::BTreeSet, fs};

use local::{template::TEMPLATE, workspace};
use yaml_serde::Value;

fn template() -> Value {
    yaml_serde::from_str(TEMPLATE).unwrap()
}

/// The resources of one type: name and resource.
fn of_type<'a>(template: &'a Value, kind: &str) -> Vec<(&'a str, &'a Value)> {
    let resources = template["Resources"].as_mapping().unwrap();
    let of_it = resources.iter().filter(|(_, resource)| resource["Type"] == *kind);
    of_it.map(|(id, resource)| (id.as_str().unwrap(), resource)).collect()
}

/// The items of a sequence.
fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_sequence().into_iter().flatten()
}

#[test]
fn every_alarm_has_its_section_in_the_runbook() {
    let runbook = fs::read_to_string(workspace::root().join("infra/runbook.md")).unwrap();
    let mut sections = BTreeSet::new();
    for section in runbook.split("\n### ").skip(1) {
        let (title, text) = section.split_once('\n').unwrap();
        assert!(sections.insert(title.to_owned()), "{title} has two sections");
        for part in ["\n- **Means**: ", "\n- **Look**: ", "\n- **Do**: "] {
            assert_eq!(text.matches(part).count(), 1, "{title}, {part}");
        }
    }
    let template = template();
    let mut alarms = BTreeSet::new();
    for (id, alarm) in of_type(&template, "AWS::CloudWatch::Alarm") {
        let text = alarm["Properties"]["AlarmDescription"].as_str().unwrap();
        assert!(text.ends_with(&format!(" See {id} in infra/runbook.md.")), "{id}: {text}");
        alarms.insert(id.to_owned());
    }
    assert_eq!(sections, alarms);
}

#[test]
fn every_alarm_is_told_and_is_on_the_dashboard() {
    let template = template();
    let dashboard = &template["Resources"]["Dashboard"]["Properties"]["DashboardBody"];
    let dashboard: serde_json::Value = serde_json::from_str(dashboard.as_str().unwrap()).unwrap();
    let widgets = dashboard["widgets"].as_array().unwrap();
    let lists = widgets.iter().filter(|widget| widget["type"] == "alarm");
    let shown = lists.flat_map(|widget| widget["properties"]["alarms"].as_array().unwrap());
    let shown: BTreeSet<_> = shown.map(|arn| arn.as_str().unwrap().to_owned()).collect();
    let mut alarms = BTreeSet::new();
    for (id, alarm) in of_type(&template, "AWS::CloudWatch::Alarm") {
        alarms.insert(format!("${{{id}.Arn}}"));
        let properties = &alarm["Properties"];
        for actions in ["AlarmActions", "OKActions"] {
            let told: Vec<_> = items(&properties[actions]).map(|to| to.as_str().unwrap()).collect();
            assert_eq!(told, ["AlarmTopic"], "{id}, {actions}");
        }
        // The worker that measures every minute stands still where it does not.
        let missing = if id == "WatcherLagging" { "breaching" } else { "notBreaching" };
        assert_eq!(properties["TreatMissingData"], missing, "{id}");
        // CloudWatch takes no more for one alarm.
        assert!(items(&properties["Metrics"]).count() <= 10, "{id}");
    }
    assert_eq!(shown, alarms);
    let topic = &template["Resources"]["AlarmTopic"]["Properties"];
    assert_eq!(topic["KmsMasterKeyId"].as_str(), Some("AlarmKey"));
}

#[test]
fn every_queue_has_a_worker_and_dead_letters_with_an_alarm() {
    let template = template();
    let resources = &template["Resources"];
    let alarms = of_type(&template, "AWS::CloudWatch::Alarm");
    let mut known = BTreeSet::new();
    for (id, function) in of_type(&template, "AWS::Serverless::Function") {
        let properties = &function["Properties"];
        let events = properties["Events"].as_mapping();
        for event in events.into_iter().flat_map(|events| events.values()) {
            if event["Type"] != "SQS" {
                continue;
            }
            let event = &event["Properties"];
            let responses: Vec<_> = items(&event["FunctionResponseTypes"]).collect();
            assert!(
                matches!(responses.as_slice(), [one] if **one == "ReportBatchItemFailures"),
                "{id}"
            );
            let queue = event["Queue"].as_str().unwrap().strip_suffix(".Arn").unwrap();
            let source = &resources[queue]["Properties"];
            let timeout = properties["Timeout"].as_u64();
            let timeout = timeout.or(template["Globals"]["Function"]["Timeout"].as_u64()).unwrap();
            let hidden = source["VisibilityTimeout"].as_u64().unwrap();
            assert!(hidden >= 6 * timeout, "{queue}: {hidden} s, of {id} with {timeout} s");
            // It takes as many at once as it has reserved: fewer would be refused, and count as attempts.
            let at_once = event["ScalingConfig"]["MaximumConcurrency"].as_str().unwrap();
            assert_eq!(
                properties["ReservedConcurrentExecutions"][1].as_str(),
                Some(at_once),
                "{id}"
            );

            let redrive = &source["RedrivePolicy"];
            assert!(redrive["maxReceiveCount"].as_u64().unwrap() >= 2, "{queue}");
            let dead = redrive["deadLetterTargetArn"].as_str().unwrap();
            let dead = dead.strip_suffix(".Arn").unwrap();
            let kept = |of: &Value| of["MessageRetentionPeriod"].as_u64().unwrap();
            assert!(kept(&resources[dead]["Properties"]) > kept(source), "{dead}");
            let name = format!("{dead}.QueueName");
            let watches = |properties: &Value| {
                properties["MetricName"] == "ApproximateNumberOfMessagesVisible"
                    && properties["Dimensions"][0]["Value"] == *name
                    && properties["Threshold"].as_u64() == Some(1)
            };
            assert!(alarms.iter().any(|(_, alarm)| watches(&alarm["Properties"])), "{dead}");
            known.extend([queue.to_owned(), dead.to_owned()]);
        }
    }
    let queues = of_type(&template, "AWS::SQS::Queue");
    assert_eq!(known, queues.iter().map(|(id, _)| (*id).to_owned()).collect());
    for (id, queue) in queues {
        assert_eq!(queue["Properties"]["SqsManagedSseEnabled"], true, "{id}");
    }
}

#[test]
fn every_bucket_is_encrypted_and_shut() {
    let template = template();
    let policies = of_type(&template, "AWS::S3::BucketPolicy");
    let buckets = of_type(&template, "AWS::S3::Bucket");
    assert!(!buckets.is_empty());
    for (id, bucket) in buckets {
        let properties = &bucket["Properties"];
        let private = &properties["PublicAccessBlockConfiguration"];
        for setting in
            ["BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets"]
        {
            assert_eq!(private[setting], true, "{id}, {setting}");
        }
        let rules = &properties["BucketEncryption"]["ServerSideEncryptionConfiguration"];
        let algorithm = &rules[0]["ServerSideEncryptionByDefault"]["SSEAlgorithm"];
        assert!(algorithm.as_str().is_some(), "{id}");
        let owners = &properties["OwnershipControls"]["Rules"][0]["ObjectOwnership"];
        assert_eq!(*owners, "BucketOwnerEnforced", "{id}");
        // What was begun and never finished is deleted.
        let lifecycle = &properties["LifecycleConfiguration"]["Rules"];
        let unfinished = |rule: &Value| !rule["AbortIncompleteMultipartUpload"].is_null();
        assert!(items(lifecycle).any(unfinished), "{id}");
        // Without TLS nobody reads or writes.
        let of_it = policies.iter().filter(|(_, policy)| policy["Properties"]["Bucket"] == *id);
        let mut statements = of_it
            .flat_map(|(_, policy)| items(&policy["Properties"]["PolicyDocument"]["Statement"]));
        let tls_alone = |statement: &Value| {
            statement["Effect"] == "Deny"
                && statement["Condition"]["Bool"]["aws:SecureTransport"] == "false"
        };
        assert!(statements.any(tls_alone), "{id}");
    }
}

#[test]
fn every_function_is_replaced_step_by_step_and_taken_back_by_its_alarm() {
    let template = template();
    let alarms = of_type(&template, "AWS::CloudWatch::Alarm");
    let globals = &template["Globals"]["Function"];
    assert_eq!(globals["AutoPublishAlias"], "live");
    for (id, function) in of_type(&template, "AWS::Serverless::Function") {
        let properties = &function["Properties"];
        assert_eq!(properties["AutoPublishAliasAllProperties"], true, "{id}");
        assert_eq!(properties["AutoPublishCodeSha256"].as_str(), Some("Release"), "{id}");
        let preference = &properties["DeploymentPreference"];
        assert!(!preference["Type"].is_null(), "{id}");
        // `!If [Gradual, these, none]`.
        assert_eq!(preference["Alarms"][0], "Gradual", "{id}");
        let named = items(&preference["Alarms"][1]).map(|alarm| alarm.as_str().unwrap());
        let named: BTreeSet<_> = named.collect();
        let own = id.replace("Function", "Failing");
        assert!(named.contains(own.as_str()), "{id}");
        assert!(named.iter().all(|name| alarms.iter().any(|(alarm, _)| alarm == name)), "{id}");
    }
    // The gateway may call the alias, and nothing else.
    for (id, permission) in of_type(&template, "AWS::Lambda::Permission") {
        let function = permission["Properties"]["FunctionName"].as_str().unwrap();
        assert!(function.ends_with("FunctionAliaslive"), "{id}");
    }
}

#[test]
fn the_gateway_logs_what_it_serves_and_nothing_that_a_client_writes() {
    let template = template();
    let stage = &template["Resources"]["HttpStage"]["Properties"];
    assert!(!stage["DefaultRouteSettings"]["ThrottlingRateLimit"].is_null());
    let log = &stage["AccessLogSettings"];
    assert_eq!(log["DestinationArn"].as_str(), Some("AccessLogGroup.Arn"));
    let format: serde_json::Value = serde_json::from_str(log["Format"].as_str().unwrap()).unwrap();
    for (name, variable) in format.as_object().unwrap() {
        let variable = variable.as_str().unwrap();
        assert!(variable.starts_with("$context."), "{name}");
        for written in ["path", "userAgent", "domainName", "authorizer"] {
            assert!(!variable.contains(written), "{name}");
        }
    }
}

/// An alarm on a metric that nobody writes never goes off, or always.
#[test]
fn what_alarms_watch_of_the_workers_is_what_they_measure() {
    let template = template();
    let mut watched = 0;
    for (id, alarm) in of_type(&template, "AWS::CloudWatch::Alarm") {
        let properties = &alarm["Properties"];
        if properties["Namespace"] != "Runeport" {
            continue;
        }
        watched += 1;
        let [dimension] = items(&properties["Dimensions"]).collect::<Vec<_>>()[..] else {
            panic!("{id} has one dimension");
        };
        assert_eq!(dimension["Name"], "FunctionName");
        let function = match dimension["Value"].as_str().unwrap() {
            "ChainWatcherFunction" => "chain-watcher",
            "MailWorkerFunction" => "mail-worker",
            other => panic!("{id} watches {other}"),
        };
        let source = workspace::root().join("functions").join(function).join("src/lib.rs");
        let name = format!("name: \"{}\"", properties["MetricName"].as_str().unwrap());
        assert!(fs::read_to_string(source).unwrap().contains(&name), "{id}: {name}");
    }
    assert_eq!(watched, 3);
}

/// A setting that the template forgets stops every function, or is silently its default.
#[test]
fn every_setting_is_set_and_nothing_that_is_none() {
    let template = template();
    let variables =
        template["Globals"]["Function"]["Environment"]["Variables"].as_mapping().unwrap();
    let variables: BTreeSet<_> = variables.keys().filter_map(Value::as_str).collect();
    // Lambda sets these itself; addresses of emulators are nobody's but theirs.
    let by_template = |name: &&str| !name.starts_with("AWS_");
    let settings = shared::config::SETTINGS.iter().map(|setting| setting.name);
    let settings: BTreeSet<_> = settings.filter(by_template).collect();
    let read_by_libraries = ["RUST_LOG", "AWS_LAMBDA_HTTP_IGNORE_STAGE_IN_PATH"];
    let known: BTreeSet<_> = settings.iter().copied().chain(read_by_libraries).collect();
    assert_eq!(variables, known);
}
