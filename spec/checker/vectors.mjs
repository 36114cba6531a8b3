#!/usr/bin/env node
// node vectors.mjs DIR...   every vector that the pages promise: counts, and each failure. 0 if there is none.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { digest, isList, isObject, utf8, write } from "./canonical.mjs";
import { exported, hashOf, hashedText, traceText } from "./cael.mjs";
import { DuplicateTurn, asWritten, dialogFrom, inCanonicalForm } from "./dialog.mjs";
import { compare } from "./equivalence.mjs";
import { parse } from "./json.mjs";
import { lookAt, lookAtTrace } from "./look.mjs";
import { compareHandles } from "./order.mjs";

// Traces that the public project takes for sound, and in which cael.v1 (section 3) has found something: the point.
const TOLD_BY_THE_PAGE = new Map([
  ["fnv_dropped_tail", 5], ["sha_dropped_tail", 5], ["fnv_extra_entry_member", 1], ["sha_extra_entry_member", 1],
  ["proto_member_not_hashed", 4],
]);

class Failed extends Error {}

function same(what, answer, expected) {
  if (answer !== expected) throw new Failed(`${what}: ${JSON.stringify(answer)} and not ${JSON.stringify(expected)}`);
}

// {"$num": ...} and {"$undefined": true} in a vector's input are values that JSON cannot spell.
function untagged(value) {
  if (isList(value)) return value.map(untagged);
  if (!isObject(value)) return value;
  if (value.size === 1 && value.has("$num")) return Number(value.get("$num"));
  if (value.size === 1 && value.has("$undefined")) return undefined;
  return new Map([...value].map(([name, member]) => [name, untagged(member)]));
}

const input = (vector, name) =>
  dialogFrom(vector.has(`${name}_json`) ? parse(vector.get(`${name}_json`)) : untagged(vector.get(name)));

function refused(vector, act) {
  try {
    act();
  } catch (error) {
    if (!(error instanceof DuplicateTurn)) throw error;
    for (const part of vector.get("expect_error").get("message_contains")) {
      if (!error.message.includes(part)) throw new Failed(`the message lacks ${part}`);
    }
    return;
  }
  throw new Failed("a key was given, and none was expected");
}

function wireVector(vector) {
  if (vector.has("expect_error")) {
    refused(vector, () => inCanonicalForm(input(vector, "input")));
    return;
  }
  const dialog = input(vector, "input");
  const sorted = inCanonicalForm(dialog);
  const [expected, key] = [vector.get("expect"), asWritten(sorted)];
  same("wire key", key, expected.get("wireKey"));
  same("order", write(sorted.turns.map((turn) => dialog.turns.indexOf(turn))), write(expected.get("order")));
  const record = new Map(Object.entries({
    solverType: "agent.dialog.v1", specVersion: 1, dialogId: dialog.dialogId, wireKey: key, turnCount: dialog.turns.length,
  }));
  if (vector.has("label")) record.set("label", vector.get("label"));
  same("record", write(record), write(expected.get("record")));
  if (vector.get("tags").includes("lossy")) return; // a key from which the turns cannot be had back
  same("broken", lookAt(utf8(write(record))).status === "broken", false);
}

const isPromised = (vector) => {
  const tags = vector.get("tags");
  return vector.get("portable") || (tags.includes("ascii-collation") && !tags.includes("input-order-dependent"));
};

function equivalenceVector(vector) {
  const outcome = () => compare(input(vector, "a"), input(vector, "b")).get("outcome");
  if (vector.has("expect_error")) refused(vector, outcome);
  else same("outcome", outcome(), vector.get("equivalent") ? "equivalent" : "different");
}

function collation(table) {
  const groups = table.get("primary_groups_in_order");
  const ignored = table.get("ignored_code_points").map((number) => String.fromCharCode(number));
  const rises = (a, b) => same(`${JSON.stringify(a)} before ${JSON.stringify(b)}`, compareHandles(a, b) < 0, true);
  const all = groups.flat();
  all.slice(1).forEach((character, at) => {
    rises(all[at], character);
    for (const mark of ignored) rises(`${mark}${all[at]}`, character);
  });
  groups.slice(1).forEach((group, at) => rises(`${groups[at].at(-1)}z`, `${group[0]}a`)); // groups come before case
  for (const [mark, character] of ignored.flatMap((one) => all.map((other) => [one, other]))) {
    if (mark < character) rises(`${mark}${character}`, character); // and the ignored ones after all else
    else rises(character, `${mark}${character}`);
  }
}

