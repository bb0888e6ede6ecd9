import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

/** What a page loads before it can connect; docs and README name it. */
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
  it('is small', async () => {
    expect(await gzippedBytes(`import { connect } from '@moorage/client'; connect({ url: '/' });`)).toBeLessThan(
      MAX_GZIPPED_BYTES,
    );
  });

  it('costs nothing where only helpers are used', async () => {
    const script = `import { readStatus } from '@moorage/client'; console.log(readStatus(1));`;
    expect(await gzippedBytes(script)).toBeLessThan(1_000);
  });
});
