// SPDX-License-Identifier: MIT OR Apache-2.0
// proved: 2
// violated: 0
pragma solidity ^0.8.0;

contract Levels {
    mapping(address => uint256) level;

    function up() public {
        if (level[msg.sender] < 3) {
            level[msg.sender] += 1;
        }
    }

    function check(address who) public view {
        assert(level[who] <= 3);
    }
}
