// SPDX-License-Identifier: MIT OR Apache-2.0
// proved: 2
// violated: 0
pragma solidity ^0.8.0;

contract Pushes {
    uint256[] items;

    function add(uint256 item) public {
        require(item < 50);
        items.push(item);
    }

    function check(uint256 at) public view {
        require(at < items.length);
        assert(items[at] < 50);
    }
}
