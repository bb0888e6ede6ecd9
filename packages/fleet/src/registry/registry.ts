import { createHash, randomBytes } from 'node:crypto';
import { PeopleError, type Role, type SignedIn } from '@moorage/host';
import type { Database, Queries } from '../database/database.js';

/** Who belongs to the fleet, and who may use it. Secrets are kept as hashes only. */
export interface Registry {
  /** Lets one machine become a member, once, until a time (epoch milliseconds). */
  invite(labels: readonly string[], until: number): Promise<Invitation>;
  /** Makes the holder of an invitation a member. Undefined if the invitation is unknown, used or too old. */
  enrol(machine: EnrolRequest): Promise<{ readonly host: string } | undefined>;
  hosts(): Promise<readonly RegisteredHost[]>;
  /** False if there is no such member. */
  revokeHost(host: string): Promise<boolean>;
  seen(hosts: readonly string[]): Promise<void>;
  /** A new token under a name that no other valid one has; it is shown once, and kept as a hash. */
  addToken(name: string, role: Role): Promise<string>;
  tokens(): Promise<readonly AccessToken[]>;
  /** A token for somebody who has signed in with a provider, until the sign-in ends. Throws a PeopleError. */
  signIn(somebody: SignedIn): Promise<string>;
  /** False if there is no valid token of this name. */
  setTokenRole(name: string, role: Role): Promise<boolean>;
  revokeToken(name: string): Promise<boolean>;
}

export interface Invitation {
  readonly id: string;
  readonly secret: string;
}

export interface EnrolRequest extends Invitation {
  /** What the machine calls itself; shown to people. */
  readonly name: string;
  readonly publicKey: string;
}

export interface RegisteredHost {
  readonly id: string;
  readonly name: string;
  readonly publicKey: string;
  readonly labels: readonly string[];
  /** Epoch milliseconds. */
  readonly enrolledAt: number;
  readonly seenAt: number | undefined;
  readonly revokedAt: number | undefined;
}

export interface AccessToken {
  readonly name: string;
  /** SHA-256 of the token, in hexadecimal. */
  readonly hash: string;
  /** What it allows, on every host. */
  readonly role: Role;
  /** Whether it also allows to manage the fleet. An admin from before there were roles may be one of hosts only. */
  readonly isAdmin: boolean;
  /** Epoch milliseconds; only of those who have signed in with a provider. */
  readonly expiresAt?: number | undefined;
  readonly revokedAt: number | undefined;
}

