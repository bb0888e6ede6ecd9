/** Below this nobody wonders what takes so long. */
const DELAY_MS = 1_000;
const FRAME_MS = 120;
const FRAMES = ['|', '/', '-', '\\'];

/** Shows on a terminal what we wait for, once it takes longer than a second, and clears that line when it is done. */
export async function withProgress<T>(what: string, work: Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return work;
  let frame = 0;
  let timer = setTimeout(function show() {
    process.stderr.write(`\r${FRAMES[frame++ % FRAMES.length]} ${what} ...`);
    timer = setTimeout(show, FRAME_MS);
  }, DELAY_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    if (frame > 0) process.stderr.write('\r\x1b[K');
  }
}
