// SPDX-License-Identifier: MIT OR Apache-2.0
// proved: 2
// violated: 0
pragma solidity ^0.8.0;

contract Ledger {
    mapping(address => uint256) balance;
    uint256 total;

    function put(uint128 amount) public {
        require(total < 2 ** 200);
        balance[msg.sender] = amount;
        total += amount;
        assert(balance[msg.sender] == amount);
    }
}
