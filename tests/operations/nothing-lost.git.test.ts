import { type ChangesetOperationTarget, type HistoryStep, ROOT_URI } from '@moorage/protocol';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ChangesBench } from '../support/changes-bench.js';
import { run } from '../support/run-from-small-process.js';

/**
 * Random turns, edits, operations, undos, truncations and deletions of sessions. After each run, every word that a user or
 * an agent wrote, and did not remove himself, is on disk, in git, or can be read in the history of the folder.
 */
const RUNS = Number(process.env.HISTORY_RUNS ?? 3);
const STEPS = Number(process.env.HISTORY_STEPS ?? 40);

const PATHS = ['a.txt', 'b.txt', 'dir/c.txt', 'dir/deep/d.txt'];
const path = fc.constantFrom(...PATHS);
const spot = fc.nat({ max: 9 });
const pick = fc.nat({ max: 1_000 });
const edit = fc.record({ path, spot, how: fc.constantFrom('line', 'line', 'line', 'insert', 'write', 'delete') });

const kinds = {
  turn: fc.record({ edits: fc.array(edit, { minLength: 1, maxLength: 3 }) }),
  user: fc.record({ edits: fc.array(edit, { minLength: 1, maxLength: 3 }) }),
  revertSession: fc.record({}),
  revertTurn: fc.record({ pick }),
  revertFile: fc.record({ path }),
  revertLines: fc.record({ path, spot }),
  restore: fc.record({ pick }),
  stage: fc.record({ path }),
  stageAll: fc.record({}),
  stageLines: fc.record({ path, spot }),
  unstage: fc.record({}),
  commit: fc.record({}),
  undo: fc.record({}),
  undoStep: fc.record({ pick }),
  undoFile: fc.record({ pick, path }),
  undoHunk: fc.record({ pick, path, spot }),
  redoStep: fc.record({ pick }),
  truncate: fc.record({ pick }),
  newSession: fc.record({}),
  restart: fc.record({}),
};
type Kinds = typeof kinds;
type Command = { [K in keyof Kinds]: { readonly kind: K } & FromArbitrary<Kinds[K]> }[keyof Kinds];
type FromArbitrary<A> = A extends fc.Arbitrary<infer T> ? T : never;
type Edit = FromArbitrary<typeof edit>;

const WEIGHTS: Partial<Record<keyof Kinds, number>> = { turn: 4, user: 4, undoStep: 4, undoHunk: 2, redoStep: 2 };
const command = fc.oneof(
  ...Object.entries(kinds).map(([kind, arbitrary]) => ({
    weight: WEIGHTS[kind as keyof Kinds] ?? 1,
    arbitrary: (arbitrary as fc.Arbitrary<object>).map((fields) => ({ kind, ...fields }) as unknown as Command),
  })),
);

it(`nothing that an operation removed is lost (${RUNS} runs of ${STEPS} steps)`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: STEPS, maxLength: STEPS }), async (commands) => {
      const world = await World.start();
      try {
        for (const one of commands) await world.run(one);
        await world.expectAll();
      } finally {
        await world.end();
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
}, 3_600_000);

class World {
  readonly #bench: ChangesBench;
  /** The words that must be found. */
  readonly #words = new Set<string>();
  #turns: string[] = [];
  #count = 0;
  #sessions = 1;

  static async start(): Promise<World> {
    const world = new World(
      await ChangesBench.start({
        prepare: (bench) => {
          bench.commit({ 'a.txt': 'start\n' });
          bench.git('config', 'user.name', 'Test');
          bench.git('config', 'user.email', 'test@localhost');
        },
      }),
    );
    for (const name of PATHS) world.#set(name, world.#fresh());
    world.#bench.git('add', '.');
    world.#bench.git('commit', '-q', '-m', 'more');
    return world;
  }

  constructor(bench: ChangesBench) {
    this.#bench = bench;
  }

  end(): Promise<void> {
    return this.#bench.dispose();
  }

