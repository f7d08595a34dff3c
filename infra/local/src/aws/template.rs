//! Reads the deployed `template.yaml`: the resources that it creates, and the environment of the functions.
//! Nothing in it is repeated here.

use std::{collections::BTreeMap, sync::LazyLock};

use serde_json::{Map, Value, json};
use yaml_serde::Value as Yaml;

use crate::base::{
    failure::{Context, Failure, Result},
    names::{ACCOUNT, REGION},
};

/// The template of this workspace, embedded at compile time.
const TEMPLATE: &str = include_str!("../../../../template.yaml");

/// Properties of a table that DynamoDB's `CreateTable` takes unchanged.
const TABLE_PROPERTIES: [&str; 5] = [
    "AttributeDefinitions",
    "BillingMode",
    "GlobalSecondaryIndexes",
    "KeySchema",
    "LocalSecondaryIndexes",
];

/// Values that a deployment supplies.
#[derive(Clone, Debug, Default)]
pub struct Deployment {
    /// `AWS::StackName`; generated names begin with it.
    pub stack: String,
    /// Parameters without a default, or with a value other than the default.
    pub parameters: BTreeMap<String, String>,
    /// Base URL of the queues.
    pub queue_url: String,
}

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Name of the table.
    pub name: String,
    /// The body of `CreateTable`.
    pub create: Value,
    /// The body of `UpdateTimeToLive`.
    pub time_to_live: Option<Value>,
}

/// A queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queue {
    /// Name of the queue.
    pub name: String,
    /// Attributes for `CreateQueue`; every value is a string.
    pub attributes: BTreeMap<String, String>,
}

/// A KMS key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KmsKey {
    /// Alias of the key.
    pub alias: String,
    /// Parameters of `CreateKey`.
    pub create: Value,
}

impl KmsKey {
    /// Whether the key signs rather than encrypts.
    pub fn signs(&self) -> bool {
        self.create.get("KeyUsage").and_then(Value::as_str) == Some("SIGN_VERIFY")
    }
}

/// A CloudFront distribution that serves a bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distribution {
    /// Name of the bucket.
    pub bucket: String,
    /// Allowed methods.
    pub methods: Vec<String>,
    /// Headers that every answer has: name and value.
    pub headers: Vec<(String, String)>,
}

/// The resources of the template, and the environment of the functions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Resources {
    /// Tables.
    pub tables: Vec<Table>,
    /// Queues; dead-letter queues come before the queues that use them.
    pub queues: Vec<Queue>,
    /// Names of buckets.
    pub buckets: Vec<String>,
    /// CloudFront distributions.
    pub distributions: Vec<Distribution>,
    /// Names of secrets.
    pub secrets: Vec<String>,
    /// KMS keys.
    pub keys: Vec<KmsKey>,
    /// Environment variables of each function, including those of `Globals`.
    pub functions: BTreeMap<String, BTreeMap<String, String>>,
}

impl Resources {
    /// Environment variables of all functions together.
    pub fn settings(&self) -> BTreeMap<String, String> {
        self.functions
            .values()
            .flatten()
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }
}

/// The resources of `template.yaml` with the values of `deployment`.
///
/// # Errors
/// The template is not YAML, or uses an unsupported feature of CloudFormation.
pub fn resources(deployment: &Deployment) -> Result<Resources> {
    Reader { template: written()?, deployment }.resources()
}

/// The parsed template.
///
/// # Errors
/// The template is not YAML.
pub fn written() -> Result<&'static Yaml> {
    // Each test starts a stack of its own.
    static PARSED: LazyLock<Result<Yaml>> = LazyLock::new(|| parse(TEMPLATE));
    PARSED.as_ref().map_err(Clone::clone)
}

/// The same for another template.
#[cfg(test)]
pub(crate) fn read(text: &str, deployment: &Deployment) -> Result<Resources> {
    Reader { template: &parse(text)?, deployment }.resources()
}

fn parse(text: &str) -> Result<Yaml> {
    yaml_serde::from_str(text).context("template.yaml")
}

struct Reader<'a> {
    template: &'a Yaml,
    deployment: &'a Deployment,
}

