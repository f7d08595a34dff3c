//! Every path reaches the function that has a route for it, through the gateway of the template and through
//! `cargo lambda watch`, and a missing route is named. Only functions with their own keys sign, and media are
//! served according to custody rule 23.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    missing_docs
)]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use local::app::Served as _;
use local::{template::written, workspace};
use shared::http::routes::Route;
use yaml_serde::Value;

/// The other tests of this file would not notice a missing function.
#[test]
fn every_folder_of_functions_is_served() {
    let folders = fs::read_dir(workspace::root().join("functions")).unwrap();
    let mut folders: Vec<_> =
        folders.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    folders.sort();
    let (names, routes): (Vec<_>, Vec<_>) = functions().into_iter().unzip();
    folders.retain(|folder| !WORKERS.contains(&folder.as_str()) && folder != SOCKET);
    assert_eq!(folders, names);
    let each: usize = routes.iter().map(Vec::len).sum();
    assert_eq!(local::functions::table().len(), each);
    assert_eq!(local::functions::openapi().len(), names.len());
}

/// Functions that a queue or a schedule starts instead of the gateway; `LocalStack::workers` runs them.
const WORKERS: [&str; 6] = [
    "chain-watcher",
    "event-worker",
    "export-worker",
    "mail-worker",
    "socket-worker",
    "webhook-worker",
];
/// The function behind the WebSocket API, which `local::sockets` calls.
const SOCKET: &str = "socket";

