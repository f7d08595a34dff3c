//! The groups of RFC 5054, appendix A.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        ObjectBuilder, RefOr,
        schema::{Schema, Type},
    },
};

use super::modulus::{Arithmetic, Modulus};

/// A group of RFC 5054, appendix A, by the bits of its modulus: a number in JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "u16", try_from = "u16")]
pub enum Group {
    /// 2048 bits, generator 2.
    Bits2048,
    /// 3072 bits, generator 5: the group of new accounts.
    #[default]
    Bits3072,
    /// 4096 bits, generator 5.
    Bits4096,
}

impl Group {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Bits2048, Self::Bits3072, Self::Bits4096];

    /// The bits of the modulus.
    pub const fn bits(self) -> u16 {
        match self {
            Self::Bits2048 => 2048,
            Self::Bits3072 => 3072,
            Self::Bits4096 => 4096,
        }
    }

    /// The bytes of the modulus, N, and of every number padded to it.
    pub fn size(self) -> usize {
        usize::from(self.bits() / 8)
    }

    /// The generator, g.
    pub const fn generator(self) -> u8 {
        match self {
            Self::Bits2048 => 2,
            Self::Bits3072 | Self::Bits4096 => 5,
        }
    }

    /// The modulus, N: [`size`](Self::size) bytes, the greatest first.
    pub fn modulus(self) -> Vec<u8> {
        self.arithmetic().modulus()
    }

    pub(super) fn arithmetic(self) -> &'static dyn Arithmetic {
        static BITS_2048: LazyLock<Modulus<32>> =
            LazyLock::new(|| Modulus::new(N_2048, Group::Bits2048.generator()));
        static BITS_3072: LazyLock<Modulus<48>> =
            LazyLock::new(|| Modulus::new(N_3072, Group::Bits3072.generator()));
        static BITS_4096: LazyLock<Modulus<64>> =
            LazyLock::new(|| Modulus::new(N_4096, Group::Bits4096.generator()));
        match self {
            Self::Bits2048 => &*BITS_2048,
            Self::Bits3072 => &*BITS_3072,
            Self::Bits4096 => &*BITS_4096,
        }
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

const N_2048: [u64; 32] = limbs(
    "AC6BDB41324A9A9BF166DE5E1389582FAF72B6651987EE07FC3192943DB56050\
     A37329CBB4A099ED8193E0757767A13DD52312AB4B03310DCD7F48A9DA04FD50\
     E8083969EDB767B0CF6095179A163AB3661A05FBD5FAAAE82918A9962F0B93B8\
     55F97993EC975EEAA80D740ADBF4FF747359D041D5C33EA71D281E446B14773B\
     CA97B43A23FB801676BD207A436C6481F1D2B9078717461A5B9D32E688F87748\
     544523B524B0D57D5EA77A2775D2ECFA032CFBDBF52FB3786160279004E57AE6\
     AF874E7303CE53299CCC041C7BC308D82A5698F3A8D0C38271AE35F8E9DBFBB6\
     94B5C803D89F7AE435DE236D525F54759B65E372FCD68EF20FA7111F9E4AFF73",
);

const N_3072: [u64; 48] = limbs(
    "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74\
     020BBEA63B139B22514A08798E3404DDEF9519B3CD3A431B302B0A6DF25F1437\
     4FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED\
     EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF05\
     98DA48361C55D39A69163FA8FD24CF5F83655D23DCA3AD961C62F356208552BB\
     9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3B\
     E39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF695581718\
     3995497CEA956AE515D2261898FA051015728E5A8AAAC42DAD33170D04507A33\
     A85521ABDF1CBA64ECFB850458DBEF0A8AEA71575D060C7DB3970F85A6E1E4C7\
     ABF5AE8CDB0933D71E8C94E04A25619DCEE3D2261AD2EE6BF12FFA06D98A0864\
     D87602733EC86A64521F2B18177B200CBBE117577A615D6C770988C0BAD946E2\
     08E24FA074E5AB3143DB5BFCE0FD108E4B82D120A93AD2CAFFFFFFFFFFFFFFFF",
);

const N_4096: [u64; 64] = limbs(
    "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74\
     020BBEA63B139B22514A08798E3404DDEF9519B3CD3A431B302B0A6DF25F1437\
     4FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED\
     EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF05\
     98DA48361C55D39A69163FA8FD24CF5F83655D23DCA3AD961C62F356208552BB\
     9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3B\
     E39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF695581718\
     3995497CEA956AE515D2261898FA051015728E5A8AAAC42DAD33170D04507A33\
     A85521ABDF1CBA64ECFB850458DBEF0A8AEA71575D060C7DB3970F85A6E1E4C7\
     ABF5AE8CDB0933D71E8C94E04A25619DCEE3D2261AD2EE6BF12FFA06D98A0864\
     D87602733EC86A64521F2B18177B200CBBE117577A615D6C770988C0BAD946E2\
     08E24FA074E5AB3143DB5BFCE0FD108E4B82D120A92108011A723C12A787E6D7\
     88719A10BDBA5B2699C327186AF4E23C1A946834B6150BDA2583E9CA2AD44CE8\
     DBBBC2DB04DE8EF92E8EFC141FBECAA6287C59474E6BC05D99B2964FA090C3A2\
     233BA186515BE7ED1F612970CEE2D7AFB81BDD762170481CD0069127D5B05AA9\
     93B4EA988D8FDDC186FFB7DC90A6C08F4DF435C934063199FFFFFFFFFFFFFFFF",
);

/// The limbs of a number, the least first. What is not hexadecimal does not compile.
// Evaluated by the compiler alone, whose index stays in `0..L`.
#[allow(clippy::arithmetic_side_effects, clippy::indexing_slicing)]
const fn limbs<const L: usize>(mut hexadecimal: &str) -> [u64; L] {
    let mut limbs = [0; L];
    let mut rest = L;
    while rest > 0 {
        rest -= 1;
        let (digits, others) = hexadecimal.split_at(16);
        limbs[rest] = match u64::from_str_radix(digits, 16) {
            Ok(limb) => limb,
            Err(_) => panic!("hexadecimal digits"),
        };
        hexadecimal = others;
    }
    assert!(hexadecimal.is_empty());
    limbs
}
