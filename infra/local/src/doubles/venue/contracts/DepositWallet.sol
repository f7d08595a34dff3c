// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

interface Token {
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

/// Stands in for Circle's CoreDepositWallet: takes USDC (6 decimals) on the EVM and credits it at
/// the venue (8 decimals): on the exchange that the sender names, less a fee for senders without an
/// account there, or on spot where it does not forward to that exchange.
///
/// DepositWallet.hex is its runtime code, put at a fixed address without a constructor: npm solc
/// 0.8.37, optimizer on with 200 runs, EVM version paris, no metadata
/// (`metadata.appendCBOR: false`, `metadata.bytecodeHash: none`).
contract DepositWallet {
    event Transfer(address indexed from, address indexed to, uint256 amount);
    event SendAsset(address indexed coreRecipient, uint64 coreAmount);
    event NewCoreAccountFeeApplied(
        address indexed coreRecipient,
        uint64 newCoreAccountFee,
        uint256 evmDepositAmount,
        uint64 coreSentAmount
    );

    /// Answers whether an account exists, for an address without a selector before it.
    address private constant CORE_USER_EXISTS = 0x0000000000000000000000000000000000000810;
    /// The address of the venue itself, to which USDC leaves the EVM.
    address private constant SYSTEM = 0x2000000000000000000000000000000000000000;

    uint32 private constant PERPS = 0;

    /// The venue's units in one unit of USDC.
    uint64 private constant SCALE = 100;
    uint256 private constant MAX_AMOUNT = type(uint64).max / SCALE;

    // The gaps give each value a slot of its own: tests set whole slots.

    /// Slot 0.
    address public token;
    uint96 private gap0;
    /// Slot 1, in 8 decimals.
    uint64 public newCoreAccountFee;
    uint192 private gap1;
    /// Slot 2.
    bool public paused;
    /// Slot 3, in 8 decimals: all that an account was ever credited on the exchange of perpetuals.
    mapping(address => uint64) public credited;
    /// Slot 4. The precompile is a fixture, and does not learn of deposits.
    mapping(address => bool) public opened;
    /// Slot 5.
    bool public isDexForwardingDisabled;
    /// Slot 6. The opposite of what is asked for: nothing runs that could enable an exchange first.
    mapping(uint32 => bool) private disabledDexes;
    /// Slot 7, in 8 decimals: all that an account was ever credited on spot.
    mapping(address => uint64) public creditedToSpot;

    function enabledDestinationDexes(uint32 dex) public view returns (bool) {
        return dex == PERPS && !disabledDexes[dex];
    }

    /// Pulls what the sender has approved, and credits the sender's account.
    function deposit(uint256 amount, uint32 destinationDex) external {
        require(!paused, "Pausable: paused");
        require(amount != 0, "amount is zero");
        require(amount <= MAX_AMOUNT, "amount is too large");
        require(Token(token).transferFrom(msg.sender, address(this), amount), "transfer failed");

        uint64 sent = uint64(amount) * SCALE;
        if (isDexForwardingDisabled || !enabledDestinationDexes(destinationDex)) {
            creditedToSpot[msg.sender] += sent;
            // The venue credits the spot balance of whoever this comes from.
            emit Transfer(msg.sender, SYSTEM, amount);
            return;
        }
        if (!exists(msg.sender)) {
            uint64 fee = newCoreAccountFee;
            require(sent > fee, "amount does not exceed the fee of a new account");
            sent -= fee;
            emit NewCoreAccountFeeApplied(msg.sender, fee, amount, sent);
        }
        credited[msg.sender] += sent;
        opened[msg.sender] = true;
        emit Transfer(address(this), SYSTEM, amount);
        emit SendAsset(msg.sender, sent);
    }

    function exists(address account) private view returns (bool) {
        if (opened[account]) return true;
        (bool success, bytes memory answer) = CORE_USER_EXISTS.staticcall(abi.encode(account));
        require(success && answer.length == 32, "no answer whether the account exists");
        return abi.decode(answer, (bool));
    }
}