export function createRegistry(database: Database): Registry {
  const { query } = database;
  return {
    invite: async (labels, until) => {
      const [id, secret] = [randomWord(), randomBytes(24).toString('base64url')];
      await query(
        'insert into enrolment (id, secret_hash, labels, expires_at) values ($1, $2, $3::text[], to_timestamp($4::float8))',
        [id, hashOf(secret), labels, until / 1_000],
      );
      return { id, secret };
    },
    enrol: ({ id, secret, name, publicKey }) =>
      database.transaction(async (inside) => {
        const used = await inside.query<{ labels: string }>(
          `update enrolment set used_at = now()
           where id = $1 and secret_hash = $2 and used_at is null and expires_at > now()
           returning array_to_json(labels)::text as labels`,
          [id, hashOf(secret)],
        );
        const [invitation] = used;
        if (!invitation) return undefined;
        const host = randomWord();
        await inside.query('insert into host (id, name, public_key, labels) values ($1, $2, $3, $4::text[])', [
          host,
          name,
          publicKey,
          JSON.parse(invitation.labels) as string[],
        ]);
        return { host };
      }),
    hosts: async () => {
      const rows = await query<HostRow>(
        `select id, name, public_key, array_to_json(labels)::text as labels, ${ms('enrolled_at')}, ${ms('seen_at')},
           ${ms('revoked_at')}
         from host order by name, id`,
      );
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        publicKey: row.public_key,
        labels: JSON.parse(row.labels) as string[],
        enrolledAt: row.enrolled_at ?? 0,
        seenAt: row.seen_at ?? undefined,
        revokedAt: row.revoked_at ?? undefined,
      }));
    },
    revokeHost: (host) => changes('update host set revoked_at = now() where id = $1 and revoked_at is null', host),
    seen: async (hosts) => {
      await query('update host set seen_at = now() where id = any($1::text[])', [hosts]);
    },
    addToken: async (name, role) => {
      const token = randomBytes(32).toString('base64url');
      const added = await query(
        `with unbarred as (delete from account where name = $1 and barred_at is not null)
         insert into access_token (name, hash, role, is_admin) values ($1, $2, $3, $4)
         on conflict do nothing returning name`,
        [name, hashOf(token), role, role === 'admin'],
      );
      if (added.length === 0)
        throw new Error(`there is a token named ${name}: revoke it first, or choose another name`);
      return token;
    },
    tokens: async () => {
      const rows = await query<TokenRow>(
        `select name, encode(hash, 'hex') as hash, role, is_admin, ${ms('revoked_at')} from access_token
         order by created_at`,
      );
      const signIns = await query<SignInRow>(
        `select name, encode(hash, 'hex') as hash, role, ${ms('expires_at')} from sign_in where expires_at > now()
         order by created_at`,
      );
      return [
        ...rows.map(({ name, hash, role, is_admin: isAdmin, revoked_at: revokedAt }) => ({
          name,
          hash,
          role,
          isAdmin,
          revokedAt: revokedAt ?? undefined,
        })),
        ...signIns.map(({ name, hash, role, expires_at: expiresAt }) => ({
          name,
          hash,
          role,
          isAdmin: role === 'admin',
          expiresAt,
          revokedAt: undefined,
        })),
      ];
    },
    signIn: (somebody) => database.transaction((inside) => signIn(inside, somebody)),
    setTokenRole: async (name, role) => {
      const changed = await query(
        `update access_token set role = $2, is_admin = $3 where name = $1 and revoked_at is null
         returning 1 as changed`,
        [name, role, role === 'admin'],
      );
      return changed.length > 0;
    },
    revokeToken: (name) =>
      database.transaction(async (inside) => {
        const revoked = await inside.query(
          `update access_token set revoked_at = now() where name = $1 and revoked_at is null returning 1 as changed`,
          [name],
        );
        const barred = await inside.query(
          `update account set barred_at = now() where name = $1 and barred_at is null returning 1 as changed`,
          [name],
        );
        await inside.query('delete from sign_in where name = $1', [name]);
        return revoked.length + barred.length > 0;
      }),
  };

  async function changes(statement: string, key: string): Promise<boolean> {
    return (await query(`${statement} returning 1 as changed`, [key])).length > 0;
  }
}

interface HostRow {
  readonly id: string;
  readonly name: string;
  readonly public_key: string;
  readonly labels: string;
  readonly enrolled_at: number | null;
  readonly seen_at: number | null;
  readonly revoked_at: number | null;
}

/** An account keeps the name with which it came first, and a name stays with its account. */
async function signIn({ query }: Queries, { account, name, role, expiresAt }: SignedIn): Promise<string> {
  await query('insert into account (id, name) values ($1, $2) on conflict do nothing', [account, name]);
  const [known] = await query<{ name: string; is_barred: boolean }>(
    'select name, barred_at is not null as is_barred from account where id = $1 for update',
    [account],
  );
  const others = await query(`select 1 as taken from access_token where name = $1 and revoked_at is null`, [
    known?.name ?? name,
  ]);
  if (!known || others.length > 0)
    throw new PeopleError(`there is somebody else called "${name}": ask for another name`);
  if (known.is_barred) throw new PeopleError('your access was revoked: ask for it');
  const token = randomBytes(32).toString('base64url');
  await query('delete from sign_in where expires_at <= now()');
  // The newest word of the provider counts for all devices.
  await query('update sign_in set role = $2 where name = $1', [known.name, role]);
  await query('insert into sign_in (hash, name, role, expires_at) values ($1, $2, $3, to_timestamp($4::float8))', [
    hashOf(token),
    known.name,
    role,
    expiresAt / 1_000,
  ]);
  return token;
}

interface SignInRow {
  readonly name: string;
  readonly hash: string;
  readonly role: Role;
  readonly expires_at: number;
}

interface TokenRow {
  readonly name: string;
  readonly hash: string;
  readonly role: Role;
  readonly is_admin: boolean;
  readonly revoked_at: number | null;
}

/** A time as milliseconds since the epoch. */
function ms(column: string): string {
  return `floor(extract(epoch from ${column}) * 1000)::float8 as ${column}`;
}

export function hashOf(secret: string): Uint8Array {
  return createHash('sha256').update(secret).digest();
}

/** A word that fits into subjects and addresses, and that nobody guesses. */
function randomWord(): string {
  return randomBytes(10).toString('hex');
}
