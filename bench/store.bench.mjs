import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appendCases } from './store/append.mjs';
import { replayCases } from './store/replay.mjs';
import { sessionCases } from './store/sessions.mjs';

/**
 * What the store adds to SQLite. The baseline is always the same SQLite with the same settings, used by hand for that
 * one purpose. Goals are from GOALS.md, section "Log and replay".
 */
export function* cases({ smoke }) {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-bench-'));
  try {
    const sessions = smoke ? 100 : 10_000;
    yield* appendCases(folder, sessions);
    yield* replayCases(folder, smoke ? 1000 : 10_000);
    yield* sessionCases(folder, sessions);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
