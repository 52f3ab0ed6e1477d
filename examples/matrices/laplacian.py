#!/usr/bin/env python3
"""Writes the matrix of the 5-point Laplacian on a grid, in the Matrix Market format: laplacian.py X Y >
laplacian-XxY.mtx"""

import sys


def laplacian(x, y):
    """Entries on and below the diagonal, from 1."""
    for point in range(1, x * y + 1):
        if point > x:
            yield point, point - x, -1
        if (point - 1) % x > 0:
            yield point, point - 1, -1
        yield point, point, 4


def main():
    x, y = map(int, sys.argv[1:3])
    entries = list(laplacian(x, y))
    print("%%MatrixMarket matrix coordinate integer symmetric")
    print(f"% 5-point Laplacian on a grid of {x} x {y}: examples/matrices/laplacian.py")
    print(x * y, x * y, len(entries))
    for entry in entries:
        print(*entry)


main()
