//! Options of a command line: pairs of a name and a value.

/// Why a command line was refused; one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(pub String);

/// The options of a command line that no command has taken yet.
#[derive(Debug)]
pub struct Options {
    command: String,
    pairs: Vec<(String, String)>,
}

impl Options {
    /// Reads the arguments that follow the name of a command.
    ///
    /// # Errors
    /// [`UsageError`] if an option is not of the form `--name value`, or is given twice.
    pub fn read(
        command: &str,
        mut arguments: impl Iterator<Item = String>,
    ) -> Result<Self, UsageError> {
        let mut pairs: Vec<(String, String)> = Vec::new();
        while let Some(name) = arguments.next() {
            if !name.starts_with("--") {
                return Err(UsageError(format!("unexpected argument {name}")));
            }
            if pairs.iter().any(|(earlier, _)| *earlier == name) {
                return Err(UsageError(format!("{name} is given twice")));
            }
            let value = arguments.next().filter(|value| !value.is_empty());
            let value = value.ok_or_else(|| UsageError(format!("{name} needs a value")))?;
            pairs.push((name, value));
        }
        Ok(Self { command: command.to_owned(), pairs })
    }

    /// Takes the value of an option, if it is given.
    pub fn take(&mut self, name: &str) -> Option<String> {
        let at = self.pairs.iter().position(|(given, _)| given == name)?;
        Some(self.pairs.remove(at).1)
    }

    /// Takes the value of an option that the command needs.
    ///
    /// # Errors
    /// [`UsageError`] if it is missing.
    pub fn require(&mut self, name: &str) -> Result<String, UsageError> {
        let missing = format!("{} needs {name}", self.command);
        self.take(name).ok_or(UsageError(missing))
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// [`UsageError`] if an option is left that the command does not have.
    pub fn end(self) -> Result<(), UsageError> {
        match self.pairs.first() {
            None => Ok(()),
            Some((name, _)) => Err(UsageError(format!("{} has no option {name}", self.command))),
        }
    }
}
