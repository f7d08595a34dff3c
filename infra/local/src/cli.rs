//! Command line of `runeport-local`.

use std::path::PathBuf;

use ops::options::{Options, UsageError};

use crate::base::failure::{Context, Failure, Result};

/// Output of `help`.
pub const USAGE: &str = "\
runeport-local, the local stack and development server

  dev [--port N] [--data DIR]         serves everything at http://127.0.0.1:N (default 9000; 0: a free port)
  watch [--port N]                    serves the real Lambda binaries with cargo lambda watch
  test                                runs all tests of the workspace, several programs at once
  with-services -- COMMAND ...        runs a command with the services that tests share
  openapi                             prints the OpenAPI document
  answers FOLDER                      adds the errors and examples that tests recorded in FOLDER to answers.json, examples.json and refusals.json
  reference                           writes the pages of docs/reference from the code
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
    /// All tests of the workspace.
    Test,
    /// A command that runs with the services that tests share.
    WithServices {
        /// Program to run.
        program: String,
        /// Its arguments.
        arguments: Vec<String>,
    },
    /// The OpenAPI document.
    OpenApi,
    /// The errors that tests recorded.
    Answers(PathBuf),
    /// The pages of `docs/reference`.
    Reference,
    /// Prints the list of these commands.
    Help,
}

impl Command {
    /// Parses the arguments after the program's name.
    ///
    /// # Errors
    /// One line that says what is wrong with them.
    pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Self> {
        let mut arguments = arguments.into_iter();
        let name = arguments.next().unwrap_or_else(|| "help".to_owned());
        if name == "with-services" {
            return with_services(arguments);
        }
        if name == "answers" {
            let folder = arguments.next().context("answers needs the folder of the records")?;
            return Ok(Self::Answers(folder.into()));
        }
        let mut options = Options::read(&name, arguments)?;
        let command = match name.as_str() {
            "dev" => Self::Dev {
                port: port(&mut options)?,
                data: options.take("--data").map(PathBuf::from),
            },
            "watch" => Self::Watch { port: port(&mut options)? },
            "test" => Self::Test,
            "openapi" => Self::OpenApi,
            "reference" => Self::Reference,
            "help" | "--help" | "-h" => Self::Help,
            _ => {
                return Err(Failure::new(format!(
                    "unknown command {name}; `runeport-local help` lists all commands"
                )));
            }
        };
        options.end()?;
        Ok(command)
    }
}

fn with_services(arguments: impl Iterator<Item = String>) -> Result<Command> {
    let mut arguments = arguments.peekable();
    arguments.next_if(|argument| argument == "--");
    let program = arguments.next().context("with-services needs a command")?;
    Ok(Command::WithServices { program, arguments: arguments.collect() })
}

impl From<UsageError> for Failure {
    fn from(error: UsageError) -> Self {
        Self::new(error.to_string())
    }
}

fn port(options: &mut Options) -> Result<u16> {
    match options.take("--port") {
        None => Ok(PORT),
        Some(text) => text.parse().ok().context(format_args!(
            "--port {text} is not a valid port: use 1 to 65535, or 0 for a free one"
        )),
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
        let arguments = vec!["test".to_owned(), "--workspace".to_owned()];
        let command = Command::WithServices { program: "cargo".into(), arguments };
        assert_eq!(parse("with-services -- cargo test --workspace").unwrap(), command);
        assert_eq!(parse("test").unwrap(), Command::Test);
        assert_eq!(parse("reference").unwrap(), Command::Reference);
        assert_eq!(parse("answers a").unwrap(), Command::Answers("a".into()));
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
            ("with-services --", "needs a command"),
            ("answers", "answers needs the folder"),
        ] {
            let error = parse(line).unwrap_err().to_string();
            assert!(error.contains(said) && !error.contains('\n'), "{line}: {error}");
        }
    }
}
