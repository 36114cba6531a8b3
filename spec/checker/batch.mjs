#!/usr/bin/env node
// Many questions in one process: a JSON object a line on standard input, an answer a line on standard output. It is for
// tests that compare this checker with another implementation. Documents are texts inside the question.
//
//   {"ask": "key", "text": DIALOG}                    wireKey, wireDigest, turnHashes
//   {"ask": "check", "text": RECORD}                  status, points
//   {"ask": "check", "text": RECORD, "a": DIALOG, "b": DIALOG}
//   {"ask": "trace", "text": TRACE, "mode": MODE}     status, points
//   {"ask": "chain", "text": ENTRIES}                 status, points
//   {"ask": "compare", "a": DIALOG, "b": DIALOG}      record
//   {"ask": "export", "text": RECORD, "mode": MODE}   trace
//
// Where there is no answer: error, the kind of it.

import { readFileSync } from "node:fs";

import { digest, utf8, write } from "./canonical.mjs";
import { exported, traceText } from "./cael.mjs";
import { asWritten, inCanonicalForm, turnHash } from "./dialog.mjs";
import { compare } from "./equivalence.mjs";
import { parse } from "./json.mjs";
import { lookAt, lookAtTrace, readDialog } from "./look.mjs";

const dialogOf = (text) => readDialog(utf8(text));
const judgement = ({ kind, status, findings }) => ({ kind, status, points: findings.map((one) => one.point) });

function pair({ a, b }) {
  return a === undefined ? undefined : [dialogOf(a), dialogOf(b)];
}

const ASKED = {
  key({ text }) {
    const dialog = inCanonicalForm(dialogOf(text));
    const key = asWritten(dialog);
    return { wireKey: key, wireDigest: digest(key), turnHashes: dialog.turns.map(turnHash) };
  },
  check: (question) => judgement(lookAt(utf8(question.text), { dialogs: pair(question) })),
  chain: ({ text }) => judgement(lookAt(utf8(text))),
  trace: ({ text, mode }) => judgement(lookAtTrace(utf8(text), { mode })),
  compare: (question) => ({ record: write(compare(...pair(question))) }),
  export: ({ text, mode }) => ({ trace: traceText(exported(parse(text), mode)) }),
};

function answer(line) {
  const question = JSON.parse(line);
  try {
    return ASKED[question.ask](question);
  } catch (error) {
    return { error: error.constructor.name, message: error.message };
  }
}

const lines = readFileSync(0, "utf8").split("\n").filter((line) => line !== "");
process.stdout.write(lines.map((line) => `${JSON.stringify(answer(line))}\n`).join(""));
