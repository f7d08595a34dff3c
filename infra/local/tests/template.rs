//! Operational properties of the template: each alarm has its section in the runbook and its place on the
//! dashboard, every queue has dead letters with an alarm, buckets are private, deployments shift traffic step
//! by step, and functions have exactly the rights that they need. A missing setting or right is named.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    missing_docs
)]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
};

use local::{
    template::{Deployment, Resources, resources, written},
    workspace,
};
use shared::{http::Problem, mail::MailQueueConfig};
use yaml_serde::Value;

fn template() -> Value {
    written().unwrap().clone()
}

/// The resources of one type: name and resource.
fn resources_of_type<'a>(template: &'a Value, kind: &str) -> Vec<(&'a str, &'a Value)> {
    let resources = template["Resources"].as_mapping().unwrap();
    let of_it = resources.iter().filter(|(_, resource)| resource["Type"] == *kind);
    of_it.map(|(id, resource)| (id.as_str().unwrap(), resource)).collect()
}

/// The items of a sequence.
fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_sequence().into_iter().flatten()
}

/// The alarms that are part of another one, with that one.
fn combined_alarms(template: &Value) -> BTreeMap<String, String> {
    let mut combined = BTreeMap::new();
    for (id, alarm) in resources_of_type(template, "AWS::CloudWatch::CompositeAlarm") {
        let rule = alarm["Properties"]["AlarmRule"].as_str().unwrap().replace(" OR ", " AND ");
        for part in rule.split(" AND ") {
            let part = part.strip_prefix("ALARM(\"${").and_then(|part| part.strip_suffix("}\")"));
            assert_eq!(combined.insert(part.unwrap().to_owned(), id.to_owned()), None, "{part:?}");
        }
    }
    combined
}

/// The alarm for deployments that must ignore the functions' alarms. If a deployment group names no alarm,
/// CodeDeploy keeps its earlier ones.
const NEVER: &str = "NeverFires";

#[test]
fn every_alarm_has_its_section_in_the_runbook() {
    let runbook = fs::read_to_string(workspace::root().join("docs/operations/runbook.md")).unwrap();
    let mut sections = BTreeSet::new();
    for section in runbook.split("\n### ").skip(1) {
        let (title, text) = section.split_once('\n').unwrap();
        assert!(sections.insert(title.to_owned()), "{title} has two sections");
        for part in ["\n- **Means**: ", "\n- **Look**: ", "\n- **Do**: "] {
            assert_eq!(text.matches(part).count(), 1, "{title}, {part}");
        }
    }
    let template = template();
    let combined = combined_alarms(&template);
    let mut alarms = BTreeSet::new();
    let mut add = |id: &str, text: &Value| {
        // An alarm that is part of another one is explained there.
        let section = combined.get(id).map_or(id, String::as_str);
        let text = text.as_str().unwrap();
        let end = format!(" See {section} in docs/operations/runbook.md.");
        assert!(text.ends_with(&end), "{id}: {text}");
        alarms.insert(section.to_owned());
    };
    for kind in ["AWS::CloudWatch::Alarm", "AWS::CloudWatch::CompositeAlarm"] {
        for (id, alarm) in resources_of_type(&template, kind) {
            if id != NEVER {
                add(id, &alarm["Properties"]["AlarmDescription"]);
            }
        }
    }
    // Rules that publish to the topic of the alarms are alarms, too.
    for (id, rule) in resources_of_type(&template, "AWS::Events::Rule") {
        let mut targets = items(&rule["Properties"]["Targets"]);
        if targets.any(|target| target["Arn"] == "AlarmTopic") {
            add(id, &rule["Properties"]["Description"]);
        }
    }
    assert_eq!(sections, alarms);
}

