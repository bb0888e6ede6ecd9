/** A code with which another device gets a token once. */
export interface PairingCode {
  /** What the other device enters. */
  readonly code: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Where another device finds the host's page; undefined if it cannot. */
  readonly page?: string | undefined;
}

/** Makes codes; whoever redeems one is let in by the transport. */
export interface Pairing {
  /** For another device of whoever has this credential. */
  create(credential: string): PairingCode;
}
