import type { SessionState } from '@moorage/protocol';
import type { Channel } from '../core/channel.js';
import { shownChat } from '../core/summary.js';
import type { HostContext } from './context.js';
import { PROGRESS_MS } from './sessions/limits.js';

/** Shows how far a long piece of host work for a session has got, as the session's activity. */
export interface ActivityTeller {
  /** Shows a text, at most once per PROGRESS_MS. */
  say(text: string): void;
  /** Goes back to the activity of the session's chat. */
  end(): void;
}

/** Work that is done within `quietMs` shows no activity at all. */
export function activityTeller(
  { door, clock }: HostContext,
  session: Channel<'session'>,
  { quietMs = 0 }: { readonly quietMs?: number } = {},
): ActivityTeller {
  let next = clock.now() + quietMs;
  let hasShown = false;
  let latest = '';
  let timer: unknown;
  const show = (activity: string | undefined) => {
    if (activity !== session.state.activity) door.commit(session, { type: 'session/activityChanged', activity });
  };
  const tell = () => {
    clock.clearTimeout(timer);
    timer = undefined;
    next = clock.now() + PROGRESS_MS;
    hasShown = true;
    show(latest);
  };
  return {
    say: (text) => {
      latest = text;
      const wait = next - clock.now();
      if (wait <= 0) tell();
      else timer ??= clock.setTimeout(tell, wait); // the next step may be a long time coming
    },
    end: () => {
      clock.clearTimeout(timer);
      const { chats, defaultChat } = session.state as SessionState;
      if (hasShown) show(shownChat(chats, defaultChat)?.activity || undefined);
    },
  };
}
