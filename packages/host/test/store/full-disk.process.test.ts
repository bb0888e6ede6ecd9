import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTransaction } from '../../src/adapters/store-sqlite/commit.js';
import { connect } from '../../src/adapters/store-sqlite/connection.js';
import { migrate } from '../../src/adapters/store-sqlite/migrate.js';
import { createStore } from '../../src/adapters/store-sqlite/store.js';
import { StoreError } from '../../src/ports/store.js';
import { chat, chatChannel, envelope, seqsIn, sessionChannel } from '../../src/testing/store-samples.js';
import { buildChild, linesOf } from './children/run.js';
import { temporaryFolder } from './harness.js';

const canMount = spawnSync('env', ['unshare', '-rm', 'sh', '-c', 'mount -t tmpfs tmpfs /tmp']).status === 0;
const canLimit = spawnSync('env', ['prlimit', '--version']).status === 0;

describe('store-sqlite without room', () => {
  let child: ReturnType<typeof buildChild>;
  const { folder, remove } = temporaryFolder();
  beforeAll(() => {
    child = buildChild(new URL('./children/fill-up.ts', import.meta.url));
  });
  afterAll(() => {
    child.remove();
    remove();
  });

  const fillUp = async (file: string, shell: { inside: string[]; before: string; makeRoom: string }) => {
    const run = `${shell.before} && exec "$0" "$@"`;
    const args = [...shell.inside, 'sh', '-c', run, process.execPath, child.script, file, shell.makeRoom];
    const [report = ''] = await linesOf('env', args);
    return JSON.parse(report);
  };

  it.runIf(canMount)('says that the disk is full, keeps what it has, and goes on once there is space', async () => {
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    const report = await fillUp(join(disk, 'store.db'), {
      inside: ['unshare', '-rm'],
      before: `mount -t tmpfs -o size=3m tmpfs ${disk} && head -c 1500000 /dev/zero > ${disk}/ballast`,
      makeRoom: `rm ${disk}/ballast`,
    });
    expectKept(report, /disk is full.*free space and retry/);
  });

  it.runIf(canLimit)('reports an I/O error as such, keeps what it has, and goes on once it has passed', async () => {
    const report = await fillUp(join(folder, 'limited.db'), {
      inside: [],
      before: 'ulimit -S -f 4000', // blocks of 512 bytes: writing past them is EFBIG
      makeRoom: 'prlimit --fsize=unlimited --pid $HOST_PID',
    });
    expectKept(report, /the disk reported an error/);
  });

  it('rolls back what SQLite did not, and what it rolled back by itself', () => {
    const file = join(folder, 'small.db');
    const database = connect(file, {});
    const transaction = createTransaction(database);
    migrate(database, { file, transaction });
    const store = createStore(database, { file, transaction });
    store.commit({ channels: [sessionChannel(), chatChannel()] });
    database.exec('PRAGMA max_page_count = 40');
    const append = (seq: number) => {
      const envelopes = envelope(chat, seq, 'x'.repeat(20_000));
      store.commit({ log: [{ channel: chat, firstSeq: seq, lastSeq: seq, envelopes }] });
    };
    let stored = 0;
    const fill = () => {
      while (stored < 100) append(++stored);
    };
    expect(fill).toThrow(StoreError);
    expect(() => append(stored)).toThrow(/disk is full/);
    expect(seqsIn(store.channels.replay(chat, 0))).toHaveLength(stored - 1);
    expect(store.header.seqCeiling).toBe(stored - 1);
    database.exec('PRAGMA max_page_count = 10000');
    append(stored);
    expect(seqsIn(store.channels.replay(chat, 0))).toHaveLength(stored);
    store.close();
  });
});

function expectKept(report: Record<string, unknown>, message: RegExp): void {
  const { errors, committed, whileFull, afterwards } = report;
  expect(errors).toEqual(Array(2).fill({ kind: 'unavailable', message: expect.stringMatching(message) }));
  expect(committed).toBeGreaterThan(5);
  const seqs = Array.from({ length: Number(committed) }, (_, index) => index + 1);
  expect(whileFull).toEqual({ seqs, last: String(committed) });
  expect(afterwards).toBe(Number(committed) + 20);
}
