import { vi } from 'vitest';

/** Waits for what must come; the bound is for a machine that is busy with other things. */
export function soon(check: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(check, { timeout: 30_000, interval: 2 });
}

/** Lets everything happen that is about to, for what must not: the events of sockets, and what follows from them. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
}
