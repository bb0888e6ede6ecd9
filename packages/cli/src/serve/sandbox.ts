import { join } from 'node:path';
import { bubblewrap, type Sandbox } from '@moorage/host';
import type { SandboxConfig } from '../config/sandbox-config.js';
import { expandHome } from '../files.js';

/** The sandbox of this host's sessions, which must not reach the host itself: with its token or socket they could leave it. */
export function sandboxOf(
  { default: usual, hosts, readable = [] }: SandboxConfig,
  dataDir: string,
  secrets: readonly (string | undefined)[],
): Sandbox {
  const hidden = [dataDir, ...secrets.filter((path) => path !== undefined)];
  return bubblewrap({ directory: join(dataDir, 'sandbox'), usual, hosts, hidden, readable: readable.map(expandHome) });
}
