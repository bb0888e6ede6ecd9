import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@moorage/client';
import { createHost, createMemoryStore, filePeople, listenWebSocket, nodeFolders } from '@moorage/host';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OidcOptions, readOidc } from '../../packages/cli/src/oidc/options.js';
import { signInWith } from '../../packages/cli/src/oidc/sign-in.js';
import { RecordingLog } from '../../packages/host/src/testing/recording-log.js';
import { freePort } from '../support/free-port.js';
import { ManualClock } from '../support/manual-clock.js';
import { CLIENT_ID, FormBrowser, OidcProvider } from '../support/oidc-provider.js';

const provider = new OidcProvider();
let port: number;
let home: string;
beforeAll(async () => {
  port = await freePort();
  home = `http://127.0.0.1:${port}`;
  await provider.start([`${home}/sign-in/done`]);
});
afterAll(() => provider.stop());

const ALLOW = ['@example.com=view', 'group:devs=steer'];
let ends: (() => unknown)[];
let log: RecordingLog;
let clock: ManualClock;
let people: ReturnType<typeof filePeople>;
beforeEach(() => {
  ends = [];
  log = new RecordingLog();
  clock = new ManualClock();
  people = filePeople({ file: join(tmpdir(), `moorage-people-${crypto.randomUUID()}.json`), clock });
});
afterEach(async () => {
  provider.tamper = undefined;
  for (const end of ends.reverse()) await end();
  people.close();
});

/** A host whose people sign in with the provider. */
async function serve(more: Partial<OidcOptions> = {}) {
  const defaults = { oidcGroups: 'groups', oidcScope: 'openid email groups', oidcHours: 12 };
  const settings = readOidc({ oidc: provider.issuer, oidcClientId: CLIENT_ID, oidcAllow: ALLOW, ...defaults, ...more });
  if (!settings) throw new Error('no provider');
  const host = createHost({
    store: createMemoryStore(),
    agents: [],
    folders: nodeFolders([]),
    people: { people, page: () => undefined },
  });
  const admit = (somebody: Parameters<typeof people.signIn>[0]) => people.signIn(somebody);
  const listener = await listenWebSocket({
    host: '127.0.0.1',
    port,
    credentials: people,
    onClient: host.accept,
    signIn: signInWith({ settings, origins: [], isSecure: false, now: () => clock.now(), log, admit }),
  });
  ends.push(
    () => host.close(),
    () => listener.close(),
  );
  return { address: listener.address };
}

const isBack = ({ href, pathname }: URL) => href.startsWith(home) && pathname === '/sign-in/done';
const isIn = ({ href }: URL) => href.startsWith(`${home}/#token=`);

async function signIn(login: string, browser = new FormBrowser()) {
  const back = await browser.logIn(`${home}/sign-in`, login, isBack);
  const end = await browser.go(back.url.href);
  return { browser, back: back.url, end, token: isIn(end.url) ? decodeURIComponent(end.url.hash.slice(7)) : undefined };
}

async function person(address: string, token: string | undefined) {
  const client = await connect({ url: address, token: token ?? '', onError: () => {} });
  ends.push(() => client.close());
  const known = client.hostInfo._meta?.['moorage.person'] as { name: string; role: string } | undefined;
  return { client, is: `${known?.name} ${known?.role}` };
}

