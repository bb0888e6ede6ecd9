import { execFile } from 'node:child_process';
import { CommandError } from '../errors.js';
import type { Trees } from './trees.js';

/** Changes larger than this are not for a terminal. */
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** What git says about the difference of two trees, byte for byte. The user's own settings do not change the format. */
export function gitDiff({ folder }: Trees, args: readonly string[]): Promise<Buffer> {
  const fixed = ['-c', 'core.quotePath=false', 'diff', '--no-index', '--no-prefix', '--no-ext-diff', '--no-textconv'];
  const { GIT_DIR: _dir, GIT_WORK_TREE: _tree, GIT_EXTERNAL_DIFF: _external, ...env } = process.env;
  const options = {
    cwd: folder,
    encoding: 'buffer' as const,
    maxBuffer: MAX_OUTPUT_BYTES,
    env: { ...env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_CEILING_DIRECTORIES: folder },
  };
  return new Promise((resolve, reject) => {
    execFile('git', [...fixed, '--no-color', '-M', ...args, 'a', 'b'], options, (error, stdout, stderr) => {
      if (!error || error.code === DIFFERENT) return resolve(withUsualNames(stdout));
      const isMissing = error.code === 'ENOENT';
      const why = isMissing ? 'git is not installed; ahp shows changes with it' : stderr.toString().trim();
      reject(new CommandError(`cannot compare: ${why}`));
    });
  });
}

const DIFFERENT = 1;

/**
 * The names as they would be in a repository: here git names a created file `b/x b/x` and a deleted one `a/x a/x`, and
 * takes `a/` and `b/` for a part of the name of a file that moved. Lines of contents never start like these.
 */
function withUsualNames(diff: Buffer): Buffer {
  // Bytes as characters, so that nothing of the contents changes.
  const text = diff
    .toString('latin1')
    .replace(/^diff --git ("?)[ab]\/(.*)\1 \1[ab]\/\2\1$/gm, 'diff --git $1a/$2$1 $1b/$2$1')
    .replace(/^(rename|copy) (from|to) ("?)[ab]\//gm, '$1 $2 $3');
  return Buffer.from(text, 'latin1');
}
