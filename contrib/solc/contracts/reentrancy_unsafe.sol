// SPDX-License-Identifier: MIT OR Apache-2.0
// proved: 0
// violated: 1
pragma solidity ^0.8.0;

interface Other {
    function call() external;
}

contract Entered {
    uint256 x;
    Other other;

    function set(uint256 to) public {
        x = to;
    }

    function act() public {
        uint256 before = x;
        other.call();
        assert(x == before);
    }
}
