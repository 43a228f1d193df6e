// SPDX-License-Identifier: MIT OR Apache-2.0
// proved: 2
// violated: 0
pragma solidity ^0.8.0;

contract Counter {
    uint256 count;
    uint256 limit = 100;

    function step() public {
        if (count < limit) {
            count = count + 1;
        }
    }

    function check() public view {
        assert(count <= 100);
    }
}
