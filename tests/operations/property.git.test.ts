import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { ChangesBench } from '../support/changes-bench.js';
import { run } from '../support/run-from-small-process.js';

/** Random edits by turns and by the user, random operations and undos: the folder is always what the model says. */
const RUNS = Number(process.env.OPERATION_RUNS ?? 4);

const scratch = mkdtempSync(join(tmpdir(), 'moorage-model-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const PATHS = ['a.txt', 'b.txt', 'dir/c.txt', 'dir/deep/d.txt'];
type Tree = Record<string, string>;
type Version = string | undefined;

const path = fc.constantFrom(...PATHS);
const spot = fc.nat({ max: 11 });
const edit = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('line' as const), path, spot }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('insert' as const), path, spot }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('write' as const), path, spot }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), path, spot }) },
);
const command = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('turn' as const), edits: fc.array(edit, { minLength: 1, maxLength: 3 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('user' as const), edits: fc.array(edit, { minLength: 1, maxLength: 2 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('revertTurn' as const), pick: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('revertFile' as const), path }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('revertLines' as const), path, spot }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restore' as const), pick: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('undo' as const), pick: fc.nat() }) },
);
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

interface Change {
  readonly path: string;
  readonly before: Version;
  readonly after: Version;
}

let counter = 0;

it(`the folder is what the model says, and nothing that was there is lost (${RUNS} runs)`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 8, maxLength: 12 }), async (commands) => {
      const world = await World.start();
      try {
        for (const one of commands) await world.run(one);
      } finally {
        await world.end();
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
}, 240_000);

class World {
  readonly #bench: ChangesBench;
  readonly #head: Tree;
  #tree: Tree;
  /** What each turn changed and was not taken back, and the folder after it. */
  readonly #turns: { uri: string; changes: Change[]; state: Tree }[] = [];
  readonly #undo = new Map<string, { changes: Change[]; turnChanges?: Change[] }[]>();

  static async start(): Promise<World> {
    const head = Object.fromEntries(PATHS.slice(0, 3).map((name) => [name, fresh(name)]));
    return new World(await ChangesBench.start({ prepare: (b) => b.commit(head) }), head);
  }

  constructor(bench: ChangesBench, head: Tree) {
    this.#bench = bench;
    this.#head = head;
    this.#tree = { ...head };
  }

  end(): Promise<void> {
    return this.#bench.dispose();
  }

