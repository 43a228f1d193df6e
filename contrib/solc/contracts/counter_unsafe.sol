// SPDX-License-Identifier: MIT OR Apache-2.0
// proved: 1
// violated: 1
pragma solidity ^0.8.0;

contract Counter {
    uint8 count;

    function step() public {
        require(count < 3);
        count = count + 1;
    }

    function check() public view {
        assert(count < 3);
    }
}
