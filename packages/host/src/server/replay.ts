import { type ActionEnvelope, kindOfUri, statelessChannelKinds, type URI } from '@moorage/protocol';
import type { Door } from '../core/door.js';
import { ifReadable } from './if-readable.js';
import { MAX_REPLAY_CHARS } from './limits.js';

export interface Missed {
  /** The envelopes in order of serverSeq, as JSON texts joined by commas; from `missedBy` as they are in the log. */
  readonly envelopes: string;
  readonly resumed: readonly URI[];
  /** Channels that do not exist any more, or are damaged. */
  readonly missing: readonly URI[];
}

/** What a client missed on its channels since a serverSeq; undefined when some is no longer kept, or it is too much (B-77). */
export function missedBy(door: Door, clientId: string, uris: readonly URI[], lastSeen: number): Missed | undefined {
  if (lastSeen > door.serverSeq) return undefined; // the client saw actions that this host does not have
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
    door.settle(); // the channel may just have been opened
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

/** Each text is in order already, so a single one is used as it is; several are parsed and sorted. */
function inOrder(texts: readonly string[]): string {
  if (texts.length <= 1) return texts[0] ?? '';
  const envelopes = texts.flatMap((text) => JSON.parse(`[${text}]`) as ActionEnvelope[]);
  envelopes.sort((a, b) => a.serverSeq - b.serverSeq);
  return envelopes.map((envelope) => JSON.stringify(envelope)).join(',');
}
