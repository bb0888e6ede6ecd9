import type { URI } from '@moorage/protocol';
import type { ChannelPut, LogPut, SummaryPut } from '../ports/store.js';

/** Parts of batches for tests of a store, as small as they can be while still distinguishable. */

export const session: URI = 'ahp-session:/one';
export const chat: URI = 'ahp-chat:/one';

export function sessionChannel(uri: URI = session, put: Partial<ChannelPut> = {}): ChannelPut {
  return { uri, kind: 'session', session: uri, unsettled: false, snapshot: { seq: 0, json: '{}' }, ...put };
}

export function chatChannel(uri: URI = chat, put: Partial<ChannelPut> = {}): ChannelPut {
  return { uri, kind: 'chat', session, unsettled: false, snapshot: { seq: 0, json: '{"turns":[]}' }, ...put };
}

/** A put for an existing channel, without a snapshot. */
export function changedChannel(uri: URI, put: Partial<Omit<ChannelPut, 'snapshot'>> = {}): ChannelPut {
  return { uri, kind: 'chat', session, unsettled: false, ...put };
}

export function envelope(channel: URI, serverSeq: number, text = `text of ${serverSeq}`): string {
  return JSON.stringify({ channel, action: { type: 'chat/delta', content: text }, serverSeq });
}

/** One log entry with envelopes of these serverSeqs. */
export function logEntry(channel: URI, ...seqs: readonly number[]): LogPut {
  const envelopes = seqs.map((seq) => envelope(channel, seq)).join(',');
  return { channel, firstSeq: seqs.at(0) ?? 0, lastSeq: seqs.at(-1) ?? 0, envelopes };
}

/** The serverSeqs of the envelopes in a text that a store returned. */
export function seqsIn(envelopes: string | undefined): readonly number[] | undefined {
  if (envelopes === undefined) return undefined;
  const parsed: { readonly serverSeq: number }[] = JSON.parse(`[${envelopes}]`);
  return parsed.map(({ serverSeq }) => serverSeq);
}

export function summary(uri: URI, modifiedAt: number, title = `Title of ${uri}`): SummaryPut {
  return { session: uri, modifiedAt, json: JSON.stringify({ resource: uri, title, modifiedAt }) };
}
