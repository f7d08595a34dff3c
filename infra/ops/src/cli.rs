//! Command line of `runeport-ops`.

use std::{collections::BTreeSet, path::PathBuf, str::FromStr};

use bitcoin::FeeRate;
use shared::models::{account::Role, bitcoin::RuneName};

use crate::{
    accounts::Order,
    options::{Options, UsageError},
};

/// Output of `help`.
pub const USAGE: &str = "\
runeport-ops, the operators' commands, on the AWS account and the tables that the environment names

  role --account ID|ADDRESS|EMAIL --role admin|user
  account --account ID|ADDRESS|EMAIL --do disable|enable|end-sessions|release-email|delete-media
    [--file NAME]                     of delete-media: one file instead of all
  rotate-keys [--revoke KID]          creates a new key that signs access tokens; revokes a leaked one
  rotate-data-key                     creates new data keys for encryption at rest
  tokens --file FILE                  adds tokens to the catalogue, or updates them
  stuck                               lists the rows that the chain watcher cannot take further
  pool [--to ADDRESS] [--keep RUNE,RUNE] [--also RUNE,RUNE] [--most-rate N] [--most N] [--do order]
                                      lists what lies on the pools, and what a clean-up would merge, and sweep to
                                      ADDRESS, at N sat/vB or less (5), in N transactions or fewer (10); orders it
";

/// A parsed command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Sets the role of an account.
    Role {
        /// Id or address of the account.
        account: String,
        /// The new role.
        role: Role,
    },
    /// Changes an account.
    Account {
        /// Id or address of the account.
        account: String,
        /// What to change.
        order: Order,
        /// The one file to delete, of [`Order::DeleteMedia`].
        file: Option<String>,
    },
    /// Creates a new signing key.
    RotateKeys {
        /// Id of a leaked key to revoke.
        revoke: Option<String>,
    },
    /// Creates new data keys.
    RotateDataKey,
    /// Adds tokens to the catalogue.
    Tokens {
        /// File with a JSON array of tokens.
        file: PathBuf,
    },
    /// Lists the rows that the chain watcher cannot take further.
    Stuck,
    /// Lists what lies on the pools of mints, and cleans them up.
    Pool(PoolCommand),
    /// Prints the list of these commands.
    Help,
}

impl Command {
    /// Parses the arguments after the program's name.
    ///
    /// # Errors
    /// [`UsageError`] with one line that says what is wrong with them.
    pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Self, UsageError> {
        let mut arguments = arguments.into_iter();
        let name = arguments.next().unwrap_or_else(|| "help".to_owned());
        let mut options = Options::read(&name, arguments)?;
        let command = match name.as_str() {
            "role" => Self::Role {
                account: options.require("--account")?,
                role: parsed("--role", &options.require("--role")?)?,
            },
            "account" => {
                let order: Order = parsed("--do", &options.require("--do")?)?;
                let file = match order {
                    Order::DeleteMedia => options.take("--file"),
                    _ => None,
                };
                Self::Account { account: options.require("--account")?, order, file }
            }
            "rotate-keys" => Self::RotateKeys { revoke: options.take("--revoke") },
            "rotate-data-key" => Self::RotateDataKey,
            "tokens" => Self::Tokens { file: options.require("--file")?.into() },
            "stuck" => Self::Stuck,
            "pool" => Self::Pool(PoolCommand::read(&mut options)?),
            "help" | "--help" | "-h" => Self::Help,
            _ => {
                return Err(UsageError(format!(
                    "unknown command {name}; `runeport-ops help` lists all commands"
                )));
            }
        };
        options.end()?;
        Ok(command)
    }
}

/// What to do about the pools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolCommand {
    /// The address that receives the runes without a mint.
    pub to: Option<String>,
    /// Runes that stay in the pool, although they never had a mint.
    pub keep: BTreeSet<RuneName>,
    /// Runes of finished mints that leave the pool as well.
    pub also: BTreeSet<RuneName>,
    /// The highest fee rate.
    pub highest_rate: FeeRate,
    /// Most transactions for each pool.
    pub most: usize,
    /// Whether to order the clean-ups, not only to show them.
    pub orders: bool,
}

/// The highest fee rate unless another one is given, in sat/vB, and the most transactions.
const HIGHEST_RATE: u32 = 5;
const MOST: usize = 10;

