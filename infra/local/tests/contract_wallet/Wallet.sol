// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

/// The smallest contract wallet that can sign in: one owner, EIP-1271.
///
/// Wallet.hex is its creation code: npm solc 0.8.37, optimizer on with 200 runs, EVM version
/// paris, no metadata (`metadata.appendCBOR: false`). To deploy, append the owner as a 32-byte
/// word.
contract Wallet {
    /// What EIP-1271 wants for a valid signature.
    bytes4 private constant VALID = 0x1626ba7e;

    /// Half of the order of secp256k1: a larger s has a smaller twin.
    uint256 private constant HALF_ORDER =
        0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

    address public immutable owner;

    constructor(address owner_) {
        require(owner_ != address(0), "no owner");
        owner = owner_;
    }

    /// EIP-1271: `signature` is the owner's r, s, v (65 bytes) over `hash` itself.
    function isValidSignature(bytes32 hash, bytes calldata signature)
        external
        view
        returns (bytes4)
    {
        if (signature.length != 65) return 0xffffffff;
        bytes32 r = bytes32(signature[0:32]);
        bytes32 s = bytes32(signature[32:64]);
        if (uint256(s) > HALF_ORDER) return 0xffffffff;
        return ecrecover(hash, uint8(signature[64]), r, s) == owner ? VALID : bytes4(0xffffffff);
    }
}
