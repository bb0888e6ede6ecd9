import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import type { Clock, PairingCode } from '../../ports/index.js';
import { nodeClock } from '../shared/clock/node-clock.js';
import { WrongTokens } from './wrong-tokens.js';

export interface PairingCodesOptions {
  /** The token for the secret of an invitation; undefined if it is none. */
  readonly invitation?: (secret: string) => string | undefined;
  /** The time; default: the system's. */
  readonly clock?: Pick<Clock, 'now'>;
}

/**
 * Codes that are exchanged for a token: short enough to be typed, so each counts for a few minutes and once, and few may be
 * tried. Only their digests are kept.
 */
export class PairingCodes {
  readonly #invitation: (secret: string) => string | undefined;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #wrong: WrongTokens;
  #open: { readonly digest: Buffer; readonly expiresAt: number; readonly token: () => string | undefined }[] = [];
  #wrongInAll = 0;

  constructor({ invitation = () => undefined, clock = nodeClock }: PairingCodesOptions) {
    this.#invitation = invitation;
    this.#clock = clock;
    this.#wrong = new WrongTokens({ wrongTokensAtOnce: WRONG_AT_ONCE, wrongTokensPerSecond: WRONG_PER_SECOND }, clock);
  }

  /** `token` is called when the code is redeemed; undefined if whoever made the code may let nobody in any more. */
  create(token: () => string | undefined): PairingCode {
    const characters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
    const expiresAt = this.#clock.now() + LIFETIME_MS;
    this.#open = [...this.#current(), { digest: digestOf(characters), expiresAt, token }].slice(-MAX_OPEN);
    this.#wrongInAll = 0;
    return { code: characters.replace(/.{4}(?=.)/g, '$&-'), expiresAt };
  }

  /** The token, if the code is right; after that the code is worthless. */
  redeem(code: string, address: string): { readonly token: string } | 'wrong' | 'too-many' {
    if (!this.#wrong.mayTry(address)) return 'too-many';
    const digest = digestOf(code.toUpperCase().replace(/[\s-]/g, ''));
    const current = this.#current();
    const redeemed = current.filter((open) => timingSafeEqual(open.digest, digest));
    this.#open = current.filter((open) => !redeemed.includes(open));
    const token = redeemed[0]?.token() ?? this.#invitation(code);
    if (token !== undefined) return { token };
    this.#wrong.count(address);
    // Whoever guesses from many addresses gets no further than this.
    if (++this.#wrongInAll >= MAX_WRONG_IN_ALL) this.#open = [];
    return 'wrong';
  }

  #current() {
    const now = this.#clock.now();
    return this.#open.filter(({ expiresAt }) => expiresAt - LIFETIME_MS <= now && now < expiresAt);
  }
}

/** Without letters and digits that look alike. Twelve of them are 60 bits. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const LENGTH = 12;

/** Milliseconds that a code counts: as long as it takes to find the phone. */
const LIFETIME_MS = 10 * 60_000;

/** Codes at a time; a new one more makes the oldest worthless. */
const MAX_OPEN = 4;

/** Wrong codes from one address: a few typing errors, then one every ten seconds. */
const WRONG_AT_ONCE = 5;
const WRONG_PER_SECOND = 0.1;

/** Wrong codes from anywhere, after which all open codes are worthless. */
const MAX_WRONG_IN_ALL = 100;

function digestOf(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}
