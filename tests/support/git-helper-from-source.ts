import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const SOURCE = fileURLToPath(new URL('../../packages/host/src/adapters/shared/git/git-helper.ts', import.meta.url));
const BUILT = fileURLToPath(new URL('../../node_modules/.cache/moorage/git-helper.mjs', import.meta.url));

/**
 * The process that starts git is a script of its own, which Node cannot run from source. Without it every git would be a copy of the process
 * that runs the tests, which is large: a tenth of the CPU time of tests with git.
 */
export const gitHelperFromSource = {
  name: 'git-helper-from-source',
  enforce: 'pre' as const, // before quotes change
  buildStart() {
    buildSync({ entryPoints: [SOURCE], outfile: BUILT, bundle: true, format: 'esm', platform: 'node' });
  },
  transform(code: string, id: string) {
    if (!id.endsWith('/shared/git/git-processes.ts')) return undefined;
    return code.replace("new URL('./git-helper.js', import.meta.url)", `new URL(${JSON.stringify(`file://${BUILT}`)})`);
  },
};