describe('a browser', () => {
  it('signs in at the provider, with the highest role that the rules give', async () => {
    const { address } = await serve();
    const ada = await signIn('ada');
    expect((await person(address, ada.token)).is).toBe('ada@example.com steer');
    expect((await person(address, (await signIn('bob')).token)).is).toBe('bob@example.com view');
    // PKCE, state and nonce went along.
    const asked = new URL(ada.browser.visited.find((url) => url.includes('/auth?')) ?? '');
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{16,}$/),
      nonce: expect.stringMatching(/^[\w-]{16,}$/),
    });
  });

  it('is let in by no rule that names somebody else, nor by an address that is not verified', async () => {
    await serve();
    for (const [login, name] of [
      ['eve', 'eve@elsewhere.example'],
      ['mallory', 'mallory'],
    ] as const) {
      const { end, token } = await signIn(login);
      expect([token, end.status, end.text]).toEqual([
        undefined,
        403,
        `Signing in failed: ${name} may not use this host: no rule of --oidc-allow says so.\n`,
      ]);
    }
    expect(people.list()).toEqual([]);
  });

  it.each<[string, NonNullable<typeof provider.tamper>]>([
    ['for another client', ({ payload }) => Object.assign(payload, { aud: 'other' })],
    ['of another issuer', ({ payload }) => Object.assign(payload, { iss: 'https://other.example' })],
    [
      'whose time is over, by more than clocks differ',
      ({ payload }) => Object.assign(payload, { exp: Date.now() / 1_000 - 60 }),
    ],
    ['with another nonce', ({ payload }) => Object.assign(payload, { nonce: 'of an earlier journey' })],
    ['without a nonce', ({ payload }) => delete payload.nonce],
    ['that somebody else has signed', ({ header }) => Object.assign(header, { isForged: true })],
    ['without a signature', ({ header }) => Object.assign(header, { alg: 'none' })],
    ['signed with a shared secret', ({ header }) => Object.assign(header, { alg: 'HS256' })],
    ['whose key is not one of the provider', ({ header }) => Object.assign(header, { kid: 'unknown' })],
  ])('is not let in by a token %s', async (_what, tamper) => {
    await serve();
    provider.tamper = tamper;
    const { end, token } = await signIn('ada');
    expect([token, end.status, end.text]).toEqual([
      undefined,
      403,
      'Signing in failed: the provider did not confirm who you are.\n',
    ]);
    expect(people.list()).toEqual([]);
    expect(log.lines).toEqual([expect.stringContaining('login.refused')]);
  });

  it('is let in by a token whose time was over a moment ago: clocks differ', async () => {
    await serve();
    provider.tamper = ({ payload }) => Object.assign(payload, { exp: Date.now() / 1_000 - 10 });
    expect((await signIn('ada')).token).toBeDefined();
  });

  it('cannot use what another browser brought back, nor the same twice', async () => {
    await serve();
    const thief = new FormBrowser();
    const browser = new FormBrowser();
    const { url } = await browser.logIn(`${home}/sign-in`, 'ada', isBack);
    const journey = new Map(browser.cookies);
    const elsewhere = await thief.go(url.href);
    expect([elsewhere.status, elsewhere.text]).toEqual([
      403,
      'Signing in failed: this browser did not begin to sign in, or too long ago.\n',
    ]);
    await thief.go(`${home}/sign-in`); // its own journey has another state
    expect((await thief.go(url.href)).status).toBe(403);
    const forged = new URL(url);
    forged.searchParams.set('state', 'guessed');
    expect((await browser.go(forged.href)).status).toBe(403);
    for (const [name, value] of journey) browser.cookies.set(name, value);
    expect(isIn((await browser.go(url.href)).url)).toBe(true);
    // The cookie is gone; even with a copy of it, the code was used.
    expect((await browser.go(url.href)).status).toBe(403);
    for (const [name, value] of journey) browser.cookies.set(name, value);
    const again = await browser.go(url.href);
    expect([again.status, isIn(again.url)]).toEqual([403, false]);
  });

  it('is sent nowhere but to the provider and to our own page', async () => {
    await serve();
    const evil = 'https://evil.example/';
    const query = `?return=${evil}&redirect_uri=${evil}&next=//evil.example&post_login=${evil}`;
    const begun = await new FormBrowser().go(`${home}/sign-in${query}`);
    expect(begun.url.origin).toBe(provider.issuer);
    expect(begun.url.searchParams.get('redirect_uri')).toBe(`${home}/sign-in/done`);
    const browser = new FormBrowser();
    const { url } = await browser.logIn(`${home}/sign-in`, 'ada', isBack);
    const end = await browser.go(`${url.href}&return=${evil}`);
    expect(isIn(end.url)).toBe(true);
    // A name that is not ours would make the provider send people there.
    const raw = await fetch(`${home}/sign-in`, {
      redirect: 'manual',
      headers: { connection: 'close', 'x-forwarded-host': 'evil.example' },
    });
    expect(raw.headers.get('location')).toContain(encodeURIComponent(`${home}/sign-in/done`));
  });

  it('is told if the provider is down; whoever is signed in is not affected', async () => {
    const { address } = await serve();
    const { token } = await signIn('ada');
    const late = new FormBrowser();
    const { url } = await late.logIn(`${home}/sign-in`, 'ada', isBack);
    await provider.stop();
    try {
      expect((await late.go(url.href)).status).toBe(503);
      await ends.pop()?.();
      await serve(); // it starts also now
      const { status, text } = await new FormBrowser().go(`${home}/sign-in`);
      expect([status, text]).toEqual([503, expect.stringContaining('the provider does not answer')]);
      expect((await person(address, token)).is).toBe('ada@example.com steer');
    } finally {
      await provider.start([`${home}/sign-in/done`]);
    }
    expect((await signIn('bob')).token).toBeDefined(); // without another start of the host
  });
});

