// SPDX-License-Identifier: MIT OR Apache-2.0
// proved: 1
// violated: 0
pragma solidity ^0.8.0;

contract Roles {
    mapping(address => uint8) role;
    mapping(address => bool) known;

    function join() public {
        if (!known[msg.sender]) {
            known[msg.sender] = true;
            role[msg.sender] = 1;
        }
    }

    function promote(address who) public {
        if (known[who]) {
            role[who] = 2;
        }
    }

    function check(address who) public view {
        assert(known[who] || role[who] == 0);
    }
}
