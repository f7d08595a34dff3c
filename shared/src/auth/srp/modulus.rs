//! Arithmetic modulo a number of fixed size, in a time that depends on no other number.
//!
//! Numbers are limbs of 64 bits, the least first, and always less than the modulus. Products are
//! in Montgomery form: `x` stands for `x R`, with `R = 2^(64 L)`, so that a division by the modulus
//! becomes one by a power of two (Menezes et al., Handbook of Applied Cryptography, 14.3.2).
// Indices are bounded by `L`, the same for every number, and sums stay below the bounds given.
#![allow(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroizing;

/// Limbs of a factor that are multiplied in one pass: four, with their carries, fill a processor's
/// registers.
const BLOCK: usize = 4;
type Block = [u64; BLOCK];

/// What SRP-6a computes modulo N. Numbers come and go as bytes, the greatest first, those that go
/// padded to N's size.
pub(super) trait Arithmetic: Sync {
    /// The modulus, N.
    fn modulus(&self) -> Vec<u8>;
    /// Whether `0 < number < N`, and it is no longer than N.
    fn contains(&self, number: &[u8]) -> bool;
    /// `k v + g^b`, of a `v` that [`contains`](Self::contains) approves.
    fn server_public(&self, k: &[u8; 32], v: &[u8], b: &[u8; 32]) -> Vec<u8>;
    /// `(A v^u)^b`, of an `A` and a `v` that [`contains`](Self::contains) approves.
    fn premaster_secret(
        &self,
        a: &[u8],
        v: &[u8],
        u: &[u8; 32],
        b: &[u8; 32],
    ) -> Zeroizing<Vec<u8>>;
}

/// An odd number of `L` limbs (a multiple of four) whose highest bit is set, and a small generator.
pub(super) struct Modulus<const L: usize> {
    limbs: [u64; L],
    generator: u8,
    /// `-1/N` modulo `2^256`.
    negative_inverse: Block,
    /// `R mod N`: 1 in Montgomery form.
    one: [u64; L],
    /// `R^2 mod N`: a product with it is in Montgomery form.
    r_squared: [u64; L],
}

impl<const L: usize> Arithmetic for Modulus<L> {
    fn modulus(&self) -> Vec<u8> {
        to_bytes(&self.limbs)
    }

    fn contains(&self, number: &[u8]) -> bool {
        if number.len() > L * 8 {
            return false;
        }
        let limbs = Zeroizing::new(from_bytes::<L>(number));
        let (_, is_less) = self.minus_modulus(&limbs);
        let is_zero = limbs.as_slice().ct_eq(&[0; L]);
        (is_less & !is_zero).into()
    }

    fn server_public(&self, k: &[u8; 32], v: &[u8], b: &[u8; 32]) -> Vec<u8> {
        let k = self.enter_montgomery(k);
        let v = Zeroizing::new(self.enter_montgomery(v));
        let masked = self.add(&self.multiply(&k, &v), &self.power_of_generator(b));
        to_bytes(&self.leave_montgomery(masked))
    }

    fn premaster_secret(
        &self,
        a: &[u8],
        v: &[u8],
        u: &[u8; 32],
        b: &[u8; 32],
    ) -> Zeroizing<Vec<u8>> {
        let a = self.enter_montgomery(a);
        let v = Zeroizing::new(self.enter_montgomery(v));
        let base = Zeroizing::new(self.multiply(&a, &self.power(&v, u)));
        Zeroizing::new(to_bytes(&self.leave_montgomery(self.power(&base, b))))
    }
}

impl<const L: usize> Modulus<L> {
    pub(super) fn new(limbs: [u64; L], generator: u8) -> Self {
        let mut new = Self {
            limbs,
            generator,
            negative_inverse: negative_inverse(&limbs),
            one: [0; L],
            r_squared: [0; L],
        };
        // R is less than 2 N.
        (new.one, _) = new.minus_modulus(&new.one);
        // Doubled to `2^(64 L) R`: a Montgomery product of `2^i R` with itself is `2^(2 i) R`.
        let bits = 64 * L;
        new.r_squared = new.one;
        for _ in 0..(bits >> bits.trailing_zeros()) {
            new.r_squared = new.add(&new.r_squared, &new.r_squared);
        }
        for _ in 0..bits.trailing_zeros() {
            new.r_squared = new.square(&new.r_squared);
        }
        new
    }

