import { createInterface, type Interface } from 'node:readline';
import type { ChatInputAnswer } from '@moorage/protocol';
import { noteError } from '../host/open.js';
import { colour, print } from '../output/out.js';
import { plain } from '../output/plain.js';
import { accepted, declined, readAnswer, readYesOrNo, YES_OR_NO } from './answers.js';
import { approvalText, type Details } from './approval-text.js';
import { type Approval, decision, type PendingRequest, requestId } from './pending-requests.js';
import type { AnswerInput } from './prompter-input.js';
import { questionText, requestText } from './question-text.js';

/** What a prompter needs from the code that follows a session. */
export interface PrompterHost {
  readonly input: AnswerInput;
  /** What is open now, the oldest first. */
  allPending(): readonly PendingRequest[];
  /** Moves the cursor to the start of a line. */
  endLine(): void;
  /** What the user bases the decision on an approval on. */
  details(pending: Approval): Promise<Details>;
  /** A line that answers nothing. */
  onLine?(line: string): void;
  onInterrupt(): void;
  /** There will be no more input; with a pipe only once an answer is missing. */
  onEnd?(): void;
  /** All of the pipe was read; a question may still be open, or come. */
  onInputEnd?(): void;
  /** What Tab offers for a line that answers nothing, and the part of the line that this replaces. */
  complete?(line: string): Promise<[string[], string]>;
}

/** Lines of a pipe that are read before something asks for them. */
const MAX_UNREAD = 100;

/** Shows what is pending one at a time, and takes typed lines as the answers. */
export class Prompter {
  readonly #host: PrompterHost;
  readonly #lines: Interface;
  #shown: PendingRequest | undefined;
  /** Of the approval that is shown. Until they are loaded, nothing that is typed decides on it. */
  #details: Details | undefined;
  #answers: Record<string, ChatInputAnswer> = {};
  #approvesAll = false;
  #closed = false;
  /** Lines of a pipe that nothing has asked for yet. */
  readonly #unread: string[] = [];
  #inputEnded = false;

