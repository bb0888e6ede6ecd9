import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

/** What a page may load before it can connect. */
const MAX_GZIPPED_BYTES = 40_000;

/** The size of a page's script, built as a bundler for browsers does it. */
async function gzippedBytes(script: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    external: ['react'],
    write: false,
  });
  return gzipSync(outputFiles[0]?.contents ?? '').length;
}

describe('the client in a browser', () => {
  it('is small, and as large as the pages say', async () => {
    const bytes = await gzippedBytes(`import { connect } from '@moorage/client'; connect({ url: '/' });`);
    expect(bytes).toBeLessThan(MAX_GZIPPED_BYTES);
    const read = (page: string) => readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf8');
    expect(read('packages/client/README.md')).toContain(
      `less than ${MAX_GZIPPED_BYTES / 1000} kB, minified and gzipped`,
    );
    const [, stated] = /\| a page that connects \| (\d+) kB/.exec(read('docs/BUILD-A-CLIENT.md')) ?? [];
    expect(Math.abs(Number(stated) * 1000 - bytes), `it has ${bytes} bytes`).toBeLessThan(1000);
  });

  it('costs nothing where only helpers are used', async () => {
    const script = `import { readStatus } from '@moorage/client'; console.log(readStatus(1));`;
    expect(await gzippedBytes(script)).toBeLessThan(1_000);
  });
});
