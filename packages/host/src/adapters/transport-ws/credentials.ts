import { createHash, timingSafeEqual } from 'node:crypto';

export interface Credentials {
  /** The name of the credential with this token, if there is one. Takes equally long for wrong and right tokens. */
  check(token: string): string | undefined;
}

/** Fixed tokens, by the name under which the host knows their holders. */
export function createTokenCredentials(tokens: Readonly<Record<string, string>>): Credentials {
  const known = Object.entries(tokens).map(([name, token]) => {
    if (token === '') throw new TypeError(`the token of credential "${name}" is empty`);
    return { name, digest: digestOf(token) };
  });
  return {
    check(token) {
      const digest = digestOf(token);
      let found: string | undefined;
      // All digests have the same length and all are compared, so that the time reveals neither length nor position.
      for (const candidate of known) if (timingSafeEqual(candidate.digest, digest)) found = candidate.name;
      return found;
    },
  };
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
