import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CompletionItem, type CompletionsResult, ROOT_URI } from '@moorage/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { accepted, PATIENT, turn } from '../support/actions.js';
import { run } from '../support/run-from-small-process.js';
import { testAgent } from '../support/test-agent.js';
import { TestHost, type TestHostOptions } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';
import { workspacesIn } from '../support/workspaces.js';

let host: TestHost;
let client: WireClient;
let session: string;
let chat: string;

async function start(prepare: (folder: string) => void = () => {}, options: TestHostOptions = {}, provider = 'demo') {
  host = new TestHost({
    workspaces: workspacesIn,
    ...options,
  });
  prepare(host.workspace);
  await host.start();
  client = await host.client();
  ({ session, chat } = await host.session(client, { provider }));
}
afterEach(() => host.dispose());

/** What is offered at the mark `|` of a text. */
async function offered(marked: string, from = client): Promise<CompletionItem[]> {
  const offset = marked.indexOf('|');
  const text = marked.slice(0, offset) + marked.slice(offset + 1);
  const params = { channel: chat, kind: 'userMessage', text, offset } as const;
  return (await from.request('completions', params)).items;
}
const texts = async (marked: string) => (await offered(marked)).map(({ insertText }) => insertText);

function files(folder: string, ...paths: string[]): void {
  for (const path of paths) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), `content of ${path}\n`);
  }
}

function repository(folder: string): void {
  run('git', ['-C', folder, 'init', '-q']);
}

const PATHS = ['src/main.ts', 'src/mapping/main-loop.ts', 'docs/manual.md', 'my notes.txt', 'README.md'];

describe.each([
  ['a repository', repository],
  ['a plain folder', () => {}],
])('files of %s', (_, prepare) => {
  const fill = (folder: string) => {
    prepare(folder);
    files(folder, ...PATHS, 'build/main.js', 'src/secret.log', 'src/keep.log', 'node_modules/m/main.js');
    writeFileSync(join(folder, '.gitignore'), 'build/\n*.log\nnode_modules\n');
    writeFileSync(join(folder, 'src/.gitignore'), '!keep.log\n');
  };

  it('are offered best first, with what is attached, in place of the word', async () => {
    await start(fill);
    const items = await offered('see @main| please');
    expect(items.map(({ insertText }) => insertText)).toEqual(['@src/main.ts', '@src/mapping/main-loop.ts']);
    expect(items[0]).toEqual({
      insertText: '@src/main.ts',
      rangeStart: 4,
      rangeEnd: 9,
      attachment: {
        type: 'resource',
        uri: `${host.workspaceUri}/src/main.ts`,
        label: 'main.ts',
        displayKind: 'file',
        _meta: { 'moorage.path': 'src/main.ts' },
      },
    });
    expect((await offered('(@smt|)')).map(({ insertText }) => insertText)).toContain('@src/main.ts');
    expect(await offered('@notes|')).toMatchObject([{ attachment: { uri: `${host.workspaceUri}/my%20notes.txt` } }]);
  });

  it('leave out what is ignored, what is gone and what leads out; new ones come', async () => {
    await start((folder) => {
      fill(folder);
      symlinkSync('/etc/hostname', join(folder, 'main-link.ts'));
      symlinkSync('src/main.ts', join(folder, 'main-inside.ts'));
    });
    expect(await texts('@log|')).toEqual(['@src/keep.log']);
    expect(await texts('@build|')).toEqual([]);
    expect(await texts('@mainlink|')).toEqual([]);
    expect(await texts('@maininside|')).toEqual(['@main-inside.ts']);
    files(host.workspace, 'src/brand-new.ts');
    await expect.poll(() => texts('@brandnew|'), PATIENT).toEqual(['@src/brand-new.ts']);
    rmSync(join(host.workspace, 'src/brand-new.ts'));
    expect(await texts('@brandnew|')).toEqual([]);
    writeFileSync(join(host.workspace, '.gitignore'), '*.md\nbuild/\n*.log\nnode_modules\n');
    await expect.poll(() => texts('@manual|'), PATIENT).toEqual([]);
  });
});

