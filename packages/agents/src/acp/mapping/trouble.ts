import type { AgentEvent } from '@moorage/host/ports';
import { type Fields, fields, label, text } from '../../shared/untrusted.js';

/**
 * Failures that an agent reports elsewhere than in the answer to its prompt. When its model fails, Codex still ends the
 * turn normally: a status of its session says that it failed, and text that belongs to no message says why. Copilot says
 * "Error: ..." and reports no tokens.
 */
export class Trouble {
  #hasFailed = false;
  #reason: string | undefined;
  /** Text that may be the only report of a failure. */
  #complaint: string | undefined;

  /** Why the turn failed although the agent ended it normally; undefined when it did not fail. */
  get failure(): string | undefined {
    return this.#hasFailed ? (this.#reason ?? 'its model failed') : undefined;
  }

  /** Takes a session update that may report a failure, or another attempt. */
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

  /** The turn led to nothing: if the last thing the agent said was a complaint, that is why. */
  believeLastWords(): void {
    if (this.#complaint === undefined) return;
    this.#hasFailed = true;
    this.#reason ??= this.#complaint;
  }

  /** Whether text is the reason of a failure; if not, it is shown as what the agent says. */
  takes(content: Fields, messageId: string | undefined): boolean {
    const said = label(readable(text(content.text)));
    if (said) this.#complaint = messageId === undefined ? COMPLAINT.exec(said)?.[1] : undefined;
    if (!this.#hasFailed || messageId !== undefined || !said) return false;
    this.#reason = said;
    return true;
  }
}

/** Comes as a chunk of its own, and as the last one. */
const COMPLAINT = /^Error: (.+)/s;

/** Agents may pass on the raw JSON of a model endpoint. */
function readable(said: string | undefined): string | undefined {
  if (!said?.trimStart().startsWith('{')) return said;
  try {
    const body = fields(JSON.parse(said));
    return text(fields(body.error).message) ?? text(body.message) ?? said;
  } catch {
    return said;
  }
}
