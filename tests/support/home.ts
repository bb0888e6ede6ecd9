import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Nothing depends on what whoever runs the tests keeps at home: start files of shells, settings of git, rules for agents. Nor on where
 * they have telemetry sent. And all that tests write is in one folder, which is gone afterwards.
 */
export default function emptyHome(): () => void {
  const folder = mkdtempSync(join(isRoomy(MEMORY) ? MEMORY : tmpdir(), 'moorage-'));
  chmodSync(folder, 0o755); // some tests become another user
  process.env.HOME = mkdtempSync(join(folder, 'home-'));
  process.env.TMPDIR = folder;
  for (const name of Object.keys(process.env)) if (name.startsWith('OTEL_')) delete process.env[name];
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** A disk in memory. Tests make hundreds of thousands of small files: on a real disk they take a quarter more time of the processor. */
const MEMORY = '/dev/shm';

/** Bytes that a run may need at once, with room to spare. In a container there may be a hundredth of it. */
const ROOM = 2 << 30;

function isRoomy(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= ROOM;
}
