import type { Client } from '@moorage/client';
import type { CompletionItem, MessageAttachment } from '@moorage/protocol';
import { plainLine } from '../output/plain.js';

/** Milliseconds that Tab waits, because the user is looking at the line. */
const PATIENCE_MS = 3_000;

/** Completes what is typed with what the host offers, and remembers what has to be attached when it is sent. */
export class Completer {
  readonly #client: Client;
  readonly #chat: string;
  readonly #picked = new Map<string, MessageAttachment>();

  constructor(client: Client, chat: string) {
    this.#client = client;
    this.#chat = chat;
  }

  /** As `readline` wants it: the candidates, and the part of the line that they replace. */
  async complete(line: string): Promise<[string[], string]> {
    const items = await this.#ask(line);
    for (const { insertText, attachment } of items) this.#picked.set(insertText.trim(), attachment);
    return [
      [...new Set(items.map(({ insertText }) => plainLine(insertText)))],
      line.slice(items[0]?.rangeStart ?? line.length),
    ];
  }

  /** The attachments of a line that is sent: one for each completed word that is still in it. */
  attachmentsFor(line: string): MessageAttachment[] {
    const found = [...this.#picked].filter(([word]) => containsWord(line, word)).map(([, attachment]) => attachment);
    this.#picked.clear();
    return found;
  }

  async #ask(line: string): Promise<readonly CompletionItem[]> {
    try {
      const params = { channel: this.#chat, kind: 'userMessage', text: line, offset: line.length } as const;
      return (await this.#client.request('completions', params, { timeoutMs: PATIENCE_MS })).items;
    } catch {
      return []; // another host may not have them
    }
  }
}

function containsWord(line: string, word: string): boolean {
  for (let at = line.indexOf(word); at >= 0; at = line.indexOf(word, at + 1)) {
    const after = line[at + word.length];
    if ((at === 0 || /\s|[([{"'<]/.test(line[at - 1] ?? '')) && (after === undefined || !/[\w/-]/.test(after)))
      return true;
  }
  return false;
}
