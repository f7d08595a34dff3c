//! Names of files in the folder of their account.

use std::{fmt, str::FromStr};

use shared::{as_text, models::account::AccountId};
use uuid::Uuid;

use crate::media_type::MediaType;

/// The name of a file in the folder of its account, which is the last part of its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MediaName {
    id: Uuid,
    media_type: MediaType,
}

impl MediaName {
    /// The name of a new file.
    pub const fn new(id: Uuid, media_type: MediaType) -> Self {
        Self { id, media_type }
    }

    /// The key of the account's file of this name. Clients do not choose names, and so no keys.
    pub fn key(self, owner: AccountId) -> String {
        format!("media/{}/{self}", owner.media_folder())
    }
}

impl fmt::Display for MediaName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.id, self.media_type.extension())
    }
}

impl FromStr for MediaName {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let name = text.rsplit_once('.').and_then(|(id, extension)| {
            let media_type = MediaType::of(text)?;
            let id = Uuid::try_parse(id).ok().filter(|_| id.len() == 36)?;
            extension
                .eq_ignore_ascii_case(media_type.extension())
                .then_some(Self::new(id, media_type))
        });
        name.ok_or("must be the last part of the key of a file")
    }
}

as_text!(
    MediaName,
    "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\\.([Pp][Nn][Gg]|[Jj][Pp][Gg]|[Gg][Ii][Ff]|[Ww][Ee][Bb][Pp]|[Aa][Vv][Ii][Ff])$",
    "018bcfe5-6800-7000-8000-000000000001.png"
);

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_an_id_and_an_extension_of_keys() {
        let text = "018bcfe5-6800-7000-8000-00000000000a.jpg";
        let name = text.parse::<MediaName>().unwrap();
        assert_eq!(name.to_string(), text);
        assert_eq!(text.to_ascii_uppercase().parse(), Ok(name));
        let owner = AccountId(Uuid::from_u128(1));
        assert_eq!(name.key(owner), format!("media/{}/{text}", owner.media_folder()));
        for wrong in [
            "",
            ".jpg",
            "a.jpg",
            "018bcfe5-6800-7000-8000-00000000000a",
            "018bcfe5-6800-7000-8000-00000000000a.",
            "018bcfe5-6800-7000-8000-00000000000a.jpeg",
            "018bcfe5-6800-7000-8000-00000000000a.svg",
            "018bcfe568007000800000000000000a.jpg",
            "018bcfe5-6800-7000-8000-00000000000a.png.jpg",
            "../018bcfe5-6800-7000-8000-00000000000a.jpg",
            " 018bcfe5-6800-7000-8000-00000000000a.jpg",
        ] {
            assert!(wrong.parse::<MediaName>().is_err(), "{wrong}");
        }
    }
}
