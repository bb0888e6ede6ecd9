import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FilePeople, filePeople } from '../../src/adapters/people-file/index.js';
import { ManualClock } from '../../src/testing/manual-clock.js';

const DAY = 24 * 60 * 60_000;
const SESSION = 'ahp-session:/one';
let folder: string;
let file: string;
let clock: ManualClock;
let people: FilePeople;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'moorage-people-'));
  file = join(folder, 'people.json');
  clock = new ManualClock();
  people = filePeople({ file, clock });
});
afterEach(() => {
  people.close();
  rmSync(folder, { recursive: true, force: true });
});
const again = () => filePeople({ file, clock });

/** Somebody who has signed in, and the token that they have. */
function somebody(name: string, role: 'view' | 'steer' = 'steer'): string {
  const token = people.redeem(people.invite(name, role).secret);
  if (token === undefined) throw new Error('the invitation does not work');
  return token;
}

describe('an invitation', () => {
  it('is exchanged for a token once, also after a restart', () => {
    const { secret } = people.invite('Ada', 'steer');
    people = again();
    const token = people.redeem(secret) ?? '';
    expect(people.redeem(secret)).toBeUndefined();
    expect(again().check(token)).toBe('person:Ada');
    expect(people.grantOf('person:Ada')).toEqual({ name: 'Ada', role: 'steer' });
  });

  it('is worthless after a week, and does not count as a way in before it is used', () => {
    const { secret, expiresAt } = people.invite('Ada', 'view');
    expect(people.check(secret)).toBeUndefined();
    expect(expiresAt - clock.now()).toBe(7 * DAY);
    clock.advance(7 * DAY);
    expect(people.redeem(secret)).toBeUndefined();
    expect(people.list()).toMatchObject([{ name: 'Ada', isInvited: false, devices: 0 }]);
  });

  it.each(['', ' Ada', 'a/b', 'new\nline', 'x'.repeat(65), '\u202eadA'])('is refused for the name %j', (name) => {
    expect(() => people.invite(name, 'view')).toThrow('a name has');
    expect(people.list()).toEqual([]);
  });

  it('is refused for a name that somebody has', () => {
    somebody('Ada');
    expect(() => people.invite('Ada', 'admin')).toThrow('already');
    expect(people.grantOf('person:Ada')).toMatchObject({ role: 'steer' });
  });
});

describe('somebody', () => {
  it('who is revoked is out at once and for good, and others stay', () => {
    const ended: string[] = [];
    people.onEnded((credential) => ended.push(credential));
    const [ada, bob] = [somebody('Ada'), somebody('Bob', 'view')];
    expect(people.revoke('Ada')).toBe(true);
    expect(people.revoke('Ada')).toBe(false);
    expect(ended).toEqual(['person:Ada']);
    for (const known of [people, again()]) {
      expect(known.check(ada)).toBeUndefined();
      expect(known.grantOf('person:Ada')).toBeUndefined();
      expect(known.check(bob)).toBe('person:Bob');
    }
  });

  it('may have several devices, each with a token of its own', () => {
    const phone = people.tokenFor('person:Ada');
    expect(phone).toBeUndefined();
    const desk = somebody('Ada');
    const tablet = people.tokenFor('person:Ada') ?? '';
    expect(new Set([people.check(desk), people.check(tablet)])).toEqual(new Set(['person:Ada']));
    expect(people.list()).toMatchObject([{ devices: 2 }]);
    expect(people.tokenFor('token')).toBeUndefined();
  });
});

