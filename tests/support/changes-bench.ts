import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { GitWorkspacesOptions } from '@moorage/host';
import {
  type ChangesetOperation,
  type ChangesetOperationTarget,
  type ChangesetSelector,
  type ChangesetState,
  changesetUri,
  fileUriIn,
  type InvokeChangesetOperationResult,
  type SessionState,
} from '@moorage/protocol';
import { expect } from 'vitest';
import { commitAll, gitOutput } from './repository.js';
import { TestHost, type TestHostOptions, userMessage } from './test-host.js';
import type { WireClient } from './wire-client.js';
import { workspacesIn } from './workspaces.js';

export interface ChangesBenchOptions extends TestHostOptions {
  readonly fileSystem?: GitWorkspacesOptions['fileSystem'];
  /** Fills the folder before the host starts. */
  readonly prepare?: (bench: ChangesBench) => void;
}

/** A host with a session in a real folder, to do things to its changesets. */
export class ChangesBench {
  readonly host: TestHost;
  client!: WireClient;
  session = '';
  chat = '';
  #turns = 0;

  static async start({ fileSystem, prepare, ...options }: ChangesBenchOptions = {}): Promise<ChangesBench> {
    const workspaces = (folder: string) => workspacesIn(folder, { ...(fileSystem && { fileSystem }) });
    const bench = new ChangesBench(new TestHost({ workspaces, ...options }));
    prepare?.(bench);
    await bench.host.start();
    await bench.begin();
    return bench;
  }

  constructor(host: TestHost) {
    this.host = host;
  }

  get folder(): string {
    return this.host.workspace;
  }

  /** A new client with a new session whose catalogue is published. */
  async begin(): Promise<void> {
    this.client = await this.host.client();
    ({ session: this.session, chat: this.chat } = await this.host.session(this.client));
    const state = await this.client.subscribe<SessionState>(this.session);
    if (!state.changesets) await this.client.action(this.session, 'session/changesetsChanged');
  }

  /** The same session, after a restart of the host. */
  async comeBack(): Promise<void> {
    await this.host.restart();
    this.client = await this.host.client();
    await this.client.subscribe(this.session);
    await this.client.subscribe(this.chat);
  }

  git(...args: string[]): string {
    return gitOutput(this.folder, ...args);
  }

  /** A repository with these files committed. */
  commit(files: Readonly<Record<string, string | Buffer>>): void {
    for (const [path, content] of Object.entries(files)) this.write(path, content);
    commitAll(this.folder);
  }

  write(path: string, content: string | Buffer): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), content);
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  has(path: string): boolean {
    return lstatSync(join(this.folder, path), { throwIfNoEntry: false }) !== undefined;
  }

  remove(path: string): void {
    rmSync(join(this.folder, path), { recursive: true });
  }

  /** Everything in the folder but repositories: kinds, the executable bit, and bytes. */
  tree(): Record<string, string> {
    const found: Record<string, string> = {};
    const walk = (folder: string) => {
      for (const name of readdirSync(join(this.folder, folder))) {
        const path = folder === '' ? name : `${folder}/${name}`;
        const stats = lstatSync(join(this.folder, path));
        if (name === '.git') continue;
        if (stats.isDirectory()) walk(path);
        else if (stats.isSymbolicLink()) found[path] = `link ${readlinkSync(join(this.folder, path))}`;
        else found[path] = `${stats.mode & 0o100 ? 'x' : '-'} ${readFileSync(join(this.folder, path), 'latin1')}`;
      }
    };
    walk('');
    return found;
  }

  /** Runs a turn of the demo agent to its end. */
  async turn(script: string): Promise<string> {
    const turnId = this.startTurn(script);
    await this.turnEnded(turnId);
    return turnId;
  }

  startTurn(script: string): string {
    const turnId = `turn-${++this.#turns}`;
    const message = userMessage(`/auto on\n${script}`);
    this.client.dispatch(this.chat, {
      type: 'chat/turnStarted',
      startedAt: '2026-01-01T00:00:00.000Z',
      turnId,
      message,
    });
    return turnId;
  }

  async turnEnded(turnId: string): Promise<void> {
    await this.client.envelope(
      (e) => e.channel === this.chat && e.action.type === 'chat/turnComplete' && e.action.turnId === turnId,
    );
  }

  uri(selector: ChangesetSelector): string {
    return changesetUri(this.session, selector);
  }

  turnUri(turnId: string): string {
    return this.uri({ kind: 'turn', turnId });
  }

  fileUri(path: string): string {
    return fileUriIn(this.host.workspaceUri, path);
  }

  /** A changeset that somebody watches, once it satisfies a condition. */
  async changeset(
    uri: string,
    isReady: (state: ChangesetState) => boolean = ({ operations }) => operations !== undefined,
  ): Promise<ChangesetState> {
    for (;;) {
      const seen = this.client.envelopes.length; // what comes with the snapshot is news as well
      const state = await this.client.subscribe<ChangesetState>(uri);
      if (state.status === 'error') throw new Error(state.error?.message);
      if (state.status === 'ready' && isReady(state)) return state;
      await this.client.envelope(() => this.client.envelopes.length > seen);
    }
  }

  async operation(uri: string, id: string, status: ChangesetOperation['status']): Promise<ChangesetOperation> {
    const find = ({ operations }: ChangesetState) => operations?.find((one) => one.id === id && one.status === status);
    return find(await this.changeset(uri, (state) => find(state) !== undefined)) as ChangesetOperation;
  }

  invoke(
    channel: string,
    operationId: string,
    target?: ChangesetOperationTarget,
    _meta?: Record<string, unknown>,
  ): Promise<InvokeChangesetOperationResult> {
    const params = { channel, operationId, ...(target && { target }), ...(_meta && { _meta }) };
    return this.client.request('invokeChangesetOperation', params);
  }

  refused(
    channel: string,
    operationId: string,
    target?: ChangesetOperationTarget,
    _meta?: Record<string, unknown>,
  ): Promise<{ code: number; message: string }> {
    const params = { channel, operationId, ...(target && { target }), ...(_meta && { _meta }) };
    return this.client.refused('invokeChangesetOperation', params);
  }

  /** Invokes, undoes, and checks that the undo brought back everything as it was. */
  async expectUndo(uri: string, afterwards: Record<string, string>): Promise<void> {
    await this.invoke(uri, 'undo');
    expect(this.tree()).toEqual(afterwards);
  }

  resource(path: string, side?: 'before' | 'after'): ChangesetOperationTarget {
    return { kind: 'resource', resource: this.fileUri(path), ...(side && { side }) };
  }

  /** Whole lines, counted from 0, the last one included. */
  lines(path: string, first: number, last: number, side?: 'before' | 'after'): ChangesetOperationTarget {
    const range = { start: { line: first, character: 0 }, end: { line: last + 1, character: 0 } };
    return { kind: 'range', resource: this.fileUri(path), range, ...(side && { side }) };
  }

  async text(uri: string): Promise<string> {
    const { data, encoding } = await this.client.request('resourceRead', { channel: 'ahp-root://', uri });
    return encoding === 'base64' ? Buffer.from(data, 'base64').toString('latin1') : data;
  }

  dispose(options?: { expectErrors?: RegExp }): Promise<void> {
    return this.host.dispose(options);
  }
}
