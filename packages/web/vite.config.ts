import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

export default defineConfig({
  plugins: [react(), withoutEval(), withoutInlineStyles(), compressOnce()],
  build: {
    outDir: 'site',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0, // everything from this host, nothing from data: URLs
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 750, // kilobytes; the wire schemas are most of it, 212 KB compressed in all
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

/**
 * xterm.js writes `<style>` elements and `style` attributes, which the page's policy forbids. The same through style sheet
 * objects is allowed, so that is put in their place. A version that does it differently fails the build.
 */
function withoutInlineStyles(): Plugin {
  const helper = fileURLToPath(new URL('src/terminal/sheet-element.ts', import.meta.url));
  return {
    name: 'without-inline-styles',
    transform(code, id) {
      if (!/@xterm\/xterm\/lib\/xterm\.mjs$/.test(id)) return undefined;
      const replaced = code
        .replace(/[\w.]+\.createElement\("style"\)/g, 'sheetElement()')
        .replace(/(\w+)\.setAttribute\("style",(`[^`]*`)\)/, '($1.style.cssText=$2)');
      const count = replaced.split('sheetElement()').length - 1;
      if (count !== 3 || !replaced.includes('.style.cssText=`'))
        throw new Error('xterm.js writes its styles differently');
      return `import { sheetElement } from ${JSON.stringify(helper)};\n${replaced}`;
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
