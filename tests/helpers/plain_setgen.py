"""SET-GEN as its paper's Table 1 has it: one child at a time, ten trees each, nothing remembered or shared."""

import numpy as np


class PlainSetGen:
    """The pseudocode, with trees grown by the learner itself; draws random numbers in the same order as the search."""

    def __init__(self, table, folds, learner, rng, *, population_size, genome_size, weight=0.75, p_c=0.1, p_m=0.1):
        self.table, self.folds, self.learner, self.rng = table, folds, learner, rng
        self.population_size, self.genome_size = population_size, genome_size
        self.weight, self.p_c, self.p_m = weight, p_c, p_m
        self.population = []

    def run(self, evaluations):
        for _ in range(evaluations):
            child = self.child()
            fitness = self.fitness(child)
            if len(self.population) < self.population_size:
                self.population.append((fitness, child))
                continue
            worst = min(range(len(self.population)), key=lambda i: self.population[i][0])
            if fitness > self.population[worst][0]:
                self.population[worst] = (fitness, child)
        return self.population

    def child(self):
        if len(self.population) < self.population_size:
            return self.mutate([None] * self.genome_size, 1.0)
        operator = self.rng.integers(3)
        primary = self.parent()
        if operator == 0:
            return self.crossover(primary, self.parent())
        if operator == 1:
            return self.mutate(primary, self.p_m)
        present = sorted({feature for feature in primary if feature is not None})
        if not present:
            return primary
        gone = self.rng.choice(present)
        return [None if feature == gone else feature for feature in primary]

    def mutate(self, parent, rate):
        anew, filled = self.rng.random(len(parent)), self.rng.random(len(parent))
        features = self.rng.integers(self.table.n_features, size=len(parent))
        return [
            (int(features[i]) if filled[i] < 0.5 else None) if anew[i] < rate else entry
            for i, entry in enumerate(parent)
        ]

    def crossover(self, primary, secondary):
        distance = self.rng.integers(len(secondary))
        turned = [secondary[(i - distance) % len(secondary)] for i in range(len(secondary))]
        draws = self.rng.random(len(primary))
        return [turned[i] if draws[i] < self.p_c else primary[i] for i in range(len(primary))]

    def parent(self):
        point = self.rng.random() * sum(fitness for fitness, _ in self.population)
        for fitness, genome in self.population:
            point -= fitness
            if point < 0:
                return genome
        return self.population[-1][1]

    def fitness(self, genome):
        features = sorted({feature for feature in genome if feature is not None})
        return self.fitness_of(features)

    def fitness_of(self, features):
        part = self.table.select(features)
        accuracy, nodes, rows = [], [], []
        for fold in range(max(self.folds) + 1):
            train, tests = part.take(self.folds != fold), part.take(self.folds == fold)
            tree = self.learner.fit(train).tree_
            accuracy.append(np.average(tree.predict(tests) == tests.y, weights=tests.weights))
            nodes.append(tree.n_nodes)
            rows.append(train.weights.sum())
        size = np.mean(nodes) / np.mean(rows)
        share = len(features) / self.table.n_features
        return self.weight * np.mean(accuracy) + (1 - self.weight) * (1 - (size + share) / 2)
