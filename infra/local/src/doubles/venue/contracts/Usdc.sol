// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

/// USDC as deposits need it: an ERC-20 of 6 decimals, without `transfer` and `totalSupply`. Tests set
/// balances by their slots.
///
/// Usdc.hex is its runtime code, put at a fixed address without a constructor: npm solc 0.8.37,
/// optimizer on with 200 runs, EVM version paris, no metadata (`metadata.appendCBOR: false`,
/// `metadata.bytecodeHash: none`).
contract Usdc {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    string public constant name = "USD Coin";
    string public constant symbol = "USDC";
    uint8 public constant decimals = 6;

    /// Slot 0.
    mapping(address => uint256) public balanceOf;
    /// Slot 1, by owner and spender.
    mapping(address => mapping(address => uint256)) public allowance;

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    /// As in USDC, even the largest allowance is used up, and that emits no Approval.
    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        require(value <= allowed, "transfer amount exceeds allowance");
        allowance[from][msg.sender] = allowed - value;
        uint256 held = balanceOf[from];
        require(value <= held, "transfer amount exceeds balance");
        balanceOf[from] = held - value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }
}
