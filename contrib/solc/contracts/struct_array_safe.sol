// SPDX-License-Identifier: MIT OR Apache-2.0
// proved: 6
// violated: 0
pragma solidity ^0.8.0;

contract Orders {
    struct Order {
        uint64 amount;
        bool open;
    }

    Order[] orders;

    function add(uint64 amount) public {
        orders.push(Order(amount, true));
        assert(orders[orders.length - 1].open);
        assert(orders[orders.length - 1].amount == amount);
    }
}
