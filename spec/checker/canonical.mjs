// Canonical text and digests: agent.dialog.v1, section 4; the other order of names is that of cael.v1, section 2.

import { createHash } from "node:crypto";

export const DEEPEST = 1000; // of a value in a dialog or a trace
export const DEEPEST_DOCUMENT = 1008; // of a document
const STACK = 3000; // what may be written without fear for the stack: three times what any page allows

export class TooDeep extends Error {}

export const isObject = (value) => value instanceof Map;
export const isList = Array.isArray;
export const isText = (value) => typeof value === "string";
export const isNumber = (value) => typeof value === "number";
export const isWhole = (value) => Number.isInteger(value);
export const isCount = (value) => Number.isInteger(value) && value >= 0;
export const isDigest = (value) => isText(value) && /^sha256:[0-9a-f]{64}$/.test(value);
export const hasLoneSurrogate = (text) => /\p{Cs}/u.test(text);

export const byCodeUnit = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

const isIndex = (name) => /^(?:0|[1-9][0-9]{0,9})$/.test(name) && Number(name) <= 4294967294;

function indexFirst(a, b) {
  const [indexA, indexB] = [isIndex(a), isIndex(b)];
  if (indexA && indexB) return Number(a) - Number(b);
  if (indexA !== indexB) return indexA ? -1 : 1;
  return byCodeUnit(a, b);
}

export const DIALOG_RULE = { order: byCodeUnit, drops: () => false };
export const TRACE_RULE = { order: indexFirst, drops: (name) => name === "__proto__" };

export function write(value, rule = DIALOG_RULE, level = 0) {
  if (value === null || value === undefined) return "null";
  if (isText(value)) return JSON.stringify(value); // escapes just what the page says, lone surrogates included
  if (isNumber(value)) return Number.isFinite(value) ? String(value) : "null"; // String(-0) is "0"
  if (typeof value === "boolean") return String(value);
  if (level >= STACK) throw new TooDeep(`more than ${STACK} levels`);
  if (isList(value)) return `[${value.map((item) => write(item, rule, level + 1)).join(",")}]`;
  const members = [...value.keys()]
    .filter((name) => value.get(name) !== undefined && !rule.drops(name))
    .sort(rule.order)
    .map((name) => `${JSON.stringify(name)}:${write(value.get(name), rule, level + 1)}`);
  return `{${members.join(",")}}`;
}

// How deep objects and lists stand: 0 for a scalar, 2 for [[1]]. Level by level, so that depth costs no stack.
export function depthOf(value) {
  let depth = 0;
  let level = [value];
  for (;;) {
    const inner = [];
    let containers = 0;
    for (const item of level) {
      if (!isObject(item) && !isList(item)) continue;
      containers += 1;
      for (const child of item.values()) inner.push(child);
    }
    if (containers === 0) return depth;
    depth += 1;
    level = inner;
  }
}

// Every scalar, and every name, of a value: `{ path, value }` and `{ path, name }`.
export function* leaves(value, path = "") {
  const rest = [[path, value]];
  while (rest.length > 0) {
    const [where, item] = rest.pop();
    if (isList(item)) item.forEach((child, index) => rest.push([`${where}[${index}]`, child]));
    else if (isObject(item)) {
      for (const [name, child] of item) {
        yield { path: where, name };
        rest.push([where === "" ? name : `${where}.${name}`, child]);
      }
    } else yield { path: where, value: item };
  }
}

// UTF-8; a surrogate without its partner gives the three bytes that UTF-8's rule gives for its number.
export function utf8(text) {
  if (!hasLoneSurrogate(text)) return Buffer.from(text, "utf8");
  const parts = [];
  for (const character of text) {
    const number = character.codePointAt(0);
    if (number < 0xd800 || number > 0xdfff) parts.push(Buffer.from(character, "utf8"));
    else parts.push(Buffer.from([0xe0 | (number >> 12), 0x80 | ((number >> 6) & 0x3f), 0x80 | (number & 0x3f)]));
  }
  return Buffer.concat(parts);
}

export const sha256 = (text) => createHash("sha256").update(utf8(text)).digest("hex");
export const digest = (text) => `sha256:${sha256(text)}`;

// The text of a document, or null where its bytes are no UTF-8. A byte order mark stays, so that JSON refuses it.
export function decoded(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
