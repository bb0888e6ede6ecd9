import type { ChannelKind } from '@moorage/protocol';
import type { Channel } from './channel.js';

/**
 * What the host does if something that it committed itself cannot be stored. A client is told and may send its action
 * again; for the host nobody would. One object may come with many actions: it is called once for each channel.
 */
export interface IfLost<K extends ChannelKind = ChannelKind> {
  /** Called at once, when memory is again as the store has it: stops or refuses what is outside of channels. */
  undo?(channel: Channel<K>): void;
  /** Decides anew when the store may work again, on the channel as it is then. Not called for one that has ended. */
  again?(channel: Channel<K>): void;
  /**
   * For what cannot be found out a second time: the door commits the host's own actions on the channel again, in order, and
   * later ones wait behind them. Then it calls `again`.
   */
  readonly repeats?: boolean;
}
