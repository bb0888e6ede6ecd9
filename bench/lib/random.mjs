/** The same numbers on every run, so that runs can be compared. */
export function randomFrom(seed) {
  let state = seed;
  return () => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** An id of the form that hosts use. */
export function uuid(random) {
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const WORDS = 'the agent reads every file below this folder and then writes what changed since the last run'.split(' ');

export function words(random, count) {
  return Array.from({ length: count }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ');
}

/** A turn that has ended, of ordinary length. */
export function randomTurn(random) {
  const parts = Array.from({ length: 4 }, (_, index) => ({
    kind: 'markdown',
    id: `p${index}`,
    content: words(random, 40),
  }));
  return {
    id: uuid(random),
    message: { text: words(random, 12), origin: { kind: 'user' } },
    responseParts: parts,
    state: 'complete',
  };
}

/** As if it had come in a frame of its own: no string is shared with another value, no rope, no literal's shape. */
export function asReceived(value) {
  return JSON.parse(JSON.stringify(value));
}

/**
 * A long list of a few hundred received values in turn. A host reduces an action right after parsing it, so it lies in
 * the processor's caches; a list of 10,000 different ones would measure the memory instead.
 */
export function inTurn(count, make) {
  const different = Array.from({ length: Math.min(count, DIFFERENT) }, (_, index) => asReceived(make(index)));
  return Array.from({ length: count }, (_, index) => different[index % DIFFERENT]);
}

const DIFFERENT = 400;
