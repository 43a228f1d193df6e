// SPDX-License-Identifier: MIT OR Apache-2.0
// proved: 6
// violated: 0
pragma solidity ^0.8.0;

contract Matrix {
    uint256[][] cells;

    function grow() public {
        cells.push();
        cells[cells.length - 1].push(7);
        assert(cells[cells.length - 1][0] == 7);
    }
}
