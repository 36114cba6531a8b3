// What a document is, and what is wrong with it: `{ kind, status, findings }`.
//
// status: sound; broken (it contradicts itself); unverifiable (nothing here can say); unreadable (it is none of these).

import { DEEPEST_DOCUMENT, decoded, isList, isObject } from "./canonical.mjs";
import { verifyTrace } from "./cael.mjs";
import { verifyChain } from "./chain.mjs";
import { NoDialog, dialogFrom } from "./dialog.mjs";
import { verifyEquivalence } from "./equivalence.mjs";
import { NotJson, parse } from "./json.mjs";
import { verifyRecord, whyNoRecord } from "./record.mjs";
import { verifySession } from "./session.mjs";
import { finding } from "./shape.mjs";

function judged(kind, findings) {
  const has = (status) => findings.some((one) => one.status === status);
  const status = ["unreadable", "broken", "unverifiable"].find(has) ?? "sound";
  return { kind, status, findings };
}

const unreadable = (what) => ({ kind: "document", status: "unreadable", findings: [finding(1, "unreadable", "file", what)] });
const another = (kind) => judged(kind, [finding(1, "unverifiable", "specVersion", "it is not 1: another's record")]);

export const lookAtTrace = (bytes, expected) => judged("cael.v1", verifyTrace(bytes, expected));

// A dialog as somebody handed it in. Of a member that is named twice the last one counts.
export function readDialog(bytes) {
  const text = decoded(bytes);
  if (text === null) throw new NotJson("it is no UTF-8");
  return dialogFrom(parse(text, { levels: DEEPEST_DOCUMENT }));
}

// Lines, where the file's first one is an entry of a chain or of a trace.
function lookAtLines(bytes, isNamedLines, expected) {
  const end = bytes.indexOf(10);
  let first;
  try {
    first = parse(decoded(end === -1 ? bytes : bytes.subarray(0, end)) ?? "");
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
  }
  if (isObject(first) && first.get("type") === "bicameral.chain.v1") {
    return judged("bicameral.chain.v1", verifyChain(bytes));
  }
  if (isNamedLines || (isObject(first) && first.get("version") === "cael.v1")) return lookAtTrace(bytes, expected);
  return null;
}

// `expected` may hold `dialogs` (of an equivalence record) and `mode`, `entries`, `head` (of a trace).
export function lookAt(bytes, { isNamedLines = false, ...expected } = {}) {
  const lines = lookAtLines(bytes, isNamedLines, expected);
  if (lines !== null) return lines;
  const text = decoded(bytes);
  if (text === null) return unreadable("it is no UTF-8");
  let document;
  try {
    document = parse(text, { repeated: "refuse", levels: DEEPEST_DOCUMENT });
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    return unreadable(error.message);
  }
  if (!isObject(document)) return unreadable("it is no object");
  const kind = document.get("solverType");
  if (kind === "agent.dialog.v1") {
    const why = whyNoRecord(document);
    return why === null ? judged(kind, verifyRecord(document)) : unreadable(why);
  }
  if (kind === "equivalence.v1") {
    return document.get("specVersion") === 1 ? judged(kind, verifyEquivalence(document, expected.dialogs)) : another(kind);
  }
  if (kind === "ui.session.v1") {
    return document.get("specVersion") === 1 ? judged(kind, verifySession(document)) : another(kind);
  }
  if (typeof kind === "string") {
    return judged(kind, [finding(1, "unverifiable", "solverType", "no page here says what this is")]);
  }
  if (isList(document.get("turns"))) return unreadable("a dialog, and no record of one: --key prints its wire key");
  return unreadable("it has no solverType in text");
}

export { NoDialog, NotJson };
