import { fileURLToPath } from 'node:url';
import { gitHelperFromSource } from './git-helper-from-source.js';

/** Resolves our packages to their sources: no build is needed, and `vitest related` knows which tests a file concerns. */
export const fromSource = {
  plugins: [gitHelperFromSource],
  resolve: {
    alias: [
      { find: /^@moorage\/(protocol|client|host|fleet)$/, replacement: source('$1/src/index.ts') },
      { find: '#compile-schema', replacement: source('protocol/src/validation/compile-by-use.ts') },
      { find: /^@moorage\/protocol\/internal$/, replacement: source('protocol/src/internal.ts') },
      { find: /^@moorage\/protocol\/versions$/, replacement: source('protocol/src/versions/index.ts') },
      { find: /^@moorage\/host\/(ports|processes|testing)$/, replacement: source('host/src/$1/index.ts') },
      { find: /^@moorage\/host\/lines$/, replacement: source('host/src/lines/line-hunks.ts') },
      { find: /^@moorage\/agents\/(acp|demo|model)$/, replacement: source('agents/src/$1/index.ts') },
    ],
  },
};

function source(path: string): string {
  return `${fileURLToPath(new URL('../../packages/', import.meta.url))}${path}`;
}
