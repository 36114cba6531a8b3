// A dialog, its wire key and its turn hashes: agent.dialog.v1, sections 2 to 4.

import { DEEPEST, depthOf, digest, isList, isNumber, isObject, isText, write } from "./canonical.mjs";
import { compareTurns } from "./order.mjs";

export class NoDialog extends Error {}
export class DuplicateTurn extends Error {}

const REQUIRED = [["speaker", isText], ["audience", isText], ["chainDepth", isNumber], ["content", isText]];
const OPTIONAL = ["parentHash", "meta"];

function turnFrom(value, where, nullIsNaN) {
  if (!isObject(value)) throw new NoDialog(`${where} is no object`);
  const turn = new Map();
  for (const [name, isOfType] of REQUIRED) {
    let member = value.get(name);
    if (name === "chainDepth" && member === null && nullIsNaN) member = NaN;
    if (member === undefined) throw new NoDialog(`${where} has no ${name}`);
    if (!isOfType(member)) throw new NoDialog(`${where}.${name} is of a wrong type`);
    turn.set(name, member);
  }
  for (const name of OPTIONAL) {
    const member = value.get(name);
    if (member === undefined) continue;
    if (depthOf(member) > DEEPEST) throw new NoDialog(`${where}.${name} is more than ${DEEPEST} levels deep`);
    turn.set(name, member);
  }
  return turn;
}

// `{ dialogId, turns }` of a parsed document, turns in the order in which it has them. Other members are left out.
export function dialogFrom(value, nullIsNaN = false) {
  if (!isObject(value)) throw new NoDialog("it is no object");
  const [dialogId, turns] = [value.get("dialogId"), value.get("turns")];
  if (!isText(dialogId)) throw new NoDialog("dialogId is missing or no text");
  if (!isList(turns)) throw new NoDialog("turns is missing or no list");
  return { dialogId, turns: turns.map((turn, index) => turnFrom(turn, `turns[${index}]`, nullIsNaN)) };
}

export function inOrder(turns) {
  const sorted = [...turns].sort(compareTurns);
  for (let at = 1; at < sorted.length; at += 1) {
    if (compareTurns(sorted[at - 1], sorted[at]) !== 0) continue;
    const [depth, speaker, audience] = ["chainDepth", "speaker", "audience"].map((name) => sorted[at].get(name));
    throw new DuplicateTurn(`duplicate turn: chainDepth=${depth}, speaker=${speaker}, audience=${audience}`);
  }
  return sorted;
}

// The canonical text with the turns as they stand.
export const asWritten = ({ dialogId, turns }) => write(new Map([["dialogId", dialogId], ["turns", turns]]));

export const inCanonicalForm = ({ dialogId, turns }) => ({ dialogId, turns: inOrder(turns) });
export const wireKey = (dialog) => asWritten(inCanonicalForm(dialog));
export const turnHash = (turn) => digest(write(turn));
