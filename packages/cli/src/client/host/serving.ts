import type { HostFile } from '../../host-file.js';
import { runningHost } from './find.js';

/** On the same machine a host answers at once; whatever takes longer is not one. */
const ANSWER_WITHIN_MS = 5_000;
const POLL_MS = 25;

/** The host of a data folder, if it answers. After a crash its process id may belong to another program by now. */
export async function servingHost(folder: string): Promise<HostFile | undefined> {
  const host = runningHost(folder);
  return host && (await answers(host.url)) ? host : undefined;
}

/** Waits until something is true, or returns when that takes too long. */
export async function until(isSo: () => boolean, withinMs: number): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!isSo() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

/** Whether a host answers there; health needs no token. */
async function answers(url: string): Promise<boolean> {
  const health = new URL('healthz', url.replace(/^ws/, 'http'));
  try {
    return (await fetch(health, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })).ok;
  } catch (error) {
    // A host with a certificate that this machine does not trust is still a host.
    return /certificate|self.signed/i.test(String((error as Error).cause ?? ''));
  }
}