impl Reader<'_> {
    fn resources(&self) -> Result<Resources> {
        let mut found = Resources::default();
        for (id, resource) in mapping(self.template.get("Resources")) {
            if let Some(name) = resource.get("Condition") {
                let condition =
                    self.condition(name).context(format_args!("template.yaml, {id}"))?;
                if !condition {
                    continue;
                }
            }
            self.add(&mut found, id, resource).context(format_args!("template.yaml, {id}"))?;
        }
        // A dead-letter queue must exist before the queue that uses it.
        found.queues.sort_by_key(|queue| queue.attributes.contains_key("RedrivePolicy"));
        Ok(found)
    }

    fn add(&self, found: &mut Resources, id: &str, resource: &Yaml) -> Result<()> {
        let name = || self.name(id, resource);
        match kind(resource) {
            "AWS::DynamoDB::Table" => found.tables.push(self.table(name()?, resource)?),
            "AWS::SQS::Queue" => found.queues.push(self.queue(name()?, resource)?),
            "AWS::S3::Bucket" => found.buckets.push(name()?),
            "AWS::CloudFront::Distribution" => {
                found.distributions.push(self.distribution(resource)?);
            }
            "AWS::SecretsManager::Secret" => found.secrets.push(name()?),
            // A key is found by its alias.
            "AWS::KMS::Alias" => found.keys.push(self.key(name()?, resource)?),
            "AWS::Serverless::Function" => {
                found.functions.insert(id.to_owned(), self.environment(resource)?);
            }
            _ => {}
        }
        Ok(())
    }

    fn table(&self, name: String, resource: &Yaml) -> Result<Table> {
        let mut create = Map::from_iter([("TableName".to_owned(), json!(name))]);
        for key in TABLE_PROPERTIES {
            if let Some(value) = property(resource, key) {
                create.insert(key.to_owned(), self.value(value)?);
            }
        }
        if let Some(view) = property(resource, "StreamSpecification") {
            let mut stream = self.value(view)?;
            if let Value::Object(stream) = &mut stream {
                stream.insert("StreamEnabled".to_owned(), json!(true));
            }
            create.insert("StreamSpecification".to_owned(), stream);
        }
        let time_to_live = property(resource, "TimeToLiveSpecification")
            .map(|value| self.value(value))
            .transpose()?
            .map(|value| json!({ "TableName": name, "TimeToLiveSpecification": value }));
        Ok(Table { name, create: create.into(), time_to_live })
    }

    /// The key of an alias: its properties except the policy.
    fn key(&self, alias: String, resource: &Yaml) -> Result<KmsKey> {
        let key = self.referenced(property(resource, "TargetKeyId"));
        let key = key.context("TargetKeyId is no key of this template")?;
        let mut create = Map::new();
        for name in ["KeySpec", "KeyUsage", "MultiRegion"] {
            if let Some(value) = property(key, name) {
                create.insert(name.to_owned(), self.value(value)?);
            }
        }
        Ok(KmsKey { alias, create: create.into() })
    }

    /// The resource that a reference names.
    fn referenced(&self, reference: Option<&Yaml>) -> Option<&Yaml> {
        match reference {
            Some(Yaml::Tagged(tagged)) => {
                self.template.get("Resources")?.get(tagged.value.as_str()?)
            }
            _ => None,
        }
    }

    fn distribution(&self, resource: &Yaml) -> Result<Distribution> {
        let config = property(resource, "DistributionConfig").context("no DistributionConfig")?;
        let behavior = config.get("DefaultCacheBehavior").context("no DefaultCacheBehavior")?;
        let origins = config.get("Origins").and_then(Yaml::as_sequence);
        let origin = origins.and_then(|all| all.first()).and_then(|first| first.get("DomainName"));
        let origin = self.text(origin.context("no origin")?)?;
        let (bucket, _) = origin.split_once(".s3.").context("its origin is no bucket")?;
        let methods = self.value(behavior.get("AllowedMethods").context("no AllowedMethods")?)?;
        let policy = self.referenced(behavior.get("ResponseHeadersPolicyId"));
        let policy = policy.context("ResponseHeadersPolicyId is no policy of this template")?;
        Ok(Distribution {
            bucket: bucket.to_owned(),
            methods: serde_json::from_value(methods).context("AllowedMethods")?,
            headers: self.response_headers(policy)?,
        })
    }

    /// The headers that a response headers policy adds to each answer.
    fn response_headers(&self, policy: &Yaml) -> Result<Vec<(String, String)>> {
        let config = property(policy, "ResponseHeadersPolicyConfig");
        let section = |name: &str| config.and_then(|config| config.get(name));
        let text = |of: &Yaml, name: &str| self.text(of.get(name).context(name)?);
        let mut headers = Vec::new();
        for (name, value) in mapping(section("SecurityHeadersConfig")) {
            headers.push(match name {
                "ContentTypeOptions" => ("X-Content-Type-Options".into(), "nosniff".into()),
                "ContentSecurityPolicy" => ("Content-Security-Policy".into(), text(value, name)?),
                "StrictTransportSecurity" => (
                    "Strict-Transport-Security".into(),
                    format!("max-age={}", text(value, "AccessControlMaxAgeSec")?),
                ),
                _ => {
                    return Err(Failure::new(format!(
                        "{name} is not supported by the local stack"
                    )));
                }
            });
        }
        let custom = section("CustomHeadersConfig").and_then(|custom| custom.get("Items"));
        for item in custom.and_then(Yaml::as_sequence).into_iter().flatten() {
            headers.push((text(item, "Header")?, text(item, "Value")?));
        }
        Ok(headers)
    }

    fn queue(&self, name: String, resource: &Yaml) -> Result<Queue> {
        let mut attributes = BTreeMap::new();
        for (key, value) in mapping(resource.get("Properties")) {
            if !matches!(key, "QueueName" | "Tags") {
                attributes.insert(key.to_owned(), plain(self.value(value)?));
            }
        }
        Ok(Queue { name, attributes })
    }

    fn environment(&self, function: &Yaml) -> Result<BTreeMap<String, String>> {
        let globals = self.template.get("Globals").and_then(|globals| globals.get("Function"));
        let own = function.get("Properties");
        let mut variables = BTreeMap::new();
        for section in [globals, own] {
            let environment = section.and_then(|section| section.get("Environment"));
            for (name, value) in mapping(environment.and_then(|section| section.get("Variables"))) {
                variables.insert(name.to_owned(), self.text(value)?);
            }
        }
        Ok(variables)
    }

    /// Name of a resource: its own, or one generated from the stack's.
    fn name(&self, id: &str, resource: &Yaml) -> Result<String> {
        let given = match kind(resource) {
            "AWS::DynamoDB::Table" => "TableName",
            "AWS::SQS::Queue" => "QueueName",
            "AWS::S3::Bucket" => "BucketName",
            "AWS::KMS::Alias" => "AliasName",
            _ => "Name",
        };
        if let Some(given) = property(resource, given) {
            return self.text(given);
        }
        let name = format!("{}-{id}", self.deployment.stack);
        Ok(if kind(resource) == "AWS::S3::Bucket" { name.to_lowercase() } else { name })
    }

    fn text(&self, value: &Yaml) -> Result<String> {
        Ok(plain(self.value(value)?))
    }

    /// A value with its references resolved.
    fn value(&self, value: &Yaml) -> Result<Value> {
        match value {
            Yaml::Tagged(tagged) => self.call(&tagged.tag.to_string(), &tagged.value),
            Yaml::Sequence(items) => items.iter().map(|item| self.value(item)).collect(),
            Yaml::Mapping(map) => {
                let mut object = Map::new();
                for (key, value) in map {
                    object.insert(key.as_str().unwrap_or_default().to_owned(), self.value(value)?);
                }
                Ok(object.into())
            }
            scalar => serde_json::to_value(scalar).context("a value"),
        }
    }

    fn call(&self, function: &str, argument: &Yaml) -> Result<Value> {
        match (function, argument) {
            ("!Ref", Yaml::String(id)) => self.reference(id).map(Value::from),
            ("!Sub", Yaml::String(text)) => self.substitute(text, None).map(Value::from),
            ("!Sub", Yaml::Sequence(parts)) => match parts.as_slice() {
                [Yaml::String(text), names] => self.substitute(text, Some(names)).map(Value::from),
                _ => Err(Failure::new("unsupported form of !Sub")),
            },
            ("!GetAtt", Yaml::String(path)) => {
                let (id, attribute) =
                    path.split_once('.').context("!GetAtt without an attribute")?;
                self.attribute(id, attribute).map(Value::from)
            }
            ("!If", Yaml::Sequence(parts)) => match parts.as_slice() {
                [name, then, otherwise] => {
                    self.value(if self.condition(name)? { then } else { otherwise })
                }
                _ => Err(Failure::new("unsupported form of !If")),
            },
            ("!Join", Yaml::Sequence(parts)) => match parts.as_slice() {
                [Yaml::String(between), Yaml::Sequence(items)] => {
                    let items =
                        items.iter().map(|item| self.text(item)).collect::<Result<Vec<_>>>()?;
                    Ok(items.join(between).into())
                }
                _ => Err(Failure::new("unsupported form of !Join")),
            },
            ("!Split", Yaml::Sequence(parts)) => match parts.as_slice() {
                [Yaml::String(between), text] => {
                    let text = self.text(text)?;
                    Ok(text.split(between.as_str()).map(str::to_owned).collect())
                }
                _ => Err(Failure::new("unsupported form of !Split")),
            },
            ("!Select", Yaml::Sequence(parts)) => match parts.as_slice() {
                [Yaml::Number(index), list] => {
                    let index = index.as_u64().and_then(|index| usize::try_from(index).ok());
                    let (index, list) =
                        (index.context("!Select without a place")?, self.value(list)?);
                    list.get(index).cloned().context("!Select of a part that a list does not have")
                }
                _ => Err(Failure::new("unsupported form of !Select")),
            },
            _ => Err(Failure::new(format!("{function} is not supported by the local stack"))),
        }
    }

    /// Whether a condition of the template is true.
    fn condition(&self, name: &Yaml) -> Result<bool> {
        let name = name.as_str().context("a condition without a name")?;
        let conditions = self.template.get("Conditions");
        let condition = conditions.and_then(|all| all.get(name));
        self.is_true(condition.context(format_args!("there is no condition {name}"))?)
            .context(format_args!("condition {name}"))
    }

    fn is_true(&self, condition: &Yaml) -> Result<bool> {
        let Yaml::Tagged(tagged) = condition else {
            return Err(Failure::new("a condition without a function"));
        };
        let parts = tagged.value.as_sequence().map(Vec::as_slice).unwrap_or_default();
        match (tagged.tag.to_string().as_str(), parts) {
            ("!Equals", [one, other]) => Ok(self.text(one)? == self.text(other)?),
            ("!Not", [part]) => Ok(!self.is_true(part)?),
            ("!And", parts) => {
                let all = parts.iter().map(|part| self.is_true(part));
                Ok(all.collect::<Result<Vec<_>>>()?.into_iter().all(|is_true| is_true))
            }
            ("!Condition", []) => self.condition(&tagged.value),
            (function, _) => {
                Err(Failure::new(format!("{function} is not supported by the local stack")))
            }
        }
    }

    fn reference(&self, id: &str) -> Result<String> {
        match id {
            "AWS::StackName" => return Ok(self.deployment.stack.clone()),
            "AWS::Region" => return Ok(REGION.to_owned()),
            "AWS::AccountId" => return Ok(ACCOUNT.to_owned()),
            "AWS::Partition" => return Ok("aws".to_owned()),
            "AWS::URLSuffix" => return Ok("amazonaws.com".to_owned()),
            _ => {}
        }
        if let Some(parameter) = self.template.get("Parameters").and_then(|all| all.get(id)) {
            let value = self.deployment.parameters.get(id).cloned().map(Value::from);
            let value = match (value, parameter.get("Default")) {
                (Some(value), _) => value,
                (None, Some(default)) => self.value(default)?,
                (None, None) => return Err(Failure::new(format!("parameter {id} has no value"))),
            };
            return Ok(plain(value));
        }
        let name = self.name(id, self.resource(id)?)?;
        Ok(match kind(self.resource(id)?) {
            "AWS::SQS::Queue" => format!("{}/{ACCOUNT}/{name}", self.deployment.queue_url),
            _ => name,
        })
    }

    fn attribute(&self, id: &str, attribute: &str) -> Result<String> {
        let resource = self.resource(id)?;
        let name = self.name(id, resource)?;
        match (kind(resource), attribute) {
            ("AWS::SQS::Queue", "Arn") => Ok(format!("arn:aws:sqs:{REGION}:{ACCOUNT}:{name}")),
            ("AWS::DynamoDB::Table", "Arn") => {
                Ok(format!("arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/{name}"))
            }
            ("AWS::S3::Bucket", "Arn") => Ok(format!("arn:aws:s3:::{name}")),
            ("AWS::S3::Bucket", "RegionalDomainName") => {
                Ok(format!("{name}.s3.{REGION}.amazonaws.com"))
            }
            // The stack decides where it serves this.
            ("AWS::CloudFront::Distribution", "DomainName") => Ok(format!("{name}.localhost")),
            (_, "QueueName") => Ok(name),
            (_, "QueueUrl") => self.reference(id),
            (kind, _) => Err(Failure::new(format!(
                "{attribute} of a {kind} is not supported by the local stack"
            ))),
        }
    }

    fn resource(&self, id: &str) -> Result<&Yaml> {
        let resources = self.template.get("Resources");
        resources.and_then(|all| all.get(id)).context(format_args!("there is no {id}"))
    }

    /// Replaces `${Name}` and `${Name.Attribute}`; `${!Name}` becomes `${Name}`.
    fn substitute(&self, text: &str, names: Option<&Yaml>) -> Result<String> {
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${") {
            let (name, after) = after.split_once('}').context("!Sub with an open brace")?;
            filled.push_str(before);
            if let Some(literal) = name.strip_prefix('!') {
                filled.push_str(&format!("${{{literal}}}"));
            } else if let Some(value) = names.and_then(|names| names.get(name)) {
                filled.push_str(&self.text(value)?);
            } else if let Some((id, attribute)) = name.split_once('.') {
                filled.push_str(&self.attribute(id, attribute)?);
            } else {
                filled.push_str(&self.reference(name)?);
            }
            rest = after;
        }
        filled.push_str(rest);
        Ok(filled)
    }
}

