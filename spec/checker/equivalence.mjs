// equivalence.v1: comparing two dialogs, and which records of a comparison verify.

import { DEEPEST, byCodeUnit, depthOf, digest, hasLoneSurrogate, isDigest, isList, isObject, isText, isWhole, write } from "./canonical.mjs";
import { asWritten, inCanonicalForm } from "./dialog.mjs";
import { NotJson, parse } from "./json.mjs";
import { finding, noOthers, ofTypes } from "./shape.mjs";

const LONGEST = 200;
const PLACE = ["chainDepth", "speaker", "audience"];
const REST = ["content", "meta", "parentHash"];

const object = (members) => new Map(Object.entries(members).filter(([, value]) => value !== undefined));
const differ = (a, b) => (a === undefined) !== (b === undefined) || (a !== undefined && write(a) !== write(b));

function named(value) {
  if (value === undefined) return undefined;
  const text = write(value);
  return object({ digest: digest(text), text: text.length <= LONGEST ? text : undefined });
}

const difference = (where, turn, a, b) => object({ where, turn, a: named(a), b: named(b) });

function side(dialog) {
  const wireDigest = digest(asWritten(dialog));
  return object({ dialogId: dialog.dialogId, turnCount: dialog.turns.length, wireDigest });
}

// The record of two dialogs; throws where one of them has no wire key.
export function compare(dialogA, dialogB) {
  const [a, b] = [inCanonicalForm(dialogA), inCanonicalForm(dialogB)];
  const [sideA, sideB] = [side(a), side(b)];
  const same = sideA.get("wireDigest") === sideB.get("wireDigest");
  return object({
    solverType: "equivalence.v1", specVersion: 1, a: sideA, b: sideB,
    outcome: same ? "equivalent" : "different", firstDifference: same ? undefined : firstDifference(a, b),
  });
}

function firstDifference(a, b) {
  const longest = Math.max(a.turns.length, b.turns.length);
  for (let at = 0; at < longest; at += 1) {
    const [turnA, turnB] = [a.turns[at], b.turns[at]];
    if (!differ(turnA, turnB)) continue;
    const where = `turns[${at}]`;
    if (turnA === undefined || turnB === undefined || PLACE.some((name) => differ(turnA.get(name), turnB.get(name)))) {
      return difference(where, at, turnA, turnB);
    }
    const member = REST.find((name) => differ(turnA.get(name), turnB.get(name)));
    let values = [turnA.get(member), turnB.get(member)];
    if (member === "content") values = inside(values);
    return down(`${where}.${member}`, at, ...values);
  }
  return difference("dialogId", undefined, a.dialogId, b.dialogId);
}

function inside(contents) {
  const values = contents.map(container);
  return values.includes(undefined) || !differ(...values) ? contents : values;
}

function container(content) {
  if (hasLoneSurrogate(content)) return undefined;
  try {
    const value = parse(content);
    return (isObject(value) || isList(value)) && depthOf(value) <= DEEPEST ? value : undefined;
  } catch (error) {
    if (error instanceof NotJson) return undefined;
    throw error;
  }
}

function down(where, turn, a, b) {
  for (;;) {
    let step;
    if (isList(a) && isList(b)) {
      let at = 0;
      while (!differ(a[at], b[at])) at += 1;
      [step, a, b] = [`[${at}]`, a[at], b[at]];
    } else if (isObject(a) && isObject(b)) {
      const names = [...a.keys()].sort(byCodeUnit);
      names.push(...[...b.keys()].filter((name) => !a.has(name)).sort(byCodeUnit));
      const name = names.find((one) => differ(a.get(one), b.get(one)));
      [step, a, b] = [`.${name}`, a.get(name), b.get(name)];
    } else return difference(where, turn, a, b);
    where += step;
  }
}

const RECORD = { solverType: isText, specVersion: isWhole, a: isObject, b: isObject, outcome: isText };
const MAY_BE_IN_RECORD = { firstDifference: isObject, label: isText };
const SIDE = { dialogId: isText, turnCount: isWhole, wireDigest: isDigest };
const FIRST = { where: isText };
const MAY_BE_IN_FIRST = { turn: isWhole, a: isObject, b: isObject };
const VALUE = { digest: isDigest };
const MAY_BE_IN_VALUE = { text: isText };

// The objects of a record that are there, each with its place and its two tables.
const parts = (record) => {
  const first = record.get("firstDifference");
  const values = isObject(first) ? ["a", "b"].map((name) => [first.get(name), `firstDifference.${name}`, VALUE, MAY_BE_IN_VALUE]) : [];
  return [
    [record, "", RECORD, MAY_BE_IN_RECORD], [record.get("a"), "a", SIDE, {}], [record.get("b"), "b", SIDE, {}],
    [first, "firstDifference", FIRST, MAY_BE_IN_FIRST], ...values,
  ].filter(([value]) => isObject(value));
};

// What is wrong with a record (section 3); `dialogs` is the pair that it is said to be of, or undefined.
export function verifyEquivalence(record, dialogs) {
  const found = [];
  for (const [value, where, required, optional] of parts(record)) {
    ofTypes(value, where, required, optional, (at, what) => found.push(finding(1, "unreadable", at, what)));
  }
  if (found.length > 0) return found;
  const tell = (point, where, what) => found.push(finding(point, "broken", where, what));
  for (const [value, where, required, optional] of parts(record)) {
    noOthers(value, where, [...Object.keys(required), ...Object.keys(optional)], (at, what) => tell(1, at, what));
  }
  const [a, b, outcome, first] = ["a", "b", "outcome", "firstDifference"].map((name) => record.get(name));
  if (a.get("turnCount") < 0 || b.get("turnCount") < 0) tell(1, "turnCount", "it is less than 0");
  const same = a.get("wireDigest") === b.get("wireDigest");
  if (outcome !== (same ? "equivalent" : "different")) tell(2, "outcome", "it is not what the two wire digests give");
  if (same && ["dialogId", "turnCount"].some((name) => a.get(name) !== b.get(name))) tell(3, "b", "one digest, two dialogs");
  if (same !== (first === undefined)) tell(3, "firstDifference", same ? "equal dialogs do not differ" : "it is missing");
  if (first !== undefined) inDifference(first, (where, what) => tell(4, where, what));
  if (found.length === 0 && dialogs !== undefined) {
    const made = compare(...dialogs);
    for (const name of ["a", "b", "outcome", "firstDifference"]) {
      if (differ(record.get(name), made.get(name))) tell("with the dialogs", name, "it is not what comparing the two gives");
    }
  }
  return found;
}

function inDifference(first, tell) {
  const [where, turn, a, b] = ["where", "turn", "a", "b"].map((name) => first.get(name));
  const begin = `turns[${turn}]`;
  const fits = turn === undefined ? where === "dialogId"
    : where === begin || REST.some((name) => where.startsWith(`${begin}.${name}`));
  if (!fits) tell("firstDifference.where", "it does not name a place in this turn");
  if (!differ(a, b)) tell("firstDifference", "a and b are equal");
  for (const [name, value] of [["a", a], ["b", b]]) {
    const text = value?.get("text");
    if (text === undefined) continue;
    if (text.length > LONGEST) tell(`firstDifference.${name}.text`, `it is longer than ${LONGEST}`);
    if (digest(text) !== value.get("digest")) tell(`firstDifference.${name}.digest`, "it is not that of the text");
  }
}
