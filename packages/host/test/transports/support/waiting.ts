import { vi } from 'vitest';

/** Waits for what must come; the bound is for a machine that is busy with other things. */
export function soon(check: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(check, { timeout: 30_000, interval: 2 });
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
