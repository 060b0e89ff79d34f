/** Pieces: what the tests ask of the page, by name. */

export { pythonFunction } from "./export/python";
export { DIALECTS, SqlWriter } from "./export/sql";
export { treeJson } from "./export/treeJson";
export { alternatives } from "./model/changing";
export { compare } from "./model/comparing";
export { wayInto } from "./model/conditions";
export { rules } from "./model/rules";
export { conditionWords, moment, number, percent, planeWords } from "./model/wording";
export { constraints } from "./steer/constraints";
export { Steered } from "./steer/edits";
export { nextBest, nodeRows } from "./steer/nextBest";