    fn enter_montgomery(&self, number: &[u8]) -> [u64; L] {
        self.multiply(&from_bytes(number), &self.r_squared)
    }

    fn leave_montgomery(&self, number: [u64; L]) -> [u64; L] {
        self.reduce([number, [0; L]])
    }

    /// `base^exponent`, both of the numbers secret: windows of four bits, each with the same work.
    fn power(&self, base: &[u64; L], exponent: &[u8; 32]) -> [u64; L] {
        let mut powers = Zeroizing::new([self.one; 16]);
        for i in 1..powers.len() {
            powers[i] = self.multiply(&powers[i - 1], base);
        }
        let mut power = self.one;
        let mut factor = Zeroizing::new([0; L]);
        for digit in exponent.iter().flat_map(|byte| [byte >> 4, byte & 15]) {
            for _ in 0..4 {
                power = self.square(&power);
            }
            for (i, candidate) in (0_u8..).zip(powers.iter()) {
                assign_if(&mut factor, candidate, i.ct_eq(&digit));
            }
            power = self.multiply(&power, &factor);
        }
        power
    }

    /// `g^exponent`, of a secret exponent: with a small g, a few additions make a product.
    fn power_of_generator(&self, exponent: &[u8; 32]) -> [u64; L] {
        let mut power = self.one;
        for byte in exponent {
            for bit in (0..8).rev() {
                power = self.square(&power);
                let product = (1..self.generator).fold(power, |sum, _| self.add(&sum, &power));
                assign_if(&mut power, &product, Choice::from((byte >> bit) & 1));
            }
        }
        power
    }

    fn add(&self, a: &[u64; L], b: &[u64; L]) -> [u64; L] {
        let mut carry = false;
        let mut sum = *a;
        for (a, b) in sum.iter_mut().zip(b) {
            (*a, carry) = a.carrying_add(*b, carry);
        }
        self.subtract_once(sum, carry)
    }

    /// `a b / R`.
    fn multiply(&self, a: &[u64; L], b: &[u64; L]) -> [u64; L] {
        let mut product = [[0; L]; 2];
        let limbs = product.as_flattened_mut();
        for (i, block) in a.as_chunks().0.iter().enumerate() {
            let (low, high) = limbs[BLOCK * i..].split_at_mut(L);
            high[..BLOCK].copy_from_slice(&add_product(low, block, b));
        }
        self.reduce(product)
    }

    /// `a a / R`, a quarter faster than [`multiply`](Self::multiply).
    fn square(&self, a: &[u64; L]) -> [u64; L] {
        let mut product = [[0; L]; 2];
        let limbs = product.as_flattened_mut();
        let (blocks, _) = a.as_chunks::<BLOCK>();
        // The products of different blocks, which occur twice ...
        for (i, block) in blocks.iter().enumerate() {
            let others = &a[BLOCK * (i + 1)..];
            let (low, high) = limbs[BLOCK * (2 * i + 1)..].split_at_mut(others.len());
            high[..BLOCK].copy_from_slice(&add_product(low, block, others));
        }
        // ... doubled, and with the squares of the blocks.
        let (mut shifted_out, mut carry) = (0, false);
        for (block, limbs) in blocks.iter().zip(limbs.chunks_exact_mut(2 * BLOCK)) {
            let mut square = [[0; BLOCK]; 2];
            square[1] = add_product(&mut square[0], block, block);
            for (limb, square) in limbs.iter_mut().zip(square.as_flattened()) {
                let doubled = *limb << 1 | shifted_out;
                shifted_out = *limb >> 63;
                (*limb, carry) = doubled.carrying_add(*square, carry);
            }
        }
        self.reduce(product)
    }

    /// `product / R`, of a product less than `N R`: adds multiples of N that clear the lower half,
    /// and leaves that half away.
    fn reduce(&self, mut product: [[u64; L]; 2]) -> [u64; L] {
        let limbs = product.as_flattened_mut();
        let mut carry = false;
        for i in (0..L).step_by(BLOCK) {
            let (low, high) = limbs[i..].split_at_mut(L);
            let mut multiple = [0; BLOCK];
            for (j, limb) in low[..BLOCK].iter().enumerate() {
                add_low_product(&mut multiple[j..], *limb, &self.negative_inverse);
            }
            let overflow = add_product(low, &multiple, &self.limbs);
            for (limb, overflow) in high.iter_mut().zip(overflow) {
                (*limb, carry) = limb.carrying_add(overflow, carry);
            }
        }
        self.subtract_once(product[1], carry)
    }

