import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { URI } from '@moorage/protocol';
import type { Clock } from '../../ports/clock.js';
import {
  type Grant,
  type GrantEntry,
  type OneTimeSecret,
  type People,
  PeopleError,
  personCredential,
  personOf,
  type Role,
  type SignedIn,
} from '../../ports/people.js';
import { nodeClock } from '../shared/clock/node-clock.js';
import { type KeptPerson, readPeople, writePeople } from './file.js';

export interface FilePeopleOptions {
  /** Made when the first person is added; only its owner may read it. */
  readonly file: string;
  /** Ends links, and dates what is added. The system's by default. */
  readonly clock?: Pick<Clock, 'now' | 'setTimeout' | 'clearTimeout'>;
}

/** People who are kept in a file, with digests of their tokens. Throws if the file cannot be read. */
export function filePeople(options: FilePeopleOptions): FilePeople {
  return new FilePeople(options);
}

export class FilePeople implements People {
  readonly #file: string;
  readonly #clock: Required<FilePeopleOptions>['clock'];
  readonly #listeners: ((credential: string) => void)[] = [];
  #people: readonly KeptPerson[];
  #timer: unknown;

  constructor({ file, clock = nodeClock }: FilePeopleOptions) {
    this.#file = file;
    this.#clock = clock;
    this.#people = readPeople(file);
    this.#dropExpired();
  }

  /** The credential of whoever has this token. */
  check(token: string): string | undefined {
    const digest = digestOf(token);
    const now = this.#clock.now();
    let found: string | undefined;
    // All are compared, so that the time reveals nothing.
    for (const { name, tokens, signIns = [] } of this.#people) {
      for (const known of tokens) if (isSame(known, digest)) found = personCredential(name);
      for (const known of signIns)
        if (isSame(known.digest, digest) && known.expiresAt > now) found = personCredential(name);
    }
    return found !== undefined && this.grantOf(found) ? found : undefined;
  }

  grantOf(credential: string): Grant | 'owner' | undefined {
    const name = personOf(credential);
    if (name === undefined) return 'owner';
    const person = this.#find(name);
    return person && !person.isBarred && !this.#isOver(person) ? grantIn(person) : undefined;
  }

