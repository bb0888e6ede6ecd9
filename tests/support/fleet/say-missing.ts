import { missingEngines } from './engines.js';

/** Says once, so that nobody overlooks it, that tests of the fleet are left out; with `MOORAGE_FLEET=required` nothing runs then. */
export function setup(): void {
  const missing = missingEngines();
  if (missing.length === 0) return;
  const line = `${missing.join(' and ')} not found. Install: apt-get install --no-install-recommends postgresql nats-server iproute2`;
  if (process.env.MOORAGE_FLEET === 'required') throw new Error(line);
  process.stderr.write(`\n!!! SKIPPED: tests of the fleet that need real engines. ${line}\n\n`);
}