#[test]
fn every_alarm_notifies_and_is_on_the_dashboard() {
    let template = template();
    let dashboard = &template["Resources"]["Dashboard"]["Properties"]["DashboardBody"];
    let dashboard: serde_json::Value = serde_json::from_str(dashboard.as_str().unwrap()).unwrap();
    let widgets = dashboard["widgets"].as_array().unwrap();
    let lists = widgets.iter().filter(|widget| widget["type"] == "alarm");
    let shown = lists.flat_map(|widget| widget["properties"]["alarms"].as_array().unwrap());
    let shown: BTreeSet<_> = shown.map(|arn| arn.as_str().unwrap().to_owned()).collect();
    let mut alarms = BTreeSet::new();
    let combined = combined_alarms(&template);
    assert_eq!(combined.len(), 15);
    let metric_alarms = resources_of_type(&template, "AWS::CloudWatch::Alarm");
    let composite = resources_of_type(&template, "AWS::CloudWatch::CompositeAlarm");
    for (id, alarm) in metric_alarms.iter().chain(&composite) {
        if *id == NEVER {
            assert!(alarm["Properties"]["AlarmActions"].is_null());
            continue;
        }
        // The dashboard shows an alarm instead of its parts.
        if !combined.contains_key(*id) {
            alarms.insert(format!("${{{id}.Arn}}"));
        }
        for actions in ["AlarmActions", "OKActions"] {
            let told: Vec<_> =
                items(&alarm["Properties"][actions]).map(|to| to.as_str().unwrap()).collect();
            let expected = if combined.contains_key(*id) { &[][..] } else { &["AlarmTopic"] };
            assert_eq!(told, expected, "{id}, {actions}");
        }
    }
    for (id, alarm) in metric_alarms {
        let properties = &alarm["Properties"];
        // A schedule runs these every minute, so missing data is bad.
        let is_measured = matches!(id, "WatcherLagging" | "BlocksBehind" | "EventWorkerStopped");
        let missing = if is_measured { "breaching" } else { "notBreaching" };
        assert_eq!(properties["TreatMissingData"], missing, "{id}");
        // CloudWatch's maximum for one alarm.
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
    let alarms = resources_of_type(&template, "AWS::CloudWatch::Alarm");
    let mut known = BTreeSet::new();
    for (id, function) in resources_of_type(&template, "AWS::Serverless::Function") {
        let properties = &function["Properties"];
        let events = properties["Events"].as_mapping();
        let events = events.into_iter().flat_map(|events| events.values());
        let sources: Vec<_> = events.filter(|event| event["Type"] == "SQS").collect();
        for event in &sources {
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
            // The queue delivers as many messages concurrently as the function has reserved instances;
            // further ones would be refused, and count as attempts.
            let at_once = &event["ScalingConfig"]["MaximumConcurrency"];
            let reserved = &properties["ReservedConcurrentExecutions"][1];
            match sources.len() {
                1 => assert_eq!(reserved, at_once, "{id}"),
                // CloudFormation cannot add, so the parameter has both numbers: `each,all`.
                several => {
                    let part = |value: &Value| {
                        let parameter = value[1][1].as_str().unwrap().to_owned();
                        (value[0].as_u64().unwrap(), parameter)
                    };
                    let ((each, parameter), (all, same)) = (part(at_once), part(reserved));
                    assert_eq!((each, all, &parameter), (0, 1, &same), "{id}");
                    for value in items(&template["Parameters"][&*parameter]["AllowedValues"]) {
                        let (each, all) = value.as_str().unwrap().split_once(',').unwrap();
                        let [each, all] = [each, all].map(|runs| runs.parse::<usize>().unwrap());
                        assert_eq!(all, each * several, "{id}");
                    }
                }
            }

            let redrive = &source["RedrivePolicy"];
            // Deliveries that Lambda refuses count, too: AWS advises at least five.
            assert!(redrive["maxReceiveCount"].as_u64().unwrap() >= 5, "{queue}");
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
    let queues = resources_of_type(&template, "AWS::SQS::Queue");
    assert_eq!(known, queues.iter().map(|(id, _)| (*id).to_owned()).collect());
    for (id, queue) in queues {
        assert_eq!(queue["Properties"]["SqsManagedSseEnabled"], true, "{id}");
    }
}

/// Keys that the end of the stack does not delete: without them, coins or encrypted values are lost.
fn lasting_keys(template: &Value) -> Vec<(&str, &Value)> {
    let keys = resources_of_type(template, "AWS::KMS::Key");
    keys.into_iter().filter(|(_, key)| key["DeletionPolicy"] != "Delete").collect()
}

/// KMS replicates only keys that were created as multi-region keys; this cannot be changed later.
#[test]
fn lasting_keys_can_be_replicated_to_a_second_region() {
    let template = template();
    let keys = lasting_keys(&template);
    assert_eq!(keys.len(), 4);
    for (id, key) in keys {
        assert_eq!(key["Properties"]["MultiRegion"], true, "{id}");
        assert_eq!(key["UpdateReplacePolicy"], "Retain", "{id}");
    }
}

#[test]
fn every_bucket_is_encrypted_and_private() {
    let template = template();
    let policies = resources_of_type(&template, "AWS::S3::BucketPolicy");
    let buckets = resources_of_type(&template, "AWS::S3::Bucket");
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
        // Incomplete uploads are deleted.
        let lifecycle = &properties["LifecycleConfiguration"]["Rules"];
        let unfinished = |rule: &Value| !rule["AbortIncompleteMultipartUpload"].is_null();
        assert!(items(lifecycle).any(unfinished), "{id}");
        // Requests without TLS are denied.
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

/// After a failed creation, CloudFormation deletes what it created. It must not try to delete protected
/// tables: the attempt would fail, and so would the rollback.
#[test]
fn a_failed_creation_leaves_only_protected_tables() {
    let template = template();
    let (mut protected, mut lasting) = (0, 0);
    for (id, resource) in template["Resources"].as_mapping().unwrap() {
        let policy = &resource["DeletionPolicy"];
        if policy.is_null() || *policy == "Delete" {
            continue;
        }
        assert_eq!(resource["UpdateReplacePolicy"], "Retain", "{id:?}");
        if resource["Properties"]["DeletionProtectionEnabled"] == true {
            assert_eq!(*policy, "Retain", "{id:?}");
            protected += 1;
        } else {
            assert_eq!(*policy, "RetainExceptOnCreate", "{id:?}");
            lasting += 1;
        }
    }
    assert_eq!((protected, lasting), (2, 6));
}

/// A new account may have a concurrency of 10, and Lambda lets none of that be reserved.
#[test]
fn no_concurrency_is_reserved_by_default() {
    let template = template();
    assert_eq!(template["Parameters"]["ReserveConcurrency"]["Default"], "no");
    let reserves = texts(&template["Conditions"]["Reserves"]);
    assert_eq!(reserves, ["ReserveConcurrency", "yes"]);
    let mut sum = 0;
    for (id, function) in resources_of_type(&template, "AWS::Serverless::Function") {
        let reserved = &function["Properties"]["ReservedConcurrentExecutions"];
        if !reserved.is_null() {
            // `!If [Reserves, a number, none]`.
            assert_eq!(reserved[0], "Reserves", "{id}");
            assert_eq!(reserved[2].as_str(), Some("AWS::NoValue"), "{id}");
            let default = |name: &str| &template["Parameters"][name]["Default"];
            // `!Select [place, !Split [",", a parameter]]`.
            let several = reserved[1][1][1].as_str().map(|name| {
                let place = usize::try_from(reserved[1][0].as_u64().unwrap()).unwrap();
                default(name).as_str().unwrap().split(',').nth(place).unwrap().parse().unwrap()
            });
            let alone = || default(reserved[1].as_str()?).as_u64();
            sum += reserved[1].as_u64().or(several).or_else(alone).unwrap();
        }
        assert!(function["Properties"]["ProvisionedConcurrencyConfig"].is_null(), "{id}");
    }
    let text = fs::read_to_string(workspace::root().join("docs/operations/deploy.md")).unwrap();
    let least =
        format!("is {} or more: 100, which Lambda leaves unreserved, and {sum}, ", 100 + sum);
    assert!(text.contains(&least), "deploy.md does not say {least:?}");
}

/// Otherwise a stack with the same name cannot be created in a second region.
#[test]
fn names_that_all_regions_share_contain_the_region() {
    let template = template();
    let mut found = 0;
    for (kind, path) in [
        ("AWS::CloudFront::OriginAccessControl", &["OriginAccessControlConfig", "Name"][..]),
        ("AWS::CloudFront::ResponseHeadersPolicy", &["ResponseHeadersPolicyConfig", "Name"][..]),
        ("AWS::CloudWatch::Dashboard", &["DashboardName"][..]),
        ("AWS::Budgets::Budget", &["Budget", "BudgetName"][..]),
    ] {
        for (id, resource) in resources_of_type(&template, kind) {
            let mut name = &resource["Properties"];
            for part in path {
                name = &name[*part];
            }
            assert!(name.as_str().unwrap().contains("${AWS::Region}"), "{id}");
            found += 1;
        }
    }
    assert_eq!(found, 4);
    // CloudFormation generates these.
    for (kind, name) in [
        ("AWS::IAM::Role", "RoleName"),
        ("AWS::IAM::ManagedPolicy", "ManagedPolicyName"),
        ("AWS::S3::Bucket", "BucketName"),
    ] {
        for (id, resource) in resources_of_type(&template, kind) {
            assert!(resource["Properties"][name].is_null(), "{id}");
        }
    }
}

/// New accounts may not create distributions. Without one, no resource of CloudFront is created, the bucket
/// has no reader, and the function signs no form, because it has no address to serve files at.
#[test]
fn media_may_have_no_distribution() {
    let template = template();
    assert_eq!(template["Parameters"]["ServeMedia"]["Default"], "yes");
    assert_eq!(texts(&template["Conditions"]["ServesMedia"]), ["ServeMedia", "yes"]);
    let mut optional = 0;
    for (id, resource) in template["Resources"].as_mapping().unwrap() {
        if resource["Type"].as_str().unwrap().starts_with("AWS::CloudFront::") {
            assert_eq!(resource["Condition"], "ServesMedia", "{id:?}");
            optional += 1;
        }
    }
    assert_eq!(optional, 3);
    // `!If [ServesMedia, a statement, none]`, and a statement that denies.
    let policy = &template["Resources"]["MediaBucketPolicy"]["Properties"]["PolicyDocument"];
    let [reads, tls_alone] = items(&policy["Statement"]).collect::<Vec<_>>()[..] else {
        panic!("two statements");
    };
    assert_eq!(reads[0], "ServesMedia");
    assert_eq!(reads[2].as_str(), Some("AWS::NoValue"));
    assert_eq!(tls_alone["Effect"], "Deny");

    let parameters = template["Parameters"].as_mapping().unwrap().iter();
    let required = parameters.filter(|(_, parameter)| parameter["Default"].is_null());
    let required: BTreeMap<_, _> =
        required.map(|(name, _)| (name.as_str().unwrap().to_owned(), "x".to_owned())).collect();
    let created = |serve_media: &str| {
        let mut parameters = required.clone();
        parameters.insert("ServeMedia".to_owned(), serve_media.to_owned());
        resources(&Deployment { parameters, ..Deployment::default() }).unwrap()
    };
    let url = |of: &Resources| of.functions["MediasFunction"]["MEDIA_URL"].clone();
    let (served, unserved) = (created("yes"), created("no"));
    assert_eq!((served.distributions.len(), unserved.distributions.len()), (1, 0));
    assert_eq!(served.buckets, unserved.buckets);
    assert!(url(&served).starts_with("https://"), "{}", url(&served));
    assert_eq!(url(&unserved), "");
}

#[test]
fn every_deployment_is_gradual_and_rolled_back_by_its_alarm() {
    let template = template();
    let alarms = resources_of_type(&template, "AWS::CloudWatch::Alarm");
    let globals = &template["Globals"]["Function"];
    assert_eq!(globals["AutoPublishAlias"], "live");
    for (id, function) in resources_of_type(&template, "AWS::Serverless::Function") {
        let properties = &function["Properties"];
        assert_eq!(properties["AutoPublishAliasAllProperties"], true, "{id}");
        // A version's name must contain the hash of its code, which this property would replace.
        assert!(properties["AutoPublishCodeSha256"].is_null(), "{id}");
        let preference = &properties["DeploymentPreference"];
        assert!(!preference["Type"].is_null(), "{id}");
        // `!If [Gradual, its own alarm, one that never goes off]`.
        assert_eq!(preference["Alarms"][0], "Gradual", "{id}");
        assert_eq!(texts(&preference["Alarms"][2]), [NEVER], "{id}");
        let own = id.replace("Function", "Failing");
        assert_eq!(texts(&preference["Alarms"][1]), [own.as_str()], "{id}");
        assert!(alarms.iter().any(|(alarm, _)| **alarm == own), "{id}");
    }
    // The gateway may call only the alias.
    for (id, permission) in resources_of_type(&template, "AWS::Lambda::Permission") {
        let function = permission["Properties"]["FunctionName"].as_str().unwrap();
        assert!(function.ends_with("FunctionAliaslive"), "{id}");
    }
}

/// Problems that a partner's outage causes: Esplora's or ord's, the Ethereum JSON-RPC's, the venue's. The hub's
/// causes none.
const OF_PARTNERS: [Problem; 4] = [
    Problem::ChainUnavailable,
    Problem::ChainBusy,
    Problem::ContractWalletUnavailable,
    Problem::PerpVenuePaused,
];
/// Problems that the parameters of a stack cause on purpose.
const AS_DEPLOYED: [Problem; 1] = [Problem::MediaNotServed];
/// The service's own faults, and those of AWS; a new problem is one until it is listed above.
const OWN: [Problem; 2] = [Problem::Internal, Problem::Unavailable];

/// The pattern of a metric filter that compares codes.
fn filter_pattern(first: Option<&str>, codes: &[Problem], operator: &str, between: &str) -> String {
    let mut codes: Vec<_> = codes.iter().map(|problem| problem.code()).collect();
    codes.sort_unstable();
    let codes = codes.into_iter().map(|code| format!("($.code {operator} \"{code}\")"));
    let conditions: Vec<_> = first.map(str::to_owned).into_iter().chain(codes).collect();
    format!("{{ {} }}", conditions.join(between))
}

/// The log groups and patterns of the metric filters that write a metric.
fn filters_of<'a>(template: &'a Value, metric: &str) -> Vec<(&'a str, &'a str)> {
    let filters = resources_of_type(template, "AWS::Logs::MetricFilter");
    let properties = filters.into_iter().map(|(_, filter)| &filter["Properties"]);
    let writing = properties.filter(|of| of["MetricTransformations"][0]["MetricName"] == *metric);
    let text = |value: &'a Value| value.as_str().unwrap();
    writing.map(|of| (text(&of["LogGroupName"]), text(&of["FilterPattern"]))).collect()
}

/// A deployment is stopped by nothing but runs that end without an answer, and answers that no partner's outage
/// causes. Workers give no answers: their runs do not end with an error because a partner is down.
#[test]
fn no_outage_of_a_partner_stops_a_deployment() {
    let template = template();
    let known = [&OWN[..], &OF_PARTNERS, &AS_DEPLOYED].concat();
    for problem in Problem::ALL.iter().filter(|problem| problem.status().is_server_error()) {
        assert!(known.contains(problem), "{problem:?}: whose fault is it?");
    }
    let not_own = [&OF_PARTNERS[..], &AS_DEPLOYED].concat();
    let faults = filter_pattern(Some("($.status >= 500)"), &not_own, "!=", " && ");
    let outages = filter_pattern(None, &OF_PARTNERS, "=", " || ");
    let (mut behind_the_api, mut asking_partners) = (BTreeSet::new(), BTreeSet::new());
    for (name, settings) in local::functions::settings() {
        let id = function_id(name);
        let group = id.replace("Function", "LogGroup");
        let alarm = &template["Resources"][id.replace("Function", "Failing").as_str()];
        let alarm = &alarm["Properties"];
        let is_of_function = |metric: &Value| {
            let [dimension] = items(&metric["Dimensions"]).collect::<Vec<_>>()[..] else {
                panic!("{name} has one dimension");
            };
            metric["Namespace"] == "AWS/Lambda" && dimension["Value"].as_str() == Some(id.as_str())
        };
        let reads = |setting: &str| settings.iter().any(|known| known.name == setting);
        if !reads("CORS_ORIGINS") {
            assert!(is_of_function(alarm) && alarm["MetricName"] == "Errors", "{name}");
            assert!(filters_of(&template, &format!("{name}-faults")).is_empty(), "{name}");
            continue;
        }
        let by_id: BTreeMap<_, _> =
            items(&alarm["Metrics"]).map(|one| (one["Id"].as_str().unwrap(), one)).collect();
        let ids: Vec<_> = by_id.keys().copied().collect();
        assert_eq!(ids, ["answered", "ended", "failures", "rate", "requests"], "{name}");
        assert_eq!(by_id["failures"]["Expression"], "FILL(answered, 0) + FILL(ended, 0)");
        for (of, metric) in [("ended", "Errors"), ("requests", "Invocations")] {
            let read = &by_id[of]["MetricStat"]["Metric"];
            assert!(is_of_function(read) && read["MetricName"] == *metric, "{name}, {of}");
        }
        let answered = by_id["answered"]["MetricStat"]["Metric"]["MetricName"].as_str().unwrap();
        assert_eq!(answered, format!("{name}-faults"));
        let filters = filters_of(&template, answered);
        assert_eq!(filters, [(group.as_str(), faults.as_str())], "{name}");
        behind_the_api.insert(group.clone());
        let partners = ["ORD_URL", "ESPLORA_URL", "EVM_RPC_URL", "PERP_VENUE_RPC_URL"];
        if partners.into_iter().any(reads) {
            asking_partners.insert(group);
        }
    }
    assert_eq!(behind_the_api.len(), 11);
    // Outages are heard of nevertheless.
    // The gateway's own 429; ours comes from a function that answered.
    let refused = r#"{ ($.status = "429") && ($.integration_status != "200") }"#;
    assert_eq!(filters_of(&template, "gateway-429"), [("AccessLogGroup", refused)]);
    let filters = filters_of(&template, "partner-errors");
    assert!(filters.iter().all(|(_, pattern)| *pattern == outages), "{filters:?}");
    let groups: BTreeSet<_> = filters.iter().map(|(group, _)| (*group).to_owned()).collect();
    assert_eq!((groups.len(), groups), (filters.len(), asking_partners));
    let alarm = &template["Resources"]["PartnersFailing"]["Properties"];
    assert_eq!(alarm["MetricName"], "partner-errors");
}

/// Operations that may ask a partner and have no limit of their own, and why.
const WITHOUT_LIMIT: [(&str, &str); 4] = [
    ("GET /api/bitcoin/fee-rates", "it reads a row that the worker keeps"),
    (
        "GET /api/xchain/transactions/{txId}/status",
        "the hub is asked about a swap every 5 s at most, and an account registers 60 an hour",
    ),
    ("POST /api/prizes", "admins alone may call it"),
    ("POST /api/vm-transactions/mints", "admins alone may call it"),
];

/// Operations that may ask a partner and whose route has no rate of its own at the gateway, and why.
const WITHOUT_RATE: [(&str, &str); 4] = [
    ("POST /auth/authenticate", "a flood would use up the rate, and keep everyone out"),
    ("POST /auth/register/wallet", "the same"),
    ("POST /auth/reauthenticate", "the same"),
    ("POST /api/prizes", "admins alone may call it"),
];

/// The errors of each operation that tests have seen.
fn answers() -> BTreeMap<String, BTreeSet<String>> {
    let path = workspace::root().join("infra/local/tests/answers.json");
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// The operations of a row of the table of access patterns. `…/sign` stands for each path that ends so.
fn operations_of_row(cell: &str, all: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let (mut found, mut method) = (Vec::new(), "");
    for part in cell.split(", ").flat_map(|part| part.split("; ")) {
        let part = part.trim_matches('`');
        let path = match part.split_once(' ') {
            Some((word @ ("GET" | "POST" | "PATCH" | "DELETE"), path)) => {
                method = word;
                path
            }
            _ => part,
        };
        let is_it = |operation: &&String| match operation.split_once(' ') {
            Some((of, known)) if of == method => match path.strip_prefix('…') {
                Some(end) => known.ends_with(end),
                None => known == path,
            },
            _ => false,
        };
        found.extend(all.keys().filter(is_it).cloned());
    }
    found
}

/// Operations whose requests may ask a partner: those of which the table of access patterns says so, and those that tests
/// have seen fail with a partner.
fn operations_that_ask_partners() -> BTreeSet<String> {
    let answers = answers();
    let fails = |codes: &BTreeSet<String>| OF_PARTNERS.iter().any(|it| codes.contains(it.code()));
    let failing = answers.iter().filter(|(_, codes)| fails(codes)).map(|(name, _)| name.clone());
    let mut asking: BTreeSet<_> = failing.collect();
    let page = workspace::root().join("docs/architecture/access-patterns.md");
    let page = fs::read_to_string(page).unwrap();
    let says = [
        "of ord",
        "of Esplora",
        "of the hub",
        "JSON-RPC",
        "of the info API",
        "reads of POST",
        "reads of the balance",
        "as POST",
        "as `/api/",
        "as a withdrawal",
    ];
    for row in page.lines() {
        let cells: Vec<_> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        if let [operations, reads, _] = cells[..]
            && says.iter().any(|says| reads.contains(says))
        {
            asking.extend(operations_of_row(operations, &answers));
        }
    }
    asking
}

/// The key of the gateway's route that takes a path.
fn route_key<'a>(keys: &'a [String], path: &str) -> &'a str {
    let takes = |key: &&String| {
        let Some(pattern) = key.strip_prefix("ANY ") else { return false };
        match pattern.strip_suffix("{proxy+}") {
            Some(start) => path.starts_with(start),
            None => pattern == path,
        }
    };
    keys.iter().filter(takes).max_by_key(|key| (!key.ends_with("{proxy+}"), key.len())).unwrap()
}

/// Custody rule 32: a flood of calls to an operation that asks a partner is stopped by a limit before the
/// partner, and by a rate at the gateway.
#[test]
fn custody_32_operations_that_ask_partners_have_a_limit_and_a_rate() {
    let (template, answers) = (template(), answers());
    let routes = resources_of_type(&template, "AWS::ApiGatewayV2::Route");
    let keys = routes.into_iter().filter(|(_, route)| route["Properties"]["ApiId"] == *"HttpApi");
    let keys: Vec<_> = keys
        .filter_map(|(_, route)| route["Properties"]["RouteKey"].as_str().map(str::to_owned))
        .collect();
    let settings = &template["Resources"]["HttpStage"]["Properties"]["RouteSettings"];
    let asking = operations_that_ask_partners();
    assert!(asking.len() >= 30, "{asking:?}");
    let limits = [Problem::RateLimited.code(), Problem::OtpLocked.code()];
    let (mut unlimited, mut unrated) = (BTreeSet::new(), BTreeSet::new());
    for operation in &asking {
        if !limits.iter().any(|limit| answers[operation].contains(*limit)) {
            unlimited.insert(operation.as_str());
        }
        let (_, path) = operation.split_once(' ').unwrap();
        if settings[route_key(&keys, path)]["ThrottlingRateLimit"].is_null() {
            unrated.insert(operation.as_str());
        }
    }
    assert_eq!(unlimited, WITHOUT_LIMIT.map(|(operation, _)| operation).into());
    assert_eq!(unrated, WITHOUT_RATE.map(|(operation, _)| operation).into());
}

/// Clients of partners whose calls no breaker stops, and why.
const WITHOUT_BREAKER: [(&str, &str); 1] = [(
    "shared/chain/src/bitcoin/esplora.rs",
    "what it says decides whether coins are spent, so its absence is noticed and ended call by call; limits and rates bound the calls",
)];

/// The source files of functions and shared crates.
fn sources() -> Vec<PathBuf> {
    let root = workspace::root();
    let mut folders = vec![root.join("shared"), root.join("functions")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            match path.is_dir() {
                true if !matches!(&*name, "tests" | "target") => folders.push(path),
                false if name.ends_with(".rs") => files.push(path),
                _ => {}
            }
        }
    }
    files
}

/// Custody rule 32: a partner that is down does not hold up the functions that ask it.
#[test]
fn custody_32_clients_of_partners_have_a_breaker() {
    let (mut asked, mut without) = (BTreeSet::new(), BTreeSet::new());
    for path in sources() {
        let text = fs::read_to_string(&path).unwrap();
        let call = text.split("Call::new(party::").skip(1);
        let parties = call.map(|rest| rest.split([',', ')']).next().unwrap().to_owned());
        let partners = ["ESPLORA", "ORD", "HUB", "VENUE_INFO", "EVM_NODE"];
        let parties: Vec<_> = parties.filter(|party| partners.contains(&&**party)).collect();
        if parties.is_empty() {
            continue;
        }
        asked.extend(parties);
        if !text.contains("Breaker::new(") {
            let path = path.strip_prefix(workspace::root()).unwrap();
            without.insert(path.to_str().unwrap().to_owned());
        }
    }
    assert_eq!(asked.len(), 5, "{asked:?}");
    assert_eq!(without, WITHOUT_BREAKER.map(|(path, _)| path.to_owned()).into());
}

#[test]
fn the_gateway_logs_no_client_input() {
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

/// An alarm on a metric that is never written never fires, or always.
#[test]
fn alarms_watch_metrics_that_the_workers_write() {
    let template = template();
    let mut watched = 0;
    for (id, alarm) in resources_of_type(&template, "AWS::CloudWatch::Alarm") {
        let properties = &alarm["Properties"];
        if properties["Namespace"] != "Runeport" {
            continue;
        }
        watched += 1;
        let [dimension] = items(&properties["Dimensions"]).collect::<Vec<_>>()[..] else {
            panic!("{id} has one dimension");
        };
        assert_eq!(dimension["Name"], "FunctionName");
        let file = match dimension["Value"].as_str().unwrap() {
            "ChainWatcherFunction" => "chain-watcher/src/lib.rs",
            "MailWorkerFunction" => "mail-worker/src/lib.rs",
            "WebhookWorkerFunction" => "webhook-worker/src/parcel.rs",
            other => panic!("{id} watches {other}"),
        };
        let source = workspace::root().join("functions").join(file);
        let name = format!("name: \"{}\"", properties["MetricName"].as_str().unwrap());
        assert!(fs::read_to_string(source).unwrap().contains(&name), "{id}: {name}");
    }
    assert_eq!(watched, 10);
}

/// Groups of rows by who can make them stuck, and the alarms for each.
const ALARMS_OF_STUCK_ROWS: [(&str, &str); 4] = [
    ("PayoutsStuck", "StuckPayouts"),
    ("PayoutsNewlyStuck", "NewlyStuckPayouts"),
    ("SignedRowsNewlyStuck", "NewlyStuckSignedRows"),
    ("FreeRowsNewlyStuck", "NewlyStuckFreeRows"),
];

/// The third failure in a row comes at most three minutes after the first one. A row that becomes stuck while
/// the alarm for newly stuck rows is on is reported by the time that alarm ends.
#[test]
fn custody_26_a_stuck_row_raises_an_alarm_within_fifteen_minutes() {
    let template = template();
    // Runs start once a minute, and CloudWatch may take two minutes to see a value.
    let (stuck, run, cloudwatch) = (3 * 60, 60, 120);
    let newly = shared::stuck::NEWLY.as_secs();
    for (id, metric) in ALARMS_OF_STUCK_ROWS {
        let alarm = &template["Resources"][id]["Properties"];
        assert_eq!(alarm["MetricName"], metric);
        assert_eq!(alarm["ComparisonOperator"], "GreaterThanOrEqualToThreshold");
        let number = |name: &str| alarm[name].as_u64().unwrap();
        assert_eq!((number("Threshold"), alarm["Statistic"].as_str()), (1, Some("Maximum")));
        assert_eq!(number("EvaluationPeriods"), number("DatapointsToAlarm"));
        let evaluated = number("Period") * number("EvaluationPeriods");
        let heard = stuck + run + evaluated + cloudwatch;
        assert!(heard <= 15 * 60, "{id}: {heard} s");
        // A single row yields enough values for the alarm, which ends with the first period without one.
        assert!(evaluated + 2 * run <= newly, "{id}");
        let ended = stuck + newly + run + number("Period") + cloudwatch;
        assert!(ended <= 15 * 60, "{id}: {ended} s");
    }
    let events = &template["Resources"]["ChainWatcherFunction"]["Properties"]["Events"];
    assert_eq!(events["EveryMinute"]["Properties"]["Schedule"], "rate(1 minute)");
}

/// An outage that ends by itself is over at the second look at a stuck row, five minutes after it became
/// stuck, so it does not page for rows that anyone can make.
#[test]
fn custody_26_stuck_payouts_page_immediately_and_free_rows_if_they_do_not_recover() {
    let template = template();
    let number =
        |id: &str, name: &str| template["Resources"][id]["Properties"][name].as_u64().unwrap();
    for id in ["PayoutsStuck", "PayoutsNewlyStuck", "SignedRowsNewlyStuck"] {
        assert_eq!((number(id, "Period"), number(id, "EvaluationPeriods")), (60, 1), "{id}");
    }
    let id = "FreeRowsNewlyStuck";
    assert!(number(id, "Period") * number(id, "EvaluationPeriods") > 5 * 60);
}

/// The variables of a function, or of all of them.
fn variables(of: &Value) -> BTreeSet<&str> {
    let variables = of["Environment"]["Variables"].as_mapping().unwrap();
    variables.keys().filter_map(Value::as_str).collect()
}

/// Name of a function in the template: `MailWorkerFunction` for `mail-worker`.
fn function_id(name: &str) -> String {
    let words = name.split('-').map(|word| format!("{}{}", word[..1].to_uppercase(), &word[1..]));
    words.chain(["Function".to_owned()]).collect()
}

/// Errors in the environment variables of a template.
fn complaints_about_settings(template: &Value) -> Vec<String> {
    let globals = variables(&template["Globals"]["Function"]);
    let mut complaints = Vec::new();
    for (name, settings) in local::functions::settings() {
        let own = variables(&template["Resources"][function_id(name).as_str()]["Properties"]);
        let twice = own.intersection(&globals).map(|name| format!("{name} is set for all"));
        let set: BTreeSet<_> = own.union(&globals).copied().collect();
        let settings: BTreeSet<_> = settings.iter().map(|setting| setting.name).collect();
        // The adapter of the gateway's events reads it.
        let has_routes = settings.contains("CORS_ORIGINS");
        let by_adapter = has_routes.then_some("AWS_LAMBDA_HTTP_IGNORE_STAGE_IN_PATH");
        // Lambda sets these itself; addresses of emulators are not part of a deployment.
        let by_template = settings.into_iter().filter(|name| !name.starts_with("AWS_"));
        let known: BTreeSet<_> = by_template.chain(by_adapter).collect();
        let forgotten = known.difference(&set).map(|name| format!("{name} is not set"));
        let unread = set.difference(&known).map(|name| format!("{name} is not read"));
        let all = twice.chain(forgotten).chain(unread);
        complaints.extend(all.map(|complaint| format!("{name}: {complaint}")));
    }
    complaints
}

/// A setting that the template forgets stops a function, or silently falls back to its default; a function
/// does not get settings that it does not read.
#[test]
fn each_function_has_exactly_the_settings_that_it_reads() {
    let complaints = complaints_about_settings(&template());
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Anyone who may read the configuration of a function sees its variables, and a URL may hold a provider's key.
#[test]
fn only_functions_that_ask_a_provider_have_its_key() {
    let template = template();
    let parameters = template["Parameters"].as_mapping().unwrap().iter();
    let hidden = parameters.filter(|(_, parameter)| parameter["NoEcho"] == true);
    let mut having: BTreeMap<_, BTreeSet<_>> =
        hidden.map(|(name, _)| (name.as_str().unwrap(), BTreeSet::new())).collect();
    let functions = resources_of_type(&template, "AWS::Serverless::Function");
    let functions = functions.into_iter().map(|(id, function)| (id, &function["Properties"]));
    for (id, of) in functions.chain([("all of them", &template["Globals"]["Function"])]) {
        for value in of["Environment"]["Variables"].as_mapping().unwrap().values() {
            if let Some(functions) = value.as_str().and_then(|name| having.get_mut(name)) {
                functions.insert(id);
            }
        }
    }
    let expected = [
        ("EvmRpcUrl", BTreeSet::from(["AccountFunction", "AuthFunction"])),
        ("PerpVenueInfoUrl", BTreeSet::from(["PerpVenueFunction"])),
        ("PerpVenueOwnRpcUrl", BTreeSet::from(["PerpVenueFunction"])),
    ];
    assert_eq!(having, expected.into());
}

/// An address that is kept in SSM is read by the functions that ask there, each under the name of its setting.
#[test]
fn functions_may_read_exactly_the_addresses_of_the_parties_that_they_ask() {
    let template = template();
    let parameters = template["Parameters"].as_mapping().unwrap().iter();
    let stored: BTreeMap<_, _> = parameters
        .filter_map(|(name, parameter)| {
            let (_, end) = parameter["AllowedPattern"].as_str()?.split_once("ssm:/[\\w/-]+/")?;
            Some((name.as_str()?, end.trim_end_matches(['?', '$', ')'])))
        })
        .filter(|(_, parameter)| parameter.ends_with("-url"))
        .collect();
    assert_eq!(stored.len(), 6);
    let allowances = allowances(&template);
    for (id, function) in resources_of_type(&template, "AWS::Serverless::Function") {
        let variables = function["Properties"]["Environment"]["Variables"].as_mapping().unwrap();
        let set = variables.iter().filter_map(|(variable, parameter)| {
            let parameter = stored.get(parameter.as_str()?)?;
            assert_eq!(*parameter, variable.as_str()?.to_lowercase().replace('_', "-"));
            Some((*parameter).to_owned())
        });
        let own = allowances.iter().filter(|one| one.function == id);
        let read =
            own.filter(|one| one.actions == ["ssm:GetParameter"]).flat_map(|one| &one.resources);
        let read = read.filter(|name| name.ends_with("-url")).cloned();
        assert_eq!(read.collect::<BTreeSet<_>>(), set.collect(), "{id}");
    }
}

#[test]
fn a_missing_or_unknown_setting_is_named() {
    let template = template();
    for (name, _) in local::functions::settings() {
        let id = function_id(name);
        let own = variables(&template["Resources"][id.as_str()]["Properties"]);
        assert!(!own.is_empty(), "{name}");
        for variable in own {
            let mut less = template.clone();
            let properties = &mut less["Resources"][id.as_str()]["Properties"];
            let variables = &mut properties["Environment"]["Variables"];
            variables.as_mapping_mut().unwrap().remove(variable).unwrap();
            let complaints = complaints_about_settings(&less);
            assert_eq!(complaints, [format!("{name}: {variable} is not set")]);
        }
        let mut more = template.clone();
        let properties = &mut more["Resources"][id.as_str()]["Properties"];
        properties["Environment"]["Variables"]["COLOUR"] = "red".into();
        assert_eq!(complaints_about_settings(&more), [format!("{name}: COLOUR is not read")]);
    }
    for variable in variables(&template["Globals"]["Function"]) {
        let mut less = template.clone();
        let all = &mut less["Globals"]["Function"]["Environment"]["Variables"];
        all.as_mapping_mut().unwrap().remove(variable).unwrap();
        let expected =
            local::functions::settings().map(|(name, _)| format!("{name}: {variable} is not set"));
        assert_eq!(complaints_about_settings(&less), expected);
    }
}

/// The most bytes of variables that Lambda accepts for a function, measured as the JSON of names and values.
const MOST_VARIABLES: usize = 4_096;
/// The longest name of a stack that the test allows for. CloudFront accepts no longer name for the origin access
/// control, which also contains the region.
const LONGEST_STACK: usize = 64;
/// The start of an ARN or URL is longest with such a region.
const LONGEST_REGION: &str = "ap-southeast-1";

/// The longest value that a parameter accepts.
fn longest_value(parameter: &Value) -> String {
    if let Some(values) = parameter["AllowedValues"].as_sequence() {
        let values = values.iter().map(|value| value.as_str().unwrap());
        return values.max_by_key(|value| value.len()).unwrap().to_owned();
    }
    if parameter["Type"] == "Number" {
        return u64::MAX.to_string();
    }
    // Patterns that name what they exclude also accept characters of four bytes.
    let is_ascii = !parameter["AllowedPattern"].as_str().unwrap().contains("[^");
    let longest = if is_ascii { "x" } else { "\u{10000}" };
    longest.repeat(parameter["MaxLength"].as_u64().unwrap().try_into().unwrap())
}

/// The longest value of a reference: a parameter's, or a resource's.
fn longest_reference(template: &Value, id: &str) -> String {
    match id {
        "AWS::StackName" => return "x".repeat(LONGEST_STACK),
        "AWS::Region" => return LONGEST_REGION.to_owned(),
        "AWS::URLSuffix" => return "amazonaws.com".to_owned(),
        "HttpApi" | "SocketApi" => return "0123456789".to_owned(),
        "MediaDistribution.DomainName" => return "d0123456789abcd.cloudfront.net".to_owned(),
        _ => {}
    }
    let parameter = &template["Parameters"][id];
    if !parameter.is_null() {
        return longest_value(parameter);
    }
    // CloudFormation's own names end in 12 or 13 characters, and are cut to what the service accepts.
    let name = |most: usize| {
        let (stack, end) = ("x".repeat(LONGEST_STACK), "x".repeat(13));
        format!("{stack}-{id}-{end}").chars().take(most).collect::<String>()
    };
    let resource = &template["Resources"][id];
    match resource["Type"].as_str().unwrap() {
        "AWS::DynamoDB::Table" => name(255),
        "AWS::S3::Bucket" => name(63),
        "AWS::SQS::Queue" => {
            format!("https://sqs.{LONGEST_REGION}.amazonaws.com/123456789012/{}", name(80))
        }
        "AWS::SecretsManager::Secret" => {
            let start = format!("arn:aws:secretsmanager:{LONGEST_REGION}:123456789012:secret");
            format!("{start}:{}-abcdef", name(512))
        }
        "AWS::KMS::Alias" => longest(template, &resource["Properties"]["AliasName"]),
        kind => panic!("{id}, {kind}"),
    }
}

/// The longest value that a variable gets in a deployment.
fn longest(template: &Value, value: &Value) -> String {
    let Value::Tagged(tagged) = value else { return value.as_str().unwrap().to_owned() };
    match (tagged.tag.to_string().as_str(), tagged.value.as_str()) {
        ("!Ref", Some(id)) => longest_reference(template, id),
        ("!Sub", Some(text)) => {
            let (mut filled, mut rest) = (String::new(), text);
            while let Some((before, after)) = rest.split_once("${") {
                let (id, after) = after.split_once('}').unwrap();
                filled.push_str(before);
                filled.push_str(&longest_reference(template, id));
                rest = after;
            }
            filled + rest
        }
        ("!If", None) => {
            let values = items(&tagged.value).skip(1).map(|value| longest(template, value));
            values.max_by_key(String::len).unwrap()
        }
        // A part of a list is no longer than the list.
        ("!Select" | "!Split", None) => longest(template, items(&tagged.value).nth(1).unwrap()),
        (function, _) => panic!("{function}"),
    }
}

/// Otherwise a deployment with long values fails.
#[test]
fn the_longest_variables_fit_into_every_function() {
    let template = template();
    for (name, parameter) in template["Parameters"].as_mapping().unwrap() {
        let is_free = parameter["Type"] == "String" && parameter["AllowedValues"].is_null();
        assert_eq!(!parameter["MaxLength"].is_null(), is_free, "{name:?}");
    }
    for (id, function) in resources_of_type(&template, "AWS::Serverless::Function") {
        let mut variables = BTreeMap::new();
        for of in [&template["Globals"]["Function"], &function["Properties"]] {
            for (name, value) in of["Environment"]["Variables"].as_mapping().unwrap() {
                variables.insert(name.as_str().unwrap(), longest(&template, value));
            }
        }
        let bytes = serde_json::to_string(&variables).unwrap().len();
        assert!(bytes <= MOST_VARIABLES, "{id}: {bytes} bytes");
    }
}

/// The strings in a value, one or several, without their tags.
fn texts(value: &Value) -> Vec<String> {
    match value.as_sequence() {
        Some(several) => several.iter().map(|one| one.as_str().unwrap().to_owned()).collect(),
        None => vec![value.as_str().unwrap().to_owned()],
    }
}

/// The name of a policy's resource in the record: its id in the template, and the suffix.
fn resource_name(text: &str) -> String {
    if let Some((_, parameter)) = text.split_once(":parameter/runeport/${AWS::StackName}/") {
        return parameter.to_owned();
    }
    let name = text.rsplit(':').next().unwrap_or(text);
    let name = name.strip_prefix("parameter").unwrap_or(name);
    name.replace("${", "").replace('}', "").replace(".Arn", "")
}

const KEYS: [&str; 3] = ["Condition", "ForAllValues:StringLike", "dynamodb:LeadingKeys"];

/// A statement that allows something.
struct Allowance {
    function: String,
    /// Index of the function's policy, and of the statement in it.
    place: (usize, usize),
    actions: Vec<String>,
    resources: Vec<String>,
    /// Patterns for partition keys; empty if there is no condition.
    keys: Vec<String>,
}

impl Allowance {
    /// The single rights: action, resource, and key pattern or an empty string.
    fn rights(&self) -> Vec<(&str, &str, &str)> {
        let keys = if self.keys.is_empty() { vec![""] } else { all(&self.keys) };
        let mut rights = Vec::new();
        for action in &self.actions {
            for resource in &self.resources {
                rights.extend(keys.iter().map(|key| (action.as_str(), resource.as_str(), *key)));
            }
        }
        rights
    }

    /// Whether it allows a call with keys of these kinds.
    fn allows(&self, function: &str, action: &str, resource: &str, kinds: &str) -> bool {
        let like = |kind: &str| self.keys.iter().any(|pattern| covers(pattern, kind));
        self.function == function
            && self.actions.iter().any(|one| one == action)
            && self.resources.iter().any(|one| one == resource)
            && (self.keys.is_empty() || kinds.split_whitespace().all(like))
    }
}

fn all(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}

/// Whether all keys of a kind, such as `account#*`, match a pattern.
fn covers(pattern: &str, kind: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => kind.trim_end_matches('*').starts_with(start),
        None => kind == pattern,
    }
}

fn allowances(template: &Value) -> Vec<Allowance> {
    let mut allowances = Vec::new();
    for (id, function) in resources_of_type(template, "AWS::Serverless::Function") {
        for (policy, document) in items(&function["Properties"]["Policies"]).enumerate() {
            for (number, statement) in items(&document["Statement"]).enumerate() {
                if statement["Effect"] != "Allow" {
                    continue;
                }
                let keys = &statement[KEYS[0]][KEYS[1]][KEYS[2]];
                let resources = texts(&statement["Resource"]);
                allowances.push(Allowance {
                    function: id.to_owned(),
                    place: (policy, number),
                    actions: texts(&statement["Action"]),
                    resources: resources.iter().map(|text| resource_name(text)).collect(),
                    keys: if keys.is_null() { Vec::new() } else { texts(keys) },
                });
            }
        }
    }
    allowances
}

/// By function, action and resource.
type ByResource<T> = BTreeMap<String, BTreeMap<String, BTreeMap<String, T>>>;

/// The rights that functions used in the journeys, as recorded by `make deploy-local CHECK=yes`: for each
/// kind of call the kinds of partition keys, if any.
fn touched() -> ByResource<Vec<String>> {
    serde_json::from_str(include_str!("template/touched.json")).unwrap()
}

/// Rights that functions need although no journey uses them, or only by chance: the key pattern or an empty
/// string, and the reason.
fn untouched() -> ByResource<BTreeMap<String, String>> {
    serde_json::from_str(include_str!("template/untouched.json")).unwrap()
}

/// Name of a right in an error; `keys` are the partition keys concerned, if any.
fn right(function: &str, action: &str, resource: &str, keys: &str) -> String {
    format!("{function}: {action} on {resource} {keys}").trim_end().to_owned()
}

/// Errors in the rights of functions.
fn complaints_about_rights(template: &Value) -> Vec<String> {
    let (allowances, touched, untouched) = (allowances(template), touched(), untouched());
    let mut complaints = Vec::new();
    for (function, actions) in &touched {
        for (action, resources) in actions {
            for (resource, calls) in resources {
                let calls = if calls.is_empty() { vec![""] } else { all(calls) };
                for kinds in calls {
                    let allowed =
                        allowances.iter().any(|one| one.allows(function, action, resource, kinds));
                    if !allowed {
                        let done = right(function, action, resource, kinds);
                        complaints.push(format!("{done} is used, but no policy allows it"));
                    }
                }
            }
        }
    }
    for allowance in &allowances {
        let function = &allowance.function;
        for (action, resource, key) in allowance.rights() {
            let calls = touched.get(function).and_then(|actions| actions.get(action));
            let calls = calls.and_then(|resources| resources.get(resource));
            let is_done = calls.is_some_and(|calls| {
                let mut kinds = calls.iter().flat_map(|kinds| kinds.split_whitespace());
                key.is_empty() || kinds.any(|kind| covers(key, kind))
            });
            let reasons = untouched.get(function).and_then(|actions| actions.get(action));
            let reasons = reasons.and_then(|resources| resources.get(resource));
            let has_reason = reasons.is_some_and(|reasons| reasons.contains_key(key));
            let allowed = right(function, action, resource, key);
            match (is_done, has_reason) {
                (false, false) => complaints.push(format!("{allowed} is allowed, but unused")),
                (true, true) => {
                    complaints.push(format!("{allowed} is used, so it is not an exception"))
                }
                _ => {}
            }
        }
    }
    for (function, actions) in &untouched {
        for (action, resources) in actions {
            for (resource, reasons) in resources {
                for (key, reason) in reasons {
                    let needed = (action.as_str(), resource.as_str(), key.as_str());
                    let mut own = allowances.iter().filter(|one| one.function == *function);
                    if !own.any(|one| one.rights().contains(&needed)) {
                        let needed = right(function, action, resource, key);
                        complaints.push(format!("{needed} is needed, but no policy allows it"));
                    }
                    assert!(reason.ends_with('.'), "{function}, {action}: {reason}");
                }
            }
        }
    }
    complaints
}

#[test]
fn functions_have_exactly_the_rights_they_use() {
    let complaints = complaints_about_rights(&template());
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// It connects to hosts that accounts choose.
#[test]
fn the_sender_of_webhooks_reads_events_and_writes_rows_of_webhooks_alone() {
    let template = template();
    let allowances = allowances(&template);
    let of_sender = allowances.iter().filter(|one| one.function == "WebhookWorkerFunction");
    let rights = of_sender.flat_map(Allowance::rights);
    let rights = rights.map(|(action, resource, keys)| (short(action), resource, keys));
    let expected = [
        ("Decrypt", "DataKey", ""),
        ("DeleteItem", "ActivityTable", "webhook#*"),
        ("GetItem", "AccountsTable", "dataKey#webhooks#*"),
        ("GetItem", "ActivityTable", "events#account#*"),
        ("GetItem", "ActivityTable", "webhook#*"),
        ("GetItem", "ActivityTable", "webhooks#*"),
        ("PutItem", "ActivityTable", "webhook#*"),
        ("Query", "ActivityTable", "events#account#*"),
        ("Query", "ActivityTable", "webhook#*"),
        ("SendMessage", "MailQueue", ""),
        ("UpdateItem", "ActivityTable", "webhook#*"),
        ("UpdateItem", "ActivityTable", "webhooks#*"),
    ];
    assert_eq!(rights.collect::<BTreeSet<_>>(), BTreeSet::from(expected));
    let policies = items(&template["Resources"]["WebhookWorkerFunction"]["Properties"]["Policies"]);
    let mut statements = policies.flat_map(|policy| items(&policy["Statement"]));
    let decrypts = statements.find(|statement| statement["Sid"] == "DataKey").unwrap();
    let of = &decrypts["Condition"]["StringLike"]["kms:EncryptionContext:kid"];
    assert_eq!(texts(of), ["webhooks#*"]);
}

/// Lists in the accounts table are audit trails: a function that may delete rows from the same table is
/// denied deleting these.
#[test]
fn no_function_deletes_from_an_audit_trail() {
    let template = template();
    let mut deleting = 0;
    for allowance in allowances(&template) {
        let may = |text: &str, texts: &[String]| texts.iter().any(|one| one == text);
        let deletes = may("dynamodb:DeleteItem", &allowance.actions);
        if !deletes || !may("AccountsTable", &allowance.resources) {
            continue;
        }
        deleting += 1;
        let function = &template["Resources"][allowance.function.as_str()]["Properties"];
        let policies = items(&function["Policies"]);
        let mut statements = policies.flat_map(|policy| items(&policy["Statement"]));
        let denies = |statement: &Value| {
            let keys = &statement["Condition"]["ForAnyValue:StringLike"]["dynamodb:LeadingKeys"];
            statement["Effect"] == "Deny"
                && texts(&statement["Action"]) == ["dynamodb:DeleteItem"]
                && statement["Resource"] == "AccountsTable.Arn"
                && !keys.is_null()
                && texts(keys) == ["list#*"]
        };
        assert!(statements.any(denies), "{}", allowance.function);
    }
    assert!(deleting > 0);
}

/// Without a data key, no secret that it encrypts can be read again: no function changes or deletes one.
#[test]
fn no_function_changes_a_data_key() {
    let template = template();
    let actions = ["dynamodb:UpdateItem", "dynamodb:DeleteItem"];
    let mut denying = BTreeSet::new();
    for allowance in allowances(&template) {
        let id = allowance.function.as_str();
        if !actions.iter().any(|it| allowance.allows(id, it, "AccountsTable", "dataKey#*")) {
            continue;
        }
        let policies = items(&template["Resources"][id]["Properties"]["Policies"]);
        let mut statements = policies.flat_map(|policy| items(&policy["Statement"]));
        let denies = |statement: &Value| {
            let keys = &statement["Condition"]["ForAnyValue:StringLike"]["dynamodb:LeadingKeys"];
            statement["Effect"] == "Deny"
                && texts(&statement["Action"]) == actions
                && statement["Resource"] == "AccountsTable.Arn"
                && !keys.is_null()
                && texts(keys) == ["dataKey#*"]
        };
        assert!(statements.any(denies), "{id}");
        denying.insert(id.to_owned());
    }
    let expected = ["AccountFunction", "AuthFunction"].map(str::to_owned);
    assert_eq!(denying, BTreeSet::from(expected));
}

/// The record of what admins have read of other accounts is a proof only if no other function can write to
/// it. A function that may write to the whole table is denied these rows, and reads none of them.
#[test]
fn support_alone_has_rights_to_the_record_of_reads() {
    const ACTIONS: [&str; 7] = [
        "dynamodb:PutItem",
        "dynamodb:UpdateItem",
        "dynamodb:DeleteItem",
        "dynamodb:ConditionCheckItem",
        "dynamodb:GetItem",
        "dynamodb:BatchGetItem",
        "dynamodb:Query",
    ];
    let template = template();
    let denied = |id: &str| {
        let policies = items(&template["Resources"][id]["Properties"]["Policies"]);
        let statements = policies.flat_map(|policy| items(&policy["Statement"]));
        let denials = statements.filter(|statement| {
            let keys = &statement["Condition"]["ForAnyValue:StringLike"]["dynamodb:LeadingKeys"];
            statement["Effect"] == "Deny"
                && statement["Resource"] == "AccountsTable.Arn"
                && !keys.is_null()
                && texts(keys) == ["reads#*"]
        });
        denials.flat_map(|statement| texts(&statement["Action"])).collect::<BTreeSet<_>>()
    };
    let (mut rights, mut denying) = (BTreeSet::new(), BTreeSet::new());
    for allowance in allowances(&template) {
        let id = allowance.function.as_str();
        for action in &allowance.actions {
            let reaches = allowance.keys.is_empty()
                || allowance.keys.iter().any(|pattern| covers(pattern, "reads#x"));
            if !allowance.resources.iter().any(|name| name == "AccountsTable") || !reaches {
                continue;
            }
            assert!(ACTIONS.contains(&action.as_str()), "{id}: {action}");
            match denied(id).contains(action) {
                true => denying.insert(id.to_owned()),
                false => rights.insert((id.to_owned(), short(action).to_owned())),
            };
        }
    }
    let expected =
        ["PutItem", "Query"].map(|action| ("SupportFunction".to_owned(), action.to_owned()));
    assert_eq!(rights, BTreeSet::from(expected));
    let expected = ["AccountFunction", "AuthFunction"].map(str::to_owned);
    assert_eq!(denying, BTreeSet::from(expected));
}

/// The policy of a lasting key binds administrators too: only the functions that have the right to use the key
/// can use it, and only a deployment can disable or delete it. It names roles by their paths, because the
/// policies of the roles name the key, so the key is created first.
#[test]
fn policies_of_lasting_keys_name_exactly_the_functions_that_use_them() {
    let template = template();
    let allowances = allowances(&template);
    let mut paths = BTreeSet::new();
    for (id, function) in resources_of_type(&template, "AWS::Serverless::Function") {
        if let Some(path) = function["Properties"]["RolePath"].as_str() {
            assert!(path.starts_with("/runeport/${AWS::StackName}/"), "{id}: {path}");
            assert!(path.ends_with('/') && paths.insert(path), "{id}: {path}");
        }
    }
    for (id, key) in lasting_keys(&template) {
        let properties = &key["Properties"];
        let statements: Vec<_> = items(&properties["KeyPolicy"]["Statement"]).collect();
        let [account, functions, deployments] = statements[..] else {
            panic!("{id} has three statements");
        };
        assert_eq!(account["Effect"], "Allow", "{id}");
        let root = "arn:${AWS::Partition}:iam::${AWS::AccountId}:root";
        assert_eq!(account["Principal"]["AWS"].as_str(), Some(root), "{id}");
        for denied in [functions, deployments] {
            assert_eq!(denied["Effect"], "Deny", "{id}");
            assert_eq!(denied["Principal"]["AWS"], "*", "{id}");
            assert_eq!(denied["Resource"], "*", "{id}");
        }

        let signs = properties["KeyUsage"] == "SIGN_VERIFY";
        let expected =
            if signs { vec!["kms:Sign"] } else { vec!["kms:Decrypt", "kms:ReEncryptFrom"] };
        let uses = texts(&functions["Action"]);
        assert_eq!(uses, expected, "{id}");
        let users = allowances.iter().filter(|one| {
            one.resources.iter().any(|name| name == id)
                && one.actions.iter().any(|action| uses.contains(action))
        });
        let roles = users.map(|one| {
            let function = &template["Resources"][one.function.as_str()]["Properties"];
            let path = function["RolePath"].as_str();
            let path = path.unwrap_or_else(|| panic!("{} has no RolePath", one.function));
            format!("arn:${{AWS::Partition}}:iam::${{AWS::AccountId}}:role{path}*")
        });
        let named = texts(&functions["Condition"]["ArnNotLike"]["aws:PrincipalArn"]);
        let named: BTreeSet<_> = named.into_iter().collect();
        assert_eq!(named, roles.collect(), "{id}");

        let denied = ["kms:CreateGrant", "kms:DisableKey", "kms:ScheduleKeyDeletion"];
        assert_eq!(texts(&deployments["Action"]), denied, "{id}");
        let caller = &deployments["Condition"]["StringNotEquals"]["aws:CalledViaLast"];
        assert_eq!(*caller, "cloudformation.amazonaws.com", "{id}");
    }
}

/// CloudTrail reports the calls to EventBridge, whose mails name the caller.
#[test]
fn changes_of_lasting_keys_and_their_use_by_others_raise_an_alarm() {
    let template = template();
    let keys: BTreeSet<_> =
        lasting_keys(&template).into_iter().map(|(id, _)| format!("{id}.Arn")).collect();
    let aliases = resources_of_type(&template, "AWS::KMS::Alias").into_iter().map(|(id, _)| {
        format!("arn:${{AWS::Partition}}:kms:${{AWS::Region}}:${{AWS::AccountId}}:${{{id}}}")
    });
    let changes = [
        "CreateGrant",
        "DeleteAlias",
        "DisableKey",
        "PutKeyPolicy",
        "ReplicateKey",
        "ScheduleKeyDeletion",
        "UpdateAlias",
        "UpdatePrimaryRegion",
    ];
    let uses = ["Decrypt", "ReEncrypt", "Sign"];
    for (id, calls, watched) in [
        ("KeyChanged", &changes[..], keys.iter().cloned().chain(aliases).collect()),
        ("KeyUsedByOthers", &uses[..], keys.clone()),
    ] {
        let rule = &template["Resources"][id]["Properties"];
        assert_eq!(texts(&rule["EventPattern"]["source"]), ["aws.kms"], "{id}");
        let detail = &rule["EventPattern"]["detail"];
        assert_eq!(texts(&detail["eventName"]), calls, "{id}");
        let named: BTreeSet<_> = texts(&detail["resources"]["ARN"]).into_iter().collect();
        assert_eq!(named, watched, "{id}");
        let target = &rule["Targets"][0];
        assert_eq!(target["Arn"], "AlarmTopic", "{id}");
        let text = target["InputTransformer"]["InputTemplate"].as_str().unwrap();
        assert!(text.contains(&format!("See {id} in docs/operations/runbook.md")), "{id}");
    }

    let rule = &template["Resources"]["KeyUsedByOthers"]["Properties"];
    assert_eq!(rule["State"], "ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS");
    let others = &rule["EventPattern"]["detail"]["$or"];
    let [roles, users] = items(others).collect::<Vec<_>>()[..] else {
        panic!("roles and users");
    };
    let roles = &roles["userIdentity"]["sessionContext"]["sessionIssuer"]["arn"][0];
    let functions = "arn:${AWS::Partition}:iam::${AWS::AccountId}:role/runeport/${AWS::StackName}/";
    assert_eq!(roles["anything-but"]["prefix"].as_str(), Some(functions));
    let users = &users["userIdentity"]["sessionContext"]["sessionIssuer"]["arn"][0];
    assert_eq!(users["exists"], false);
}

/// The topic and its key let EventBridge publish. AWS supports no condition for this.
#[test]
fn rules_can_publish_to_the_encrypted_topic() {
    let template = template();
    let resources = &template["Resources"];
    let topic = &resources["AlarmTopicPolicy"]["Properties"]["PolicyDocument"]["Statement"];
    let is_for_rules = |one: &&Value| one["Principal"]["Service"] == "events.amazonaws.com";
    let allowed = items(topic).find(is_for_rules).unwrap();
    assert_eq!(allowed["Effect"], "Allow");
    assert_eq!(allowed["Action"], "sns:Publish");
    assert!(allowed["Condition"].is_null());
    let key = &resources["AlarmKey"]["Properties"]["KeyPolicy"]["Statement"][1];
    let services = ["cloudwatch.amazonaws.com", "events.amazonaws.com"];
    assert_eq!(texts(&key["Principal"]["Service"]), services);
    assert_eq!(texts(&key["Action"]), ["kms:Decrypt", "kms:GenerateDataKey*"]);
}

/// Services that report publish to the topic of alarms, each as far as AWS lets the policy say.
#[test]
fn alarms_rules_and_budgets_publish_and_nothing_else() {
    let template = template();
    let topic = &template["Resources"]["AlarmTopicPolicy"]["Properties"]["PolicyDocument"];
    let services: Vec<_> = items(&topic["Statement"])
        .map(|one| (one["Sid"].as_str().unwrap(), one["Principal"]["Service"].as_str().unwrap()))
        .collect();
    let expected = [
        ("Alarms", "cloudwatch.amazonaws.com"),
        ("Rules", "events.amazonaws.com"),
        ("Budgets", "budgets.amazonaws.com"),
    ];
    assert_eq!(services, expected);
}

/// A request ends before its function is stopped, and a function before the gateway gives up after 30 s.
#[test]
fn a_request_ends_before_its_function_and_that_before_the_gateway() {
    let template = template();
    let budget = base::outbound::REQUEST_BUDGET.as_secs();
    for (id, function) in resources_of_type(&template, "AWS::Serverless::Function") {
        let properties = &function["Properties"];
        if properties["Environment"]["Variables"]["CORS_ORIGINS"].is_null() {
            continue;
        }
        let globals = &template["Globals"]["Function"]["Timeout"];
        let timeout = properties["Timeout"].as_u64().or_else(|| globals.as_u64()).unwrap();
        assert!(timeout > budget && timeout < 30, "{id}");
    }
    for (id, integration) in resources_of_type(&template, "AWS::ApiGatewayV2::Integration") {
        // Without it, the gateway waits for 30 s.
        assert!(integration["Properties"]["TimeoutInMillis"].is_null(), "{id}");
    }
}

#[test]
fn tables_are_encrypted_and_those_that_last_can_be_restored() {
    let template = template();
    let mut restorable = Vec::new();
    for (id, table) in resources_of_type(&template, "AWS::DynamoDB::Table") {
        let properties = &table["Properties"];
        assert_eq!(properties["SSESpecification"]["SSEEnabled"], true, "{id}");
        let recovery = &properties["PointInTimeRecoverySpecification"];
        if recovery["PointInTimeRecoveryEnabled"] == true {
            assert_eq!(properties["DeletionProtectionEnabled"], true, "{id}");
            restorable.push(id);
        }
    }
    assert_eq!(restorable, ["AccountsTable", "ActivityTable"]);
}

#[test]
fn every_function_may_send_traces() {
    let template = template();
    let policy = &template["Resources"]["TracesPolicy"]["Properties"];
    let roles: BTreeSet<_> = texts(&policy["Roles"]).into_iter().collect();
    let functions = resources_of_type(&template, "AWS::Serverless::Function");
    let expected = functions.iter().map(|(id, _)| format!("{id}Role")).collect();
    assert_eq!(roles, expected);
}

/// SAM's permissions for the reader of a queue name no queue. Two concurrent runs of the watcher would do the same work twice.
#[test]
fn workers_read_their_own_queue_and_the_watcher_runs_alone() {
    let template = template();
    let mut readers = 0;
    for (id, function) in resources_of_type(&template, "AWS::Serverless::Function") {
        let properties = &function["Properties"];
        let events = properties["Events"].as_mapping().into_iter().flatten();
        let queues = events.filter(|(_, event)| event["Type"] == "SQS");
        let queues: Vec<_> =
            queues.flat_map(|(_, event)| texts(&event["Properties"]["Queue"])).collect();
        if queues.is_empty() {
            continue;
        }
        readers += 1;
        let denied = items(&properties["Policies"][0]["Statement"])
            .find(|one| one["Sid"] == "ThisQueueAlone")
            .unwrap_or_else(|| panic!("{id} reads every queue"));
        assert_eq!(denied["Effect"], "Deny", "{id}");
        assert_eq!(texts(&denied["NotResource"]), queues, "{id}");
        for action in ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"] {
            assert!(texts(&denied["Action"]).contains(&action.to_owned()), "{id}: {action}");
        }
    }
    assert_eq!(readers, 4);
    let watcher = &template["Resources"]["ChainWatcherFunction"]["Properties"];
    assert_eq!(watcher["ReservedConcurrentExecutions"][1], 1);
    assert_eq!(watcher["EventInvokeConfig"]["MaximumRetryAttempts"], 0);
}

/// Senders know one URL, and derive the other.
#[test]
fn the_queue_of_mails_with_links_has_the_name_that_senders_derive() {
    let template = template();
    let name = |id: &str| {
        let name = &template["Resources"][id]["Properties"]["QueueName"];
        texts(name).pop().unwrap_or_else(|| panic!("{id} has no name of its own"))
    };
    let config = MailQueueConfig { url: name("MailQueue") };
    assert_eq!(name("MailLinkQueue"), config.links_url());
    let mut senders = 0;
    for (id, function) in resources_of_type(&template, "AWS::Serverless::Function") {
        let url = &function["Properties"]["Environment"]["Variables"]["MAIL_QUEUE_URL"];
        if !url.is_null() {
            assert_eq!(texts(url), ["MailQueue"], "{id}");
            senders += 1;
        }
    }
    assert_eq!(senders, 4);
}

/// The actions that IAM checks for the items of a transaction.
const OF_TRANSACTIONS: [&str; 4] = [
    "dynamodb:ConditionCheckItem",
    "dynamodb:DeleteItem",
    "dynamodb:PutItem",
    "dynamodb:UpdateItem",
];

/// What docs/operations/rights.md says of a function's transactions: the tables, the reading of the documentation
/// that they rest on, and the actions whose statements do not allow all keys that the function writes.
fn line_about_transactions(template: &Value, name: &str) -> Option<String> {
    let id = function_id(name);
    let own: Vec<_> = allowances(template).into_iter().filter(|one| one.function == id).collect();
    let (mut keys, mut tables, mut refused) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut by_action: BTreeMap<(&str, &str), Vec<&Allowance>> = BTreeMap::new();
    for one in &own {
        for action in one.actions.iter().filter(|action| OF_TRANSACTIONS.contains(&action.as_str()))
        {
            for table in &one.resources {
                by_action.entry((action, table)).or_default().push(one);
                tables.insert(table.trim_end_matches("Table").to_lowercase());
                keys.extend(all(&one.keys));
            }
        }
    }
    // A statement without keys may write rows of any kind.
    let any = by_action.values().any(|statements| statements[0].keys.is_empty());
    for ((action, table), statements) in &by_action {
        let [one] = statements[..] else { panic!("{name}: {action} on {table} has one statement") };
        let covered = |key: &&str| one.keys.iter().any(|pattern| covers(pattern, key));
        if !one.keys.is_empty() && (any || !keys.iter().all(covered)) {
            refused.insert(format!("{} ({})", short(action), table.trim_end_matches("Table")));
        }
    }
    // A statement that denies deleting from trails would see the trail that the same transaction appends to.
    let policies = items(&template["Resources"][id.as_str()]["Properties"]["Policies"]);
    for denial in policies.flat_map(|policy| items(&policy["Statement"])) {
        let is_by_key = !denial["Condition"]["ForAnyValue:StringLike"].is_null();
        if denial["Effect"] == "Deny" && is_by_key {
            let action = texts(&denial["Action"])[0].clone();
            refused.insert(format!("{} ({}), denied", short(&action), "Accounts"));
        }
    }
    let tables = tables.into_iter().collect::<Vec<_>>().join(", ");
    let reading = if refused.is_empty() { "neither" } else { "each" };
    let refused = refused.into_iter().collect::<Vec<_>>().join("; ");
    (!tables.is_empty()).then(|| format!("| `{name}` | {tables} | {reading} | {refused} |"))
}

/// The name of an action without its service.
fn short(action: &str) -> &str {
    action.rsplit(':').next().unwrap_or(action)
}

/// AWS does not document whether a condition sees all keys of a request that spans tables.
#[test]
fn the_page_about_rights_says_which_calls_rest_on_which_reading() {
    let template = template();
    let page = fs::read_to_string(workspace::root().join("docs/operations/rights.md")).unwrap();
    let written: Vec<_> = page
        .lines()
        .filter(|line| {
            line.starts_with("| `")
                && !line.starts_with("| `BatchGet")
                && !line.starts_with("| `Transact")
        })
        .collect();
    let lines = local::functions::settings();
    let lines = lines.iter().filter_map(|(name, _)| line_about_transactions(&template, name));
    assert_eq!(written, lines.collect::<Vec<_>>());
    // A batch reads one table, with one statement for its keys.
    let mut batches = BTreeMap::new();
    for one in allowances(&template) {
        if one.actions.iter().any(|action| action == "dynamodb:BatchGetItem") {
            for table in one.resources {
                let twice = batches.insert((one.function.clone(), table), one.keys.clone());
                assert_eq!(twice, None, "{}", one.function);
            }
        }
    }
    assert!(!batches.is_empty());
}

/// The functions that may write rows of a kind to the table of activity.
fn writers_of(key: &str) -> BTreeSet<String> {
    const WRITES: [&str; 4] = [
        "dynamodb:PutItem",
        "dynamodb:UpdateItem",
        "dynamodb:DeleteItem",
        "dynamodb:BatchWriteItem",
    ];
    let (mut writers, mut seen) = (BTreeSet::new(), 0);
    for one in allowances(&template()) {
        let writes = one.actions.iter().any(|action| WRITES.contains(&action.as_str()));
        if writes && one.resources.iter().any(|table| table == "ActivityTable") {
            seen += 1;
            if one.keys.is_empty() || one.keys.iter().any(|pattern| covers(pattern, key)) {
                writers.insert(one.function);
            }
        }
    }
    assert!(seen > 10, "{seen}");
    writers
}

/// No function may order a sweep, which sends runes of the pool to an address (custody rule 29). Only the
/// operator may.
#[test]
fn custody_29_no_function_may_write_the_order_of_a_sweep() {
    assert_eq!(writers_of("sweep#x"), BTreeSet::new());
}

/// The worker signs what payouts name, and fills virtual blocks with bids (custody rule 33).
#[test]
fn custody_33_only_the_worker_writes_payouts_and_bids() {
    let worker = BTreeSet::from(["ChainWatcherFunction".to_owned()]);
    for key in ["payout#x", "bids#x", "bids#further"] {
        assert_eq!(writers_of(key), worker, "{key}");
    }
    // Operators open and close mints through the other one.
    let both = ["ChainWatcherFunction", "VmTransactionsFunction"].map(str::to_owned);
    assert_eq!(writers_of("mint#x"), BTreeSet::from(both));
}

/// Only the store sends requests with several keys, each kind from one place.
#[test]
fn only_the_store_sends_requests_with_several_keys() {
    let calls = [
        ".batch_get_item()",
        ".transact_write_items()",
        ".batch_write_item()",
        ".transact_get_items()",
    ];
    let mut found = BTreeMap::new();
    let mut folders: Vec<_> =
        ["shared", "functions", "infra/ops"].map(|folder| workspace::root().join(folder)).into();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                for call in calls {
                    *found.entry(call).or_insert(0) += text.matches(call).count();
                }
            }
        }
    }
    assert_eq!(found.into_values().collect::<Vec<_>>(), [1, 0, 0, 1]);
}

