import type { URI } from '@moorage/protocol';

/** Something that somebody did, and that the host accepted. It names things and never quotes what was said. */
export interface AuditEntry {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The name of the person; `owner` for whoever has the host's own credential. */
  readonly person: string;
  /** The client that sent it. */
  readonly clientId: string;
  /** The name of the program, as the program itself states it. */
  readonly program?: string | undefined;
  /** The channel that it was sent on. */
  readonly channel: URI;
  /** The type of an action, or the method of a request. */
  readonly what: string;
  /** What it was about, such as a turn, a tool call or an operation. */
  readonly about?: Readonly<Record<string, string | number | boolean>> | undefined;
}

/** A part of the audit. */
export interface AuditPage {
  /** Oldest first. */
  readonly items: readonly AuditEntry[];
  /** Where the next part begins; undefined at the end. */
  readonly next?: string | undefined;
  /** False if an entry of this part was changed or removed after it was written. */
  readonly isIntact: boolean;
}

/** Keeps who did what. What is written stays: there is no way to change or remove an entry. */
export interface Audit {
  /** Throws if it cannot be written. */
  record(entry: AuditEntry): void;
  /** From the beginning, or from the `next` of an earlier page. Rejects with an AuditError for another cursor. */
  read(cursor?: string): Promise<AuditPage>;
}

export class AuditError extends Error {
  override readonly name = 'AuditError';
}
