import type { Mirror } from '@moorage/client';
import { useChannelState, useMirror } from '@moorage/client/react';
import type { ChannelKind, ChannelStates } from '@moorage/protocol';
import { sentenceOf } from '../ui/sentence.js';
import { useClient } from './context.js';

export interface ChannelView<K extends ChannelKind> {
  readonly mirror: Mirror<K> | undefined;
  /** The mirror's optimistic state. Undefined until the first snapshot has arrived. */
  readonly state: ChannelStates[K] | undefined;
  readonly error: string | undefined;
  /** Subscribes again after an error. */
  readonly retry: () => void;
}

/** Of a chat, its newest turns are enough at first: more than are rendered, so that the first step back is at once. */
const FIRST_TURNS = 60;

/** Subscribes to a channel while the component is mounted. */
export function useChannel<K extends ChannelKind>(kind: K, uri: string | undefined): ChannelView<K> {
  const turns = kind === 'chat' ? FIRST_TURNS : undefined;
  const { value: mirror, error, retry } = useMirror(useClient(), uri, kind, { turns });
  const state = useChannelState(mirror);
  return { mirror, state, error: error === undefined ? undefined : sentenceOf(error), retry };
}
