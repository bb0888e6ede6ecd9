import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Nothing depends on what whoever runs the tests keeps at home: start files of shells, settings of git, rules for agents. Nor on where
 * they have telemetry sent.
 */
export default function emptyHome(): () => void {
  const home = mkdtempSync(join(tmpdir(), 'moorage-home-'));
  process.env.HOME = home;
  for (const name of Object.keys(process.env)) if (name.startsWith('OTEL_')) delete process.env[name];
  return () => rmSync(home, { recursive: true, force: true });
}
