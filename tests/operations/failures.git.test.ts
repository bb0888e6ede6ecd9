import { renameSync } from 'node:fs';
import * as fsPromises from 'node:fs/promises';
import type { GitWorkspacesOptions } from '@moorage/host';
import { afterEach, describe, expect, it } from 'vitest';
import { ChangesBench } from '../support/changes-bench.js';
import { FailingStore } from '../support/failing-store.js';

let bench: ChangesBench;
afterEach(() => bench.dispose({ expectErrors: /store\.commit-failed/ }));

const OLD = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' };

/** A session with three edited files, on a file system that can be made to fail. */
async function start(fails: (name: string, args: readonly unknown[]) => string | undefined): Promise<string> {
  const real = { ...fsPromises, replace: (from: string, to: string) => fsPromises.rename(from, to).then(() => true) };
  const fileSystem = new Proxy(real, {
    get: (target, name: keyof typeof real) => {
      const value = target[name];
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const code = fails(String(name), args);
        if (code !== undefined) return Promise.reject(Object.assign(new Error(`${String(name)} failed`), { code }));
        return (value as (...all: unknown[]) => unknown)(...args);
      };
    },
  }) as unknown as NonNullable<GitWorkspacesOptions['fileSystem']>;
  bench = await ChangesBench.start({ prepare: (b) => b.commit(OLD), fileSystem });
  for (const path of Object.keys(OLD)) bench.write(path, 'edited\n');
  return bench.uri({ kind: 'uncommitted' });
}

const EDITED = { 'a.txt': '- edited\n', 'b.txt': '- edited\n', 'c.txt': '- edited\n' };
const REVERTED = { 'a.txt': '- a\n', 'b.txt': '- b\n', 'c.txt': '- c\n' };

it('a full disk changes nothing, and is said', async () => {
  let full = true;
  let written = 0; // new contents of files, before any file is exchanged
  const uri = await start((name, [path]) =>
    full && name === 'open' && /\/new-[^/]*$/.test(String(path)) && ++written > 2 ? 'ENOSPC' : undefined,
  );
  const error = await bench.refused(uri, 'revert');
  expect([error.code, error.message]).toEqual([-32603, 'there is no space left on the disk']);
  expect(bench.tree()).toEqual(EDITED);
  expect((await bench.operation(uri, 'revert', 'error')).error?.message).toBe(error.message);
  await bench.operation(uri, 'undo', 'disabled');
  full = false;
  await bench.invoke(uri, 'revert');
  expect(bench.tree()).toEqual(REVERTED);
});

it('a file that may not be exchanged puts the others back', async () => {
  const uri = await start((name, [, to]) =>
    name === 'replace' && String(to).endsWith('/c.txt') ? 'EACCES' : undefined,
  );
  expect((await bench.refused(uri, 'revert')).message).toContain('no permission to write');
  expect(bench.tree()).toEqual(EDITED);
});

it('what cannot even be put back is settled before the next operation', async () => {
  let broken = true;
  let exchanges = 0;
  const uri = await start((name) => (broken && name === 'replace' && ++exchanges > 2 ? 'EIO' : undefined));
  expect((await bench.refused(uri, 'revert')).message).toContain('could not be put back yet');
  broken = false;
  const other = bench.uri({ kind: 'session' });
  await bench.refused(other, 'revert'); // there is nothing to take back there, but it is asked for after the other
  expect(bench.tree()).toEqual(REVERTED);
  await bench.invoke(uri, 'undo');
  expect(bench.tree()).toEqual(EDITED);
});

/** The same on a store that cannot write documents of which one says this. */
async function startFailing(part: string): Promise<{ uri: string; store: FailingStore }> {
  const store = new FailingStore();
  bench = await ChangesBench.start({ prepare: (b) => b.commit(OLD), store: store.wrap });
  store.fail(({ documents = [] }) => documents.some(({ key, json }) => key.includes(part) || json?.includes(part)));
  for (const path of Object.keys(OLD)) bench.write(path, 'edited\n');
  return { uri: bench.uri({ kind: 'uncommitted' }), store };
}

it.each([
  ['the plan', 'unfinished-operations', EDITED, true],
  ['the end', '"undo":', REVERTED, false],
])('when %s cannot be stored', async (_what, part, expected, isRefused) => {
  const { uri, store } = await startFailing(part);
  expect((await bench.refused(uri, 'revert')).message).toContain(FailingStore.MESSAGE);
  expect(bench.tree()).toEqual(expected);
  store.recover();
  await bench.comeBack();
  if (isRefused) {
    await bench.invoke(uri, 'revert');
  } else {
    const { description } = await bench.operation(uri, 'revert', 'disabled');
    expect(description).toContain('finished when it started again');
  }
  expect(bench.tree()).toEqual(REVERTED);
  await bench.invoke(uri, 'undo');
  expect(bench.tree()).toEqual(EDITED);
});

describe('an operation on the index that was cut off', () => {
  const staged = () => bench.git('diff', '--cached', '--name-only').trim().split('\n').filter(Boolean);
  const ALL = Object.keys(OLD);

  /** Does it, but the store cannot be told: for the next life of the host it was cut off. */
  async function cutOff(operation: string): Promise<string> {
    const { uri, store } = await startFailing('"undo":');
    expect((await bench.refused(uri, operation)).message).toContain(FailingStore.MESSAGE);
    store.recover();
    return uri;
  }

  it('after it changed the index is finished', async () => {
    const uri = await cutOff('stage');
    await bench.comeBack();
    const { description } = await bench.operation(uri, 'stage', 'idle');
    expect(description).toContain('finished when it started again');
    expect(staged()).toEqual(ALL);
    await bench.invoke(uri, 'undo');
    expect(staged()).toEqual([]);
  });

  it('before it changed the index did nothing, and says so', async () => {
    const uri = await cutOff('stage');
    bench.git('reset', '--quiet'); // as it was before
    await bench.comeBack();
    const { error } = await bench.operation(uri, 'stage', 'error');
    expect(error).toMatchObject({ errorType: 'operationInterrupted' });
    expect(staged()).toEqual([]);
    await bench.invoke(uri, 'stage');
    expect(staged()).toEqual(ALL);
  });
});

it('a commit that was made is not staged backwards when that cannot be stored', async () => {
  const { uri } = await startFailing('"undo":');
  bench.git('config', 'user.name', 'A Person');
  bench.git('config', 'user.email', 'person@example.com');
  expect((await bench.refused(uri, 'commit')).message).toBe(
    `It was done, but the host could not store that: ${FailingStore.MESSAGE}`,
  );
  expect(bench.git('log', '--format=%s').trim().split('\n')).toHaveLength(2);
  expect(bench.git('status', '--porcelain')).toBe('');
});

it('a turn whose folder went away does not count as running for ever', async () => {
  bench = await ChangesBench.start({ prepare: (b) => b.commit(OLD) });
  const first = await bench.turn('/write a.txt first');
  await bench.turn('/run mv "$PWD" "$PWD-away"');
  renameSync(`${bench.folder}-away`, bench.folder);
  expect((await bench.invoke(bench.turnUri(first), 'restore')).message).toContain('as they were');
});
