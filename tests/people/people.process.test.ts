import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PATIENT } from '../support/actions.js';
import { CliWorld } from '../support/cli.js';

let world: CliWorld;
beforeEach(() => {
  world = new CliWorld();
});
afterEach(() => world.end());

/** A link for a new person. */
async function invite(name: string, ...options: string[]): Promise<string> {
  const { out } = await world.moorage('people', 'add', name, ...options, '--json');
  return (JSON.parse(out) as { link: string }).link;
}

describe('moorage people', () => {
  it('lets somebody in by a link that works once, with the role that was given, until they are revoked', async () => {
    const host = await world.serve();
    const id = await world.session('/say hello');
    const link = await invite('Ada', '--role', 'review');
    expect((await world.moorage('host', 'add', 'ada', link)).code).toBe(0);
    expect((await world.moorage('host', 'add', 'again', link)).err).toContain('was used, or is too old');
    const asAda = (...args: string[]) => world.moorage(...args, '--host', 'ada');
    expect((await asAda('ls', '--all')).out).toContain(id.slice(0, 4));
    expect((await asAda('log', id)).out).toContain('hello');
    const sent = await asAda('send', id, '/say not mine to say');
    expect([sent.code, sent.err]).toEqual([
      1,
      expect.stringContaining('this needs the role steer, and Ada has the role review'),
    ]);
    expect((await asAda('people', 'ls')).err).toContain('this needs the role admin');
    // The host hears of the end of her last connection a moment later.
    const people = async () => (await world.moorage('people', 'ls')).out;
    await expect.poll(people, PATIENT).toMatch(/Ada\s+review\s+everything\s+away/);
    const { code } = JSON.parse((await asAda('pair', '--json')).out) as { code: string };
    expect((await world.moorage('people', 'revoke', 'Ada')).out).toContain('revoked Ada');
    expect((await asAda('ls')).code).toBe(1);
    // What she made before is worth nothing: it must not let her in again, let alone as somebody else.
    const redeemed = await fetch(new URL('/pair', host.web), {
      method: 'POST',
      headers: { 'X-Moorage-Pairing': code },
    });
    expect(redeemed.status).toBe(403);
    expect((await world.moorage('log', id)).out).not.toContain('not mine');
  });

  it('says what is wrong with a name, a role, a time and an unknown person', async () => {
    await world.serve();
    expect((await world.moorage('people', 'add', 'a/b')).err).toContain('a name has up to 64 letters');
    expect((await world.moorage('people', 'add', 'Ada', '--role', 'god')).err).toContain(
      'Allowed choices are view, review',
    );
    expect((await world.moorage('people', 'revoke', 'Nobody')).err).toContain('there is nobody called "Nobody"');
    await world.session('/say hi');
    expect((await world.moorage('share', '--for', 'ever')).err).toContain('such as 45m, 12h or 7d');
  });

  it('survives a restart of the host, and keeps the file for its owner', async () => {
    const host = await world.serve();
    await world.moorage('host', 'add', 'ada', await invite('Ada', '--role', 'admin'));
    await host.stop();
    const { port } = new URL(host.url);
    await world.serve('--port', port);
    expect((await world.moorage('people', 'ls', '--host', 'ada')).out).toMatch(/Ada\s+admin/);
    expect(statSync(join(world.dataDir, 'people.json')).mode & 0o777).toBe(0o600);
  });
});

describe('moorage share', () => {
  it('gives a link to one session', async () => {
    await world.serve();
    const shared = await world.session('/say shared words');
    const secret = await world.session('/say secret words');
    const { link, name } = JSON.parse((await world.moorage('share', shared, '--json')).out) as {
      link: string;
      name: string;
    };
    await world.moorage('host', 'add', 'guest', link);
    const asGuest = (...args: string[]) => world.moorage(...args, '--host', 'guest');
    expect((await asGuest('log', shared)).out).toContain('shared words');
    const listed = (await asGuest('ls', '--all', '--json')).out;
    expect(listed).toContain(shared);
    expect(listed).not.toContain(secret);
    expect((await asGuest('log', secret)).code).toBe(1);
    expect((await asGuest('send', shared, '/say no')).err).toContain('needs the role steer');
    await world.moorage('people', 'revoke', name);
    expect((await asGuest('log', shared)).code).toBe(1);
  });
});

describe('moorage audit', () => {
  it('tells who did what, without what was said, and only to admins', async () => {
    await world.serve();
    const id = await world.session('/say hello');
    await world.moorage('host', 'add', 'ada', await invite('Ada', '--role', 'steer'));
    const asAda = (...args: string[]) => world.moorage(...args, '--host', 'ada');
    await asAda('send', id, '/say private words', '--wait');
    await asAda('rename', id, 'Renamed');
    await asAda('send', id, '/ask Which? | this | that');
    await world.chatHas(id, '"inputRequest"');
    await asAda('answer', id, 'this');
    expect((await world.moorage('log', id)).out).toMatch(/Question.*answered\), decided by Ada/);
    const { out, code } = await world.moorage('audit', '--person', 'Ada');
    expect(code).toBe(0);
    expect(out).toMatch(/Ada chat\/turnStarted ahp-chat:\S+ turnId=\S+/);
    expect(out).toMatch(/Ada session\/titleChanged .* title=Renamed/);
    expect(out).not.toContain('owner');
    const everything = (await world.moorage('audit', '--json')).out;
    expect(everything).toMatch(/"person":"owner".*"what":"createSession"/);
    expect(everything).toMatch(/"what":"moorage\/invitePerson".*"name":"Ada"/);
    expect(everything).not.toContain('private words');
    expect((await world.moorage('audit', '--since', '2020-01-01', '--person', 'nobody')).err).toContain('Nothing');
    expect((await asAda('audit')).err).toContain('this needs the role admin');
  });
});
