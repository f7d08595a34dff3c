//! Measures the server's side of a password sign-in against the same arithmetic in aws-lc, and prints a Markdown
//! table.
// A benchmark is run by hand: it prints its results, and panics if it cannot continue.
#![allow(
    clippy::disallowed_methods,
    clippy::arithmetic_side_effects,
    clippy::float_arithmetic,
    clippy::print_stdout,
    clippy::unwrap_used
)]

use std::{ffi::c_int, hint::black_box, ptr, time::Instant};

use aws_lc_sys as aws_lc;
use shared::auth::srp::{ClientProof, Ephemeral, Group, SrpError, Verifier};

/// Number of measurements of each. The shortest one counts, because no interruption has lengthened it.
const ROUNDS: usize = 101;
/// Maximum time of a handshake, as a multiple of aws-lc's time.
const BOUND: f64 = 2.5;

/// Prints both times and their ratio, which must not exceed [`BOUND`].
fn main() {
    let (ours, aws_lc) = srp_ratio();
    let ratio = ours as f64 / aws_lc as f64;
    println!(
        "### SRP, 3072 bits, per handshake\n\n| | µs | of aws-lc |\n|---|---|---|\n\
         | ours, including the proofs | {} | {ratio:.2} |\n\
         | aws-lc, the three exponentiations alone | {} | 1 |\n",
        ours / 1000,
        aws_lc / 1000,
    );
    assert!(ratio <= BOUND, "a handshake takes {ratio:.2} times what aws-lc takes");
}

/// Measures, in nanoseconds, one handshake in the default group (`B` at its start, `S` and the proofs at its
/// end), and its three exponentiations alone with aws-lc's `BN_mod_exp_mont_consttime`. The two alternate, so
/// that other load on the machine affects both.
fn srp_ratio() -> (u64, u64) {
    let group = Group::default();
    let verifier = Verifier::fake(group, &[0x5a; 64]);
    let secret = [0xb7; 32];
    let proof = ClientProof::parse(group, &[0x3c; 300], &[0; 32]).unwrap();
    let aws_lc = AwsLc::new(&group.modulus());
    let (generator, public, v) =
        (number(&group.generator()), number(&[0x3c; 300]), number(verifier.expose()));
    let (b, u) = (number(&secret), number(&[0x9d; 32]));

    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        ours.push(nanoseconds(|| {
            let ephemeral = Ephemeral::new(black_box(&verifier), secret).unwrap();
            let checked = proof.check("alice@example.com", &[0; 32], &verifier, &ephemeral);
            assert_eq!(checked, Err(SrpError::Proof));
        }));
        theirs.push(nanoseconds(|| {
            aws_lc.power(generator, b);
            aws_lc.power(v, u);
            aws_lc.power(public, b);
        }));
    }
    (shortest(ours), shortest(theirs))
}

fn nanoseconds(work: impl FnOnce()) -> u64 {
    let start = Instant::now();
    work();
    start.elapsed().as_nanos().try_into().unwrap()
}

fn shortest(times: Vec<u64>) -> u64 {
    times.into_iter().min().unwrap()
}

/// A modulus with aws-lc's precomputed context. It is never freed, because a run creates only one.
struct AwsLc {
    modulus: *mut aws_lc::BIGNUM,
    montgomery: *mut aws_lc::BN_MONT_CTX,
    context: *mut aws_lc::BN_CTX,
    result: *mut aws_lc::BIGNUM,
}

impl AwsLc {
    fn new(modulus: &[u8]) -> Self {
        let modulus = number(modulus);
        // SAFETY: the pointers are new, and checked before use.
        unsafe {
            let context = aws_lc::BN_CTX_new();
            assert!(!context.is_null());
            let montgomery = aws_lc::BN_MONT_CTX_new_for_modulus(modulus, context);
            let result = aws_lc::BN_new();
            assert!(!montgomery.is_null() && !result.is_null());
            Self { modulus, montgomery, context, result }
        }
    }

    fn power(&self, base: *const aws_lc::BIGNUM, exponent: *const aws_lc::BIGNUM) {
        // SAFETY: all pointers are to live numbers, and only this thread uses them.
        let done: c_int = unsafe {
            aws_lc::BN_mod_exp_mont_consttime(
                self.result,
                base,
                exponent,
                self.modulus,
                self.context,
                self.montgomery,
            )
        };
        assert_eq!(done, 1);
    }
}

fn number(bytes: &[u8]) -> *mut aws_lc::BIGNUM {
    // SAFETY: reads exactly the bytes of the slice, and allocates a number from them.
    let number = unsafe { aws_lc::BN_bin2bn(bytes.as_ptr(), bytes.len(), ptr::null_mut()) };
    assert!(!number.is_null());
    number
}
