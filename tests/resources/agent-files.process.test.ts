import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { demoAgent } from '@moorage/agents/demo';
import type { AgentTree } from '@moorage/host';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callsOf, chatState, startTurn, turn, turnEnd } from '../support/actions.js';
import { GatedAgent } from '../support/test-agent.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

let agent: GatedAgent;
let host: TestHost;
let client: WireClient;
let outside: string;
beforeEach(async () => {
  agent = new GatedAgent();
  agent.openAll();
  host = await TestHost.start({ agents: [demoAgent(), agent] });
  client = await host.client();
  outside = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-outside-')));
  writeFileSync(join(outside, 'secret'), 'secret');
});
afterEach(async () => {
  await host.dispose();
  rmSync(outside, { recursive: true, force: true });
});

const at = (name: string) => join(host.workspace, name);

/** The files that an agent gets of a session. */
async function filesOf(params: object = {}): Promise<AgentTree> {
  const { chat } = await host.session(client, { provider: 'test', ...params });
  await turn(client, chat, 'hello');
  const options = agent.opened.at(-1);
  if (!options) throw new Error('no chat was opened');
  return options.files;
}
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code,
  );

describe('files for agents', () => {
  it('are read, written, renamed and deleted in the folder of the session', async () => {
    const files = await filesOf();
    await files.write('deep/er/a.txt', Buffer.from('one'));
    const { uri, shown, content } = await files.read(at('deep/er/a.txt'));
    expect([uri, shown, Buffer.from(content?.bytes ?? []).toString()]).toEqual([
      pathToFileURL(at('deep/er/a.txt')).href,
      'deep/er/a.txt',
      'one',
    ]);
    expect((await files.read('missing')).content).toBeUndefined();
    expect(await codeOf(files.write('deep/er/a.txt', Buffer.from('two'), null))).toBe('changed');
    expect(await codeOf(files.write('deep/er/a.txt', Buffer.from('two'), 'stale'))).toBe('changed');
    await files.write('deep/er/a.txt', Buffer.from('two'), content?.version);
    await files.rename('deep/er/a.txt', 'b.txt');
    expect(readFileSync(at('b.txt'), 'utf8')).toBe('two');
    expect(await codeOf(files.rename('b.txt', 'deep'))).toBe('exists');
    await files.delete('b.txt');
    expect(readdirSync(host.workspace)).toEqual(['deep']);
  });

  it('never lead out of it, though another folder of the host is next to it', async () => {
    mkdirSync(at('mine'));
    mkdirSync(at('other'));
    writeFileSync(at('other/f'), 'f');
    symlinkSync(outside, at('mine/away'));
    const files = await filesOf({ workingDirectories: [pathToFileURL(at('mine')).href] });
    for (const path of ['../other/f', at('other/f'), 'away/secret', join(outside, 'secret'), 'away/../../other/f']) {
      expect([path, await codeOf(files.read(path))]).toEqual([path, 'outsideFolder']);
      expect(await codeOf(files.write(path, Buffer.from('evil')))).toBe('outsideFolder');
      expect(await codeOf(files.delete(path))).toBe('outsideFolder');
      expect(await codeOf(files.rename(path, 'stolen'))).toBe('outsideFolder');
    }
    expect(await codeOf(files.delete('.'))).not.toBe('done');
    expect([readFileSync(at('other/f'), 'utf8'), readdirSync(outside), readdirSync(at('mine'))]).toEqual([
      'f',
      ['secret'],
      ['away'],
    ]);
  });

  it('are named as the session names its folder', async () => {
    mkdirSync(at('real'));
    symlinkSync('real', at('link'));
    const files = await filesOf({ workingDirectories: [pathToFileURL(at('link')).href] });
    await files.write(at('link/a'), Buffer.from('x'));
    expect((await files.read('a')).uri).toBe(pathToFileURL(at('link/a')).href);
  });

  it('are none in a session without a folder', async () => {
    const files = await filesOf({ workingDirectories: [] });
    expect(await codeOf(files.read('a'))).toBe('noFolder');
  });
});

describe('the demo agent, in a process of its own', () => {
  it('does its file steps through the host', async () => {
    const { chat } = await host.session(client);
    symlinkSync(join(outside, 'secret'), at('leak'));
    const script = [
      '/auto on',
      '/write dir/a.txt one two',
      '/append dir/a.txt  three',
      '/replace dir/a.txt two => 2',
      '/rename dir/a.txt b.txt',
      '/read b.txt',
      '/read leak',
      '/write leak evil',
      '/delete b.txt',
    ];
    const id = startTurn(client, chat, script.join('\n'));
    await turnEnd(client, chat, id);
    const calls = callsOf((await chatState(client, chat)).turns.at(-1)?.responseParts);
    const results = calls.map((call) => (call.status === 'completed' ? (call.error?.code ?? 'done') : call.status));
    expect(results).toEqual(['done', 'done', 'done', 'done', 'done', 'outsideFolder', 'outsideFolder', 'done']);
    const read = calls[4];
    expect(read?.status === 'completed' && read.content).toEqual([{ type: 'text', text: 'one 2 three' }]);
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret');
    expect(readdirSync(host.workspace).sort()).toEqual(['dir', 'leak']);
  });
});

describe('folders for agents', () => {
  const everything = { under: '.', maxFiles: 100, signal: new AbortController().signal };

  it('are listed and searched for files, each once, without what nobody looks for', async () => {
    for (const folder of ['src/deep', '.git', 'node_modules/x']) mkdirSync(at(folder), { recursive: true });
    for (const file of ['a.ts', 'src/b.ts', 'src/deep/c.md', '.git/config', 'node_modules/x/d.ts']) {
      writeFileSync(at(file), '');
    }
    symlinkSync('..', at('src/up'));
    const files = await filesOf();
    expect(await files.list('src')).toEqual([
      { name: 'b.ts', type: 'file' },
      { name: 'deep', type: 'directory' },
      { name: 'up', type: 'directory' },
    ]);
    expect(await files.find(everything)).toEqual({ files: ['a.ts', 'src/b.ts', 'src/deep/c.md'], isComplete: true });
    expect((await files.find({ ...everything, glob: '**/*.ts' })).files).toEqual(['a.ts', 'src/b.ts']);
    expect((await files.find({ ...everything, under: 'src', glob: '*.ts' })).files).toEqual(['src/b.ts']);
    expect(await files.find({ ...everything, maxFiles: 2 })).toEqual({
      files: ['a.ts', 'src/b.ts'],
      isComplete: false,
    });
    expect(await files.locateFolder('src/up/src')).toEqual({ shown: 'src' });
  });

  it('end at the folder of the session', async () => {
    symlinkSync(outside, at('out'));
    writeFileSync(at('file'), '');
    const files = await filesOf();
    for (const path of ['..', outside, 'out']) {
      expect(await codeOf(files.list(path))).toBe('outsideFolder');
      expect(await codeOf(files.locateFolder(path))).toBe('outsideFolder');
      expect(await codeOf(files.find({ ...everything, under: path }))).toBe('outsideFolder');
    }
    expect((await files.find(everything)).files).toEqual(['file']);
    expect(await codeOf(files.list('file'))).toBe('notFolder');
    expect(await codeOf(files.locateFolder('file'))).toBe('notFolder');
    expect(await codeOf(files.list('gone'))).toBe('notFound');
  });
});
