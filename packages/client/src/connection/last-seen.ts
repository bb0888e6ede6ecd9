import type { ActionEnvelope } from '@moorage/protocol';
import { isBesideTheLog } from '../mirror/beside-the-log.js';

/** The serverSeq up to which everything for our subscriptions has arrived (I-3). */
export class LastSeen {
  #seq = 0;

  get seq(): number {
    return this.#seq;
  }

  /** An envelope that arrived on a live connection: all with lower numbers arrived before it (B-66). */
  saw(envelope: ActionEnvelope): void {
    const { serverSeq, rejectionReason } = envelope;
    // What is for us alone, a host may send past actions that it has not sent yet.
    if (rejectionReason !== undefined || isBesideTheLog(envelope)) return;
    if (serverSeq > this.#seq) this.#seq = serverSeq;
  }

  /**
   * A handshake brought states of these numbers. The lowest counts, for that channel's next action may follow it; it may
   * be lower than before when the host lost its memory. Without any number nothing is known.
   */
  restart(seqs: readonly number[]): void {
    this.#seq = seqs.length === 0 ? 0 : Math.min(...seqs);
  }
}