describe('the word that is completed', () => {
  it('is counted in UTF-16 units, and reaches to its end behind the cursor', async () => {
    await start((folder) => files(folder, ...PATHS));
    expect((await offered('😀 @ma|'))[0]).toMatchObject({ rangeStart: 3, rangeEnd: 6 });
    expect((await offered('@src/ma|in.ts now'))[0]).toMatchObject({ rangeStart: 0, rangeEnd: 12 });
    expect(await texts('someone@ma|')).toEqual([]);
    expect(await texts('src/ma|')).toContain('@src/main.ts'); // asked for without a trigger
    expect(await texts('|')).toEqual([]);
    expect(await texts('@|')).toContain('@README.md');
  });

  it('is refused when it is nowhere (OQ-101)', async () => {
    await start();
    const params = { channel: chat, kind: 'userMessage', text: 'ab' };
    for (const offset of [-1, 3, 1.5, '1', undefined]) {
      expect([offset, (await client.refused('completions', { ...params, offset })).code]).toEqual([offset, -32602]);
    }
    const wrong = { ...params, offset: 0 };
    expect((await client.refused('completions', { ...wrong, kind: 'other' })).code).toBe(-32602);
    expect((await client.refused('completions', { ...wrong, channel: ROOT_URI })).code).toBe(-32602);
    expect((await client.refused('completions', { ...wrong, channel: host.newChatUri() })).code).toBe(-32008);
    const long = `@${'x'.repeat(100_000)}`;
    expect(await client.request('completions', { ...params, text: long, offset: long.length } as never)).toEqual({
      items: [],
    });
  });

  it('starts with a character that the host names (B-35)', async () => {
    await start();
    const raw = await host.rawClient();
    const result = await raw.request('initialize', {
      channel: ROOT_URI,
      clientId: 'asks',
      protocolVersions: ['1.0.0'],
    });
    expect(result.completionTriggerCharacters).toEqual(['@', '#', '/']);
  });
});

describe('commands of the agent', () => {
  it('are offered at the start of a line, and known before the agent runs', async () => {
    await start();
    const [item] = await offered('/wri|');
    expect(item).toMatchObject({
      insertText: '/write ',
      rangeStart: 0,
      rangeEnd: 4,
      attachment: { type: 'simple', label: '/write', displayKind: 'command' },
    });
    expect(await texts('one\n  /wr|')).toEqual(['/write ']);
    expect(await texts('and /wr|')).toEqual([]);
  });

  it('are what a chat says, also after a restart, and are not said to the agent twice', async () => {
    const agent = testAgent({
      prompt: async (_turn, { host: chatHost }) => {
        chatHost.setCommands([
          { name: 'review', description: 'Looks at the changes', hint: 'what' },
          { name: 'bad name' },
          { name: '' },
        ]);
        return undefined;
      },
    });
    await start(() => {}, { agents: () => [agent] }, 'test');
    expect(await texts('/|')).toEqual([]);
    await turn(client, chat, 'hello');
    const [item] = await offered('/rev|');
    expect(item).toMatchObject({
      insertText: '/review ',
      attachment: {
        _meta: {
          'moorage.description': 'Looks at the changes',
          'moorage.hint': 'what',
          command: 'review', // as VS Code wants it (V-30)
          argumentHint: 'what',
        },
      },
    });
    expect(await texts('/|')).toEqual(['/review ']);
    const note = { type: 'simple', label: 'note', modelRepresentation: 'a note' };
    await accepted(client, chat, {
      type: 'chat/turnStarted',
      startedAt: '2026-01-01T00:00:00.000Z',
      turnId: 'with-command',
      message: { text: '/review it', origin: { kind: 'user' }, attachments: [item?.attachment, note] },
    });
    await client.action(chat, 'chat/turnComplete', 2);
    expect(agent.turns.at(-1)?.message.attachments).toEqual([note]);
    await host.restart();
    client = await host.client();
    expect(await texts('/|')).toEqual(['/review ']);
  });
});

