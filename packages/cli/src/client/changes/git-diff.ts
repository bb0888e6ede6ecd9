import { execFile } from 'node:child_process';
import { CommandError } from '../errors.js';
import type { Trees } from './trees.js';

/** Nobody reads larger changes in a terminal. */
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** The output of `git diff` for two trees, byte for byte, whatever the user's own git settings are. */
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
      const why = isMissing ? 'git is not installed; moorage shows changes with it' : stderr.toString().trim();
      reject(new CommandError(`cannot compare: ${why}`));
    });
  });
}

const DIFFERENT = 1;

/**
 * Makes names as they would be in a repository. Outside of one git writes `b/x b/x` for a created file and `a/x a/x` for a
 * deleted one, and keeps `a/` and `b/` in the names of renamed files. Lines of content never start like these.
 */
function withUsualNames(diff: Buffer): Buffer {
  // latin1 maps every byte to one character and back, so contents stay as they are.
  const text = diff
    .toString('latin1')
    .replace(/^diff --git ("?)[ab]\/(.*)\1 \1[ab]\/\2\1$/gm, 'diff --git $1a/$2$1 $1b/$2$1')
    .replace(/^(rename|copy) (from|to) ("?)[ab]\//gm, '$1 $2 $3');
  return Buffer.from(text, 'latin1');
}
