import { existsSync } from 'node:fs';
import type { PtyOptions } from '../../ports/pty.js';

const BASH = '/bin/bash';

/** Closes every descriptor but the standard ones, then replaces itself with the program. */
const CLOSE_AND_RUN = [
  'for fd in /proc/$$/fd/*; do',
  '  fd=$' + '{fd##*/}',
  '  if [ "$fd" -gt 2 ]; then eval "exec $fd>&-"; fi',
  'done',
  'exec "$@"',
].join('\n');

/**
 * On Linux the library lets a program inherit the host's ends of all other terminals: it could read them, and would keep
 * them open after the host is gone. Where bash is installed, bash closes them first and then becomes the program.
 */
export function withoutInheritedFiles({ file, args }: PtyOptions): { file: string; args: readonly string[] } {
  if (process.platform !== 'linux' || !existsSync(BASH)) return { file, args };
  return { file: BASH, args: ['-p', '-c', CLOSE_AND_RUN, 'moorage', file, ...args] };
}
