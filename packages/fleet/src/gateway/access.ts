import { Buffer } from 'node:buffer';
import { timingSafeEqual } from 'node:crypto';
import type { ClientTransport, Clock, Credentials, FleetUser, Incoming } from '@moorage/host';
import { CloseCodes } from '@moorage/protocol';
import { type AccessToken, hashOf } from '../registry/registry.js';
import type { RegisterCopy } from './register-copy.js';

/** Who may use the gateway: the holders of tokens in the register, with the roles that they have there. */
export class Access implements Credentials {
  readonly #register: RegisterCopy;
  readonly #clock: Pick<Clock, 'now'>;
  /** Live connections, each with the token as it was when it was shown. */
  readonly #live = new Map<ClientTransport, AccessToken>();

  constructor(register: RegisterCopy, clock: Pick<Clock, 'now'>) {
    this.#register = register;
    this.#clock = clock;
    register.onRead(() => this.#closeChanged());
  }

  /** The hash of the token is its name: somebody may have several. */
  check(token: string): string | undefined {
    const digest = hashOf(token);
    let found: string | undefined;
    // All are compared, so that the time reveals nothing.
    for (const { hash } of this.#register.tokens) if (timingSafeEqual(Buffer.from(hash, 'hex'), digest)) found = hash;
    return found !== undefined && this.#find(found) ? found : undefined;
  }

  /** How many clients are connected. */
  get connections(): number {
    return this.#live.size;
  }

  /** Whether somebody may manage the fleet. */
  isAdmin(name: string): boolean {
    return this.#register.tokens.some((token) => token.name === name && token.isAdmin);
  }

  /** Somebody who may still use the gateway. */
  userNamed(name: string): FleetUser | undefined {
    const token = this.#register.tokens.find((one) => one.name === name && this.#find(one.hash));
    return token && { name, role: token.role };
  }

  /** Who is at a connection; it is closed once that changes. Undefined, and closed, if the token is revoked already. */
  watch({ transport, credential }: Incoming): FleetUser | undefined {
    const token = this.#find(credential);
    if (!token) {
      transport.close(CloseCodes.PolicyViolation, REVOKED);
      return undefined;
    }
    this.#live.set(transport, token);
    transport.onClose(() => this.#live.delete(transport));
    return { name: token.name, role: token.role };
  }

  #closeChanged(): void {
    for (const [transport, shown] of this.#live) {
      const now = this.#find(shown.hash);
      if (!now) transport.close(CloseCodes.PolicyViolation, REVOKED);
      else if (now.role !== shown.role) transport.close(CloseCodes.TryAgainLater, 'your role has changed');
    }
  }

  #find(hash: string): AccessToken | undefined {
    const now = this.#clock.now();
    return this.#register.tokens.find(
      (token) => token.hash === hash && (token.expiresAt === undefined || token.expiresAt > now),
    );
  }
}

const REVOKED = 'the token was revoked, or its time is over';
