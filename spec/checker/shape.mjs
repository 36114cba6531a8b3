// The members of an object, against a page's table.

import { isObject } from "./canonical.mjs";

export const finding = (point, status, where, what) => ({ point, status, where, what });

const inside = (where, name) => (where === "" ? name : `${where}.${name}`);

// Calls `tell(where, what)` for each member that is missing or of another type. Tables are names to tests.
export function ofTypes(value, where, required, optional, tell) {
  if (!isObject(value)) {
    tell(where, "it is no object");
    return;
  }
  for (const [name, isOfType] of [...Object.entries(required), ...Object.entries(optional)]) {
    if (value.has(name)) {
      if (!isOfType(value.get(name))) tell(inside(where, name), "it is of another type");
    } else if (Object.hasOwn(required, name)) tell(inside(where, name), "it is missing");
  }
}

// The same for each member that the page does not name.
export function noOthers(value, where, names, tell) {
  for (const name of value.keys()) {
    if (!names.includes(name)) tell(inside(where, name), "the page names no such member");
  }
}
