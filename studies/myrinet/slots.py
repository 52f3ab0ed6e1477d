#!/usr/bin/env python3
"""Another witness of what static, random and adaptive NICs get: packets in slots, with no rule of weft's.

    studies/myrinet/slots.py bisect 512 random --messages 5

A slot is the time of a packet on a link. Each input has a buffer of one packet; in a slot each output passes on one
of the packets that want it, drawn at random, if the buffer behind it is free by then; the last stage goes first. Nodes
of a pair send each other messages of 256 packets, and each waits for the other's message before its next. Prints the
mean over the nodes of packets received / slots until the last, in per cent.
"""
import argparse
import random
import statistics

CARD = 16       # nodes of a line card, and spines
PACKETS = 256   # of a message
THRESHOLD, PROBABILITY = 4, 0.5


def pairs_of(pattern, nodes, draw):
    """peer of each node."""
    if pattern == "bisect":
        order = draw.sample(range(nodes), nodes)
        groups = list(zip(order[:nodes // 2], order[nodes // 2:], strict=True))
    else:
        cards = draw.sample(range(nodes // CARD), nodes // CARD)
        groups = []
        for a, b in zip(cards[::2], cards[1::2], strict=True):
            groups += zip(range(a * CARD, a * CARD + CARD), draw.sample(range(b * CARD, b * CARD + CARD), CARD),
                          strict=True)
    peer = [0] * nodes
    for a, b in groups:
        peer[a], peer[b] = b, a
    return peer


def served(buffers, output_of, is_free, draw):
    """One packet for each output that is wanted and free: the buffers that it leaves."""
    wanting = {}
    for buffer, packet in buffers.items():
        wanting.setdefault(output_of(buffer, packet), []).append(buffer)
    return [(output, draw.choice(waiting)) for output, waiting in wanting.items() if is_free(output)]


def another(route, draw):
    return (route + 1 + draw.randrange(CARD - 1)) % CARD


def shares(pattern, nodes, scheme, messages, draw):
    """Packets a slot of each node."""
    peer = pairs_of(pattern, nodes, draw)
    routes = [draw.randrange(CARD) for _ in range(nodes)]
    sent, got, done = [0] * nodes, [0] * nodes, [0] * nodes
    stops, is_stopped = [0] * nodes, [False] * nodes
    whole = messages * PACKETS
    # Packets (destination, route) in the inputs of leaves from nodes, of spines, of leaves from spines.
    up, spine, down = {}, {}, {}
    slot = 0
    while not all(done):
        slot += 1
        last = {("up", key): packet for key, packet in up.items() if key // CARD == packet[0] // CARD}
        last.update({("down", key): packet for key, packet in down.items()})
        for node, (stage, key) in served(last, lambda _, packet: packet[0], lambda _: True, draw):
            del (up if stage == "up" else down)[key]
            got[node] += 1
            if got[node] == whole:
                done[node] = slot
        for output, key in served(spine, lambda key, packet: (packet[0] // CARD, key[1]),
                                  lambda output: output not in down, draw):
            down[output] = spine.pop(key)
        leaving = {node: packet for node, packet in up.items() if node // CARD != packet[0] // CARD}
        for output, key in served(leaving, lambda key, packet: (key // CARD, packet[1]),
                                  lambda output: output not in spine, draw):
            spine[output] = up.pop(key)
        for node in range(nodes):
            if sent[node] >= min(whole, PACKETS * (got[node] // PACKETS + 1)):
                continue
            if node in up:
                is_stopped[node] = True
                continue
            if scheme == "random":
                routes[node] = draw.randrange(CARD)
            up[node] = peer[node], routes[node]
            sent[node] += 1
            stops[node] += is_stopped[node]
            if scheme == "adaptive" and is_stopped[node] and stops[node] > THRESHOLD and draw.random() < PROBABILITY:
                routes[node], stops[node] = another(routes[node], draw), 0
            is_stopped[node] = False
    return [whole / end for end in done]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("pattern", choices=("bisect", "bridge"))
    options.add_argument("nodes", type=int)
    options.add_argument("scheme", choices=("static", "random", "adaptive"))
    options.add_argument("--messages", type=int, default=5, help="of 256 packets, from each node (default: 5)")
    options.add_argument("--patterns", type=int, default=1, help="default: 1")
    chosen = options.parse_args()
    found = [
        100 * statistics.fmean(shares(chosen.pattern, chosen.nodes, chosen.scheme, chosen.messages,
                                      random.Random(seed)))
        for seed in range(1, chosen.patterns + 1)]
    print(f"{statistics.fmean(found):.1f} ({min(found):.1f} to {max(found):.1f})")


if __name__ == "__main__":
    main()
