// A lab's state in the address: #lab?query=sum&n=4. Text only: it is put into controls, where
// the lab reads it as if it had been typed, and refuses it the same way.

const LONGEST_ADDRESS = 2000;
const LONGEST_VALUE = 64;

/** The values that an address hash gives to the lab `id`, or null. Only `names` are taken. */
export function readAddress(hash, id, names) {
  if (hash.length > LONGEST_ADDRESS || !hash.startsWith(`#${id}?`)) return null;
  const values = {};
  for (const [name, value] of new URLSearchParams(hash.slice(id.length + 2))) {
    if (!names.includes(name) || value.length > LONGEST_VALUE || /[\u0000-\u001f]/.test(value)) {
      continue;
    }
    values[name] = value;
  }
  return Object.keys(values).length ? values : null;
}

/** The hash for a lab's values, in the order of its controls. */
export function writeAddress(id, values) {
  return `#${id}?${new URLSearchParams(Object.entries(values))}`;
}
