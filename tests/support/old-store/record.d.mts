import type { Wire } from './wire.mjs';

export type Json = { readonly [member: string]: unknown };

/** What is recorded of one session, in the form of version 0.4. */
export interface RecordedSession {
  readonly session: Json;
  readonly chats: { readonly [uri: string]: Json };
  readonly annotations: Json;
  readonly contents: { readonly [uri: string]: Json };
  readonly changes: {
    readonly [turnId: string]: { readonly files: readonly Json[]; readonly possible: readonly string[] };
  };
}

export interface Recorded {
  readonly listed: readonly Json[];
  readonly removed: readonly Json[];
  readonly settings: Json;
  readonly sessions: { readonly [uri: string]: RecordedSession };
}

export function record(wire: Wire): Promise<Recorded>;
