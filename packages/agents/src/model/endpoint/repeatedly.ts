/** Milliseconds before a model endpoint is asked for the first time: the host gets ready before. */
const FIRST_MS = 100;

/** Asks soon, and then again and again. Returns what ends it. */
export function repeatedly(everyMs: number, ask: () => unknown): () => void {
  let timer = setTimeout(() => {
    timer = setInterval(ask, everyMs).unref();
    ask();
  }, FIRST_MS).unref();
  return () => clearTimeout(timer); // ends intervals as well
}