describe('whoever has signed in', () => {
  it('is out when the time is over, and when revoked, and cannot come back then', async () => {
    const { address } = await serve();
    const { token } = await signIn('ada');
    const { client } = await person(address, token);
    const closed = new Promise((resolve) => client.onStatus((status) => status === 'closed' && resolve(status)));
    expect(people.list()).toMatchObject([{ name: 'ada@example.com', role: 'steer', devices: 1, isInvited: false }]);
    expect(people.revoke('ada@example.com')).toBe(true);
    expect(await closed).toBe('closed');
    await expect(person(address, token)).rejects.toThrow('401');
    const { end } = await signIn('ada');
    expect([end.status, end.text]).toEqual([403, 'Signing in failed: your access was revoked: ask for it.\n']);
    expect(people.list()).toEqual([]);
  });

  it('has no token any more after the time that a sign-in counts', async () => {
    const { address } = await serve({ oidcHours: 1 });
    const first = await signIn('ada');
    clock.advance(30 * 60_000);
    const second = await signIn('ada');
    const { client } = await person(address, second.token);
    const closed = new Promise((resolve) => client.onStatus((status) => status === 'closed' && resolve(status)));
    clock.advance(30 * 60_000);
    await expect(person(address, first.token)).rejects.toThrow('401');
    await person(address, second.token);
    clock.advance(30 * 60_000);
    expect(await closed).toBe('closed');
    await expect(person(address, second.token)).rejects.toThrow('401');
    expect((await signIn('ada')).token).toBeDefined();
  });

  it('is nobody else who has the same name, and gets the role that the provider says last', async () => {
    const { address } = await serve();
    people.invite('bob@example.com', 'admin');
    expect((await signIn('bob')).end.text).toContain('there is somebody else called "bob@example.com"');
    const first = await signIn('ada');
    provider.accounts.ada = { ...provider.accounts.ada, groups: [] };
    try {
      const second = await signIn('ada');
      expect((await person(address, second.token)).is).toBe('ada@example.com view');
      expect((await person(address, first.token)).is).toBe('ada@example.com view');
      expect(people.list()).toMatchObject([{}, { name: 'ada@example.com', role: 'view', devices: 2 }]);
    } finally {
      provider.accounts.ada = { ...provider.accounts.ada, groups: ['devs'] };
    }
  });
});

it.each([
  [{ oidcAllow: [] }, 'lets nobody in without --oidc-allow'],
  [{ oidcAllow: ['everybody'] }, '--oidc-allow everybody: expected such as'],
  [{ oidcAllow: ['@example.com=god'] }, '--oidc-allow @example.com=god: expected such as'],
  [{ oidcAllow: ['@com=view'] }, '--oidc-allow @com=view: expected such as'],
  [{ oidc: 'http://login.example' }, 'expected an address that begins with https:'],
  [{ oidc: 'nonsense' }, 'expected an address that begins with https:'],
])('refuses %j', async (options, words) => {
  await expect(serve(options)).rejects.toThrow(words);
});