fn kind(resource: &Yaml) -> &str {
    resource.get("Type").and_then(Yaml::as_str).unwrap_or_default()
}

fn property<'a>(resource: &'a Yaml, name: &str) -> Option<&'a Yaml> {
    resource.get("Properties")?.get(name)
}

fn mapping(value: Option<&Yaml>) -> impl Iterator<Item = (&str, &Yaml)> {
    let entries = value.and_then(Yaml::as_mapping).into_iter().flatten();
    entries.filter_map(|(key, value)| Some((key.as_str()?, value)))
}

/// A value as attributes and environment variables hold it: as a string.
fn plain(value: Value) -> String {
    match value {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
pub(crate) mod tests {
    use super::*;
    use crate::stack::parameters::local_parameters;

    pub(crate) const FIXTURE: &str = r#"
Parameters:
  Colour: { Type: String, Default: blue }
  Size: { Type: Number, Default: 7 }
  Name: { Type: String }
  Pair: { Type: String, Default: "10,200" }
Conditions:
  IsBlue: !Equals [!Ref Colour, blue]
  IsBig: !Not [!Equals [!Ref Size, 7]]
  IsBoth: !And [!Condition IsBlue, !Condition IsBig]
Globals:
  Function:
    Environment:
      Variables: { COLOUR: !Ref Colour, SIZE: !Ref Size, TABLE: !Ref Things }
Resources:
  Things:
    Type: AWS::DynamoDB::Table
    Properties:
      BillingMode: PAY_PER_REQUEST
      AttributeDefinitions: [{ AttributeName: pk, AttributeType: S }]
      KeySchema: [{ AttributeName: pk, KeyType: HASH }]
      StreamSpecification: { StreamViewType: KEYS_ONLY }
      TimeToLiveSpecification: { AttributeName: expiresAt, Enabled: true }
  Jobs:
    Type: AWS::SQS::Queue
    Properties:
      VisibilityTimeout: 60
      RedrivePolicy: { deadLetterTargetArn: !GetAtt Failed.Arn, maxReceiveCount: 3 }
  Failed:
    Type: AWS::SQS::Queue
    Properties: { QueueName: !Sub "${AWS::StackName}-dead", MessageRetentionPeriod: 1209600 }
  Files:
    Type: AWS::S3::Bucket
    Condition: IsBlue
  MoreFiles:
    Type: AWS::S3::Bucket
    Condition: IsBoth
  Headers:
    Type: AWS::CloudFront::ResponseHeadersPolicy
    Properties:
      ResponseHeadersPolicyConfig:
        SecurityHeadersConfig:
          ContentTypeOptions: { Override: true }
          ContentSecurityPolicy: { ContentSecurityPolicy: sandbox, Override: true }
          StrictTransportSecurity: { AccessControlMaxAgeSec: 60, Override: true }
        CustomHeadersConfig:
          Items: [{ Header: X-Colour, Value: !Ref Colour, Override: true }]
  Faces:
    Type: AWS::CloudFront::Distribution
    Properties:
      DistributionConfig:
        Origins: [{ Id: files, DomainName: !GetAtt Files.RegionalDomainName }]
        DefaultCacheBehavior: { AllowedMethods: [GET], ResponseHeadersPolicyId: !Ref Headers }
  Worker:
    Type: AWS::Serverless::Function
    Properties:
      Environment:
        Variables:
          COLOUR: red
          QUEUE: !Ref Jobs
          TEXT: !Sub ["${Failed.QueueName} ${Who} ${!Kept} ${Size}", { Who: !Ref Name }]
          LIST: !Join [",", [!Ref Files, b]]
          PART: !Select [1, !Split [",", !Ref Pair]]
          MOOD: !If [IsBig, !Ref Missing, !Sub "${Colour}, not red"]
"#;

    fn deployment() -> Deployment {
        Deployment {
            stack: "World".into(),
            parameters: [("Name".into(), "me".into())].into(),
            queue_url: "http://queues".into(),
        }
    }

    #[test]
    fn names_attributes_and_variables_are_resolved() {
        let found = read(FIXTURE, &deployment()).unwrap();
        assert_eq!(found.tables[0].name, "World-Things");
        assert_eq!(found.tables[0].create["KeySchema"][0]["KeyType"], "HASH");
        assert_eq!(found.tables[0].create["StreamSpecification"]["StreamEnabled"], true);
        assert_eq!(found.buckets, ["world-files"]);
        assert_eq!(
            found.queues.iter().map(|q| q.name.as_str()).collect::<Vec<_>>(),
            ["World-dead", "World-Jobs"]
        );
        assert_eq!(found.queues[1].attributes["VisibilityTimeout"], "60");
        let redrive: Value =
            serde_json::from_str(&found.queues[1].attributes["RedrivePolicy"]).unwrap();
        assert_eq!(
            redrive["deadLetterTargetArn"],
            format!("arn:aws:sqs:{REGION}:{ACCOUNT}:World-dead")
        );
        let worker = &found.functions["Worker"];
        assert_eq!(worker["COLOUR"], "red");
        assert_eq!(worker["SIZE"], "7");
        assert_eq!(worker["TABLE"], "World-Things");
        assert_eq!(worker["QUEUE"], format!("http://queues/{ACCOUNT}/World-Jobs"));
        assert_eq!(worker["TEXT"], "World-dead me ${Kept} 7");
        assert_eq!(worker["LIST"], "world-files,b");
        assert_eq!(worker["PART"], "200");
        assert_eq!(worker["MOOD"], "blue, not red");
        let headers = [
            ("X-Content-Type-Options", "nosniff"),
            ("Content-Security-Policy", "sandbox"),
            ("Strict-Transport-Security", "max-age=60"),
            ("X-Colour", "blue"),
        ];
        let distribution = Distribution {
            bucket: "world-files".into(),
            methods: vec!["GET".into()],
            headers: headers.map(|(name, value)| (name.into(), value.into())).into(),
        };
        assert_eq!(found.distributions, [distribution]);
    }

    #[test]
    fn a_resource_exists_if_its_condition_is_true() {
        let with = |colour: &str, size: &str| {
            let mut deployment = deployment();
            for (name, value) in [("Colour", colour), ("Size", size)] {
                deployment.parameters.insert(name.into(), value.into());
            }
            read(&FIXTURE.replace("!Ref Missing", "small"), &deployment).unwrap().buckets
        };
        assert_eq!(with("blue", "7"), ["world-files"]);
        assert_eq!(with("blue", "8"), ["world-files", "world-morefiles"]);
        assert!(with("red", "8").is_empty());
    }

    #[test]
    fn unsupported_features_are_named() {
        let no_name = Deployment { parameters: BTreeMap::new(), ..deployment() };
        let error = read(FIXTURE, &no_name).unwrap_err().to_string();
        assert!(
            error.contains("Worker") && error.contains("parameter Name has no value"),
            "{error}"
        );
        let text = FIXTURE.replace("!Ref Files", "!FindInMap [a, b, c]");
        let error = read(&text, &deployment()).unwrap_err().to_string();
        assert!(error.contains("!FindInMap"), "{error}");
        let text = FIXTURE.replace("!Select [1,", "!Select [2,");
        let error = read(&text, &deployment()).unwrap_err().to_string();
        assert!(error.contains("Worker") && error.contains("!Select"), "{error}");
        let text = FIXTURE.replace("ContentTypeOptions", "XSSProtection");
        let error = read(&text, &deployment()).unwrap_err().to_string();
        assert!(error.contains("Faces") && error.contains("XSSProtection"), "{error}");
    }

    #[test]
    fn the_real_template_is_read() {
        let deployment = Deployment { parameters: local_parameters(), ..deployment() };
        let found = resources(&deployment).unwrap();
        assert_eq!(found.tables.len(), 3);
        assert_eq!(found.secrets.len(), 1);
        // Local keys are like those of a deployment, whose ids begin with `mrk-`.
        assert!(found.keys.iter().all(|key| key.create["MultiRegion"] == true));
        assert!(found.functions.len() >= 3);
    }
}
