//! Every path reaches the function that has a route for it: through the gateway of the template,
//! and through `cargo lambda watch`.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs)]

use std::{collections::BTreeMap, fs};

use local::{template::TEMPLATE, workspace};
use shared::http::Routes;
use yaml_serde::Value;

/// A function that is forgotten would be tested by nothing here.
#[test]
fn every_folder_of_functions_is_served() {
    let folders = fs::read_dir(workspace::root().join("functions")).unwrap();
    let mut folders: Vec<_> =
        folders.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    folders.sort();
    let (names, routes): (Vec<_>, Vec<_>) = functions().into_iter().unzip();
    folders.retain(|folder| !WORKERS.contains(&folder.as_str()));
    assert_eq!(folders, names);
    let each: usize = routes.iter().map(|routes| routes.table().len()).sum();
    assert_eq!(local::functions::routes().table().len(), each);
    assert_eq!(local::functions::openapi().len(), names.len());
}

/// The functions that a queue or a schedule starts, not the gateway: `LocalStack::workers` runs
/// them.
const WORKERS: [&str; 2] = ["chain-watcher", "mail-worker"];

fn functions() -> [(&'static str, Routes); 4] {
    [
        ("account", account::routes()),
        ("auth", auth::routes()),
        ("prizes", prizes::routes()),
        ("xchain", xchain::routes()),
    ]
}

/// The name of a function's binary, by its name in the template.
fn binary(id: &str) -> String {
    id.strip_suffix("Function").unwrap().to_lowercase()
}

/// What the template's gateway does: path, as the router of `watch` writes it, and function.
fn gateway() -> BTreeMap<String, String> {
    let template: Value = yaml_serde::from_str(TEMPLATE).unwrap();
    let resources = template["Resources"].as_mapping().unwrap();
    let untagged = |value: &Value| match value {
        Value::Tagged(tagged) => tagged.value.as_str().unwrap().to_owned(),
        value => value.as_str().unwrap().to_owned(),
    };
    let mut routes = BTreeMap::new();
    for resource in
        resources.values().filter(|resource| resource["Type"] == "AWS::ApiGatewayV2::Route")
    {
        let properties = &resource["Properties"];
        let target = untagged(&properties["Target"]);
        let integration = target.strip_prefix("integrations/${").unwrap().trim_end_matches('}');
        let uri = untagged(&resources[integration]["Properties"]["IntegrationUri"]);
        let function = binary(uri.strip_suffix(".Arn").unwrap());
        match properties["RouteKey"].as_str().unwrap() {
            "$default" => {
                routes.insert("/".to_owned(), function.clone());
                routes.insert("/{*path}".to_owned(), function);
            }
            key => {
                let path = key.strip_prefix("ANY ").unwrap().replace("{proxy+}", "{*path}");
                routes.insert(path, function);
            }
        }
    }
    routes
}

/// What `cargo lambda watch` does, by the workspace's manifest.
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

/// The function that gets a path: that of the longest prefix, or of the very path.
fn function_of<'a>(gateway: &'a BTreeMap<String, String>, path: &str) -> &'a str {
    if let Some(function) = gateway.get(path) {
        return function;
    }
    let prefixes = gateway.iter().filter(|(route, _)| {
        route
            .strip_suffix("{*path}")
            .is_some_and(|prefix| path.starts_with(prefix) && path.len() > prefix.len())
    });
    prefixes.max_by_key(|(route, _)| route.len()).map(|(_, function)| function).unwrap()
}

#[test]
fn watch_has_the_routes_of_the_gateway() {
    assert_eq!(watch(), gateway());
}

#[test]
fn every_route_reaches_its_function() {
    let gateway = gateway();
    for (name, routes) in functions() {
        for route in routes.table() {
            assert_eq!(function_of(&gateway, &route.path), name, "{} {}", route.method, route.path);
        }
    }
}
