// What is typed into password fields, so that it can be taken out of texts that another tool made of the page.
() => {
  const lib = globalThis.bicameral;
  const values = [];
  for (const node of lib.walk(document)) if (node instanceof HTMLInputElement && node.type === 'password' && node.value) values.push(node.value);
  return values.slice(0, 50);
}