impl PoolCommand {
    fn read(options: &mut Options) -> Result<Self, UsageError> {
        let highest_rate = number(options, "--most-rate")?.unwrap_or(HIGHEST_RATE);
        let orders = match options.take("--do").as_deref() {
            None => false,
            Some("order") => true,
            Some(_) => return Err(UsageError("--do: must be order".to_owned())),
        };
        Ok(Self {
            to: options.take("--to"),
            keep: runes(options, "--keep")?,
            also: runes(options, "--also")?,
            highest_rate: FeeRate::from_sat_per_vb_u32(highest_rate),
            most: number(options, "--most")?.unwrap_or(MOST),
            orders,
        })
    }
}

fn runes(options: &mut Options, option: &str) -> Result<BTreeSet<RuneName>, UsageError> {
    let named = options.take(option).unwrap_or_default();
    let names = named.split(',').filter(|name| !name.is_empty());
    let no_name = |name: &str| UsageError(format!("{option}: {name} is no name of a rune"));
    names.map(|name| name.parse().map_err(|_| no_name(name))).collect()
}

fn number<T: FromStr>(options: &mut Options, name: &str) -> Result<Option<T>, UsageError> {
    let wrong = || UsageError(format!("{name} must be a whole number"));
    options.take(name).map(|text| text.parse::<T>().map_err(|_| wrong())).transpose()
}

fn parsed<T: FromStr<Err = &'static str>>(option: &str, text: &str) -> Result<T, UsageError> {
    text.parse().map_err(|error| UsageError(format!("{option}: {error}")))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Command, UsageError> {
        Command::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn commands_are_parsed() {
        let role = Command::Role { account: "bc1q".into(), role: Role::Admin };
        assert_eq!(parse("role --role admin --account bc1q").unwrap(), role);
        let change = |order, file: Option<&str>| Command::Account {
            account: "a@b.example".into(),
            order,
            file: file.map(str::to_owned),
        };
        let to = |what| parse(&format!("account --account a@b.example --do {what}"));
        assert_eq!(to("end-sessions").unwrap(), change(Order::EndSessions, None));
        assert_eq!(to("delete-media").unwrap(), change(Order::DeleteMedia, None));
        let file = change(Order::DeleteMedia, Some("a.png"));
        assert_eq!(to("delete-media --file a.png").unwrap(), file);
        assert!(to("disable --file a.png").is_err());
        assert_eq!(parse("rotate-keys").unwrap(), Command::RotateKeys { revoke: None });
        let revoke = Command::RotateKeys { revoke: Some("k".into()) };
        assert_eq!(parse("rotate-keys --revoke k").unwrap(), revoke);
        assert_eq!(parse("rotate-data-key").unwrap(), Command::RotateDataKey);
        let tokens = Command::Tokens { file: "t.json".into() };
        assert_eq!(parse("tokens --file t.json").unwrap(), tokens);
        assert_eq!(parse("stuck").unwrap(), Command::Stuck);
        let pool = PoolCommand {
            to: None,
            keep: BTreeSet::new(),
            also: BTreeSet::new(),
            highest_rate: FeeRate::from_sat_per_vb_u32(5),
            most: 10,
            orders: false,
        };
        assert_eq!(parse("pool").unwrap(), Command::Pool(pool.clone()));
        let pool = PoolCommand {
            to: Some("bc1q".into()),
            keep: ["UNCOMMON•GOODS", "DOG•GO•TO•THE•MOON"].map(|name| name.parse().unwrap()).into(),
            also: ["OVER•AND•DONE".parse().unwrap()].into(),
            highest_rate: FeeRate::from_sat_per_vb_u32(2),
            most: 3,
            orders: true,
        };
        let line = "pool --to bc1q --keep UNCOMMON•GOODS,DOG•GO•TO•THE•MOON --also OVER•AND•DONE --most-rate 2 --most 3 --do order";
        assert_eq!(parse(line).unwrap(), Command::Pool(pool));
        assert_eq!(parse("").unwrap(), Command::Help);
    }

    #[test]
    fn invalid_commands_are_reported_in_one_line() {
        for (line, said) in [
            ("dance", "unknown command dance"),
            ("stuck 9000", "unexpected argument 9000"),
            ("rotate-keys --revoke", "--revoke needs a value"),
            ("rotate-keys --revoke a --revoke b", "twice"),
            ("stuck --account a", "stuck has no option --account"),
            ("role --account a", "role needs --role"),
            ("account --account a", "account needs --do"),
            ("account --account a --do away", "must be disable, enable, end-sessions"),
            ("tokens", "tokens needs --file"),
            ("pool --do sweep", "must be order"),
            ("pool --most many", "--most must be a whole number"),
            ("pool --keep lower", "lower is no name of a rune"),
            ("role --account a --role king", "must be user or admin"),
        ] {
            let error = parse(line).unwrap_err().to_string();
            assert!(error.contains(said) && !error.contains('\n'), "{line}: {error}");
        }
    }
}
