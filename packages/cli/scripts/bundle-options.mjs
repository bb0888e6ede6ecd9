// What the command line is bundled from, and how. The bench of its start leaves parts out (bench/fleet/start.mjs).
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);

export const bundleOptions = {
  entryPoints: {
    moorage: fileURLToPath(new URL('cli/dist/moorage.js', root)),
    // Started as a process or a thread of its own, at this path from the code that starts it.
    'process/child': fileURLToPath(new URL('agents/dist/demo/process/child.js', root)),
    'network-entry': fileURLToPath(new URL('host/dist/adapters/sandbox-bubblewrap/network-entry.js', root)),
    'git-helper': fileURLToPath(new URL('host/dist/adapters/shared/git/git-helper.js', root)),
    'line-search-worker': fileURLToPath(new URL('agents/dist/model/search/line-search-worker.js', root)),
  },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  mainFields: ['module', 'main'],
  // For Node it is CommonJS, of which `await import()` would have a default export only once it is bundled.
  alias: { yaml: join(dirname(createRequire(import.meta.url).resolve('yaml/package.json')), 'browser/index.js') },
  minifyWhitespace: true, // less to read at each start; names stay, for stack traces
  // Native code stays a package; the others are optional parts of `ws` that we do not use.
  external: ['@photostructure/sqlite', '@lydell/node-pty', 'bufferutil', 'utf-8-validate'],
  // `ws` and `commander` are CommonJS and ask for Node's modules by `require`.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  plugins: [
    {
      // Half of zod is its messages in other languages, which the SDKs of models and MCP would load with their first use.
      name: 'zod in English',
      setup: ({ onLoad }) =>
        onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
          contents: "export { default as en } from './en.js';",
        })),
    },
  ],
  logLevel: 'warning',
};
