// SPDX-License-Identifier: MIT OR Apache-2.0
// proved: 1
// violated: 0
pragma solidity ^0.8.0;

contract Base {
    uint256 internal level;

    function set(uint256 to) public virtual {
        require(to <= 10);
        level = to;
    }
}

contract Derived is Base {
    function set(uint256 to) public override {
        super.set(to);
        assert(level <= 10);
    }
}
