import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

export default defineConfig({
  plugins: [react(), withoutEval(), compressOnce()],
  build: {
    outDir: 'site',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0, // everything from this host, nothing from data: URLs
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    reportCompressedSize: false,
  },
});

/** TypeBox tries to compile its checks with `Function`. The page's policy forbids that; not trying keeps its log clean. */
function withoutEval(): Plugin {
  return {
    name: 'without-eval',
    transform(code, id) {
      if (!/typebox.*environment.*evaluate\.mjs$/.test(id)) return undefined;
      return code.replace(/return new \(globalThis\.Function\)\(\.\.\.args\);/, "throw new Error('not here');");
    },
  };
}

/** The host serves these files as they are, so that nothing is compressed while somebody waits. */
function compressOnce(): Plugin {
  return {
    name: 'compress-once',
    apply: 'build',
    writeBundle({ dir = '' }) {
      for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(?:js|css|html|svg)$/.test(name)) continue;
        const bytes = readFileSync(join(dir, name));
        writeFileSync(join(dir, `${name}.br`), brotliCompressSync(bytes));
        writeFileSync(join(dir, `${name}.gz`), gzipSync(bytes, { level: 9 }));
      }
    },
  };
}