describe('what the session changed and what was said about it', () => {
  it('is offered by name: symbols of changed files', async () => {
    await start((folder) => {
      repository(folder);
      files(folder, 'untouched.ts');
      writeFileSync(join(folder, 'untouched.ts'), 'export function renderNothing() {}\n');
    });
    await turn(client, chat, '/auto on\n/write view.ts // first\\nexport class RenderView {}\\nconst local = 1;\\n');
    await expect.poll(() => texts('#render|'), PATIENT).toEqual(['#RenderView']);
    expect((await offered('fix #Rend|'))[0]).toEqual({
      insertText: '#RenderView',
      rangeStart: 4,
      rangeEnd: 9,
      attachment: {
        type: 'resource',
        uri: `${host.workspaceUri}/view.ts`,
        label: 'RenderView',
        displayKind: 'symbol',
        selection: { range: { start: { line: 1, character: 13 }, end: { line: 1, character: 23 } } },
        _meta: { 'moorage.path': 'view.ts' },
      },
    });
  });

  it('is offered as comments, one or all that are open, to every client', async () => {
    await start();
    const bob = await host.client();
    const channel = `${session}/annotations`;
    await client.subscribe(channel);
    const comment = (id: string, line: number, text: string) => ({
      type: 'annotations/set',
      annotation: {
        id,
        origin: { session, turnId: 't' },
        resource: `${host.workspaceUri}/code.ts`,
        range: { start: { line, character: 0 }, end: { line, character: 1 } },
        resolved: false,
        entries: [{ id: `${id}-1`, text }],
      },
    });
    await accepted(client, channel, comment('a', 4, 'Rename this please'));
    await accepted(client, channel, comment('b', 9, 'Too slow'));
    await accepted(client, channel, { type: 'annotations/updated', annotationId: 'b', resolved: true });
    const [first] = await offered('#rename|', bob);
    expect(first).toMatchObject({
      insertText: '#code.ts:5',
      attachment: {
        type: 'annotations',
        resource: channel,
        annotationIds: ['a'],
        label: 'code.ts:5 Rename this please',
      },
    });
    const all = (await offered('#|', bob)).find(({ insertText }) => insertText === '#comments');
    expect(all?.attachment).toMatchObject({ type: 'annotations', annotationIds: ['a'] });
    expect(await texts('#code.ts:10|')).toEqual(['#code.ts:10']);
  });
});

describe('a large folder', () => {
  it('of 20,000 files is searched, and an overtaken question is let go', async () => {
    const fill = (folder: string) => {
      for (let part = 0; part < 200; part++) {
        mkdirSync(join(folder, `part-${part}/deep`), { recursive: true });
        for (let n = 0; n < 100; n++) writeFileSync(join(folder, `part-${part}/deep/file-${part}-${n}.ts`), '');
      }
      writeFileSync(join(folder, 'part-7/needle.ts'), '');
    };
    await start(fill, { workspaces: undefined } as never);
    await expect.poll(() => texts('@needle|'), PATIENT).toEqual(['@part-7/needle.ts']);
    expect((await texts('@file-199-42|'))[0]).toBe('@part-199/deep/file-199-42.ts');
    expect(await offered('@file|')).toHaveLength(30);
    const asked = ['@f', '@fi', '@fil', '@needle'].map((text) =>
      client.request('completions', { channel: chat, kind: 'userMessage', text, offset: text.length }),
    );
    const last: CompletionsResult | undefined = (await Promise.all(asked)).at(-1);
    expect(last?.items.map(({ insertText }) => insertText)).toEqual(['@part-7/needle.ts']);
  }, 120_000);
});
