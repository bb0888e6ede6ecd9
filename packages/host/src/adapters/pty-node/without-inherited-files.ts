import { existsSync } from 'node:fs';
import type { PtyOptions } from '../../ports/pty.js';

const BASH = '/bin/bash';

/** Closes everything but standard input and output, then becomes the program. */
const CLOSE_AND_RUN = [
  'for fd in /proc/$$/fd/*; do',
  '  fd=$' + '{fd##*/}',
  '  if [ "$fd" -gt 2 ]; then eval "exec $fd>&-"; fi',
  'done',
  'exec "$@"',
].join('\n');

/**
 * On Linux the library lets a program inherit the host's ends of all other terminals: it could read them, and they
 * would stay open when the host is gone. Where there is a bash, it closes them first; it is gone before the program runs.
 */
export function withoutInheritedFiles({ file, args }: PtyOptions): { file: string; args: readonly string[] } {
  if (process.platform !== 'linux' || !existsSync(BASH)) return { file, args };
  return { file: BASH, args: ['-p', '-c', CLOSE_AND_RUN, 'ahpd', file, ...args] };
}
