//! Command line of `runeport-local`.

use std::path::PathBuf;

use shared::{auth::operator::Order, models::account::Role};

use crate::failure::{Context, Failure, Result};

/// Output of `help`.
pub const USAGE: &str = "\
runeport-local, the local stack and development server

  dev [--port N] [--data DIR]         serves everything at http://127.0.0.1:N (default 9000; 0: a free port)
  watch [--port N]                    serves the real Lambda binaries with cargo lambda watch
  with-services -- COMMAND ...        runs a command with the services that tests share
  openapi                             prints the OpenAPI document
  reference                           writes the pages of docs/reference from the code

On the AWS account and the tables that the environment names:

  role --account ID|ADDRESS|EMAIL --role admin|user
  account --account ID|ADDRESS|EMAIL --do disable|enable|end-sessions|release-email
  rotate-keys [--revoke KID]          creates a new key that signs access tokens; revokes a leaked one
  rotate-data-key                     creates a new data key for encryption at rest
  tokens --file FILE                  adds tokens to the catalogue, or updates them
  stuck                               lists the rows that the chain watcher cannot take further
";

const PORT: u16 = 9000;

/// A parsed command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// The development server.
    Dev {
        /// Port; 0: a free one.
        port: u16,
        /// Folder that keeps the data.
        data: Option<PathBuf>,
    },
    /// The real Lambda binaries.
    Watch {
        /// Port; 0: a free one.
        port: u16,
    },
    /// A command that runs with the services that tests share.
    WithServices {
        /// Program to run.
        program: String,
        /// Its arguments.
        arguments: Vec<String>,
    },
    /// The OpenAPI document.
    OpenApi,
    /// The pages of `docs/reference`.
    Reference,
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
    },
    /// Creates a new signing key.
    RotateKeys {
        /// Id of a leaked key to revoke.
        revoke: Option<String>,
    },
    /// Creates a new data key.
    RotateDataKey,
    /// Adds tokens to the catalogue.
    Tokens {
        /// File with a JSON array of tokens.
        file: PathBuf,
    },
    /// Lists the rows that the chain watcher cannot take further.
    Stuck,
    /// Prints the list of these commands.
    Help,
}

impl Command {
    /// Parses the arguments after the program's name.
    ///
    /// # Errors
    /// They are invalid; the error is one line.
    pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Self> {
        let mut arguments = arguments.into_iter();
        let name = arguments.next().unwrap_or_else(|| "help".to_owned());
        if name == "with-services" {
            return with_services(arguments);
        }
        let mut options = Options::read(arguments)?;
        let command = match name.as_str() {
            "dev" => {
                Self::Dev { port: options.port()?, data: options.take("--data").map(PathBuf::from) }
            }
            "watch" => Self::Watch { port: options.port()? },
            "openapi" => Self::OpenApi,
            "reference" => Self::Reference,
            "role" => Self::Role {
                account: options.take("--account").context("role needs --account")?,
                role: options
                    .take("--role")
                    .context("role needs --role")?
                    .parse()
                    .context("--role")?,
            },
            "account" => Self::Account {
                account: options.take("--account").context("account needs --account")?,
                order: options
                    .take("--do")
                    .context("account needs --do")?
                    .parse()
                    .context("--do")?,
            },
            "rotate-keys" => Self::RotateKeys { revoke: options.take("--revoke") },
            "rotate-data-key" => Self::RotateDataKey,
            "tokens" => {
                Self::Tokens { file: options.take("--file").context("tokens needs --file")?.into() }
            }
            "stuck" => Self::Stuck,
            "help" | "--help" | "-h" => Self::Help,
            _ => {
                return Err(Failure::new(format!(
                    "unknown command {name}; `runeport-local help` lists all commands"
                )));
            }
        };
        options.end(&name)?;
        Ok(command)
    }
}

fn with_services(arguments: impl Iterator<Item = String>) -> Result<Command> {
    let mut arguments = arguments.peekable();
    arguments.next_if(|argument| argument == "--");
    let program = arguments.next().context("with-services needs a command")?;
    Ok(Command::WithServices { program, arguments: arguments.collect() })
}

