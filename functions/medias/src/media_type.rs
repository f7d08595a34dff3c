//! Media types that may be uploaded.

/// An image type. SVG is excluded because it can contain scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MediaType {
    /// PNG.
    Png,
    /// JPEG.
    Jpeg,
    /// GIF.
    Gif,
    /// WebP.
    Webp,
    /// AVIF.
    Avif,
}

impl MediaType {
    /// The type that a file name claims: by the extension after its last dot, case-insensitive.
    pub fn of(file_name: &str) -> Option<Self> {
        let (_, extension) = file_name.rsplit_once('.')?;
        match extension.to_ascii_lowercase().as_str() {
            "png" => Some(Self::Png),
            "jpg" | "jpeg" => Some(Self::Jpeg),
            "gif" => Some(Self::Gif),
            "webp" => Some(Self::Webp),
            "avif" => Some(Self::Avif),
            _ => None,
        }
    }

    /// The extension of its keys, without the dot; unique per type.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
            Self::Gif => "gif",
            Self::Webp => "webp",
            Self::Avif => "avif",
        }
    }

    /// The media type as registered with IANA.
    pub const fn mime(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
            Self::Webp => "image/webp",
            Self::Avif => "image/avif",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_extension_decides() {
        for (name, expected) in [
            ("a.png", Some(MediaType::Png)),
            ("A.PnG", Some(MediaType::Png)),
            ("photo.JPG", Some(MediaType::Jpeg)),
            ("photo.jpeg", Some(MediaType::Jpeg)),
            ("x.gif", Some(MediaType::Gif)),
            ("x.svg.webp", Some(MediaType::Webp)),
            ("é 日.avif", Some(MediaType::Avif)),
            (".png", Some(MediaType::Png)),
            ("png", None),
            ("a.", None),
            ("a.png.", None),
            ("a.png ", None),
            ("a.png.svg", None),
            ("a.svg", None),
            ("a.html", None),
            ("a.ｐｎｇ", None),
            ("a.png/../b", None),
        ] {
            assert_eq!(MediaType::of(name), expected, "{name}");
        }
    }
}
