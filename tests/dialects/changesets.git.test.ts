import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PATIENT } from '../support/actions.js';
import { runTurn, Scenario } from '../support/legacy/scenario.js';

let scenario: Scenario;
beforeEach(async () => {
  scenario = await Scenario.start({ changesets: true });
});
afterEach(() => scenario.dispose());

type Wire = Record<string, unknown>;

describe.each(['0.2.0', '0.3.0', '0.4.0', '0.5.0'] as const)('changesets in %s', (version) => {
  it('are listed where the version has them, and kept up with', async () => {
    const client = await scenario.connect(version, ['ahp-root://']);
    const place = await scenario.create(client);
    await runTurn(place, '/auto on\n/write a.txt one\n/write b.txt two');
    const catalogue = () => {
      const state = client.state(place.session);
      const list = version === '0.2.0' ? (state.summary as Wire).changesets : state.changesets;
      return (list ?? []) as { uriTemplate: string; files?: number }[];
    };
    const session = () => catalogue().find((entry) => entry.uriTemplate.endsWith('/changeset/session'));
    await expect.poll(() => session()?.files, PATIENT).toBe(2);
    const uri = session()?.uriTemplate ?? '';
    await client.attach(uri);
    const files = () => (client.state(uri).files as { id: string }[]).length;
    await expect.poll(files, PATIENT).toBe(2);

    // More than are told one by one: natively that is one action, before 0.4 it is many, each with its own number.
    const many = catalogue().find((entry) => entry.uriTemplate.endsWith('/changeset/uncommitted'))?.uriTemplate ?? '';
    await client.attach(many);
    mkdirSync(join(scenario.host.workspace, 'many'));
    for (let n = 0; n < 120; n++) writeFileSync(join(scenario.host.workspace, 'many', `${n}.txt`), `${n}\n`);
    await runTurn(place, '/append a.txt more');
    const all = () => (client.state(many).files as { id: string }[]).length;
    await expect.poll(all, PATIENT).toBe(122);
    const fresh = await scenario.connect(version);
    const same = async () => {
      await fresh.attach(many);
      await client.sync();
      return JSON.stringify(fresh.comparable(many)) === JSON.stringify(client.comparable(many));
    };
    await expect.poll(same, PATIENT).toBe(true);
    const told = client.notifications.map(({ params }) => params.changes as Wire | undefined);
    const member = version === '0.2.0' ? 'changesets' : 'changes';
    expect(told.some((changes) => changes && member in changes)).toBe(true);
  });

  it('end with their session', async () => {
    const client = await scenario.connect(version, ['ahp-root://']);
    const place = await scenario.create(client);
    await runTurn(place, '/auto on\n/write a.txt one');
    const id = place.session.split(':/')[1];
    const uri = `ahp-changeset:/${id}/changeset/session`;
    await client.attach(uri);
    await expect.poll(() => (client.state(uri).files as unknown[]).length, PATIENT).toBe(1);
    await client.request('disposeSession', { channel: place.session });
    await client.until(
      () => client.notifications.find(({ method }) => method === 'root/sessionRemoved'),
      'the end of the session',
    );
    expect(client.state(uri).files).toEqual([]);
    expect(await client.refused('subscribe', { channel: uri })).toMatchObject({ code: -32008 });
  });
});
