import { fileURLToPath, pathToFileURL } from 'node:url';
import { fileUri, fileUriIn } from '@moorage/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const segment = fc
  .oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.string({ unit: 'grapheme-ascii', minLength: 1 }),
    fc.constantFrom('+page.svelte', '@types', 'a,b', '~', '100%', '%41', '?#', '[id]', 'C:', '\\', 'ü', '\ud800'),
  )
  .map((name) => name.replace(/[/\0]/g, '_'))
  .map((name) => name.replace(/\p{Cc}+$/u, '_')) // which Node loses at the end
  .filter((name) => name !== '.' && name !== '..');
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));

/** Some versions of Node leave the tilde as it is. */
const ofNode = (absolute: string) => pathToFileURL(absolute).href.replaceAll('~', '%7E');

describe('file URIs', () => {
  it('are written as Node writes them', () => {
    fc.assert(
      fc.property(path, (name) => {
        expect(fileUri(`/${name}`)).toBe(ofNode(`/${name}`));
      }),
      { numRuns: 1000 },
    );
    expect(fileUri('/')).toBe('file:///');
  });

  it('are the same below a folder, however that is written', () => {
    fc.assert(
      fc.property(path, path, (folder, name) => {
        const uri = fileUri(`/${folder}/${name}`);
        const escaped = `file://${Buffer.from(`/${folder}`)
          .toString('hex')
          .replace(/../g, (hex) => (hex === '2f' ? '/' : `%${hex}`))}`;
        for (const named of [fileUri(`/${folder}`), `${fileUri(`/${folder}`)}/`, escaped])
          expect(fileUriIn(named, name)).toBe(uri);
      }),
    );
    expect(fileUriIn('file:///', 'a')).toBe('file:///a');
    expect(fileURLToPath(fileUriIn('file:///w', 'a b'))).toBe('/w/a b');
  });

  it.each([
    ['vscode-remote://x/w%2B/', 'a+b', 'vscode-remote://x/w%2B/a+b'],
    ['file:///w%zz', 'a', 'file:///w%zz/a'],
    ['file:///w%2Fx', 'a', 'file:///w%2Fx/a'],
  ])('below %s, which cannot be written anew, begin with it', (folder, name, uri) => {
    expect(fileUriIn(folder, name)).toBe(uri);
  });
});
