// Which ui.session.v1 records verify.

import { digest, hasLoneSurrogate, isDigest, isList, isObject, isText, isWhole, leaves, write } from "./canonical.mjs";
import { finding, noOthers, ofTypes } from "./shape.mjs";

const RECORD = {
  solverType: isText, specVersion: isWhole, sessionId: isDigest, wireDigest: isDigest, opened: isObject, steps: isList,
  stepCount: isWhole,
};
const LABEL = { label: isText };
const OPENED = { actor: isText, target: isText };
const MAY_BE_OPENED = { platform: isText, formFactor: isText, scheme: isText, task: isText };
const STEP = { action: isText, previous: isDigest };
const MAY_BE_IN_STEP = {
  target: isText, value: isText, secret: (value) => value === true, seen: isObject, failed: isText,
};
const SEEN = { picture: isDigest, facts: isDigest };
const FAILED = ["absent", "hidden", "refused", "timed-out"];

// What an action asks of `target` and `value`.
const ACTIONS = new Map([
  ["navigate", { target: "none", value: "required" }],
  ...["click", "hover", "check", "uncheck"].map((action) => [action, { target: "required", value: "none" }]),
  ["fill", { target: "required", value: "required" }],
  ["select", { target: "required", value: "required" }],
  ["press", { target: "may", value: "required" }],
  ["scroll", { target: "may", value: "none" }],
  ["wait", { target: "may", value: "may" }],
]);

const namesHost = (text) => text.includes("://") || text.startsWith("//");
const names = (...tables) => tables.flatMap((table) => Object.keys(table));

export function verifySession(record) {
  const found = [];
  types(record, (where, what) => found.push(finding(1, "unreadable", where, what)));
  if (found.length > 0) return found;
  const tell = (where, what) => found.push(finding(1, "broken", where, what));
  noOthers(record, "", names(RECORD, LABEL), tell);
  opening(record.get("opened"), tell);
  record.get("steps").forEach((one, at) => step(one, `steps[${at}]`, tell));
  for (const { path, value, name } of leaves(record)) {
    if (hasLoneSurrogate(name ?? (isText(value) ? value : ""))) found.push(finding(3, "broken", path, "a lone surrogate"));
  }
  // What is of another form has no digest; then there is enough told.
  if (found.length === 0) derived(record, (where, what) => found.push(finding(2, "broken", where, what)));
  return found;
}

function types(record, tell) {
  ofTypes(record, "", RECORD, LABEL, tell);
  const [opened, steps] = [record.get("opened"), record.get("steps")];
  if (isObject(opened)) ofTypes(opened, "opened", OPENED, MAY_BE_OPENED, tell);
  if (!isList(steps)) return;
  steps.forEach((one, at) => {
    ofTypes(one, `steps[${at}]`, STEP, MAY_BE_IN_STEP, tell);
    const seen = isObject(one) ? one.get("seen") : undefined;
    if (isObject(seen)) ofTypes(seen, `steps[${at}].seen`, {}, SEEN, tell);
  });
}

function opening(opened, tell) {
  noOthers(opened, "opened", names(OPENED, MAY_BE_OPENED), tell);
  for (const [name, value] of opened) if (value === "") tell(`opened.${name}`, "it is empty");
  if (namesHost(opened.get("target"))) tell("opened.target", "it names a host");
}

function step(one, where, tell) {
  noOthers(one, where, names(STEP, MAY_BE_IN_STEP), tell);
  const action = one.get("action");
  const asks = ACTIONS.get(action);
  if (asks === undefined) {
    tell(`${where}.action`, "there is no such action");
    return;
  }
  const isSecret = one.has("secret");
  if (isSecret && action !== "fill") tell(`${where}.secret`, "only a fill has a secret");
  for (const [name, asked] of [["target", asks.target], ["value", isSecret ? "none" : asks.value]]) {
    if (asked === "required" && !one.has(name)) tell(`${where}.${name}`, `it is missing in a ${action}`);
    if (asked === "none" && one.has(name)) tell(`${where}.${name}`, `it has no place in this ${action}`);
  }
  if (one.get("target") === "") tell(`${where}.target`, "it is empty");
  if (action === "wait" && !one.has("target") && !one.has("value")) tell(where, "it waits for nothing");
  if (action === "navigate" && namesHost(one.get("value") ?? "")) tell(`${where}.value`, "it names a host");
  if (one.has("failed") && !FAILED.includes(one.get("failed"))) tell(`${where}.failed`, "there is no such word");
  const seen = one.get("seen");
  if (seen === undefined) return;
  noOthers(seen, `${where}.seen`, names(SEEN), tell);
  if (seen.size === 0) tell(`${where}.seen`, "it is empty");
}

function derived(record, tell) {
  const [opened, steps, sessionId] = ["opened", "steps", "sessionId"].map((name) => record.get(name));
  if (sessionId !== digest(write(opened))) tell("sessionId", "it is not the digest of what was opened");
  const wire = new Map([["opened", opened], ["sessionId", sessionId], ["steps", steps]]);
  if (record.get("wireDigest") !== digest(write(wire))) tell("wireDigest", "it is not the session's");
  if (record.get("stepCount") !== steps.length) tell("stepCount", `there are ${steps.length} steps`);
  steps.forEach((one, at) => {
    const before = at === 0 ? sessionId : digest(write(steps[at - 1]));
    if (one.get("previous") !== before) tell(`steps[${at}].previous`, "it is not the hash of the step before");
  });
}
