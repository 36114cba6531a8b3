// Which agent.dialog.v1 records verify: agent.dialog.v1, sections 1 and 5.

import { digest, hasLoneSurrogate, isCount, isNumber, isObject, isText, isWhole, leaves } from "./canonical.mjs";
import { DuplicateTurn, NoDialog, asWritten, dialogFrom, turnHash, wireKey } from "./dialog.mjs";
import { NotJson, parse } from "./json.mjs";
import { compareDepths } from "./order.mjs";
import { finding } from "./shape.mjs";

const MEMBERS = ["solverType", "specVersion", "dialogId", "wireKey", "turnCount", "label"];
const TYPES = [["specVersion", isWhole], ["dialogId", isText], ["wireKey", isText], ["turnCount", isWhole]];
const META = ["model", "parts", "pictures"];
const LONGEST = 200;

// Why a document is no record at all (section 1), or null.
export function whyNoRecord(record) {
  if (!isObject(record)) return "it is no object";
  if (record.get("solverType") !== "agent.dialog.v1") return "solverType is not agent.dialog.v1";
  const wrong = TYPES.find(([name, isOfType]) => !isOfType(record.get(name)));
  if (wrong !== undefined) return `${wrong[0]} is missing or of another type`;
  if (record.has("label") && !isText(record.get("label"))) return "label is no text";
  return null;
}

export function readWire(text) {
  return dialogFrom(parse(text), true);
}

export function verifyRecord(record) {
  if (record.get("specVersion") !== 1) return [finding(1, "unverifiable", "specVersion", "it is not 1")];
  const text = record.get("wireKey");
  let dialog;
  try {
    dialog = readWire(text);
  } catch (error) {
    if (!(error instanceof NotJson) && !(error instanceof NoDialog)) throw error;
    return [finding(2, "broken", "wireKey", error.message)];
  }
  const isOwn = record.get("dialogId").startsWith("sha256:");
  const found = [...spelling(dialog, text), ...named(record, dialog), ...numbersAndTexts(dialog)];
  found.push(...parents(dialog, isOwn ? "broken" : "unverifiable"));
  if (isOwn) found.push(...derived(record, dialog));
  return found;
}

function spelling(dialog, text) {
  try {
    if (wireKey(dialog) === text) return [];
  } catch (error) {
    if (!(error instanceof DuplicateTurn)) throw error;
    return [finding(3, "broken", "wireKey", error.message)];
  }
  const depths = dialog.turns.map((turn) => turn.get("chainDepth"));
  const rises = depths.every((depth, at) => at === 0 || compareDepths(depths[at - 1], depth) <= 0);
  if (rises && asWritten(dialog) === text) {
    return [finding(4, "unverifiable", "wireKey", "the turns are in the order of another rule for handles")];
  }
  return [finding(4, "broken", "wireKey", "it is not the canonical text of the dialog that it spells")];
}

function named(record, dialog) {
  const found = [];
  if (record.get("dialogId") !== dialog.dialogId) found.push(finding(5, "broken", "dialogId", "it is not the dialog's"));
  if (record.get("turnCount") !== dialog.turns.length) {
    found.push(finding(5, "broken", "turnCount", `the dialog has ${dialog.turns.length} turns`));
  }
  return found;
}

const genesisTurns = (dialog) => dialog.turns.filter((turn) => !turn.has("parentHash"));

function parents(dialog, status) {
  const found = [];
  const tell = (where, what) => found.push(finding(6, status, where, what));
  const genesis = genesisTurns(dialog);
  if (genesis.length !== 1) tell("turns", `${genesis.length} turns have no parentHash`);
  const byHash = new Map(dialog.turns.map((turn) => [turnHash(turn), turn]));
  dialog.turns.forEach((turn, index) => {
    const where = `turns[${index}]`;
    const depth = turn.get("chainDepth");
    if (!isCount(depth) || depth > 2 ** 53) tell(`${where}.chainDepth`, "it is no whole number from 0 to 2^53");
    if (!turn.has("parentHash")) {
      if (depth !== 0) tell(`${where}.chainDepth`, "the genesis turn is not at depth 0");
      return;
    }
    const parent = byHash.get(turn.get("parentHash"));
    if (parent === undefined) tell(`${where}.parentHash`, "no turn of this dialog has this hash");
    else if (compareDepths(parent.get("chainDepth"), depth) >= 0) {
      tell(`${where}.parentHash`, "the turn that it names is not at a lesser depth");
    }
  });
  return found;
}

function derived(record, dialog) {
  const found = [];
  const contents = genesisTurns(dialog).map((turn) => digest(turn.get("content")));
  if (!contents.includes(record.get("dialogId"))) {
    found.push(finding(7, "broken", "dialogId", "it is not the digest of the genesis turn's content"));
  }
  for (const name of record.keys()) {
    if (!MEMBERS.includes(name)) found.push(finding(8, "broken", name, "no member of such a record has this name"));
  }
  dialog.turns.forEach((turn, index) => {
    const [meta, where] = [turn.get("meta"), `turns[${index}].meta`];
    if (meta === undefined || meta === null) return;
    if (!isObject(meta)) {
      found.push(finding(9, "broken", where, "it is no object"));
      return;
    }
    for (const [name, value] of meta) {
      if (META.includes(name) && isText(value) && [...value].length <= LONGEST) continue;
      found.push(finding(9, "broken", `${where}.${name}`, `it is no ${META.join(", ")} of at most ${LONGEST} characters`));
    }
  });
  return found;
}

function numbersAndTexts(dialog) {
  const found = [];
  dialog.turns.forEach((turn, index) => {
    for (const { path, value, name } of leaves(turn)) {
      const where = `turns[${index}].${path}`;
      if (isNumber(value) && !Number.isSafeInteger(value)) {
        found.push(finding(10, "unverifiable", where, "a number that is not whole, or beyond 2^53-1"));
      } else if (hasLoneSurrogate(name ?? (isText(value) ? value : ""))) {
        found.push(finding(10, "unverifiable", where, "a lone surrogate"));
      }
    }
  });
  return found;
}
