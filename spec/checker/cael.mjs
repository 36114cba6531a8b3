// Traces: cael.v1.

import {
  DEEPEST, TRACE_RULE, decoded, depthOf, digest, isNumber, isObject, isText, isWhole, leaves, sha256, write,
} from "./canonical.mjs";
import { NoDialog, turnHash } from "./dialog.mjs";
import { NotJson, parse } from "./json.mjs";
import { readWire, verifyRecord, whyNoRecord } from "./record.mjs";
import { finding } from "./shape.mjs";

const GENESIS = "cael.genesis";
const SPELLINGS = { fnv1a: /^cael-[0-9a-f]{8}$/, sha256: /^cael-sha-[0-9a-f]{64}$/ };
const TYPES = new Map([
  ["version", isText], ["runId", isText], ["index", isWhole], ["event", isText], ["timestamp", isNumber],
  ["simTime", isNumber], ["prevHash", isText], ["payload", isObject], ["hash", isText],
]);

export const isMode = (mode) => isText(mode) && Object.hasOwn(SPELLINGS, mode);

function fnv1a(text) {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

// The members of section 1 without `hash`; a missing one is left out.
export function hashedText(entry) {
  const members = [...TYPES.keys()].filter((name) => name !== "hash" && entry.has(name));
  return write(new Map(members.map((name) => [name, entry.get(name)])), TRACE_RULE);
}

export function hashOf(entry, mode) {
  const text = hashedText(entry);
  return mode === "sha256" ? `cael-sha-${sha256(text)}` : `cael-${fnv1a(text)}`;
}

// The lines that count: `{ number, entry }`, or `{ number, problem }` for one that cannot be read.
function readLines(bytes) {
  const lines = [];
  let start = 0;
  for (let number = 1; start < bytes.length; number += 1) {
    let end = bytes.indexOf(10, start);
    if (end === -1) end = bytes.length;
    const text = decoded(bytes.subarray(start, end));
    start = end + 1;
    if (text === null) lines.push({ number, problem: "it is no UTF-8" });
    else if (/[^ \t\r]/.test(text)) lines.push({ number, ...readLine(text) });
  }
  return lines;
}

function readLine(text) {
  try {
    const entry = parse(text, { repeated: "refuse" });
    return isObject(entry) ? { entry } : { problem: "it is no JSON object" };
  } catch (error) {
    if (error instanceof NotJson) return { problem: error.message };
    throw error;
  }
}

export function modeOf(entry) {
  const named = entry !== undefined && entry.get("event") === "init" && isObject(entry.get("payload"))
    ? entry.get("payload").get("hashMode") : undefined;
  return isMode(named) ? named : "fnv1a";
}

// `expected` may hold `mode`, `entries` and `head`: what the reader demands.
export function verifyTrace(bytes, expected = {}) {
  const lines = readLines(bytes);
  const found = [];
  const tell = (point, line, what) => found.push(finding(point, "broken", `line ${line.number}`, what));
  const first = lines.length > 0 ? lines[0].entry : undefined;
  const mode = expected.mode ?? modeOf(first);
  let index = 0; // what the next entry says, if it goes on from the one before; a line that cannot be read is one too
  lines.forEach((line, at) => {
    const said = line.entry?.get("index");
    if (line.entry === undefined) tell(1, line, line.problem);
    else {
      if (said !== index) tell(2, line, "index does not follow");
      entryProblems(line, lines[at - 1], first, mode, tell);
    }
    index = (isWhole(said) ? said : index) + 1;
  });
  if (first !== undefined) declaredMode(first, lines[0], expected.mode, tell);
  if (lines.length > 0) ends(lines, tell);
  const hasCount = expected.entries !== undefined;
  if (hasCount && expected.entries !== lines.length) tell(6, lines.at(-1) ?? { number: 0 }, "another number of entries");
  if (expected.head !== undefined && expected.head !== lines.at(-1)?.entry?.get("hash")) {
    tell(6, lines.at(-1) ?? { number: 0 }, "another head");
  }
  if (first !== undefined && holdsRecord(first)) found.push(...recordProblems(first, lines, mode, tell));
  return found;
}

function entryProblems(line, before, first, mode, tell) {
  const { entry } = line;
  for (const [name, isOfType] of TYPES) {
    if (!entry.has(name)) tell(1, line, `${name} is missing`);
    else if (!isOfType(entry.get(name))) tell(1, line, `${name} is of another type`);
  }
  for (const name of entry.keys()) if (!TYPES.has(name)) tell(1, line, `no entry has a member ${JSON.stringify(name)}`);
  if (entry.get("version") !== "cael.v1") tell(2, line, "version is not cael.v1");
  if (first !== undefined && entry.get("runId") !== first.get("runId")) tell(2, line, "runId is not the first entry's");
  const earlier = before?.entry;
  if (before === undefined || earlier !== undefined) {
    if (entry.get("prevHash") !== (earlier === undefined ? GENESIS : earlier.get("hash"))) {
      tell(2, line, "prevHash is not the hash of the entry before");
    }
  }
  for (const { value, name } of leaves(entry)) {
    if (name === "__proto__") tell(4, line, "a member __proto__, which no hash covers");
    if (isNumber(value) && !Number.isFinite(value)) tell(4, line, "a number beyond a double, which is hashed as null");
  }
  const tooDeep = [...entry].find(([, value]) => depthOf(value) > DEEPEST);
  if (tooDeep !== undefined) tell(1, line, `${tooDeep[0]} is more than ${DEEPEST} levels deep`);
  else if (!isText(entry.get("hash")) || !SPELLINGS[mode].test(entry.get("hash"))) tell(3, line, `hash is not spelled as ${mode}`);
  else if (entry.get("hash") !== hashOf(entry, mode)) tell(3, line, "hash is not the entry's");
}

function declaredMode(first, line, demanded, tell) {
  const payload = first.get("payload");
  if (first.get("event") !== "init" || !isObject(payload) || !payload.has("hashMode")) return;
  const declared = payload.get("hashMode");
  if (!isMode(declared)) tell(3, line, "hashMode is no mode");
  else if (demanded !== undefined && declared !== demanded) tell(3, line, `hashMode is not ${demanded}`);
}

function ends(lines, tell) {
  const first = lines[0].entry;
  const isFinal = (line) => line.entry?.get("event") === "final";
  const recorded = first?.get("event") === "init" && isObject(first.get("payload"))
    && isText(first.get("payload").get("solverType"));
  if (!recorded) return;
  if (!isFinal(lines.at(-1))) tell(5, lines.at(-1), "the last entry is no final: the end was cut off");
  const final = lines.findIndex(isFinal);
  if (final !== -1 && final < lines.length - 1) tell(5, lines[final + 1], "an entry after the final one");
}

function holdsRecord(first) {
  const payload = first.get("payload");
  return first.get("event") === "init" && isObject(payload) && payload.has("record") && payload.has("recordDigest");
}

function recordProblems(first, lines, mode, tell) {
  const record = first.get("payload").get("record");
  const whyNone = depthOf(record) > DEEPEST ? "it is too deep" : whyNoRecord(record);
  if (whyNone !== null) return [finding(7, "broken", "record", whyNone)];
  const found = verifyRecord(record).map((one) => ({ ...one, where: `record: ${one.where}`, point: `7, record ${one.point}` }));
  let given;
  try {
    given = exported(record, mode);
  } catch (error) {
    if (!(error instanceof NotJson) && !(error instanceof NoDialog)) throw error;
    return [...found, finding(7, "broken", "record", `it gives no trace: ${error.message}`)];
  }
  lines.forEach((line, at) => {
    if (line.entry === undefined || depthOf(line.entry) > DEEPEST + 1) return;
    const same = given[at] !== undefined && write(line.entry, TRACE_RULE) === write(given[at], TRACE_RULE);
    if (!same) tell(7, line, "it is not the entry that the record gives");
  });
  if (lines.length < given.length) tell(7, lines.at(-1), "entries are missing");
  return found;
}

const object = (members) => new Map(Object.entries(members));

// The entries of section 4.
export function exported(record, mode) {
  const { turns } = readWire(record.get("wireKey"));
  const recordDigest = digest(write(record));
  const size = turns.length + 2;
  const entries = [];
  let time = 0;
  const add = (event, payload) => {
    const entry = object({
      version: "cael.v1", runId: recordDigest, index: entries.length, event, timestamp: time, simTime: time,
      prevHash: entries.length === 0 ? GENESIS : entries.at(-1).get("hash"), payload: object(payload),
    });
    entries.push(entry.set("hash", hashOf(entry, mode)));
  };
  const dialogId = record.get("dialogId");
  add("init", { hashMode: mode, solverType: "agent.dialog.v1", dialogId, recordDigest, entries: size, record });
  for (const turn of turns) {
    if (!Number.isNaN(turn.get("chainDepth"))) time = turn.get("chainDepth");
    const data = new Map(["speaker", "audience", "chainDepth", "content"].map((name) => [name, turn.get(name)]));
    add("interaction", { type: "turn", data: data.set("turnHash", turnHash(turn)) });
  }
  add("final", { eventCount: size, recordDigest, wireDigest: digest(record.get("wireKey")) });
  return entries;
}

// The bytes of section 4: members in the order of section 1, each value its canonical text.
export function traceText(entries) {
  const line = (entry) => [...entry].map(([name, value]) => `${JSON.stringify(name)}:${write(value, TRACE_RULE)}`).join(",");
  return entries.map((entry) => `{${line(entry)}}\n`).join("");
}
