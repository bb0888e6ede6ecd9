import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CliWorld } from '../support/cli.js';
import { agree, CLIENT_ID, OidcProvider } from '../support/oidc-provider.js';

const provider = new OidcProvider();
beforeAll(() => provider.start(['http://127.0.0.1/sign-in/done']));
afterAll(() => provider.stop());

let world: CliWorld;
beforeEach(() => {
  world = new CliWorld();
});
afterEach(() => world.end());

const oidc = () => ['--oidc', provider.issuer, '--oidc-client-id', CLIENT_ID, '--oidc-allow', '@example.com=steer'];

describe('moorage login', () => {
  it('signs in by a code, keeps the token, and is signed out by moorage people revoke', async () => {
    const host = await world.serve(...oidc());
    const id = await world.session('/say hello');
    const asking = world.terminal('login', host.url, '--name', 'work');
    await asking.sees('enter the code');
    expect(await agree(asking.raw, 'ada')).toMatch(/success|continue|signed|close/i);
    await asking.sees('signed in to work as ada@example.com with the role steer, until 20');
    expect(await asking.ended()).toBe(0);
    const file = join(world.folder, 'config', 'moorage', 'work.token');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toContain(host.token);
    const asAda = (...args: string[]) => world.moorage(...args, '--host', 'work');
    expect((await asAda('send', id, '/say from ada', '--wait')).code).toBe(0);
    expect((await world.moorage('log', id)).out).toContain('ada@example.com');
    expect((await asAda('people', 'ls')).err).toContain('this needs the role admin');
    expect((await world.moorage('people', 'ls')).out).toMatch(/ada@example\.com\s+steer/);
    await world.moorage('people', 'revoke', 'ada@example.com');
    expect((await asAda('ls')).code).toBe(1);
  });

  it('says what is wrong', async () => {
    const { url } = await world.serve();
    expect((await world.moorage('login', url)).err).toContain('offers no sign-in: it was started without --oidc');
    expect((await world.moorage('login', 'http://127.0.0.1:1')).err).toContain('http://127.0.0.1:1 does not answer');
    expect((await world.moorage('login', 'nobody')).err).toContain('there is no host named "nobody"');
    const without = await world.moorage('serve', ...oidc().slice(0, 4), '--port', '0');
    expect([without.code, without.err]).toEqual([2, expect.stringContaining('lets nobody in without --oidc-allow')]);
  });
});
