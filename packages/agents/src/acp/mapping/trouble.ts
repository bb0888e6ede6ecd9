import type { AgentEvent } from '@ahpd/host/ports';
import { type Fields, fields, label, text } from '../../shared/untrusted.js';

/**
 * Failures that an agent tells beside the answer to its prompt. Codex calls a turn ended when its model failed; that it
 * did is told as a status of its session, and why as words that belong to no message. Copilot says "Error: ..." and has
 * used no tokens.
 */
export class Trouble {
  #hasFailed = false;
  #reason: string | undefined;
  /** Words that may be all that is told of a failure. */
  #complaint: string | undefined;

  /** Why the turn has failed although the agent calls it ended; undefined when it has not. */
  get failure(): string | undefined {
    return this.#hasFailed ? (this.#reason ?? 'its model failed') : undefined;
  }

  /** A session update that may tell of a failure, or of another try. */
  update(update: Fields): AgentEvent[] {
    const { threadStatus, error } = fields(fields(update._meta).codex);
    const status = fields(threadStatus).type;
    if (status !== undefined) this.#hasFailed = status === 'systemError' || (this.#hasFailed && status === 'idle');
    const { message, additionalDetails, willRetry } = fields(error);
    const said = label(message);
    if (willRetry !== true || !said) return [];
    const details = label(additionalDetails);
    return [{ kind: 'notice', text: details ? `${said} (${details})` : said }];
  }

  /** The turn has come to nothing: if the agent complained at last, that is why. */
  believeLastWords(): void {
    if (this.#complaint === undefined) return;
    this.#hasFailed = true;
    this.#reason ??= this.#complaint;
  }

  /** Takes words as the reason of a failure, if they are; otherwise they are to be shown as what the agent says. */
  takes(content: Fields, messageId: string | undefined): boolean {
    const said = label(readable(text(content.text)));
    if (said) this.#complaint = messageId === undefined ? COMPLAINT.exec(said)?.[1] : undefined;
    if (!this.#hasFailed || messageId !== undefined || !said) return false;
    this.#reason = said;
    return true;
  }
}

/** Told as a chunk of its own, and as the last. */
const COMPLAINT = /^Error: (.+)/s;

/** What a model endpoint answered may be passed on as it is. */
function readable(said: string | undefined): string | undefined {
  if (!said?.trimStart().startsWith('{')) return said;
  try {
    const body = fields(JSON.parse(said));
    return text(fields(body.error).message) ?? text(body.message) ?? said;
  } catch {
    return said;
  }
}
