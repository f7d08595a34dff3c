//! The two contracts on the venue's EVM chain, and the call data for them.
//!
//! USDC is an ERC-20 token. The deposit contract is Circle's `CoreDepositWallet`
//! (<https://developers.circle.com/cctp/references/coredepositwallet-contract-interface>). It loses USDC that
//! arrives by a plain transfer instead of a deposit.

use alloy::{
    primitives::{Address, Bytes, address},
    sol_types::SolCall,
};

use super::usdc::Usdc;

mod abi {
    #![allow(missing_docs)]

    alloy::sol! {
        interface Usdc {
            function approve(address spender, uint256 amount) external returns (bool);
            function balanceOf(address account) external view returns (uint256);
            function allowance(address owner, address spender) external view returns (uint256);
        }

        interface DepositContract {
            function deposit(uint256 amount, uint32 destinationDex) external;
            function paused() external view returns (bool);
            function newCoreAccountFee() external view returns (uint64);
            function isDexForwardingDisabled() external view returns (bool);
            function token() external view returns (address);
            function enabledDestinationDexes(uint32 dex) external view returns (bool);
        }
    }
}

pub(super) use abi::{DepositContract, Usdc as UsdcContract};

/// The venue's default exchange, for perpetuals: the destination of deposits.
pub(super) const PERPS: u32 = 0;

/// Precompile that reports whether an address, its whole input, has an account at the venue.
pub const ACCOUNT_EXISTS: Address = address!("0x0000000000000000000000000000000000000810");

/// Call data to USDC that lets `spender` take exactly this amount.
pub fn approve(spender: Address, amount: Usdc) -> Bytes {
    UsdcContract::approveCall { spender, amount: amount.micros() }.abi_encode().into()
}

/// Call data to the deposit contract that credits its sender with this amount.
pub fn deposit(amount: Usdc) -> Bytes {
    let call = DepositContract::depositCall { amount: amount.micros(), destinationDex: PERPS };
    call.abi_encode().into()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use alloy::hex;

    use super::*;

    #[test]
    fn deposit_has_its_selector_and_goes_to_perps() {
        assert_eq!(DepositContract::depositCall::SELECTOR, [0x2b, 0x2d, 0xfd, 0x2c]);
        let expected = hex!(
            "2b2dfd2c"
            "00000000000000000000000000000000000000000000000000000000000f4240"
            "0000000000000000000000000000000000000000000000000000000000000000"
        );
        assert_eq!(deposit(Usdc::ONE).as_ref(), expected);
    }

    /// The selector is ERC-20's.
    #[test]
    fn approve_lets_the_spender_take_exactly_the_amount() {
        let spender = address!("0x6B9E773128f453f5c2C60935Ee2DE2CBc5390A24");
        let expected = hex!(
            "095ea7b3"
            "0000000000000000000000006b9e773128f453f5c2c60935ee2de2cbc5390a24"
            "00000000000000000000000000000000000000000000000000000000000f4240"
        );
        assert_eq!(approve(spender, Usdc::ONE).as_ref(), expected);
    }
}
