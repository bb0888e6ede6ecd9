import { Buffer } from 'node:buffer';
import { timingSafeEqual } from 'node:crypto';
import type { ClientTransport, Credentials, Incoming } from '@moorage/host';
import { CloseCodes } from '@moorage/protocol';
import { hashOf } from '../registry/registry.js';
import type { RegisterCopy } from './register-copy.js';

/** Who may use the gateway: the holders of tokens in the register, until these are revoked. */
export class Access implements Credentials {
  readonly #register: RegisterCopy;
  /** Live connections, each with the name and the hash of the token that was shown. */
  readonly #live = new Map<ClientTransport, { readonly name: string; readonly hash: string }>();

  constructor(register: RegisterCopy) {
    this.#register = register;
    register.onRead(() => this.#closeRevoked());
  }

  check(token: string): string | undefined {
    const digest = hashOf(token);
    let found: string | undefined;
    // All are compared, so that the time reveals nothing.
    for (const { name, hash } of this.#register.tokens)
      if (timingSafeEqual(Buffer.from(hash, 'hex'), digest)) found = name;
    return found;
  }

  /** How many clients are connected. */
  get connections(): number {
    return this.#live.size;
  }

  isAdmin(name: string): boolean {
    return this.#register.tokens.some((token) => token.name === name && token.isAdmin);
  }

  /** Closes the connection once its token is revoked. False if it is already. */
  watch({ transport, credential }: Incoming): boolean {
    const hash = this.#hashOf(credential);
    if (hash === undefined) {
      transport.close(CloseCodes.PolicyViolation, REVOKED);
      return false;
    }
    this.#live.set(transport, { name: credential, hash });
    transport.onClose(() => this.#live.delete(transport));
    return true;
  }

  #closeRevoked(): void {
    for (const [transport, { name, hash }] of this.#live) {
      if (this.#hashOf(name) !== hash) transport.close(CloseCodes.PolicyViolation, REVOKED);
    }
  }

  #hashOf(name: string): string | undefined {
    return this.#register.tokens.find((token) => token.name === name)?.hash;
  }
}

const REVOKED = 'the token was revoked';