  constructor(host: PrompterHost) {
    this.#host = host;
    this.#lines = host.input === 'pipe' ? createInterface({ input: process.stdin }) : this.#terminalLines();
    if (host.input === 'pipe') this.#readPipe();
    else {
      this.#lines.on('line', (line) => this.#read(line));
      this.#lines.on('SIGINT', () => host.onInterrupt());
      this.#lines.on('close', () => {
        if (!this.#closed) host.onEnd?.();
      });
    }
  }

  get isAsking(): boolean {
    return this.#shown !== undefined;
  }

  /** Withdraws the question that is shown when it is not open any more. */
  withdrawSettled(): void {
    const shown = this.#shown;
    if (!shown || this.#host.allPending().some((pending) => requestId(pending) === requestId(shown))) return;
    this.#shown = undefined;
    this.#write(`\n${colour.dim('(settled elsewhere)')}\n`);
  }

  /** Asks the next question if none is shown. */
  update() {
    this.withdrawSettled();
    const next = this.#host.allPending()[0];
    if (this.#shown || !next) return;
    if (this.#approvesAll && next.kind !== 'question') return this.#settle(next, decision(next, true));
    this.#shown = next;
    this.#answers = {};
    this.#details = undefined;
    if (next.kind === 'question') this.#ask();
    else this.#prepare(next);
  }

  /** Shows an open question again, after something else was written below it. */
  repeat(): void {
    this.withdrawSettled();
    this.#ask();
  }

  /** Gives the terminal back as it was. */
  close(): void {
    this.#closed = true;
    this.#lines.close();
    process.stdin.pause();
  }

  #terminalLines(): Interface {
    return createInterface({
      input: process.stdin,
      output: process.stdout,
      terminal: true,
      prompt: '',
      completer: (line: string, done: (error: null, result: [string[], string]) => void) => {
        const none: [string[], string] = [[], line];
        if (this.#shown || !this.#host.complete) return done(null, none);
        this.#host.complete(line).then(
          (result) => done(null, result),
          () => done(null, none),
        );
      },
    });
  }

  #readPipe(): void {
    this.#lines.on('line', (line) => {
      if (this.#unread.push(line) >= MAX_UNREAD) this.#lines.pause();
      this.#takeLine();
    });
    this.#lines.on('close', () => {
      if (this.#closed) return;
      this.#inputEnded = true;
      this.#host.onInputEnd?.();
      this.#takeLine();
    });
  }

  /** Answers what is shown with the next line of the pipe. */
  #takeLine(): void {
    if (!this.#shown || (this.#shown.kind !== 'question' && !this.#details)) return;
    const line = this.#unread.shift();
    if (line !== undefined) this.#read(line);
    else if (this.#inputEnded) this.#host.onEnd?.();
    if (this.#unread.length === 0 && !this.#inputEnded) this.#lines.resume();
  }

  /** What is asked of a program is no part of the output that it may pass on. */
  #write(text: string): void {
    if (this.#host.input === 'pipe') process.stderr.write(text);
    else print(text);
  }

  async #prepare(pending: Approval) {
    this.#host.endLine();
    const details = await this.#host.details(pending);
    if (this.#shown !== pending) return; // it was settled meanwhile
    this.#details = details;
    this.#ask();
  }

  #ask() {
    const pending = this.#shown;
    if (!pending) return;
    this.#host.endLine();
    if (pending.kind !== 'question') return this.#details && this.#prompt(approvalText(pending, this.#details));
    const question = this.#question();
    if (!question) return this.#prompt(`${requestText(pending.request) || 'The agent asks.'}\nAnswer [y/n]: `);
    const about = Object.keys(this.#answers).length === 0 ? requestText(pending.request) : '';
    this.#prompt(`${about === '' || about === plain(question.message) ? '' : `${about}\n`}${questionText(question)}`);
  }

  #prompt(text: string): void {
    const lines = text.split('\n');
    for (const line of lines.slice(0, -1)) this.#write(`${line}\n`);
    if (this.#host.input === 'pipe') {
      this.#write(`${lines.at(-1)}\n`);
      this.#takeLine();
      return;
    }
    this.#lines.setPrompt(lines.at(-1) ?? '');
    this.#lines.prompt();
  }

  #question() {
    if (this.#shown?.kind !== 'question') return undefined;
    return this.#shown.request.questions?.find(({ id }) => !Object.hasOwn(this.#answers, id));
  }

  #read(line: string) {
    this.#lines.setPrompt('');
    const pending = this.#shown;
    if (!pending) return this.#host.onLine?.(line);
    if (pending.kind === 'question') return this.#answer(pending, line);
    if (!this.#details) return;
    const text = line.trim().toLowerCase();
    const option =
      pending.kind === 'approval' && /^\d+$/.test(text) ? pending.call.options?.[Number(text) - 1] : undefined;
    if (option) return this.#settle(pending, decision(pending, option.kind === 'approve', { optionId: option.id }));
    if (text === 'a' || text === 'all') this.#approvesAll = true;
    if (/^(y|yes|a|all)$/.test(text)) return this.#settle(pending, decision(pending, true));
    if (/^(n|no)$/.test(text)) return this.#settle(pending, decision(pending, false));
    if (/^(v|view)$/.test(text)) for (const each of this.#details.whole) this.#write(`${each}\n`);
    this.#ask();
  }

  #answer(pending: Extract<PendingRequest, { kind: 'question' }>, line: string) {
    const question = this.#question();
    if (!question) {
      const isYes = readYesOrNo(line);
      if (isYes === undefined) {
        this.#write(`${colour.yellow(YES_OR_NO)}\n`);
        return this.#ask();
      }
      return this.#settle(pending, isYes ? accepted(pending.request, {}) : declined(pending.request));
    }
    const answer = readAnswer(question, line);
    if (typeof answer === 'string') this.#write(`${colour.yellow(plain(answer))}\n`);
    else this.#answers = { ...this.#answers, [question.id]: answer };
    if (this.#question()) return this.#ask();
    this.#settle(pending, accepted(pending.request, this.#answers));
  }

  #settle(pending: PendingRequest, action: ReturnType<typeof decision>): void {
    this.#shown = undefined;
    pending.chat.dispatch(action).catch(noteError);
    this.update();
  }
}
