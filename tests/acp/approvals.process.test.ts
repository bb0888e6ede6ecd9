import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { confirmationOptions, permissionOutcome } from '../../packages/agents/src/acp/mapping/permission.js';
import { ScriptedRig } from '../support/acp/scripted-rig.js';
import { callsOf, reasonFor, startTurn, turnEnd } from '../support/actions.js';

const rig = new ScriptedRig();

/** Waits for the question about a call with this title. */
async function question(title: string) {
  const { action } = await rig.other.envelope(
    ({ action: seen }) => seen.type === 'chat/toolCallReady' && !seen.confirmed && seen.confirmationTitle === title,
  );
  if (action.type !== 'chat/toolCallReady') throw new Error('not a question');
  return action;
}

describe('an approval', () => {
  it('is of the command in the request, not of one that was announced before', async () => {
    await rig.start();
    const turnId = startTurn(rig.client, rig.chat, '/twice ls');
    const asked = await question('Run ls');
    expect(JSON.parse(String(asked.toolInput))).toEqual({ command: 'ls' });
    await rig.answer(asked, true);
    await turnEnd(rig.client, rig.chat, turnId);
    expect(await rig.lastText()).toBe('ls: true');
  });

  it('does not count for a second request under the same id, which is a question of its own', async () => {
    await rig.start();
    const turnId = startTurn(rig.client, rig.chat, '/twice ls then rm -rf x');
    const second = await question('Run rm -rf x');
    const first = await question('Run ls');
    expect(first.toolCallId).not.toBe(second.toolCallId);
    expect(JSON.parse(String(second.toolInput))).toEqual({ command: 'rm -rf x' });
    const late = { type: 'chat/toolCallConfirmed', turnId, toolCallId: first.toolCallId };
    const yes = { ...late, approved: true, confirmed: 'user-action' };
    expect(await reasonFor(rig.other, rig.chat, yes)).toContain('does not wait');
    await rig.answer(second, false);
    await turnEnd(rig.client, rig.chat, turnId);
    expect(await rig.lastText()).toBe('ls: false, rm -rf x: false');
  });

  it('is withdrawn and asked again when the agent changes the command meanwhile', async () => {
    await rig.start();
    const turnId = startTurn(rig.client, rig.chat, '/swap ls for rm -rf x');
    const first = await question('ls');
    writeFileSync(join(rig.host.workspace, 'change'), '');
    const second = await question('rm -rf x');
    expect(JSON.parse(String(second.toolInput))).toEqual({ command: 'rm -rf x' });
    const late = { type: 'chat/toolCallConfirmed', turnId, toolCallId: first.toolCallId };
    const yes = { ...late, approved: true, confirmed: 'user-action' };
    expect(await reasonFor(rig.other, rig.chat, yes)).toContain('does not wait');
    await rig.answer(second, true);
    await turnEnd(rig.client, rig.chat, turnId);
    expect(await rig.lastText()).toBe('allowed: true');
    const calls = callsOf((await rig.seen()).turns[0]?.responseParts);
    expect(calls).toMatchObject([
      { toolInput: '{"command":"ls"}', status: 'cancelled' },
      { toolInput: '{"command":"rm -rf x"}', status: 'completed' },
    ]);
  });
});

describe('a command in a terminal of the host', () => {
  it.each([
    ['that the agent does not mention', '/secretly echo hidden'],
    ['that the agent leaves behind', '/leave echo hidden'],
  ])('%s is in the turn all the same', async (_what, script) => {
    await rig.start();
    const turnId = startTurn(rig.client, rig.chat, script);
    await turnEnd(rig.client, rig.chat, turnId);
    expect(callsOf((await rig.seen()).turns[0]?.responseParts)).toMatchObject([
      {
        invocationMessage: 'echo hidden',
        toolInput: '{"command":"echo hidden"}',
        status: 'completed',
        content: [{ type: 'terminal', title: 'echo hidden' }],
      },
    ]);
  });
});

describe('the options of a permission', () => {
  const offer = (kind: string, name: string) => [{ optionId: 'o', kind, name }];

  it.each([
    ['allow_once', 'Yes, proceed', 'Yes, proceed'],
    ['allow_once', 'No', 'Allow once: No'],
    ['allow_once', 'Always allow', 'Allow once: Always allow'],
    ['allow_always', 'Allow', 'Always allow: Allow'],
    ['allow_always', "Yes, and don't ask again", "Yes, and don't ask again"],
    ['reject_once', 'Reject', 'Reject'],
    ['reject_once', 'Allow', 'Deny: Allow'],
    ['reject_always', 'Reject', 'Always deny: Reject'],
    ['allow_once', 'Erlauben', 'Allow once: Erlauben'],
  ])('%s named "%s" is shown as "%s"', (kind, name, label) => {
    expect(confirmationOptions(offer(kind, name))).toMatchObject([{ id: 'o', label }]);
  });

  it('come with the one that commits least first, so that the first yes is for once', () => {
    const always = { optionId: 'always', kind: 'allow_always', name: 'Always Allow all Bash' };
    const once = { optionId: 'once', kind: 'allow_once', name: 'Allow' };
    expect(confirmationOptions([always, once]).map(({ id }) => id)).toEqual(['once', 'always']);
  });

  it('are not offered when it is unclear what they do', () => {
    const unclear = [
      { optionId: 'strange', kind: 'maybe', name: 'Yes' },
      { optionId: 'both', kind: 'allow_once', name: 'Yes' },
      { optionId: 'both', kind: 'reject_once', name: 'No' },
    ];
    expect(confirmationOptions(unclear)).toEqual([]);
    expect(permissionOutcome({ approved: true }, unclear)).toEqual({ outcome: 'cancelled' });
  });
});