  async run(one: Command): Promise<void> {
    const bench = this.#bench;
    const uncommitted = bench.uri({ kind: 'uncommitted' });
    switch (one.kind) {
      case 'user':
        for (const change of one.edits) this.#set(change.path, this.#edited(change));
        return;
      case 'turn':
        return this.#turn(one.edits);
      case 'revertSession':
        return this.#try(() => bench.invoke(bench.uri({ kind: 'session' }), 'revert'));
      case 'revertTurn':
      case 'restore': {
        const turn = chosen(this.#turns, one.pick);
        const operation = one.kind === 'restore' ? 'restore' : 'revert';
        return turn === undefined ? undefined : this.#try(() => bench.invoke(bench.turnUri(turn), operation));
      }
      case 'revertFile':
        return this.#try(() => bench.invoke(uncommitted, 'revert', bench.resource(one.path)));
      case 'revertLines':
        return this.#try(() => bench.invoke(uncommitted, 'revert', this.#lines(one)));
      case 'stage':
        return this.#try(() => bench.invoke(uncommitted, 'stage', bench.resource(one.path)));
      case 'stageLines':
        return this.#try(() => bench.invoke(uncommitted, 'stage', this.#lines(one)));
      case 'stageAll':
        return this.#try(() => bench.invoke(uncommitted, 'stage'));
      case 'unstage':
        return this.#try(() => bench.invoke(uncommitted, 'unstage'));
      case 'commit':
        return this.#try(() => bench.invoke(uncommitted, 'commit', undefined, { 'moorage.message': 'A commit' }));
      case 'undo':
        return this.#try(() => bench.invoke(uncommitted, 'undo'));
      case 'undoStep':
      case 'undoFile':
      case 'undoHunk':
      case 'redoStep':
        return this.#changeStep(one);
      case 'truncate': {
        const turn = chosen(this.#turns, one.pick);
        if (turn === undefined) return;
        this.#turns = this.#turns.slice(0, this.#turns.indexOf(turn) + 1);
        bench.client.dispatch(bench.chat, { type: 'chat/truncated', turnId: turn });
        return bench.client.sync();
      }
      case 'newSession':
        await bench.client.request('disposeSession', { channel: bench.session });
        this.#turns = [];
        this.#sessions++;
        return bench.begin();
      case 'restart':
        return bench.comeBack();
    }
  }

  /** Fails with the words that are nowhere. */
  async expectAll(): Promise<void> {
    this.#bench.git('reflog', 'expire', '--expire=now', '--all');
    this.#bench.git('gc', '-q', '--prune=now');
    const found = [JSON.stringify(this.#bench.tree()), this.#inGit(), await this.#inHistory()].join('\n');
    const words = new Set(found.match(/word\d+/g));
    expect([...this.#words].filter((word) => !words.has(word))).toEqual([]);
    expect(this.#words.size).toBeGreaterThan(0);
  }

  /** Everything that a commit of a branch, or the index, has. */
  #inGit(): string {
    const { folder } = this.#bench;
    const objects = this.#bench.git('rev-list', '--objects', '--all').split('\n');
    const staged = this.#bench
      .git('ls-files', '--stage')
      .split('\n')
      .map((line) => line.split(' ')[1] ?? '');
    const input = [...objects.map((line) => line.split(' ')[0] ?? ''), ...staged].filter(Boolean).join('\n');
    return run('git', ['cat-file', '--batch'], { cwd: folder, input: `${input}\n` }).toString('latin1');
  }

  async #inHistory(): Promise<string> {
    const texts = new Map<string, string>();
    for (const { id } of await this.#history()) {
      const { items } = await this.#bench.client.request('moorage/listHistoryFiles', { ...this.#folder, step: id });
      for (const { before, after, stagedBefore, stagedAfter } of items) {
        for (const uri of [before, after, stagedBefore, stagedAfter]) {
          if (uri !== undefined && !texts.has(uri)) texts.set(uri, await this.#bench.text(uri));
        }
      }
    }
    return [...texts.values()].join('\n');
  }

  get #folder() {
    return { channel: ROOT_URI, folder: this.#bench.host.workspaceUri } as const;
  }

  async #history(): Promise<HistoryStep[]> {
    const steps: HistoryStep[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await this.#bench.client.request('moorage/listHistory', {
        ...this.#folder,
        limit: 7,
        ...(cursor && { cursor }),
      });
      steps.push(...page.items);
      cursor = page.nextCursor;
      if (cursor === undefined) return steps;
    }
  }

  async #changeStep(one: Extract<Command, { kind: 'undoStep' | 'undoFile' | 'undoHunk' | 'redoStep' }>): Promise<void> {
    const step = chosen(await this.#history(), one.pick)?.id;
    if (step === undefined) return;
    const params = {
      ...this.#folder,
      step,
      ...('path' in one && { path: one.path }),
      ...('spot' in one && { hunks: [one.spot % 3] }),
    };
    const method = one.kind === 'redoStep' ? 'moorage/redoHistoryStep' : 'moorage/undoHistoryStep';
    await this.#try(() => this.#bench.client.request(method, params));
  }

  #lines(one: { readonly path: string; readonly spot: number }): ChangesetOperationTarget {
    return this.#bench.lines(one.path, one.spot, one.spot + 1);
  }

  /** It may be refused, but for a reason. */
  async #try(work: () => Promise<unknown>): Promise<void> {
    const error = await work().then(
      () => undefined,
      (cause: Error & { code?: number }) => cause,
    );
    if (!error) return;
    expect([-32008, -32600, -32602, -32603], error.message).toContain(error.code);
    expect(error.message).not.toContain('The operation failed');
  }

  async #turn(edits: readonly Edit[]): Promise<void> {
    const texts = new Map<string, string | undefined>();
    for (const change of edits) {
      const text = this.#edited(change, texts);
      this.#follow(texts.has(change.path) ? texts.get(change.path) : this.#text(change.path), text);
      texts.set(change.path, text);
    }
    const script = [...texts].flatMap(([name, text]) => {
      if (text !== undefined) return [`/write ${name} ${text.replaceAll('\n', '\\n')}`];
      return this.#bench.has(name) ? [`/delete ${name}`] : [];
    });
    this.#turns.push(await this.#bench.turn(`/say ${this.#sessions}\n${script.join('\n')}`));
  }

