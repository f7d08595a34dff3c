//! Makes the reference from `infra/openapi.json` at build time, so that no start of the function has to: the
//! document without spaces, the same in version 3.0, and the page, each also compressed, with their entity
//! tags.

#[path = "../src/older.rs"]
#[allow(unreachable_pub, reason = "the function's crate shows it to tools")]
mod older;
mod page;
mod samples;

use std::{
    env,
    error::Error,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use base64::{
    Engine,
    prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD},
};
use flate2::{Compression, write::GzEncoder};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The document, relative to the folder of this crate.
const DOCUMENT: &str = "../../infra/openapi.json";

/// The style of the page, which its content security policy names by its hash.
const STYLE: &str = include_str!("style.css");

/// The script of the page, which the policy names in the same way.
const SCRIPT: &str = include_str!("script.js");

fn main() -> Result<(), Box<dyn Error>> {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let source = here.join(DOCUMENT);
    set("rerun-if-changed", &source.display().to_string())?;
    for own in ["build", "src/older.rs", "templates"] {
        set("rerun-if-changed", &here.join(own).display().to_string())?;
    }
    // `make openapi` compiles this function, so it needs a document that can be read.
    let failed = |error: &dyn Error| {
        format!("{}: {error}: check out a committed one, then run `make openapi`", source.display())
    };
    let text = fs::read_to_string(&source).map_err(|error| failed(&error))?;
    let document: Value = serde_json::from_str(&text).map_err(|error| failed(&error))?;
    let servers = document.get("servers").ok_or("the document names no servers")?;
    set("rustc-env", &format!("SERVERS={servers}"))?;
    write(&out, "openapi.json", "DOCUMENT_TAG", &serde_json::to_vec(&document)?)?;
    let page = page::render(&document, STYLE, SCRIPT)?;
    write(&out, "docs.html", "PAGE_TAG", page.as_bytes())?;
    let older = serde_json::to_vec(&older::downgraded(document))?;
    write(&out, "openapi-3.0.json", "OLDER_TAG", &older)?;
    let [style, script] = [STYLE, SCRIPT].map(|it| BASE64_STANDARD.encode(Sha256::digest(it)));
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    set("rustc-env", &format!("PAGE_POLICY={policy}"))?;
    Ok(())
}

/// Writes a text and its compressed form, and sets its entity tag.
fn write(out: &Path, name: &str, tag: &str, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    fs::write(out.join(name), bytes)?;
    // The header holds no time, so the same text always gives the same bytes.
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(bytes)?;
    fs::write(out.join(format!("{name}.gz")), packed.finish()?)?;
    let hash = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(bytes));
    set("rustc-env", &format!("{tag}={hash}"))?;
    Ok(())
}

/// Prints an instruction to cargo.
fn set(name: &str, value: &str) -> io::Result<()> {
    writeln!(io::stdout(), "cargo::{name}={value}")
}
