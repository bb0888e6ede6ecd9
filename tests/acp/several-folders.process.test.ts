import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChangesetState, changesetUri, fileUri, ROOT_URI, type RootState, sessionUri } from '@moorage/protocol';
import { expect, it } from 'vitest';
import { ScriptedRig } from '../support/acp/scripted-rig.js';
import { PATIENT, startTurn, turn, turnEnd } from '../support/actions.js';

const rig = new ScriptedRig();

async function start(env: Record<string, string>): Promise<string[]> {
  await rig.start({
    env,
    prepare: (folder) => {
      for (const name of ['api', 'web']) {
        mkdirSync(join(folder, name));
        writeFileSync(join(folder, name, 'a.txt'), 'old\n');
      }
    },
  });
  await turn(rig.client, rig.chat, '/say hello'); // from now on the host knows what the agent can do
  const folders = ['api', 'web'].map((name) => join(rig.host.workspace, name));
  const session = sessionUri.format(crypto.randomUUID());
  await rig.client.request('createSession', {
    channel: session,
    provider: 'scripted',
    workingDirectories: folders.map((folder) => fileUri(folder)),
  });
  const { defaultChat = '' } = await rig.client.subscribe<{ defaultChat?: string }>(session);
  await rig.watch({ session, chat: defaultChat });
  return folders;
}

const said = async () => JSON.stringify((await rig.seen()).turns.at(-1)?.responseParts);

it('an ACP agent that takes several folders gets them, also those that are added, and edits are reviewed', async () => {
  const [api = '', web = ''] = await start({ SCRIPTED_FOLDERS: '1' });
  const { agents } = await rig.client.subscribe<RootState>(ROOT_URI);
  expect(agents[0]?.capabilities?.multipleWorkingDirectories).toEqual({ immutablePrimary: true });
  await turn(rig.client, rig.chat, '/folders');
  expect(await said()).toContain(web);
  const turnId = startTurn(rig.client, rig.chat, '/write ../web/a.txt new');
  await rig.answer(await rig.asked(), true);
  await turnEnd(rig.client, rig.chat, turnId);
  expect([readFileSync(join(web, 'a.txt'), 'utf8'), readFileSync(join(api, 'a.txt'), 'utf8')]).toEqual([
    'new\n',
    'old\n',
  ]);
  const uri = changesetUri(rig.session, { kind: 'session' });
  await expect
    .poll(async () => (await rig.client.subscribe<ChangesetState>(uri)).files.map(({ id }) => id), PATIENT)
    .toEqual([fileUri(join(web, 'a.txt'))]);
  const removed = { type: 'session/workingDirectoryRemoved', directory: fileUri(web) };
  expect((await rig.client.act(rig.session, removed)).rejectionReason).toBeUndefined();
  await turn(rig.client, rig.chat, '/folders');
  expect(await said()).toContain('none');
});

it('one that does not say so works in the first', async () => {
  await start({});
  const { agents } = await rig.client.subscribe<RootState>(ROOT_URI);
  expect(agents[0]?.capabilities?.multipleWorkingDirectories).toBeUndefined();
  await turn(rig.client, rig.chat, '/folders');
  expect(await said()).toContain('none');
});