function traceVector(vector) {
  const mode = vector.get("mode") ?? undefined;
  const { status, findings } = lookAtTrace(utf8(vector.get("jsonl")), { mode });
  const [expected, point] = [vector.get("expect"), TOLD_BY_THE_PAGE.get(vector.get("name"))];
  const isValid = expected.get("valid") === true && point === undefined;
  same("sound", status === "sound", isValid);
  if (point !== undefined) same("points", findings.every((one) => one.point === point), true);
  const line = expected.get("brokenAt");
  if (line !== undefined) same("first problem", findings.some((one) => one.where === `line ${line + 1}`), true);
}

function hashVector(vector) {
  const entry = parse(vector.get("entry_json"));
  same("canonical text", hashedText(entry), vector.get("expect").get("canonical"));
  same("hash", hashOf(entry, vector.get("mode")), vector.get("expect").get("hash"));
}

function exportVector(vector) {
  const entries = exported(vector.get("record"), vector.get("mode"));
  same("trace", traceText(entries), vector.get("jsonl"));
  same("head", entries.at(-1).get("hash"), vector.get("head"));
  const of = (what) => what.findings.filter((one) => one.status === "broken").length;
  same("problems", of(lookAtTrace(utf8(vector.get("jsonl")), { mode: vector.get("mode"), head: vector.get("head") })), 0);
}

function recordVector(vector) {
  const bytes = utf8(vector.get("record"));
  same("status", lookAt(bytes).status, vector.get("status"));
  same("record digest", digest(write(parse(vector.get("record")))), vector.get("recordDigest"));
  if (!vector.has("a")) return;
  const dialogs = ["a", "b"].map((name) => input(vector, name));
  same("status with the dialogs", lookAt(bytes, { dialogs }).status, vector.get("status"));
  const made = compare(...dialogs);
  if (parse(vector.get("record")).has("label")) made.set("label", parse(vector.get("record")).get("label"));
  if (vector.get("status") === "sound") same("comparison", write(made), vector.get("record"));
}

// By file: which list holds vectors, how one is tried, and which of them are promised.
const always = () => true;
const SUITES = new Map([
  ["agent_dialog_v1.json", [["cases", wireVector, isPromised]]],
  ["agent_dialog_v1_equivalence.json", [["cases", equivalenceVector, (vector) => vector.get("reference_defect") === false]]],
  ["ascii_collation.json", [[null, collation, always]]],
  ["cael_trace.json", [["chains", traceVector, always], ["entry_hashes", hashVector, always]]],
  ["agent.dialog.v1.json", [["cases", recordVector, always]]],
  ["equivalence.v1.json", [["cases", recordVector, always]]],
  ["ui.session.v1.json", [["cases", recordVector, always]]],
  ["cael.v1.json", [["cases", exportVector, always]]],
]);

function run(folder, print) {
  let failures = 0;
  for (const file of readdirSync(folder).sort()) {
    for (const [list, attempt, promised] of SUITES.get(file) ?? []) {
      const document = parse(readFileSync(join(folder, file), "utf8"));
      const all = list === null ? [document] : document.get(list);
      const tried = all.filter(promised);
      let passed = 0;
      for (const vector of tried) {
        try {
          attempt(vector);
          passed += 1;
        } catch (error) {
          print(`  FAILED ${file} ${vector.get("name") ?? ""}: ${error instanceof Failed ? error.message : error.stack}`);
        }
      }
      failures += tried.length - passed;
      print(`${file}${list === null ? "" : ` ${list}`}: ${passed} of ${tried.length} passed, ${all.length - tried.length} not promised`);
    }
  }
  return failures;
}

const folders = process.argv.slice(2);
const failures = folders.reduce((sum, folder) => sum + run(folder, console.log), 0);
if (folders.length === 0) console.error("no folder was named");
process.exitCode = folders.length === 0 ? 2 : failures > 0 ? 1 : 0;
