import { join } from 'node:path';
import { demoAgent } from '@moorage/agents/demo';
import type { AgentCustomizations } from '@moorage/host';
import { type AnnotationsState, anchorOf, fileUri, type SessionState, sessionUri } from '@moorage/protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { accepted, PATIENT } from '../support/actions.js';
import { ChangesBench } from '../support/changes-bench.js';
import { commitAll } from '../support/repository.js';
import { testAgent } from '../support/test-agent.js';

/** What a session has in its first folder, it has in the others as well. */
let bench: ChangesBench;
let given: AgentCustomizations | undefined;
const pathOf = (name: string) => join(bench.folder, name);
const uriOf = (name: string) => fileUri(pathOf(name));

beforeEach(async () => {
  const agent = testAgent({
    prompt: async (turn) => {
      given = await turn.customizations();
      return undefined;
    },
  });
  bench = await ChangesBench.start({
    agents: () => [demoAgent({ isolation: 'none' }), { ...agent, takesSeveralFolders: true }],
    customizations: {},
    prepare: (b) => {
      for (const name of ['api', 'web']) {
        b.write(`${name}/src/a.txt`, 'one\ntwo\nthree\n');
        b.write(
          `${name}/.github/instructions/${name}.instructions.md`,
          `---\napplyTo: 'src/*.txt'\n---\nIn ${name}.\n`,
        );
        commitAll(join(b.folder, name));
      }
      b.write('web/src/only.ts', 'export function shownInWeb() {}\n');
      b.write('more/.github/prompts/more.prompt.md', 'More\n');
    },
  });
  await newSession('demo');
});
afterEach(() => bench.dispose());

async function newSession(provider: string): Promise<void> {
  bench.session = sessionUri.format(crypto.randomUUID());
  const workingDirectories = [uriOf('api'), uriOf('web')];
  await bench.client.request('createSession', { channel: bench.session, provider, workingDirectories });
  const state = await bench.client.subscribe<SessionState>(bench.session);
  bench.chat = state.defaultChat ?? '';
  await bench.client.subscribe(bench.chat);
  if (!state.changesets) await bench.client.action(bench.session, 'session/changesetsChanged');
}

const completed = async (text: string) => {
  const params = { channel: bench.chat, kind: 'userMessage', text, offset: text.length } as const;
  const { items } = await bench.client.request('completions', params);
  return items.map(({ insertText, attachment }) => [insertText, 'uri' in attachment ? attachment.uri : undefined]);
};

it('completes files and symbols of all folders, and tells them apart', async () => {
  expect(await completed('@a.txt')).toEqual([
    ['@src/a.txt', uriOf('api/src/a.txt')],
    ['@web/src/a.txt', uriOf('web/src/a.txt')],
  ]);
  expect(await completed('@web/src/a')).toContainEqual(['@web/src/a.txt', uriOf('web/src/a.txt')]);
  expect(await completed('@only')).toEqual([['@web/src/only.ts', uriOf('web/src/only.ts')]]);
  await bench.turn(`/replace ${pathOf('web/src/only.ts')} shownInWeb => changedInWeb`);
  expect(await completed('#changed')).toEqual([['#changedInWeb', uriOf('web/src/only.ts')]]);
});

it('follows the lines of a comment in a further folder, also in one that is added later', async () => {
  const turnId = await bench.turn(`/replace ${pathOf('web/src/a.txt')} two => TWO`);
  const channel = `${bench.session}/annotations`;
  await bench.client.subscribe(channel);
  const comment = (id: string, resource: string) => ({
    type: 'annotations/set',
    annotation: {
      id,
      origin: { session: bench.session, turnId },
      resource,
      range: { start: { line: 1, character: 0 }, end: { line: 1, character: 3 } },
      resolved: false,
      entries: [{ id: `${id}-1`, text: 'Why?' }],
    },
  });
  const lineOf = async (id: string) => {
    const { annotations } = await bench.client.subscribe<AnnotationsState>(channel);
    const anchor = annotations.filter((one) => one.id === id).map(anchorOf)[0];
    return [anchor?.state, anchor?.range?.start.line];
  };
  await accepted(bench.client, channel, comment('a', uriOf('web/src/a.txt')));
  await expect.poll(() => lineOf('a'), PATIENT).toEqual(['here', undefined]);
  bench.write('web/src/a.txt', 'zero\none\nTWO\nthree\n');
  await expect.poll(() => lineOf('a'), PATIENT).toEqual(['moved', 2]);
  expect(bench.read('api/src/a.txt')).toBe('one\ntwo\nthree\n'); // a file of the same name is another one
  bench.write('more/m.txt', 'one\ntwo\nthree\n');
  await accepted(bench.client, bench.session, { type: 'session/workingDirectorySet', directory: uriOf('more') });
  await accepted(bench.client, channel, comment('m', uriOf('more/m.txt')));
  await expect.poll(() => lineOf('m'), PATIENT).toEqual(['here', undefined]);
  bench.write('more/m.txt', 'zero\nzero\none\ntwo\nthree\n');
  await expect.poll(() => lineOf('m'), PATIENT).toEqual(['moved', 3]);
});

it('has the customizations of all folders, and of those that are added later; rules are about their own folder', async () => {
  await newSession('test');
  const found = async () => {
    const { customizations = [] } = await bench.client.subscribe<SessionState>(bench.session);
    return customizations.flatMap((entry) => ('children' in entry ? (entry.children ?? []) : [])).map(({ uri }) => uri);
  };
  const rule = (name: string) => uriOf(`${name}/.github/instructions/${name}.instructions.md`);
  await expect.poll(found, PATIENT).toEqual(expect.arrayContaining([rule('api'), rule('web')]));
  await bench.turn('go');
  const appliesTo = (path: string) => given?.rules.filter((one) => one.appliesTo(path)).map(({ uri }) => uri);
  expect(appliesTo('src/a.txt')).toEqual([rule('api')]);
  expect(appliesTo(pathOf('web/src/a.txt'))).toEqual([rule('web')]);
  await accepted(bench.client, bench.session, { type: 'session/workingDirectorySet', directory: uriOf('more') });
  const prompt = uriOf('more/.github/prompts/more.prompt.md');
  await expect.poll(found, PATIENT).toContain(prompt);
  await accepted(bench.client, bench.session, { type: 'session/workingDirectoryRemoved', directory: uriOf('more') });
  await expect.poll(found, PATIENT).not.toContain(prompt);
});
