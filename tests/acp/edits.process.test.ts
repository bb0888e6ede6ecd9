import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ScriptedRig } from '../support/acp/scripted-rig.js';
import { turn } from '../support/actions.js';

const rig = new ScriptedRig();
const FILE = 'first\nold\nlast\n';

/** The edits that the last call shows, with what clients read as their contents. */
async function edits() {
  const call = await rig.lastCall();
  const contents = call?.status === 'completed' ? (call.content ?? []) : [];
  return Promise.all(
    contents.flatMap((content) => {
      if (content.type !== 'fileEdit') return [];
      const { before, after, diff } = content;
      const read = async (side: typeof before) => side && (await rig.content(side.content.uri));
      return [
        Promise.all([read(before), read(after)]).then(([old, now]) => ({
          uri: (after ?? before)?.uri,
          before: old,
          after: now,
          diff,
        })),
      ];
    }),
  );
}

/** Claude in its mode that accepts edits, opencode with permissions given, Copilot: none of them asks or shows whole files. */
describe('an edit that nobody was asked about', () => {
  const whole = (uri: string) => ({
    uri,
    before: FILE,
    after: 'first\nnew\nlast\n',
    diff: { added: 1, removed: 1 },
  });

  it.each(['early', 'late'])('shows the whole file before and after, though told %s and in part', async (when) => {
    await rig.start();
    writeFileSync(join(rig.host.workspace, 'a.txt'), FILE);
    await turn(rig.client, rig.chat, `/edit ${when} a.txt old=>new`);
    expect(readFileSync(join(rig.host.workspace, 'a.txt'), 'utf8')).toBe('first\nnew\nlast\n');
    expect(await edits()).toEqual([whole(`${rig.host.workspaceUri}/a.txt`)]);
  });

  it('shows what it replaced, though the agent has said nothing of it', async () => {
    await rig.start();
    writeFileSync(join(rig.host.workspace, 'a.txt'), FILE);
    await turn(rig.client, rig.chat, '/overwrite a.txt all new');
    expect(await edits()).toMatchObject([{ before: FILE, after: 'all new\n', diff: { added: 1, removed: 3 } }]);
  });

  it('shows that there was nothing before a file that it makes', async () => {
    await rig.start();
    await turn(rig.client, rig.chat, '/overwrite b.txt hello');
    expect(await edits()).toMatchObject([{ before: undefined, after: 'hello\n', diff: { added: 1, removed: 0 } }]);
  });

  it('shows only its own part when another edit of the same file came first', async () => {
    await rig.start();
    writeFileSync(join(rig.host.workspace, 'a.txt'), FILE);
    await turn(rig.client, rig.chat, '/edit early a.txt last=>end\n/edit late a.txt old=>new');
    expect(await edits()).toMatchObject([{ before: 'first\nold\nend\n', after: 'first\nnew\nend\n' }]);
  });

  it('of a file that the host must not read is shown as it was told', async () => {
    await rig.start();
    const outside = join(rig.folder, 'outside.txt');
    writeFileSync(outside, FILE);
    await turn(rig.client, rig.chat, `/edit late ${relative(rig.host.workspace, outside)} old=>new`);
    expect(await edits()).toMatchObject([{ before: 'old', after: 'new' }]);
  });
});