  list(): readonly GrantEntry[] {
    const now = this.#clock.now();
    return this.#people
      .filter((person) => !person.isBarred && !this.#isOver(person))
      .map((person) => ({
        ...grantIn(person),
        addedAt: person.addedAt,
        devices: person.session === undefined ? person.tokens.length + (person.signIns?.length ?? 0) : 0,
        isInvited: (person.invitation?.expiresAt ?? 0) > now,
      }));
  }

  invite(name: string, role: Role): OneTimeSecret {
    if (!NAME.test(name)) throw new PeopleError(NO_NAME);
    const known = this.#find(name);
    if (known && !known.isBarred && !this.#isOver(known))
      throw new PeopleError(`there is somebody called "${name}" already`);
    if (this.#people.length >= MAX_PEOPLE) throw new PeopleError(`there can be ${MAX_PEOPLE} people and links`);
    const secret = newSecret();
    const expiresAt = this.#clock.now() + INVITATION_MS;
    const invitation = { digest: digestOf(secret), expiresAt };
    this.#put({ name, role, addedAt: this.#clock.now(), tokens: [], invitation });
    return { secret, expiresAt };
  }

  share(session: URI, role: Role, expiresAt: number): { readonly name: string; readonly token: string } {
    if (role === 'admin') throw new PeopleError('a link to a session cannot make an admin');
    if (this.#people.length >= MAX_PEOPLE) throw new PeopleError(`there can be ${MAX_PEOPLE} people and links`);
    const token = newSecret();
    const name = `link-${randomBytes(3).toString('hex')}`;
    this.#put({ name, role, session, expiresAt, addedAt: this.#clock.now(), tokens: [digestOf(token)] });
    return { name, token };
  }

  /** A token for somebody who has signed in with a provider, until the sign-in ends. Throws a PeopleError. */
  signIn({ account, name, role, expiresAt }: SignedIn): string {
    const known = this.#people.find((person) => person.account === account);
    if (known?.isBarred) throw new PeopleError('your access was revoked: ask for it');
    const namesake = known ? undefined : this.#find(name);
    if (namesake && !this.#isOver(namesake))
      throw new PeopleError(`there is somebody else called "${name}": ask for another name`);
    if (!NAME.test(name)) throw new PeopleError(NO_NAME);
    if (!known && this.#people.length >= MAX_PEOPLE)
      throw new PeopleError(`there can be ${MAX_PEOPLE} people and links`);
    const token = newSecret();
    const now = this.#clock.now();
    const current = (known?.signIns ?? []).filter((entry) => entry.expiresAt > now);
    const signIns = [...current, { digest: digestOf(token), expiresAt }].slice(-MAX_DEVICES);
    const ends = Math.max(...signIns.map((entry) => entry.expiresAt));
    this.#put({
      addedAt: now,
      tokens: [],
      ...known,
      name: known?.name ?? name,
      account,
      role,
      signIns,
      expiresAt: ends,
    });
    return token;
  }

  /** A token for the secret of an invitation, which is worthless then; undefined if it is none. */
  redeem(secret: string): string | undefined {
    const digest = digestOf(secret);
    const now = this.#clock.now();
    const person = this.#people.find(({ invitation }) => invitation && isSame(invitation.digest, digest));
    if (!person?.invitation || person.invitation.expiresAt <= now) return undefined;
    const token = newSecret();
    const { invitation: _used, ...others } = person;
    this.#put({ ...others, tokens: [...person.tokens, digestOf(token)] });
    return token;
  }

  /** A token for another device of whoever has this credential; undefined for the owner's. */
  tokenFor(credential: string): string | undefined {
    const person = this.#find(personOf(credential) ?? '');
    if (!person || person.session !== undefined) return undefined;
    const { account, name, role, expiresAt } = person;
    if (account !== undefined)
      return expiresAt === undefined ? undefined : this.signIn({ account, name, role, expiresAt });
    const token = newSecret();
    this.#put({ ...person, tokens: [...person.tokens, digestOf(token)].slice(-MAX_DEVICES) });
    return token;
  }

  revoke(name: string): boolean {
    const person = this.#find(name);
    if (!person || person.isBarred) return false;
    const { account, role, addedAt } = person;
    const bar = account === undefined ? [] : [{ name, account, role, addedAt, tokens: [], isBarred: true }];
    this.#keep([...this.#people.filter((other) => other !== person), ...bar]);
    this.#ended(person);
    return true;
  }

  onEnded(listener: (credential: string) => void): void {
    this.#listeners.push(listener);
  }

  close(): void {
    this.#clock.clearTimeout(this.#timer);
  }

  #find(name: string): KeptPerson | undefined {
    return this.#people.find((person) => person.name === name);
  }

  #isOver({ expiresAt }: KeptPerson): boolean {
    return expiresAt !== undefined && expiresAt <= this.#clock.now();
  }

  #put(person: KeptPerson): void {
    const isKnown = this.#people.some(({ name }) => name === person.name);
    this.#keep(
      isKnown ? this.#people.map((other) => (other.name === person.name ? person : other)) : [...this.#people, person],
    );
  }

  /** Written before it counts: what the disk refuses must not be in force. */
  #keep(people: readonly KeptPerson[]): void {
    writePeople(this.#file, people);
    this.#people = people;
    this.#dropExpiredLater();
  }

  #dropExpired(): void {
    const over = this.#people.filter((person) => this.#isOver(person));
    if (over.length > 0) {
      this.#people = this.#people.filter((person) => !over.includes(person));
      for (const person of over) this.#ended(person);
    }
    this.#dropExpiredLater();
  }

  #dropExpiredLater(): void {
    this.#clock.clearTimeout(this.#timer);
    const next = Math.min(...this.#people.flatMap(({ expiresAt }) => expiresAt ?? []));
    if (next === Number.POSITIVE_INFINITY) return;
    const wait = Math.min(Math.max(0, next - this.#clock.now()), LONGEST_TIMER_MS);
    this.#timer = this.#clock.setTimeout(() => this.#dropExpired(), wait);
  }

  #ended(person: KeptPerson): void {
    for (const listener of this.#listeners) listener(personCredential(person.name));
  }
}

const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._@+-]{0,63}$/u;
const NO_NAME = 'a name has up to 64 letters, digits, spaces or . _ @ + - and begins with a letter or digit';

/** People and links: far more than a team has; each costs a comparison at every sign-in. */
const MAX_PEOPLE = 1_000;
/** Devices of one person; a further one signs the oldest out. */
const MAX_DEVICES = 50;

/** Milliseconds that an invitation can be used. */
const INVITATION_MS = 7 * 24 * 60 * 60_000;

/** Node's timers take no more. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

function grantIn({ name, role, session, expiresAt }: KeptPerson): Grant {
  return { name, role, ...(session !== undefined && { session }), ...(expiresAt !== undefined && { expiresAt }) };
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** A plain digest is enough: secrets are random and long. */
function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

function isSame(digest: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(digest, 'hex'), Buffer.from(other, 'hex'));
}
