//! The groups of RFC 5054, appendix A.

use crypto_bigint::{BoxedUint, CtLt, modular::BoxedMontyForm};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use srp::{
    Group as _, ServerG2048, ServerG3072, ServerG4096,
    groups::{G2048, G3072, G4096},
};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        ObjectBuilder, RefOr,
        schema::{Schema, Type},
    },
};
use zeroize::Zeroizing;

/// A group of RFC 5054, appendix A. In JSON it is the number of bits of its modulus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "u16", try_from = "u16")]
pub enum Group {
    /// 2048 bits, generator 2.
    Bits2048,
    /// 3072 bits, generator 5; used for new accounts.
    #[default]
    Bits3072,
    /// 4096 bits, generator 5.
    Bits4096,
}

impl Group {
    /// All groups.
    pub const ALL: [Self; 3] = [Self::Bits2048, Self::Bits3072, Self::Bits4096];

    /// The size of the modulus in bits.
    pub const fn bits(self) -> u16 {
        match self {
            Self::Bits2048 => 2048,
            Self::Bits3072 => 3072,
            Self::Bits4096 => 4096,
        }
    }

    /// The size of the modulus N in bytes, to which every number is padded.
    pub fn size(self) -> usize {
        usize::from(self.bits() / 8)
    }

    /// The generator g, big-endian, without leading zeros.
    pub fn generator(self) -> Vec<u8> {
        self.element().retrieve().to_be_bytes_trimmed_vartime().into_vec()
    }

    /// The modulus N: [`size`](Self::size) bytes, big-endian.
    pub fn modulus(self) -> Vec<u8> {
        self.element().params().modulus().to_be_bytes().into_vec()
    }

    /// Pads a number to the group's size. Returns `None` unless `0 < number < N`; the arithmetic would panic
    /// on a number longer than N.
    pub(super) fn member(self, number: &[u8]) -> Option<Vec<u8>> {
        let number = BoxedUint::from_be_slice(number, u32::from(self.bits())).ok()?;
        let number = Zeroizing::new(number);
        let is_member = number.is_nonzero() & number.ct_lt(self.element().params().modulus());
        is_member.to_bool().then(|| number.to_be_bytes().into_vec())
    }

    /// Parses a number padded by [`member`](Self::member).
    pub(super) fn number(self, padded: &[u8]) -> Zeroizing<BoxedUint> {
        Zeroizing::new(BoxedUint::from_be_slice_truncated(padded, u32::from(self.bits())))
    }

    /// The generator together with the modulus, as the arithmetic needs them.
    pub(super) fn element(self) -> BoxedMontyForm {
        match self {
            Self::Bits2048 => G2048::generator(),
            Self::Bits3072 => G3072::generator(),
            Self::Bits4096 => G4096::generator(),
        }
    }

    /// `B = k v + g^b`.
    pub(super) fn server_public(self, b: &BoxedUint, k: &BoxedUint, v: &BoxedUint) -> BoxedUint {
        match self {
            Self::Bits2048 => ServerG2048::<Sha256>::new().compute_b_pub(b, k, v),
            Self::Bits3072 => ServerG3072::<Sha256>::new().compute_b_pub(b, k, v),
            Self::Bits4096 => ServerG4096::<Sha256>::new().compute_b_pub(b, k, v),
        }
    }

    /// `S = (A v^u)^b`.
    pub(super) fn premaster_secret(
        self,
        a: &BoxedUint,
        v: &BoxedUint,
        u: &BoxedUint,
        b: &BoxedUint,
    ) -> Zeroizing<BoxedUint> {
        Zeroizing::new(match self {
            Self::Bits2048 => ServerG2048::<Sha256>::new().compute_premaster_secret(a, v, u, b),
            Self::Bits3072 => ServerG3072::<Sha256>::new().compute_premaster_secret(a, v, u, b),
            Self::Bits4096 => ServerG4096::<Sha256>::new().compute_premaster_secret(a, v, u, b),
        })
    }
}

impl From<Group> for u16 {
    fn from(group: Group) -> Self {
        group.bits()
    }
}

impl TryFrom<u16> for Group {
    type Error = &'static str;

    fn try_from(bits: u16) -> Result<Self, Self::Error> {
        Self::ALL
            .into_iter()
            .find(|group| group.bits() == bits)
            .ok_or("must be a group of RFC 5054: 2048, 3072 or 4096")
    }
}

impl PartialSchema for Group {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Integer)
            .enum_values(Some(Self::ALL.map(Self::bits)))
            .examples([Self::default().bits()])
            .into()
    }
}

impl ToSchema for Group {}
