import { type ActionEnvelope, kindOfUri, statelessChannelKinds, type URI } from '@ahpd/protocol';
import type { Door } from '../core/door.js';
import { ifReadable } from './if-readable.js';
import { MAX_REPLAY_CHARS } from './limits.js';

export interface Missed {
  /** The envelopes in order of serverSeq, as JSON texts joined by commas. */
  readonly envelopes: string;
  readonly resumed: readonly URI[];
  readonly missing: readonly URI[];
}

/** What a client missed on its channels since a serverSeq; undefined when some of it is gone, or it is too much (B-77). */
export function missedBy(door: Door, clientId: string, uris: readonly URI[], lastSeen: number): Missed | undefined {
  if (lastSeen > door.serverSeq) return undefined; // it saw what a crash took
  const texts: string[] = [];
  const resumed: URI[] = [];
  const missing: URI[] = [];
  let chars = 0;
  for (const uri of new Set(uris)) {
    if (isStateless(uri)) continue;
    const channel = ifReadable(() => door.channels.openFor(clientId, uri));
    if (!channel) {
      missing.push(uri);
      continue;
    }
    door.settle(); // it may just have been opened
    const text = door.channels.replay(channel, lastSeen);
    if (text === undefined) return undefined;
    chars += text.length;
    if (chars > MAX_REPLAY_CHARS) return undefined;
    if (text !== '') texts.push(text);
    resumed.push(uri);
  }
  return { envelopes: inOrder(texts), resumed, missing };
}

export function isStateless(uri: URI): boolean {
  const kind = kindOfUri(uri);
  return statelessChannelKinds.some((stateless) => stateless === kind);
}

/** Each text is in order by itself; only where there are several do they have to be taken apart. */
function inOrder(texts: readonly string[]): string {
  if (texts.length <= 1) return texts[0] ?? '';
  const envelopes = texts.flatMap((text) => JSON.parse(`[${text}]`) as ActionEnvelope[]);
  envelopes.sort((a, b) => a.serverSeq - b.serverSeq);
  return envelopes.map((envelope) => JSON.stringify(envelope)).join(',');
}
