import { mkdirSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WatchError, type Watcher, type WatchListener } from '../../src/ports/watcher.js';
import { ManualClock } from '../../src/testing/manual-clock.js';
import { RecordingLog } from '../../src/testing/recording-log.js';
import { Bench } from './harness.js';

/** A watcher that fails as often as it is told to, and remembers whom it told. */
class FakeWatcher implements Watcher {
  tries = 0;
  failures = 0;
  listener: WatchListener | undefined;
  stopped = 0;
  completions = 0;
  isComplete = true;

  async watch(folder: string, _recursive: boolean, listener: WatchListener) {
    this.tries++;
    if (this.tries <= this.failures) throw new WatchError(`${folder} cannot be watched: ENOSPC`);
    this.listener = listener;
    return {
      stop: () => void this.stopped++,
      complete: async () => {
        this.completions++;
        return this.isComplete;
      },
    };
  }
}

let bench: Bench;
let watcher: FakeWatcher;
let clock: ManualClock;
let log: RecordingLog;
beforeEach(() => {
  bench = new Bench();
  [watcher, clock, log] = [new FakeWatcher(), new ManualClock(), new RecordingLog()];
});
afterEach(() => bench.dispose());

const until = <T>(value: () => T, wanted: T) => expect.poll(value, { timeout: 30_000, interval: 5 }).toEqual(wanted);
const lines = () => log.lines.filter((line) => line.startsWith('warn folder.watch-failed'));

function listen() {
  const workspace = bench.open({ watcher, clock, log }).open(bench.folder);
  const told: string[] = [];
  const add = (name: string) =>
    workspace.watch({
      watching: () => told.push(`${name} watching`),
      touched: () => told.push(`${name} touched`),
    });
  return { add, told };
}

describe('a folder that cannot be watched', () => {
  it('is tried again, ever more seldom, whoever else wants to know, and said once', async () => {
    watcher.failures = Number.POSITIVE_INFINITY;
    const { add, told } = listen();
    const leave = add('one');
    await until(() => watcher.tries, 1);
    await until(() => lines().length, 1);
    add('two')();
    add('three');
    const pauses: number[] = [];
    for (let tries = 1; tries < 8; tries++) {
      let pause = 0;
      for (; watcher.tries === tries && pause < 600; pause++) {
        clock.advance(1_000);
        await new Promise(setImmediate);
      }
      pauses.push(pause);
    }
    expect(pauses).toEqual([2, 4, 8, 16, 32, 60, 60]);
    expect(lines()).toHaveLength(1);
    expect(told).toContain('three touched'); // it looks for itself, for lack of better
    expect(told.join()).not.toContain('watching');
    watcher.failures = 0;
    clock.advance(60_000);
    await until(() => told.filter((line) => line.endsWith('watching')), ['one watching', 'three watching']);
    leave();
  });

  it('tells nobody that it is watched before it is again', async () => {
    const { add, told } = listen();
    add('one');
    await until(() => told, ['one watching']);
    rmSync(bench.folder, { recursive: true });
    watcher.listener?.ended();
    told.length = 0;
    add('two');
    clock.advance(10_000);
    await new Promise(setImmediate);
    expect([told, watcher.tries]).toEqual([[], 1]);
    mkdirSync(bench.folder);
    clock.advance(2_000);
    await until(() => told.filter((line) => line.endsWith('watching')), ['one watching', 'two watching']);
    expect(watcher.stopped).toBe(1);
  });
});

describe('a folder in which a new folder cannot be watched', () => {
  it('is looked at as a whole and said once, until all of it is watched', async () => {
    const workspace = bench.open({ watcher, clock, log }).open(bench.folder);
    const told: string[] = [];
    workspace.watch({ watching: () => told.push('watching'), settled: () => told.push('settled') });
    await until(() => told, ['watching']);
    const warned = () => log.lines.filter((line) => line.startsWith('warn folder.watch-incomplete'));
    watcher.isComplete = false;
    for (let times = 0; times < 3; times++) {
      watcher.listener?.partial?.(new WatchError('not all can be watched: ENOSPC'));
      watcher.listener?.missed();
    }
    expect(warned()).toHaveLength(1);
    for (const pause of [2, 4, 8, 16, 32, 60, 60]) {
      const tries = watcher.completions;
      clock.advance(pause * 1_000 - 1);
      await new Promise(setImmediate);
      expect(watcher.completions).toBe(tries);
      clock.advance(1);
      await until(() => watcher.completions, tries + 1);
      await new Promise(setImmediate);
    }
    told.length = 0;
    watcher.isComplete = true;
    clock.advance(60_000);
    await until(() => told, ['watching']);
    clock.advance(1_000);
    expect([told, watcher.tries, watcher.stopped]).toEqual([['watching', 'settled'], 1, 0]);
    const tries = watcher.completions;
    clock.advance(600_000);
    await new Promise(setImmediate);
    expect([warned().length, watcher.completions]).toEqual([1, tries]);
  });
});
