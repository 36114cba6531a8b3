// The order of turns: agent.dialog.v1, section 3.

import { byCodeUnit } from "./canonical.mjs";

const CHARACTERS = "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz";
const RANKS = new Map([...CHARACTERS].map((character, rank) => [character, rank]));

const isAscii = (handle) => /^[\u0000-\u007f]*$/.test(handle);
const withoutIgnored = (handle) => handle.replace(/[\u0000-\u0008\u000e-\u001f\u007f]/g, "");

function compareAscii(a, b) {
  const [keptA, keptB] = [withoutIgnored(a), withoutIgnored(b)];
  const [plainA, plainB] = [keptA.toLowerCase(), keptB.toLowerCase()];
  const shared = Math.min(plainA.length, plainB.length);
  for (let at = 0; at < shared; at += 1) {
    const difference = RANKS.get(plainA[at]) - RANKS.get(plainB[at]);
    if (difference !== 0) return difference;
  }
  if (plainA.length !== plainB.length) return plainA.length - plainB.length;
  for (let at = 0; at < shared; at += 1) {
    if (keptA[at] !== keptB[at]) return keptA[at] === plainA[at] ? -1 : 1;
  }
  return byCodeUnit(a, b);
}

export function compareHandles(a, b) {
  const [asciiA, asciiB] = [isAscii(a), isAscii(b)];
  if (asciiA && asciiB) return compareAscii(a, b);
  if (asciiA !== asciiB) return asciiA ? -1 : 1;
  return byCodeUnit(a, b);
}

export function compareDepths(a, b) {
  const [nanA, nanB] = [Number.isNaN(a), Number.isNaN(b)];
  if (nanA || nanB) return Number(nanA) - Number(nanB);
  return a < b ? -1 : a > b ? 1 : 0;
}

export const compareTurns = (a, b) =>
  compareDepths(a.get("chainDepth"), b.get("chainDepth")) ||
  compareHandles(a.get("speaker"), b.get("speaker")) ||
  compareHandles(a.get("audience"), b.get("audience"));