/// The template without one string of a statement, or without the statement if that was its only one.
fn without(template: &Value, of: &Allowance, path: &[&str], number: usize) -> Value {
    let mut less = template.clone();
    let (policy, statement) = of.place;
    let policy = &mut less["Resources"][of.function.as_str()]["Properties"]["Policies"][policy];
    let statements = policy["Statement"].as_sequence_mut().unwrap();
    let mut value = &mut statements[statement];
    for name in path {
        value = &mut value[*name];
    }
    if let Some(several) = value.as_sequence_mut().filter(|several| several.len() > 1) {
        several.remove(number);
        return less;
    }
    statements.remove(statement);
    less
}

/// Removing any right from the template is reported, by function and by action, resource or key.
#[test]
fn a_missing_right_is_named() {
    let template = functions_only();
    let mut taken = 0;
    for allowance in allowances(&template) {
        for (path, texts) in [
            (&["Action"][..], &allowance.actions),
            (&["Resource"][..], &allowance.resources),
            (&KEYS[..], &allowance.keys),
        ] {
            for (number, text) in texts.iter().enumerate() {
                let complaints =
                    complaints_about_rights(&without(&template, &allowance, path, number));
                let named = |complaint: &String| {
                    complaint.starts_with(&allowance.function)
                        && complaint.ends_with("no policy allows it")
                        && complaint.contains(text.trim_end_matches('*'))
                        && allowance.actions.iter().any(|one| complaint.contains(one.as_str()))
                        && allowance.resources.iter().any(|one| complaint.contains(one.as_str()))
                };
                let function = &allowance.function;
                assert!(complaints.iter().any(named), "{function} without {text}: {complaints:?}");
                taken += 1;
            }
        }
    }
    assert!(taken > 0);
}

#[test]
fn an_unused_right_is_named() {
    let template = functions_only();
    for (id, _) in resources_of_type(&template, "AWS::Serverless::Function") {
        for (action, resource) in [
            ("dynamodb:Scan", "ActivityTable"),
            ("s3:GetObject", "MediaBucket"),
            ("kms:Encrypt", "DataKey"),
        ] {
            let mut more = template.clone();
            let policy = &mut more["Resources"][id]["Properties"]["Policies"][0];
            let statement =
                format!("{{ Effect: Allow, Action: \"{action}\", Resource: {resource}.Arn }}");
            let statement = yaml_serde::from_str(&statement).unwrap();
            policy["Statement"].as_sequence_mut().unwrap().push(statement);
            let named = format!("{id}: {action} on {resource} is allowed, but unused");
            assert_eq!(complaints_about_rights(&more), [named]);
        }
    }
}

/// The template reduced to its functions, which is faster to copy.
fn functions_only() -> Value {
    let mut template = template();
    let resources = template["Resources"].as_mapping_mut().unwrap();
    resources.retain(|_, resource| resource["Type"] == "AWS::Serverless::Function");
    template
}