fn functions() -> [(&'static str, Vec<Route>); 11] {
    [
        ("account", account::routes().list()),
        ("auth", auth::routes().list()),
        ("download-histories", download_histories::routes().list()),
        ("medias", medias::routes().list()),
        ("perp-venue", perp_venue::routes().list()),
        ("prizes", prizes::routes().list()),
        ("refund", refund::routes().list()),
        ("support", support::routes().list()),
        ("transactions", transactions::routes().list()),
        ("vm-transactions", vm_transactions::routes().list()),
        ("xchain", xchain::routes().list()),
    ]
}

/// Name of a function's binary, from its name in the template: `mail-worker` for `MailWorkerFunction`.
fn binary(id: &str) -> String {
    let mut name = String::new();
    for letter in id.strip_suffix("Function").unwrap().chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

fn template() -> Value {
    written().unwrap().clone()
}

/// The route of paths that no other route takes.
const DEFAULT: &str = "/{*path}";

/// Name of the function whose alias a reference names.
fn function_of_alias(reference: &Value) -> String {
    binary(reference.as_str().unwrap().strip_suffix("Aliaslive").unwrap())
}

/// Routes of the template's gateway: the path in the notation of the `watch` router, and the function.
fn gateway(template: &Value) -> BTreeMap<String, String> {
    let resources = template["Resources"].as_mapping().unwrap();
    let mut routes = BTreeMap::new();
    for resource in
        resources.values().filter(|resource| resource["Type"] == "AWS::ApiGatewayV2::Route")
    {
        let properties = &resource["Properties"];
        if properties["ApiId"].as_str() != Some("HttpApi") {
            continue;
        }
        let target = properties["Target"].as_str().unwrap();
        let integration = target.strip_prefix("integrations/${").unwrap().trim_end_matches('}');
        let function = function_of_alias(&resources[integration]["Properties"]["IntegrationUri"]);
        match properties["RouteKey"].as_str().unwrap() {
            "$default" => {
                routes.insert("/".to_owned(), function.clone());
                routes.insert(DEFAULT.to_owned(), function);
            }
            key => {
                let path = key.strip_prefix("ANY ").unwrap().replace("{proxy+}", "{*path}");
                routes.insert(path, function);
            }
        }
    }
    routes
}

/// The functions that the gateway is allowed to call.
fn callable(template: &Value) -> BTreeSet<String> {
    let resources = template["Resources"].as_mapping().unwrap();
    let permissions =
        resources.values().filter(|resource| resource["Type"] == "AWS::Lambda::Permission");
    permissions
        .map(|permission| function_of_alias(&permission["Properties"]["FunctionName"]))
        .collect()
}

/// Routes of `cargo lambda watch`, from the workspace's manifest.
fn watch() -> BTreeMap<String, String> {
    let manifest = fs::read_to_string(workspace::root().join("Cargo.toml")).unwrap();
    let (_, section) = manifest.split_once("[workspace.metadata.lambda.watch.router]\n").unwrap();
    let lines = section.lines().take_while(|line| !line.is_empty());
    let pair = |line: &str| {
        let (path, function) = line.split_once(" = ").unwrap();
        (path.trim_matches('"').to_owned(), function.trim_matches('"').to_owned())
    };
    lines.map(pair).collect()
}

/// The route and function of a path: of the exact path, or of the longest prefix.
fn function_of<'a>(
    gateway: &'a BTreeMap<String, String>,
    path: &str,
) -> Option<(&'a str, &'a str)> {
    let names = |(route, function): (&'a String, &'a String)| (route.as_str(), function.as_str());
    if let Some(exact) = gateway.get_key_value(path) {
        return Some(names(exact));
    }
    let prefixes = gateway.iter().filter(|(route, _)| {
        route
            .strip_suffix("{*path}")
            .is_some_and(|prefix| path.starts_with(prefix) && path.len() > prefix.len())
    });
    prefixes.max_by_key(|(route, _)| route.len()).map(names)
}

/// Errors in the routes of a template.
fn complaints(template: &Value) -> Vec<String> {
    let (gateway, watch, callable) = (gateway(template), watch(), callable(template));
    let mut complaints = Vec::new();
    for (path, function) in &watch {
        if gateway.get(path) != Some(function) {
            complaints.push(format!("{path} is not routed to {function}"));
        }
    }
    for (path, function) in &gateway {
        if watch.get(path) != Some(function) {
            complaints
                .push(format!("{path} is routed to {function}, and Cargo.toml says otherwise"));
        }
    }
    for (name, routes) in functions() {
        if !callable.contains(name) {
            complaints.push(format!("the gateway may not call {name}"));
        }
        for route in &routes {
            match function_of(&gateway, &route.path) {
                Some((by, function)) if function == name && by != DEFAULT => {}
                found => complaints.push(format!(
                    "{} {} of {name} is served by {found:?}",
                    route.method, route.path
                )),
            }
        }
    }
    complaints
}

#[test]
fn every_route_reaches_its_function_and_watch_has_the_same_routes() {
    let complaints = complaints(&template());
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Every route of the WebSocket API reaches the function behind it, the only one that the API may call, and
/// messages are answered.
#[test]
fn the_websocket_api_calls_its_function_alone() {
    let template = template();
    let resources = template["Resources"].as_mapping().unwrap();
    let of_api = |kind: &str| {
        let all = resources.values().filter(|resource| resource["Type"] == *kind);
        let own = all.map(|resource| &resource["Properties"]);
        own.filter(|of| of["ApiId"].as_str() == Some("SocketApi")).collect::<Vec<_>>()
    };
    let mut routes = of_api("AWS::ApiGatewayV2::Route");
    routes.sort_by_key(|route| route["RouteKey"].as_str());
    let keys: Vec<_> = routes.iter().map(|route| route["RouteKey"].as_str().unwrap()).collect();
    assert_eq!(keys, ["$connect", "$default", "$disconnect"]);
    for route in &routes {
        assert_eq!(route["Target"].as_str(), Some("integrations/${SocketIntegration}"));
    }
    assert_eq!(routes[1]["RouteResponseSelectionExpression"], "$default");
    let answers = of_api("AWS::ApiGatewayV2::RouteResponse");
    assert_eq!(answers.len(), 1);
    assert_eq!(answers[0]["RouteId"].as_str(), Some("SocketDefaultRoute"));
    let uri = resources["SocketIntegration"]["Properties"]["IntegrationUri"].as_str().unwrap();
    assert!(
        uri.ends_with(":lambda:path/2015-03-31/functions/${SocketFunctionAliaslive}/invocations")
    );
    let permission = &resources["SocketPermission"]["Properties"];
    assert_eq!(function_of_alias(&permission["FunctionName"]), SOCKET);
    assert!(permission["SourceArn"].as_str().unwrap().ends_with(":${SocketApi}/*"));
    let [stage] = of_api("AWS::ApiGatewayV2::Stage")[..] else { panic!("one stage") };
    assert!(stage["DefaultRouteSettings"]["ThrottlingRateLimit"].as_u64().unwrap() > 0);
}

/// Removing any route, or the gateway's right to call a function, is reported.
#[test]
fn a_missing_route_is_named() {
    let template = template();
    let resources = template["Resources"].as_mapping().unwrap();
    let mut taken = 0;
    for (id, resource) in resources {
        let properties = &resource["Properties"];
        if id.as_str().unwrap().starts_with("Socket") {
            continue;
        }
        let named = match resource["Type"].as_str().unwrap() {
            "AWS::ApiGatewayV2::Route" => match properties["RouteKey"].as_str().unwrap() {
                "$default" => format!("{DEFAULT} is not routed"),
                key => {
                    let path = key.strip_prefix("ANY ").unwrap().replace("{proxy+}", "{*path}");
                    format!("{path} is not routed")
                }
            },
            "AWS::Lambda::Permission" => {
                format!("may not call {}", function_of_alias(&properties["FunctionName"]))
            }
            _ => continue,
        };
        let mut less = template.clone();
        less["Resources"].as_mapping_mut().unwrap().remove(id).unwrap();
        let complaints = complaints(&less);
        assert!(complaints.iter().any(|text| text.contains(&named)), "{named}: {complaints:?}");
        taken += 1;
    }
    assert!(taken > 0);
}

/// The names in a policy value, one string or several, without their tags.
fn named(value: &Value) -> Vec<&str> {
    match value.as_sequence() {
        Some(several) => several.iter().map(|one| one.as_str().unwrap()).collect(),
        None => vec![value.as_str().unwrap()],
    }
}

/// Whether an action is `kms:Sign`, or a pattern that includes it.
fn is_signing(action: &str) -> bool {
    let action = action.to_lowercase();
    let holds = |prefix| "kms:sign".starts_with(prefix);
    action.split_once(['*', '?']).map_or(action == "kms:sign", |(prefix, _)| holds(prefix))
}

#[test]
fn custody_11_only_refund_and_the_watcher_sign_with_treasury_keys() {
    let template = template();
    let resources = template["Resources"].as_mapping().unwrap();
    let mut signers = BTreeMap::<_, BTreeSet<_>>::new();
    for (id, resource) in resources {
        // Rights come only from the functions' policies, except for those of traces. Other policies deny.
        let kind = resource["Type"].as_str().unwrap();
        if kind == "AWS::IAM::Policy" {
            let statements = &resource["Properties"]["PolicyDocument"]["Statement"];
            for statement in statements.as_sequence().unwrap() {
                let actions = named(&statement["Action"]);
                let is_of_traces = actions.iter().all(|action| action.starts_with("xray:Put"));
                assert!(statement["Effect"] == "Deny" || is_of_traces, "{id:?}");
            }
            continue;
        }
        // No function has it: CodeDeploy shifts aliases with it.
        if id.as_str() == Some("ShiftingRole") {
            let trust = &resource["Properties"]["AssumeRolePolicyDocument"]["Statement"][0];
            assert_eq!(trust["Principal"]["Service"], "codedeploy.amazonaws.com");
            let managed = named(&resource["Properties"]["ManagedPolicyArns"]);
            let [policy] = managed.as_slice() else { panic!("{managed:?}") };
            assert!(policy.ends_with("service-role/AWSCodeDeployRoleForLambda"), "{policy}");
            continue;
        }
        assert!(!kind.starts_with("AWS::IAM::"), "{id:?}");
        if kind != "AWS::Serverless::Function" {
            continue;
        }
        let properties = &resource["Properties"];
        assert!(properties["Role"].is_null(), "{id:?}");
        let policies = properties["Policies"].as_sequence().unwrap();
        let statements =
            policies.iter().flat_map(|policy| policy["Statement"].as_sequence().unwrap());
        for statement in statements.filter(|statement| statement["Effect"] == "Allow") {
            if named(&statement["Action"]).into_iter().any(is_signing) {
                for key in named(&statement["Resource"]) {
                    signers.entry(key).or_default().insert(binary(id.as_str().unwrap()));
                }
            }
        }
    }
    let allowed = [
        (
            "CosigningKey.Arn",
            &["chain-watcher", "refund", "transactions", "vm-transactions", "xchain"][..],
        ),
        ("DistributionKey.Arn", &["chain-watcher"]),
        ("MintTreasuryKey.Arn", &["chain-watcher", "refund"]),
    ];
    let allowed = allowed.map(|(key, by)| (key, by.iter().map(|&name| name.to_owned()).collect()));
    assert_eq!(signers, allowed.into());

    let function = &resources["VmTransactionsFunction"]["Properties"];
    let settings = &function["Environment"]["Variables"];
    let keys =
        ["COSIGNING_KEY_IDS", "DISTRIBUTION_KEY_ID", "MINT_TREASURY_KEY_ID"].map(|setting| {
            let alias = &resources[settings[setting].as_str().unwrap()];
            alias["Properties"]["TargetKeyId"].as_str().unwrap()
        });
    assert_eq!(keys, ["CosigningKey", "DistributionKey", "MintTreasuryKey"]);
}

#[test]
fn custody_23_only_the_distribution_reads_media_and_serves_them_without_cookies() {
    let template = template();
    let resources = &template["Resources"];
    let policy = &resources["MediaBucketPolicy"]["Properties"];
    assert_eq!(policy["Bucket"].as_str(), Some("MediaBucket"));
    let statements = policy["PolicyDocument"]["Statement"].as_sequence().unwrap();
    // `!If [ServesMedia, a statement, none]`.
    let chosen = statements.iter().map(|each| if each[1].is_null() { each } else { &each[1] });
    let allowing: Vec<_> = chosen.filter(|each| each["Effect"] == "Allow").collect();
    let [reads] = allowing.as_slice() else { panic!("{allowing:?}") };
    assert_eq!(reads["Principal"]["Service"], "cloudfront.amazonaws.com");
    assert_eq!(reads["Action"], "s3:GetObject");
    assert_eq!(reads["Resource"].as_str(), Some("${MediaBucket.Arn}/media/*"));
    let source = reads["Condition"]["StringEquals"]["AWS:SourceArn"].as_str().unwrap();
    assert!(source.ends_with(":distribution/${MediaDistribution}"), "{source}");
    let private = &resources["MediaBucket"]["Properties"]["PublicAccessBlockConfiguration"];
    for setting in
        ["BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets"]
    {
        assert_eq!(private[setting], true, "{setting}");
    }

    // Browsers upload from the frontend's origins, by POST only.
    let rules = resources["MediaBucket"]["Properties"]["CorsConfiguration"][1]["CorsRules"].clone();
    let [rule] = rules.as_sequence().unwrap().as_slice() else { panic!("{rules:?}") };
    assert_eq!(named(&rule["AllowedMethods"]), ["POST"]);
    assert_eq!(named(&rule["AllowedOrigins"]), [",", "CorsOrigins"]);

    let config = &resources["MediaDistribution"]["Properties"]["DistributionConfig"];
    let origins = config["Origins"].as_sequence().unwrap();
    let [origin] = origins.as_slice() else { panic!("{origins:?}") };
    assert_eq!(origin["OriginAccessControlId"].as_str(), Some("MediaAccess"));
    assert_eq!(origin["DomainName"].as_str(), Some("MediaBucket.RegionalDomainName"));
    assert!(config["CacheBehaviors"].is_null() && config["Aliases"].is_null());
    let behavior = &config["DefaultCacheBehavior"];
    assert_eq!(named(&behavior["AllowedMethods"]), ["GET", "HEAD"]);
    // AWS's own policies: CachingOptimized forwards no cookies, and no other policy adds them.
    assert_eq!(behavior["CachePolicyId"], "658327ea-f89d-4fab-a63d-7e88639e58f6");
    assert!(behavior["OriginRequestPolicyId"].is_null() && behavior["ForwardedValues"].is_null());
    assert_eq!(behavior["ResponseHeadersPolicyId"].as_str(), Some("MediaHeaders"));
    let headers = &resources["MediaHeaders"]["Properties"]["ResponseHeadersPolicyConfig"];
    assert_eq!(headers["SecurityHeadersConfig"]["ContentTypeOptions"]["Override"], true);

    // Only the function that signs the forms may write and delete there, and no function may read.
    for (id, resource) in resources.as_mapping().unwrap() {
        if resource["Type"] != "AWS::Serverless::Function" {
            continue;
        }
        let policies = resource["Properties"]["Policies"].as_sequence().unwrap();
        let statements = policies.iter().flat_map(|each| each["Statement"].as_sequence().unwrap());
        for statement in statements.filter(|statement| statement["Effect"] == "Allow") {
            let of_media =
                named(&statement["Resource"]).iter().any(|of| of.contains("MediaBucket"));
            if of_media {
                assert_eq!(id.as_str(), Some("MediasFunction"));
                assert_eq!(named(&statement["Action"]), ["s3:PutObject", "s3:DeleteObject"]);
                assert_eq!(named(&statement["Resource"]), ["${MediaBucket.Arn}/media/*"]);
            }
        }
    }
}