  async run(one: Command): Promise<void> {
    const before = { ...this.#tree };
    await this.#run(one);
    const found = Object.fromEntries(Object.entries(this.#bench.tree()).map(([name, text]) => [name, text.slice(2)]));
    expect(found, JSON.stringify(one)).toEqual(this.#tree);
    if (one.kind !== 'turn' && one.kind !== 'user') this.#expectKept(before);
  }

  async #run(one: Command): Promise<void> {
    switch (one.kind) {
      case 'user':
        for (const change of one.edits) this.#byHand(change);
        return;
      case 'turn':
        return this.#turn(one.edits);
      case 'revertTurn': {
        const turn = this.#turns[one.pick % Math.max(1, this.#turns.length)];
        if (turn) await this.#operate(turn.uri, 'revert', turn.changes.map(back), undefined, turn);
        return;
      }
      case 'revertFile': {
        const wanted = { path: one.path, before: this.#tree[one.path], after: this.#head[one.path] };
        if (wanted.before === wanted.after) return this.#refused('revert', this.#bench.resource(one.path));
        return this.#operate(this.#uncommitted, 'revert', [wanted], this.#bench.resource(one.path));
      }
      case 'revertLines':
        return this.#revertLines(one.path, one.spot);
      case 'restore': {
        const turn = this.#turns[one.pick % Math.max(1, this.#turns.length)];
        if (!turn) return;
        const changes = PATHS.map((name) => ({ path: name, before: this.#tree[name], after: turn.state[name] }));
        const since = changes.filter(({ before, after }) => before !== after);
        if (since.length > 0) return this.#operate(turn.uri, 'restore', since);
        await this.#bench.invoke(turn.uri, 'restore');
        return;
      }
      case 'undo':
        return this.#takeBack(one.pick);
    }
  }

  get #uncommitted(): string {
    return this.#bench.uri({ kind: 'uncommitted' });
  }

  #byHand(change: Edit): void {
    const text = edited(this.#tree[change.path], change);
    if (text === this.#tree[change.path]) return;
    if (text === undefined) this.#bench.remove(change.path);
    else this.#bench.write(change.path, text);
    this.#set(change.path, text);
  }

  async #turn(edits: readonly Edit[]): Promise<void> {
    const before = { ...this.#tree };
    const steps = edits.flatMap((change) => {
      const text = edited(this.#tree[change.path], change);
      if (text === this.#tree[change.path]) return [];
      this.#set(change.path, text);
      return [text === undefined ? `/delete ${change.path}` : `/write ${change.path} ${text.replaceAll('\n', '\\n')}`];
    });
    const turnId = await this.#bench.turn(steps.join('\n'));
    const changes = PATHS.map((name) => ({ path: name, before: before[name], after: this.#tree[name] }));
    const own = changes.filter((change) => change.before !== change.after);
    this.#turns.push({ uri: this.#bench.turnUri(turnId), changes: own, state: { ...this.#tree } });
  }

  /** Does it three ways, or expects that it is refused where that does not work. */
  async #operate(
    uri: string,
    operation: string,
    wanted: readonly Change[],
    target?: Parameters<ChangesBench['invoke']>[2],
    turn?: { changes: Change[] },
  ): Promise<void> {
    const outcomes = wanted.map((change) => ({ change, result: threeWay(change, this.#tree[change.path]) }));
    if (wanted.length === 0 || outcomes.some(({ result }) => result === 'conflict')) {
      await this.#bench.refused(uri, operation, target);
      return;
    }
    const done: Change[] = [];
    for (const { change, result } of outcomes) {
      if (result === 'conflict' || result.text === this.#tree[change.path]) continue;
      done.push({ path: change.path, before: this.#tree[change.path], after: result.text });
      this.#set(change.path, result.text);
    }
    await this.#bench.invoke(uri, operation, target);
    const stack = this.#undo.get(uri) ?? [];
    this.#undo.set(uri, [...stack, { changes: done, ...(turn && { turnChanges: turn.changes }) }]);
    if (turn) turn.changes = [];
  }

  async #revertLines(name: string, line: number): Promise<void> {
    const [old, now] = [this.#head[name], this.#tree[name]];
    const target = this.#bench.lines(name, line, line);
    const after = old === undefined || now === undefined ? undefined : withoutHunkAt(old, now, line);
    if (now !== undefined && old !== undefined && after === now) return this.#refused('revert', target);
    if (old === undefined || now === undefined) return; // the whole file, which other commands try
    return this.#operate(this.#uncommitted, 'revert', [{ path: name, before: now, after }], target);
  }

  async #refused(operation: string, target: Parameters<ChangesBench['invoke']>[2]): Promise<void> {
    await this.#bench.refused(this.#uncommitted, operation, target);
  }

  async #takeBack(pick: number): Promise<void> {
    const uris = [...this.#undo.keys()];
    const uri = uris[pick % Math.max(1, uris.length)];
    const stack = uri === undefined ? [] : (this.#undo.get(uri) ?? []);
    const last = stack.at(-1);
    if (uri === undefined || !last) {
      await this.#bench.refused(uri ?? this.#uncommitted, 'undo');
      return;
    }
    const outcomes = last.changes.map((change) => ({
      change,
      result: threeWay(back(change), this.#tree[change.path]),
    }));
    const turn = this.#turns.find((one) => one.uri === uri);
    const conflicts = outcomes.filter(({ result }) => result === 'conflict').map(({ change }) => change.path);
    const error = await this.#bench.invoke(uri, 'undo').then(
      () => undefined,
      (cause: Error) => cause,
    );
    if (error) {
      expect(conflicts, error.message).toHaveLength(outcomes.length); // otherwise the rest would have been undone
      return;
    }
    for (const { change, result } of outcomes) if (result !== 'conflict') this.#set(change.path, result.text);
    // Of files with a conflict, those hunks come back that have none; tests/operations/history.git.test.ts has which.
    for (const name of conflicts) this.#set(name, this.#bench.has(name) ? this.#bench.read(name) : undefined);
    this.#undo.set(uri, stack.slice(0, -1));
    if (turn && conflicts.length > 0) this.#turns.splice(this.#turns.indexOf(turn), 1); // what is left of it is not modelled
    if (conflicts.length > 0) return;
    if (turn && last.turnChanges) turn.changes = last.turnChanges;
  }

  /** What was there and is not any more can be read from the host's store. */
  #expectKept(before: Tree): void {
    const [id = ''] = readdirSync(join(this.#bench.host.folder, 'workspaces'));
    const store = join(this.#bench.host.folder, 'workspaces', id);
    const gone = Object.entries(before).filter(([name, text]) => this.#tree[name] !== text);
    for (const [name, text] of gone) {
      const blob = createHash('sha1')
        .update(`blob ${Buffer.byteLength(text)}\0${text}`)
        .digest('hex');
      const kept = run('git', ['--git-dir', store, 'cat-file', 'blob', blob]).toString();
      expect(kept, name).toBe(text);
    }
  }

  #set(name: string, text: Version): void {
    if (text === undefined) delete this.#tree[name];
    else this.#tree[name] = text;
  }
}

function back({ path: name, before, after }: Change): Change {
  return { path: name, before: after, after: before };
}

/** Lines that no other file has, so that no file looks like another one moved. */
function fresh(name: string): string {
  return Array.from({ length: 12 }, (_, line) => `${name} ${line} ${++counter}\n`).join('');
}

function edited(text: Version, { kind, path: name, spot: at }: Edit): Version {
  if (kind === 'delete') return undefined;
  if (kind === 'write' || text === undefined) return fresh(name);
  const lines = text.split('\n').slice(0, -1);
  const place = Math.min(at, lines.length);
  lines.splice(place, kind === 'line' ? 1 : 0, `${name} edit ${++counter}`);
  return `${lines.join('\n')}\n`;
}

/** From `before` to `after`, with what is there now, as `git merge-file` does it. */
function threeWay({ before: base, after: theirs }: Change, ours: Version): { text: Version } | 'conflict' {
  if (ours === base) return { text: theirs };
  if (ours === theirs) return { text: ours };
  if (ours === undefined || base === undefined || theirs === undefined) return 'conflict';
  const files = ['ours', 'base', 'theirs'].map((name) => join(scratch, name));
  for (const [index, text] of [ours, base, theirs].entries()) writeFileSync(files[index] ?? '', text);
  try {
    return { text: run('git', ['merge-file', '-p', ...files]).toString() };
  } catch {
    return 'conflict';
  }
}

/** The text without the hunk at a line, as `git apply` takes it back; the same text when there is none. */
function withoutHunkAt(old: string, now: string, line: number): string {
  writeFileSync(join(scratch, 'old'), old);
  writeFileSync(join(scratch, 'now'), now);
  let patch = '';
  try {
    run('git', ['diff', '--no-index', '-U0', 'old', 'now'], { cwd: scratch });
  } catch (error) {
    patch = String((error as { stdout: Buffer }).stdout);
  }
  const [head = '', ...hunks] = patch.split(/^(?=@@ )/m);
  const touching = hunks.filter((hunk) => {
    const [, start = '', count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(hunk) ?? [];
    if (count === '0') return line + 1 === Number(start) || line === Number(start);
    return line + 1 >= Number(start) && line + 1 < Number(start) + Number(count);
  });
  if (touching.length === 0) return now;
  const header = head.replaceAll(/(a\/|b\/)?(old|now)\b/g, (_, side) => `${side ?? ''}now`);
  run('git', ['apply', '-R', '--unidiff-zero'], { cwd: scratch, input: header + touching.join('') });
  return readFileSync(join(scratch, 'now'), 'utf8');
}
