import type { AgentEvent } from '@moorage/host/ports';
import type { UsageInfo } from '@moorage/protocol';
import { plainText } from '../../shared/plain-text.js';

/** UTF-16 units of a command's output that are repeated after a cancel: the newest. */
const MAX_OUTPUT_CHARS = 4_000;

/** UTF-16 units of what an agent says after a cancel that are kept. */
const MAX_WORDS_CHARS = 8_000;

/** What an agent still had to say about a cancelled turn. */
export interface LateReport {
  readonly text: string;
  readonly usage?: UsageInfo | undefined;
}

/**
 * Keeps what a cancelled turn cannot show: a turn is over as soon as somebody cancels it, its open calls lose their output,
 * and agents say only afterwards what they used.
 */
export class AfterCancel {
  /** Calls that are not over, each with its title and what it has written. */
  readonly #open = new Map<string, { readonly title: string; readonly output: string }>();
  #isCancelled = false;
  /** The text is the rest of what was being said when the turn was cancelled. */
  #isRest = false;
  #words = '';
  #usage: UsageInfo | undefined;

  /** Takes every event of the turn, and whether it came after a cancel. */
  take(event: AgentEvent, isCancelled: boolean): void {
    this.#isCancelled ||= isCancelled;
    switch (event.kind) {
      case 'text':
        if (!this.#isCancelled) this.#isRest = true;
        else if (!this.#isRest || event.text.startsWith('\n\n')) this.#say(event.text);
        return;
      case 'toolCallStart':
        this.#open.set(event.toolCallId, { title: event.displayName, output: '' });
        break;
      case 'toolCallRunning':
        this.#open.set(event.toolCallId, { title: String(event.invocationMessage), output: '' });
        break;
      case 'toolCallContent':
        this.#wrote(event.toolCallId, event.content);
        break;
      case 'toolCallDone':
        if (this.#isCancelled) this.#wrote(event.toolCallId, event.result.content);
        else this.#open.delete(event.toolCallId);
        break;
      case 'usage':
        if (this.#isCancelled) this.#usage = event.usage;
        return;
      default:
    }
    this.#isRest = false;
  }

  /** Undefined when nothing is worth telling. */
  report(name: string): LateReport | undefined {
    const outputs = [...this.#open.values()].flatMap(({ title, output }) =>
      output === '' ? [] : [`${title}, until it was stopped:\n\n${fenced(output)}`],
    );
    const words = this.#words.trim();
    const { inputTokens = 0, outputTokens = 0 } = this.#usage ?? {};
    const hasUsed = inputTokens + outputTokens > 0;
    const used = hasUsed ? [`${name} used ${inputTokens + outputTokens} tokens in the cancelled turn.`] : [];
    const said = words === '' ? [] : [`${name} said after the cancel: ${words}`];
    const parts = [...outputs, ...said, ...used];
    return parts.length === 0 ? undefined : { text: parts.join('\n\n'), usage: hasUsed ? this.#usage : undefined };
  }

  #say(text: string): void {
    this.#isRest = false;
    this.#words = (this.#words + text).slice(0, MAX_WORDS_CHARS);
  }

  #wrote(toolCallId: string, content: Extract<AgentEvent, { kind: 'toolCallContent' }>['content'] = []): void {
    const call = this.#open.get(toolCallId);
    const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
    const output = plainText(text).trim().slice(-MAX_OUTPUT_CHARS);
    if (call && output !== '') this.#open.set(toolCallId, { ...call, output });
  }
}

/** As a block that no output can end. */
function fenced(output: string): string {
  const longest = Math.max(2, ...(output.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${output}\n${fence}`;
}
