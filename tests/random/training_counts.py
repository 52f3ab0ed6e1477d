"""Messages and bytes of a training, counted from docs/accelerators.md ("Training") without a look at the program's
generators: by way of sharing, of all tasks together. All rings pass whole blocks, so that a ring among n sends n - 1
times what it has, in n (n - 1) messages."""

import collections

EXPERT_TAG = 3  # of the messages to experts and back, in what `weft trace generate` writes


class Counts:
    """`of`: the value of a key of the workload."""

    def __init__(self, of):
        get = lambda name: of(f"workload.{name}")  # noqa: E731
        self.tasks, self.t, self.c, self.p = (get(name) for name in ("tasks", "tensor", "context", "pipeline"))
        self.d = self.tasks // (self.t * self.c * self.p)
        self.e, self.experts, self.copies = get("expert"), get("experts"), get("top_k")
        self.layers, self.hidden, self.element = (get(name) for name in ("layers", "hidden", "parameter_bytes"))
        self.feed_forward = get("feed_forward") or 4 * self.hidden
        self.micro_batches = get("batch") // (self.d * get("micro_batch"))
        self.chunks = get("chunks") if get("schedule") == "interleaved" else 1
        self.steps = get("repetitions") or 1
        self.recompute, self.sequence_parallel, self.zero = get(
                "recompute"), get("sequence_parallel"), get("zero_stage")
        self.gradient_bytes, self.embeddings = get("gradient_bytes"), get("embeddings")
        self.parallel_order = get("parallel_order")
        self.vocabulary = get("vocabulary")
        self.unequal = self.e > 1 and get("counts_law") != "equal"
        self.token_bytes = self.hidden * self.element
        self.tokens = get("micro_batch") * get("sequence") // self.c
        self.activations = self.tokens * self.hidden * self.element
        # Layers that a task works through, forward or backward.
        self.forward = self.steps * self.micro_batches * self.layers // self.p
        self.passes = self.forward * (3 if self.recompute else 2)

    def tensor(self):
        halves = 4 if self.e == 1 else 2 * (1 + self.copies)
        messages = self.tasks * self.passes * 4 * (self.t - 1)
        return messages, self.tasks // self.t * self.passes * halves * (self.t - 1) * self.activations

    def context(self):
        keys_and_values = lambda times: times * 2 * self.activations // self.t  # noqa: E731
        onwards = self.passes - self.forward
        each = onwards * keys_and_values(1) + self.forward * keys_and_values(2)
        return self.tasks * self.passes * (self.c - 1), self.tasks * (self.c - 1) * each

    def expert(self):
        messages = self.tasks * self.passes * 2 * (self.e - 1)
        copies = self.tokens * self.copies // self.t * self.hidden * self.element
        if self.unequal:  # of all copies those for the own experts stay: of a group as many as one of it has
            return messages, self.tasks // self.e * self.passes * 2 * (self.e - 1) * copies
        return messages, messages * (copies // self.e)

    def pipeline(self):
        messages = self.steps * self.tasks // self.p * 2 * self.micro_batches * (self.p * self.chunks - 1)
        return messages, messages * (self.activations // (self.t if self.sequence_parallel else 1))

    def dense(self):
        return (4 * self.hidden**2 + (0 if self.experts else 2 * self.hidden * self.feed_forward)) // self.t

    def of_experts(self):
        return self.experts // self.e * 2 * self.hidden * self.feed_forward // self.t

    def embedding_tables(self):
        """On all stages together."""
        return {"none": 0, "tied": min(2, self.p), "untied": 2}[self.embeddings]

    def rings(self, layers, tables, bytes_each, halves):
        """Of the parameters of so many layers and embeddings, among those that have the same; for the experts these are
        fewer."""
        embedding = self.vocabulary * self.hidden // self.t
        lines = self.tasks // (self.d * self.p)  # pipelines that are no copies of each other
        ring = lambda size, number, parameters: (halves * number * size * (size - 1), halves * number * (size - 1)
                                                 * parameters * bytes_each)  # noqa: E731
        parts = [ring(self.d, lines * layers, self.dense()), ring(self.d, lines * tables, embedding)]
        if self.experts:
            parts.append(ring(self.d // self.e, lines * self.e * layers, self.of_experts()))
        return tuple(sum(column) for column in zip(*parts, strict=True))

    def gradients(self):
        times = self.steps * (self.micro_batches if self.zero >= 2 else 1)
        halves = 2 if self.zero == 0 else 1
        messages, all_bytes = self.rings(times * self.layers, times * self.embedding_tables(), self.gradient_bytes,
                                         halves)
        if self.embeddings == "tied" and self.p > 1:  # an allreduce of two, once a step
            pairs = self.steps * self.tasks // self.p
            messages += pairs * 4
            all_bytes += pairs * 2 * (self.vocabulary * self.hidden // self.t) * self.gradient_bytes
        return messages, all_bytes

    def parameters(self):
        if self.zero == 0:
            return 0, 0
        times = self.steps * (2 * self.micro_batches if self.zero == 3 else 1)
        return self.rings(times * self.layers, self.steps * self.embedding_tables(), self.element, 1)

    def order(self):
        """Tasks of all groups of experts: neighbours in data parallelism."""
        ways, stride, step = {"tensor": self.t, "context": self.c, "data": self.d, "pipeline": self.p}, 1, 1
        for way in self.parallel_order.split("-"):
            step = stride if way == "data" else step
            stride *= ways[way]
        firsts = [task for task in range(self.tasks) if task // step % self.d % self.e == 0]
        return [[first + step * k for k in range(self.e)] for first in firsts]

    def unlike(self, sends):
        """What is wrong with the messages of a training of unequal experts, [(source, target, bytes, tag)]: what goes
        to an expert comes back, in whole tokens, and all have as much for it, as much for all experts together as they
        have copies of tokens."""
        between = collections.Counter()
        for source, target, size, tag in sends:
            if tag == EXPERT_TAG:
                between[source, target] += size
        for group in self.order():
            pairs = {(a, b): between[a, b] for a in group for b in group if a != b}
            if any(pairs[a, b] != pairs[b, a] for a, b in pairs):
                return f"what goes between {group} and comes back differs: {pairs}"
            if any(size % self.token_bytes for size in pairs.values()):
                return f"no whole tokens go between {group}: {pairs}"
            # To each the same from all of the others, there, and back what each has for the other: n(a, b) = x(a) +
            # x(b).
            copies = self.passes * (self.tokens * self.copies // self.t) * self.token_bytes
            if sum(pairs.values()) != 2 * (len(group) - 1) * copies:
                return (f"between {group} go {sum(pairs.values())} bytes there and back, not "
                        f"{2 * (len(group) - 1) * copies}")
            if len(group) == 4 and len({pairs[group[0], group[k]] + pairs[group[k % 3 + 1], group[(k + 1) % 3 + 1]]
                                        for k in (1, 2, 3)}) != 1:
                return f"of {group} not all have as much for an expert: {pairs}"
        return ""

    def all(self):
        """{way of sharing: (messages, bytes)}"""
        return {way: getattr(self, way)() for way in ("tensor", "context", "expert", "pipeline", "gradients",
                                                      "parameters")}
