/**
 * What this browser keeps between visits.
 *
 * Lives here: reading and writing small strings, also where the browser forbids it. Does not live
 * here: what the strings mean (`settings.js`, `identity.js`).
 */

/**
 * @typedef {object} Keep
 * @property {(key: string) => string | null} get
 * @property {(key: string, value: string) => void} set
 * @property {(key: string) => void} remove
 */

/**
 * Storage that holds for as long as the page is open.
 * @returns {Keep}
 */
export function memoryKeep() {
  const held = new Map();
  return {
    get: (key) => held.get(key) ?? null,
    set: (key, value) => void held.set(key, value),
    remove: (key) => void held.delete(key),
  };
}

/**
 * The browser's local storage, or memory where a private window or a policy forbids it: then one
 * plays as usual and is a new player on the next visit.
 * @param {() => Storage} storage throws where forbidden
 * @returns {Keep}
 */
export function browserKeep(storage) {
  try {
    const local = storage();
    const probe = 'kupa:probe';
    local.setItem(probe, '1');
    local.removeItem(probe);
    return {
      get: (key) => local.getItem(key),
      set: (key, value) => local.setItem(key, value),
      remove: (key) => local.removeItem(key),
    };
  } catch (error) {
    if (error instanceof Error || error instanceof DOMException) return memoryKeep();
    throw error;
  }
}
