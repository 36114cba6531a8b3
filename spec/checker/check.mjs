#!/usr/bin/env node
// node check.mjs FILE...                    is each sound? What is wrong, and where?
// node check.mjs --a DIALOG --b DIALOG FILE  an equivalence.v1 record, against the two dialogs
// node check.mjs --mode M --entries N --head H FILE.jsonl   a trace, against what you hold of it
// node check.mjs --key FILE...              the wire key and the digests of a dialog
//
// 0: sound. 1: something is broken. 2: something could not be read, or nothing here can say.

import { readFileSync } from "node:fs";

import { digest } from "./canonical.mjs";
import { isMode } from "./cael.mjs";
import { DuplicateTurn, asWritten, inCanonicalForm, turnHash } from "./dialog.mjs";
import { NoDialog, NotJson, lookAt, readDialog } from "./look.mjs";

const VALUED = ["--a", "--b", "--mode", "--entries", "--head"];

class Usage extends Error {}

function argumentsOf(words) {
  const [options, files] = [new Map(), []];
  for (let at = 0; at < words.length; at += 1) {
    if (words[at] === "--key") options.set("--key", true);
    else if (VALUED.includes(words[at]) && at + 1 < words.length) options.set(words[at], words[(at += 1)]);
    else if (words[at].startsWith("--")) throw new Usage(`what is ${words[at]}?`);
    else files.push(words[at]);
  }
  if (files.length === 0) throw new Usage("no file was named");
  if (options.has("--a") !== options.has("--b")) throw new Usage("--a and --b go together");
  if (options.has("--mode") && !isMode(options.get("--mode"))) throw new Usage("a mode is fnv1a or sha256");
  if (options.has("--entries") && !/^[0-9]+$/.test(options.get("--entries"))) throw new Usage("--entries is a number");
  return { options, files };
}

function printKey(file) {
  const dialog = inCanonicalForm(readDialog(readFileSync(file)));
  const key = asWritten(dialog);
  console.log(key);
  console.log(digest(key));
  for (const turn of dialog.turns) console.log(`  ${turnHash(turn)}`);
  return 0;
}

function printCheck(file, options) {
  const expected = { isNamedLines: file.endsWith(".jsonl"), mode: options.get("--mode"), head: options.get("--head") };
  if (options.has("--entries")) expected.entries = Number(options.get("--entries"));
  if (options.has("--a")) expected.dialogs = [options.get("--a"), options.get("--b")].map((name) => readDialog(readFileSync(name)));
  const { kind, status, findings } = lookAt(readFileSync(file), expected);
  console.log(`${file}: ${kind}, ${status}`);
  for (const { point, status: weight, where, what } of findings) console.log(`  ${weight} (${point}) ${where}: ${what}`);
  return { sound: 0, broken: 1 }[status] ?? 2;
}

// What `act` gives, or 2 where the reason why it gives nothing was told.
function told(act, before = "") {
  try {
    return act();
  } catch (error) {
    const isTold = [Usage, NotJson, NoDialog, DuplicateTurn].some((kind) => error instanceof kind);
    if (!isTold && error.syscall === undefined) throw error;
    console.error(`${before}${error.message}`);
    return 2;
  }
}

function main(words) {
  return told(() => {
    const { options, files } = argumentsOf(words);
    const check = options.has("--key") ? printKey : printCheck;
    return Math.max(...files.map((file) => told(() => check(file, options), `${file}: `)));
  });
}

process.exitCode = main(process.argv.slice(2));
