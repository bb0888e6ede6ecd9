import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const tsc = here('../../../node_modules/.bin/tsc');

const client = `
import { connect } from '@moorage/client';
const client = await connect({ url: 'ws://127.0.0.1:7433/' });
export const agents = (await client.root()).confirmed.agents.map(({ provider }) => provider);
`;
const react = `
import { useState } from 'react';
export const useCount = () => useState(0);
`;

describe('a program that uses the client', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(here('.compile-cost-')); // here, so that it finds the packages
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('costs the compiler at most 1.5 times as many types as one that uses React', async () => {
    expect(await typesOf('client', client)).toBeLessThan(1.5 * (await typesOf('react', react)));
  });

  /** With the declarations of the libraries checked, too, as compilers do by default. */
  async function typesOf(name: string, program: string): Promise<number> {
    await writeFile(join(folder, `${name}.mts`), program);
    const flags = ['--noEmit', '--strict', '--target', 'es2023', '--module', 'nodenext', '--types', ''];
    const args = ['--ignoreConfig', ...flags, '--extendedDiagnostics', `${name}.mts`];
    const { stdout } = await promisify(execFile)(tsc, args, { cwd: folder });
    return Number(/^Types:\s+(\d+)/m.exec(stdout)?.[1]);
  }
});

describe.each(['protocol', 'client'])('the published types of %s', (name) => {
  it('name no schema library', async () => {
    const dist = here(`../../${name}/dist`);
    const files = (await readdir(dist, { recursive: true })).filter((file) => file.endsWith('.d.ts'));
    const texts = await Promise.all(
      files.map(async (file) => ({ file, text: await readFile(join(dist, file), 'utf8') })),
    );
    expect(texts.length).toBeGreaterThan(10);
    expect(texts.filter(({ text }) => text.includes('typebox')).map(({ file }) => file)).toEqual([]);
  });
});
