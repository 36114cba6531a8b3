// JSON text to values, keeping what JSON.parse loses: an object becomes a Map, so `__proto__` and `10` are names like
// any other, and a member that is named twice can be refused. Nesting costs no stack.

export class NotJson extends Error {}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const SPACE = /[ \t\n\r]*/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const HEX = /[0-9a-fA-F]{4}/y;
const ESCAPES = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
const WORDS = new Map([["true", true], ["false", false], ["null", null]]);

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  fail(what) {
    throw new NotJson(`${what} at character ${this.at}`);
  }

  match(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null) return null;
    this.at = pattern.lastIndex;
    return found[0];
  }

  take(character) {
    this.match(SPACE);
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  opens() {
    this.match(SPACE);
    return this.text[this.at] === "{" || this.text[this.at] === "[";
  }

  string() {
    if (!this.take('"')) this.fail("a text was expected");
    let value = "";
    for (;;) {
      value += this.match(PLAIN);
      const next = this.text[this.at];
      if (next === '"') {
        this.at += 1;
        return value;
      }
      if (next !== "\\") this.fail("an unescaped control character or an open text");
      const letter = this.text[this.at + 1];
      this.at += 2;
      if (letter === "u") {
        const digits = this.match(HEX);
        if (digits === null) this.fail("four hex digits were expected");
        value += String.fromCharCode(parseInt(digits, 16));
      } else if (letter !== undefined && Object.hasOwn(ESCAPES, letter)) {
        value += ESCAPES[letter];
      } else this.fail("an unknown escape");
    }
  }

  scalar() {
    if (this.text[this.at] === '"') return this.string();
    const number = this.match(NUMBER);
    if (number !== null) return Number(number);
    for (const [word, value] of WORDS) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    return this.fail("a value was expected");
  }
}

// repeated: what a member that is named twice does: "last" (the last one counts, as JSON.parse reads) or "refuse".
// levels: how deep objects and lists may stand.
export function parse(text, { repeated = "last", levels = Infinity } = {}) {
  const reader = new Reader(text);
  const open = []; // the containers around the value that is read now: { holder, name }

  const memberName = (holder) => {
    reader.match(SPACE);
    const name = reader.string();
    if (repeated === "refuse" && holder.has(name)) reader.fail(`the member ${JSON.stringify(name)} is named twice`);
    if (!reader.take(":")) reader.fail("a colon was expected");
    return name;
  };

  for (;;) {
    let value;
    if (reader.opens() && open.length === levels) reader.fail(`more than ${levels} levels`);
    if (reader.take("{")) {
      value = new Map();
      if (!reader.take("}")) {
        open.push({ holder: value, name: memberName(value) });
        continue;
      }
    } else if (reader.take("[")) {
      value = [];
      if (!reader.take("]")) {
        open.push({ holder: value });
        continue;
      }
    } else value = reader.scalar();

    // A value is whole: put it into its container, and close as many containers as end here.
    for (;;) {
      const around = open.at(-1);
      if (around === undefined) {
        reader.match(SPACE);
        if (reader.at < text.length) reader.fail("more text after the value");
        return value;
      }
      const { holder } = around;
      const isList = Array.isArray(holder);
      if (isList) holder.push(value);
      else holder.set(around.name, value);
      if (reader.take(",")) {
        if (!isList) around.name = memberName(holder);
        break;
      }
      if (!reader.take(isList ? "]" : "}")) reader.fail("a comma or an end was expected");
      open.pop();
      value = holder;
    }
  }
}
