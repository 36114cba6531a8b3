// bicameral.chain.v1: the entries of a store's chain, one a line, from the first on.

import { DEEPEST_DOCUMENT, decoded, digest, isCount, isDigest, isList, isObject, isText, write } from "./canonical.mjs";
import { NotJson, parse } from "./json.mjs";
import { finding, noOthers, ofTypes } from "./shape.mjs";

const orNull = (isOfType) => (value) => value === null || isOfType(value);
const oneOf = (...words) => (value) => words.includes(value);

const ENTRY = {
  type: oneOf("bicameral.chain.v1"), seq: isCount, previous: orNull(isDigest), recordDigest: isDigest, dialogId: isText,
  wireDigest: isDigest, replies: isList,
};
const MAY_BE_IN_ENTRY = { outcome: isDigest };
const REPLY = {
  chainDepth: orNull(isCount), digest: isDigest, finish: oneOf("stop", "length", "refusal"),
  state: oneOf("complete", "truncated", "refused", "empty", "unreadable", "incomplete"),
};
const MAY_BE_IN_REPLY = { about: isDigest };

function members(value, where, required, optional, tell) {
  ofTypes(value, where, required, optional, tell);
  if (isObject(value)) noOthers(value, where, [...Object.keys(required), ...Object.keys(optional)], tell);
}

function readEntry(text) {
  try {
    const entry = parse(text, { repeated: "refuse", levels: DEEPEST_DOCUMENT });
    return isObject(entry) ? { entry } : { problem: "it is no object" };
  } catch (error) {
    if (error instanceof NotJson) return { problem: error.message };
    throw error;
  }
}

export function verifyChain(bytes) {
  const text = decoded(bytes);
  if (text === null) return [finding(1, "broken", "file", "it is no UTF-8")];
  const found = [];
  let before = null; // the hash of the entry before; undefined after one that cannot be read
  text.replace(/\n$/, "").split("\n").forEach((line, at) => {
    const tell = (where, what) => found.push(finding(1, "broken", `line ${at + 1}: ${where}`, what));
    const { entry, problem } = readEntry(line);
    if (problem !== undefined) {
      tell("all of it", problem);
      before = undefined;
      return;
    }
    if (write(entry) !== line) tell("all of it", "it is not in RFC 8785 form");
    members(entry, "", ENTRY, MAY_BE_IN_ENTRY, tell);
    if (isList(entry.get("replies"))) {
      entry.get("replies").forEach((reply, index) => members(reply, `replies[${index}]`, REPLY, MAY_BE_IN_REPLY, tell));
    }
    if (entry.get("seq") !== at) tell("seq", "it does not follow");
    if (before !== undefined && entry.get("previous") !== before) tell("previous", "it is not the hash of the entry before");
    before = digest(write(entry));
  });
  return found;
}
