//! Settings: environment variables, declared by section next to the code that uses them.

use std::{fmt, str::FromStr};

use http::HeaderValue;
use secrecy::SecretString;

/// One environment variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Its name.
    pub name: &'static str,
    /// What it is, for the table of settings.
    pub meaning: &'static str,
    /// What holds when it is not set; `None`: it must be set.
    pub default: Option<&'static str>,
}

/// What is read together from settings. A tuple of sections is a section.
pub trait Section: Sized {
    /// The settings that it reads.
    fn settings() -> Vec<Setting>;

    /// Reads them; `None` if the reader has noted a problem.
    fn read(reader: &mut Reader<'_>) -> Option<Self>;
}

/// Declares a section: a struct whose fields are settings. The text of a field is the setting's meaning,
/// `or` precedes the default, and `via` the parser, which is otherwise that of [`FromStr`].
#[macro_export]
macro_rules! section {
    (
        $(#[$about:meta])*
        $visible:vis struct $section:ident {
            $($(#[doc = $meaning:literal])+
            $shown:vis $field:ident: $type:ty = $name:literal $(or $default:literal)? $(via $parser:path)?),+ $(,)?
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug)]
        $visible struct $section {
            $($(#[doc = $meaning])+ $shown $field: $type),+
        }

        impl $crate::settings::Section for $section {
            fn settings() -> Vec<$crate::settings::Setting> {
                vec![$($crate::section!(@setting $name [$($meaning),+] [$($default)?])),+]
            }

            fn read(reader: &mut $crate::settings::Reader<'_>) -> Option<Self> {
                $(let $field: Option<$type> = reader.parsed(
                    $crate::section!(@setting $name [$($meaning),+] [$($default)?]),
                    $crate::section!(@parser $($parser)?),
                );)+
                Some(Self { $($field: $field?),+ })
            }
        }
    };
    (@setting $name:literal [$($meaning:literal),+] [$($default:literal)?]) => {
        $crate::settings::Setting {
            name: $name,
            meaning: concat!($($meaning),+),
            default: { let given: &[&'static str] = &[$($default)?]; given.first().copied() },
        }
    };
    (@parser) => { ::std::str::FromStr::from_str };
    (@parser $parser:path) => { $parser };
}

macro_rules! tuples {
    ($(($($section:ident),+)),+ $(,)?) => {
        $(impl<$($section: Section),+> Section for ($($section,)+) {
            fn settings() -> Vec<Setting> {
                let mut settings = Vec::new();
                $(settings.extend($section::settings());)+
                settings
            }

            #[allow(non_snake_case)]
            fn read(reader: &mut Reader<'_>) -> Option<Self> {
                // All of them, so that every problem is noted.
                $(let $section = $section::read(reader);)+
                Some(($($section?,)+))
            }
        })+
    };
}

tuples! { (A, B), (A, B, C), (A, B, C, D), (A, B, C, D, E), (A, B, C, D, E, F), (A, B, C, D, E, F, G), (A, B, C, D, E, F, G, H) }

/// Every setting that is missing or wrong, in one line.
#[derive(Debug, thiserror::Error)]
#[error("configuration: {}", .0.join("; "))]
pub struct ConfigError(Vec<String>);

/// Reads a section from `lookup`.
///
/// # Errors
/// [`ConfigError`] naming every setting that is missing or wrong.
pub fn read<S: Section>(lookup: impl Fn(&str) -> Option<String>) -> Result<S, ConfigError> {
    let mut reader = Reader { lookup: &lookup, problems: Vec::new() };
    let section = S::read(&mut reader);
    section.filter(|_| reader.problems.is_empty()).ok_or(ConfigError(reader.problems))
}

/// Reads a section from the process's environment.
///
/// # Errors
/// As [`read`].
pub fn from_env<S: Section>() -> Result<S, ConfigError> {
    read(|name| std::env::var(name).ok())
}

/// Reads settings, and notes what is missing or wrong.
pub struct Reader<'a> {
    lookup: &'a dyn Fn(&str) -> Option<String>,
    problems: Vec<String>,
}

impl Reader<'_> {
    /// The text of a setting as it is set, for rules between settings.
    pub fn text(&self, name: &str) -> Option<String> {
        (self.lookup)(name).filter(|value| !value.is_empty())
    }

    /// A setting's value, or its default's; `None` if it is missing or wrong.
    pub fn parsed<T, E: fmt::Display>(
        &mut self,
        setting: Setting,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        match self.text(setting.name).or(setting.default.map(str::to_owned)) {
            Some(text) => self.checked(setting.name, parse(&text)),
            None => {
                self.note(format!("{} is not set", setting.name));
                None
            }
        }
    }

    /// A value that was parsed or checked, or `None` with the problem noted.
    pub fn checked<T, E: fmt::Display>(&mut self, name: &str, value: Result<T, E>) -> Option<T> {
        value.map_err(|error| self.note(format!("{name}: {error}"))).ok()
    }

    /// Two sections may read the same setting.
    fn note(&mut self, problem: String) {
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }
}

/// Reads a value that may be left empty.
pub fn optional<T: FromStr>(text: &str) -> Result<Option<T>, T::Err> {
    if text.is_empty() { Ok(None) } else { text.parse().map(Some) }
}

/// Reads a base address; a slash at its end is dropped.
pub fn base_url(text: &str) -> Result<String, std::convert::Infallible> {
    Ok(text.trim_end_matches('/').to_owned())
}

/// Reads a base address that may be left empty; a slash at its end is dropped.
pub fn optional_base_url(text: &str) -> Result<Option<String>, std::convert::Infallible> {
    if text.is_empty() { Ok(None) } else { base_url(text).map(Some) }
}

/// Reads what is not to be printed.
pub fn secret(text: &str) -> Result<SecretString, std::convert::Infallible> {
    Ok(text.into())
}

/// Reads what is not to be printed, and may be left empty.
pub fn optional_secret(text: &str) -> Result<Option<SecretString>, std::convert::Infallible> {
    Ok(Some(text).filter(|text| !text.is_empty()).map(SecretString::from))
}

/// Reads `yes` or `no`.
///
/// # Errors
/// A text for the operator if the setting is neither.
pub fn yes_or_no(text: &str) -> Result<bool, &'static str> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("must be yes or no"),
    }
}

/// Reads origins, comma separated.
///
/// # Errors
/// A text for the operator that names the first entry that is not an origin.
pub fn origins(text: &str) -> Result<Vec<HeaderValue>, String> {
    text.split(',')
        .map(str::trim)
        .filter(|origin| !origin.is_empty())
        .map(|origin| {
            let parsed = origin.parse::<http::Uri>().ok().filter(|uri| {
                uri.scheme().is_some() && uri.authority().is_some() && !origin.ends_with('/')
            });
            parsed
                .and_then(|_| HeaderValue::from_str(origin).ok())
                .ok_or_else(|| format!("{origin} is not an origin such as https://app.example"))
        })
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use secrecy::ExposeSecret;

    use super::*;

    section! {
        /// One section.
        struct One {
            /// A name
            name: String = "NAME",
            /// A number
            number: u8 = "NUMBER" or "7",
        }
    }

    section! {
        /// Another section, which shares a setting with the first.
        struct Other {
            /// A name
            name: String = "NAME",
            /// May be empty
            nothing: Option<u8> = "NOTHING" or "" via optional,
            /// A secret
            hidden: SecretString = "HIDDEN" via secret,
        }
    }

    fn read_from<S: Section>(set: &[(&str, &str)]) -> Result<S, ConfigError> {
        read(|name| set.iter().find(|(of, _)| *of == name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn what_is_not_set_has_its_default() {
        let (one, other) =
            read_from::<(One, Other)>(&[("NAME", "x"), ("HIDDEN", "hush"), ("NUMBER", "")])
                .unwrap();
        assert_eq!((one.name, one.number), ("x".to_owned(), 7));
        assert_eq!((other.name.as_str(), other.nothing), ("x", None));
        assert_eq!(other.hidden.expose_secret(), "hush");
        assert!(!format!("{other:?}").contains("hush"));
    }

    #[test]
    fn every_problem_of_all_sections_is_named_once_in_one_line() {
        let error =
            read_from::<(One, Other)>(&[("NUMBER", "300"), ("NOTHING", "-"), ("HIDDEN", "")]);
        assert_eq!(
            error.unwrap_err().to_string(),
            "configuration: NAME is not set; NUMBER: number too large to fit in target type; \
             NOTHING: invalid digit found in string; HIDDEN is not set"
        );
    }

    #[test]
    fn a_tuple_has_the_settings_of_its_sections() {
        let names = <(One, Other)>::settings().into_iter().map(|setting| setting.name);
        assert_eq!(names.collect::<Vec<_>>(), ["NAME", "NUMBER", "NAME", "NOTHING", "HIDDEN"]);
        let [name, number] = One::settings().try_into().unwrap();
        assert_eq!((name.default, number.default), (None, Some("7")));
        assert_eq!(name.meaning.trim(), "A name");
    }

    #[test]
    fn an_empty_address_is_none() {
        assert_eq!(optional_base_url(""), Ok(None));
        assert_eq!(optional_base_url("https://media/"), Ok(Some("https://media".to_owned())));
    }

    #[test]
    fn origins_have_a_scheme_and_no_path() {
        assert_eq!(origins("https://app.example, http://localhost:5173").unwrap().len(), 2);
        assert!(origins("").unwrap().is_empty());
        for text in ["*", "https://app.example/", "app.example"] {
            assert!(origins(text).is_err(), "{text}");
        }
    }
}