  #set(name: string, text: string | undefined): void {
    this.#follow(this.#text(name), text);
    if (text !== undefined) this.#bench.write(name, text);
    else if (this.#bench.has(name)) this.#bench.remove(name);
  }

  /** Who removes words himself knows what he does; they may still be elsewhere, but need not be. */
  #follow(before: string | undefined, after: string | undefined): void {
    const left = new Set(after?.match(/word\d+/g));
    for (const word of before?.match(/word\d+/g) ?? []) if (!left.has(word)) this.#words.delete(word);
    for (const word of left) if (!(before ?? '').includes(word)) this.#words.add(word);
  }

  #edited({ path: name, spot: at, how }: Edit, texts?: ReadonlyMap<string, string | undefined>): string | undefined {
    const text = texts?.has(name) ? texts.get(name) : this.#text(name);
    if (how === 'delete') return undefined;
    if (how === 'write' || text === undefined) return this.#fresh();
    const lines = text.split('\n').slice(0, -1);
    lines.splice(Math.min(at, lines.length), how === 'line' ? 1 : 0, this.#word());
    return `${lines.join('\n')}\n`;
  }

  #text(name: string): string | undefined {
    return this.#bench.has(name) ? this.#bench.read(name) : undefined;
  }

  #fresh(): string {
    return `${Array.from({ length: 10 }, () => this.#word()).join('\n')}\n`;
  }

  #word(): string {
    return `word${++this.#count}.`;
  }
}

function chosen<T>(list: readonly T[], at: number): T | undefined {
  return list.length === 0 ? undefined : list[at % list.length];
}
