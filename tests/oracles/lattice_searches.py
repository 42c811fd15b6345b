"""OLA and Incognito as they are published: tags, queues and candidate sets, nothing joined or left out."""

from itertools import combinations, product


def up(place, shape):
    return product(*(range(layer, size) for layer, size in zip(place, shape, strict=True)))


def down(place):
    return product(*(range(layer + 1) for layer in place))


class LiteralOLA:
    """El Emam and others (2009): Kmin, with a tag per node; the top is looked at too where nothing settles it."""

    def __init__(self, shape, fits):
        self.shape, self.fits, self.tags, self.looked = shape, fits, {}, []
        self.kmin((0,) * len(shape), tuple(size - 1 for size in shape))

    def is_anonymous(self, node):
        if node not in self.tags:
            self.looked.append(node)
            if self.fits(node):
                self.tags.update(dict.fromkeys(up(node, self.shape), True))
            else:
                self.tags.update(dict.fromkeys(down(node), False))
        return self.tags[node]

    def kmin(self, bottom, top):
        height = sum(top) - sum(bottom)
        if height > 1:
            nodes = product(*(range(low, high + 1) for low, high in zip(bottom, top, strict=True)))
            for node in [node for node in nodes if sum(node) - sum(bottom) == height // 2]:
                if self.is_anonymous(node):
                    self.kmin(bottom, node)
                else:
                    self.kmin(node, top)
        elif not self.is_anonymous(bottom):
            self.is_anonymous(top)


class LiteralIncognito:
    """LeFevre and others (2005): nodes are sets of attributes with layers, the candidates of a size joined from below.

    ``fits`` is asked of the table with the other attributes left out, which is the state that has them at the root.
    """

    def __init__(self, shape, fits):
        self.shape, self.fits, self.looked = shape, fits, []
        survivors = {()}
        for size in range(1, len(shape) + 1):
            survivors = self.breadth_first(self.candidates(survivors, size))
        self.anonymous = {tuple(layer for _, layer in node) for node in survivors}

    def candidates(self, survivors, size):
        """Nodes of which each part with one attribute less survived."""
        for chosen in combinations(range(len(self.shape)), size):
            for layers in product(*(range(self.shape[position]) for position in chosen)):
                node = tuple(zip(chosen, layers, strict=True))
                if all(node[:out] + node[out + 1 :] in survivors for out in range(size)):
                    yield node

    def breadth_first(self, candidates):
        nodes = sorted(candidates, key=lambda node: sum(layer for _, layer in node))
        marked = set()
        for node in nodes:
            if node not in marked:
                self.looked.append(node)
                if self.fits(self.state(node)):
                    marked.update(other for other in nodes if self.generalizes(other, node))
        return marked

    def state(self, node):
        layers = dict(node)
        return tuple(layers.get(position, size - 1) for position, size in enumerate(self.shape))

    @staticmethod
    def generalizes(other, node):
        return [a for a, _ in other] == [a for a, _ in node] and all(
            high >= low for (_, high), (_, low) in zip(other, node, strict=True)
        )