/// Pairs of an option and its value.
struct Options(Vec<(String, String)>);

impl Options {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self> {
        let mut pairs: Vec<(String, String)> = Vec::new();
        while let Some(name) = arguments.next() {
            if !name.starts_with("--") {
                return Err(Failure::new(format!("unexpected argument {name}")));
            }
            if pairs.iter().any(|(earlier, _)| *earlier == name) {
                return Err(Failure::new(format!("{name} is given twice")));
            }
            let value = arguments.next().filter(|value| !value.is_empty());
            let value = value.context(format_args!("{name} needs a value"))?;
            pairs.push((name, value));
        }
        Ok(Self(pairs))
    }

    fn take(&mut self, name: &str) -> Option<String> {
        let at = self.0.iter().position(|(given, _)| given == name)?;
        Some(self.0.remove(at).1)
    }

    fn port(&mut self) -> Result<u16> {
        match self.take("--port") {
            None => Ok(PORT),
            Some(text) => text.parse().ok().context(format_args!(
                "--port {text} is not a valid port: use 1 to 65535, or 0 for a free one"
            )),
        }
    }

    fn end(self, command: &str) -> Result<()> {
        match self.0.first() {
            None => Ok(()),
            Some((name, _)) => Err(Failure::new(format!("{command} has no option {name}"))),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Command> {
        Command::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn commands_are_parsed() {
        assert_eq!(parse("dev").unwrap(), Command::Dev { port: 9000, data: None });
        let data = Some(PathBuf::from("d"));
        assert_eq!(parse("dev --data d --port 9100").unwrap(), Command::Dev { port: 9100, data });
        assert_eq!(parse("watch --port 1").unwrap(), Command::Watch { port: 1 });
        let role = Command::Role { account: "bc1q".into(), role: Role::Admin };
        assert_eq!(parse("role --role admin --account bc1q").unwrap(), role);
        let order = Command::Account { account: "a@b.example".into(), order: Order::EndSessions };
        assert_eq!(parse("account --account a@b.example --do end-sessions").unwrap(), order);
        assert_eq!(parse("rotate-keys").unwrap(), Command::RotateKeys { revoke: None });
        let revoke = Command::RotateKeys { revoke: Some("k".into()) };
        assert_eq!(parse("rotate-keys --revoke k").unwrap(), revoke);
        let tokens = Command::Tokens { file: "t.json".into() };
        assert_eq!(parse("tokens --file t.json").unwrap(), tokens);
        let arguments = vec!["test".to_owned(), "--workspace".to_owned()];
        let command = Command::WithServices { program: "cargo".into(), arguments };
        assert_eq!(parse("with-services -- cargo test --workspace").unwrap(), command);
        assert_eq!(parse("stuck").unwrap(), Command::Stuck);
        assert_eq!(parse("reference").unwrap(), Command::Reference);
        assert_eq!(parse("").unwrap(), Command::Help);
    }

    #[test]
    fn invalid_commands_are_reported_in_one_line() {
        for (line, said) in [
            ("dance", "unknown command dance"),
            ("dev --port", "--port needs a value"),
            ("dev --port -1", "--port -1 is not a valid port"),
            ("dev --port 65536", "--port 65536 is not a valid port"),
            ("dev --port 1 --port 2", "twice"),
            ("dev 9000", "unexpected argument 9000"),
            ("watch --data d", "watch has no option --data"),
            ("role --account a", "role needs --role"),
            ("account --account a", "account needs --do"),
            ("account --account a --do away", "must be disable, enable, end-sessions"),
            ("tokens", "tokens needs --file"),
            ("role --account a --role king", "must be user or admin"),
            ("with-services --", "needs a command"),
        ] {
            let error = parse(line).unwrap_err().to_string();
            assert!(error.contains(said) && !error.contains('\n'), "{line}: {error}");
        }
    }
}