describe('a link to a session', () => {
  it('ends by itself, and says so to whoever closes connections', () => {
    const ended: string[] = [];
    people.onEnded((credential) => ended.push(credential));
    const { name, token } = people.share(SESSION, 'review', clock.now() + DAY);
    expect(people.check(token)).toBe(`person:${name}`);
    expect(people.grantOf(`person:${name}`)).toEqual({
      name,
      role: 'review',
      session: SESSION,
      expiresAt: clock.now() + DAY,
    });
    clock.advance(DAY);
    expect(ended).toEqual([`person:${name}`]);
    expect(people.check(token)).toBeUndefined();
    expect(again().check(token)).toBeUndefined();
    expect(people.list()).toEqual([]);
  });

  it('cannot make an admin, nor another device', () => {
    expect(() => people.share(SESSION, 'admin', clock.now() + DAY)).toThrow('admin');
    const { name } = people.share(SESSION, 'view', clock.now() + DAY);
    expect(people.tokenFor(`person:${name}`)).toBeUndefined();
  });
});

describe('the file', () => {
  it('has no secret, and only its owner may read it', () => {
    const { secret } = people.invite('Ada', 'view');
    const token = people.redeem(secret) ?? '';
    const shared = people.share(SESSION, 'view', clock.now() + DAY).token;
    const text = readFileSync(file, 'utf8');
    for (const hidden of [secret, token, shared]) expect(text).not.toContain(hidden);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.each(['', '{', '{"people":{}}', '{"people":[{"name":"x","role":"root","addedAt":1,"tokens":[]}]}'])(
    'that is damaged (%j) lets nobody in: the host does not start',
    (text) => {
      writeFileSync(file, text);
      expect(again).toThrow('is damaged');
    },
  );

  it('that cannot be written changes nothing', () => {
    const token = somebody('Ada');
    rmSync(folder, { recursive: true });
    expect(() => people.invite('Bob', 'view')).toThrow('ENOENT');
    expect(() => people.revoke('Ada')).toThrow('ENOENT');
    expect(people.list().map(({ name }) => name)).toEqual(['Ada']);
    expect(people.check(token)).toBe('person:Ada');
  });
});

describe('signing in with a provider', () => {
  const ada = { account: 'https://login.example/ 1', name: 'ada@example.com', role: 'steer' } as const;

  it('counts until its end, also after a restart and for another device', () => {
    const expiresAt = clock.now() + DAY;
    const token = people.signIn({ ...ada, expiresAt });
    const device = people.tokenFor('person:ada@example.com') ?? '';
    expect(readFileSync(file, 'utf8')).not.toContain(token);
    people = again();
    for (const shown of [token, device]) expect(people.check(shown)).toBe('person:ada@example.com');
    expect(people.grantOf('person:ada@example.com')).toEqual({ name: ada.name, role: 'steer', expiresAt });
    const ended: string[] = [];
    people.onEnded((credential) => ended.push(credential));
    clock.advance(DAY);
    expect(ended).toEqual(['person:ada@example.com']);
    for (const shown of [token, device]) expect(people.check(shown)).toBeUndefined();
  });

  it('is refused to somebody who was revoked, also after a restart, until they are invited', () => {
    people.signIn({ ...ada, expiresAt: clock.now() + DAY });
    expect(people.revoke(ada.name)).toBe(true);
    expect(people.revoke(ada.name)).toBe(false);
    people = again();
    expect(() => people.signIn({ ...ada, expiresAt: clock.now() + DAY })).toThrow('your access was revoked');
    expect([people.list(), people.grantOf('person:ada@example.com')]).toEqual([[], undefined]);
    const token = people.redeem(people.invite(ada.name, 'view').secret) ?? '';
    expect(people.check(token)).toBe('person:ada@example.com');
  });

  it('never makes one person of two', () => {
    people.invite('bob@example.com', 'admin');
    const other = { ...ada, account: 'https://login.example/ 2', expiresAt: clock.now() + DAY };
    expect(() => people.signIn({ ...other, name: 'bob@example.com' })).toThrow('somebody else called');
    people.signIn({ ...ada, expiresAt: clock.now() + DAY });
    expect(() => people.signIn(other)).toThrow('somebody else called');
    people.signIn({ ...ada, name: 'renamed@example.com', expiresAt: clock.now() + DAY });
    expect(people.list().map(({ name }) => name)).toEqual(['bob@example.com', 'ada@example.com']);
  });
});