    /// A number less than 2 N, whose highest bit is `carry`, modulo N.
    fn subtract_once(&self, number: [u64; L], carry: bool) -> [u64; L] {
        let (mut difference, is_less) = self.minus_modulus(&number);
        assign_if(&mut difference, &number, is_less & !Choice::from(u8::from(carry)));
        difference
    }

    /// `number - N` modulo R, and whether `number < N`.
    fn minus_modulus(&self, number: &[u64; L]) -> ([u64; L], Choice) {
        let mut borrow = false;
        let mut difference = *number;
        for (limb, modulus) in difference.iter_mut().zip(&self.limbs) {
            (*limb, borrow) = limb.borrowing_sub(*modulus, borrow);
        }
        (difference, Choice::from(u8::from(borrow)))
    }
}

/// Adds `factor other` to `sum`, which is as long as `other`, and returns what overflows.
#[inline]
fn add_product(sum: &mut [u64], factor: &Block, other: &[u64]) -> Block {
    let mut overflow: Block = [0; BLOCK];
    for (sum, &other) in sum.iter_mut().zip(other) {
        // Two chains of carries, for the lower and the higher halves of four products, are twice
        // as fast as one that alternates.
        let products = factor.map(|limb| limb.carrying_mul(other, 0));
        let mut carry = false;
        for i in 0..BLOCK {
            (overflow[i], carry) = overflow[i].carrying_add(products[i].0, carry);
        }
        let highest = u64::from(carry);
        (*sum, carry) = sum.overflowing_add(overflow[0]);
        for i in 1..BLOCK {
            (overflow[i - 1], carry) = overflow[i].carrying_add(products[i - 1].1, carry);
        }
        // `(2^256 - 1)(2^64 - 1) + (2^256 - 1) + (2^64 - 1)` is less than `2^320`.
        overflow[BLOCK - 1] = products[BLOCK - 1].1 + highest + u64::from(carry);
    }
    overflow
}

/// Adds `factor other` to `sum`, modulo the size of `sum`.
fn add_low_product(sum: &mut [u64], factor: u64, other: &[u64]) {
    let mut carry = 0;
    for (sum, other) in sum.iter_mut().zip(other) {
        (*sum, carry) = factor.carrying_mul_add(*other, *sum, carry);
    }
}

/// `-1/modulus` modulo `2^256`, of an odd number.
fn negative_inverse(modulus: &[u64]) -> Block {
    // Newton's iteration doubles the number of right bits, of which an odd number is its own
    // inverse in three.
    let lowest = modulus[0];
    let inverse = (0..5).fold(lowest, |inverse, _| {
        inverse.wrapping_mul(2_u64.wrapping_sub(lowest.wrapping_mul(inverse)))
    });
    // What makes `modulus negative_inverse + 1` zero, limb by limb.
    let mut sum: Block = [1, 0, 0, 0];
    let mut negative_inverse = [0; BLOCK];
    for i in 0..BLOCK {
        negative_inverse[i] = sum[i].wrapping_mul(inverse.wrapping_neg());
        add_low_product(&mut sum[i..], negative_inverse[i], modulus);
    }
    negative_inverse
}

fn assign_if<const L: usize>(number: &mut [u64; L], other: &[u64; L], choice: Choice) {
    for (limb, other) in number.iter_mut().zip(other) {
        limb.conditional_assign(other, choice);
    }
}

/// The limbs of a number of at most `L` limbs.
fn from_bytes<const L: usize>(bytes: &[u8]) -> [u64; L] {
    let mut limbs = [0; L];
    for (limb, bytes) in limbs.iter_mut().zip(bytes.rchunks(8)) {
        *limb = bytes.iter().fold(0, |limb, &byte| limb << 8 | u64::from(byte));
    }
    limbs
}

fn to_bytes(limbs: &[u64]) -> Vec<u8> {
    limbs.iter().rev().map(|limb| limb.to_be_bytes()).collect::<Vec<_>>().into_flattened()
}
