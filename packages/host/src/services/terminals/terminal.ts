import { type ActionOf, type TerminalClaim, type TerminalState, terminalText } from '@moorage/protocol';
import { QueryFilter, type TerminalQuery } from '@moorage/protocol/internal';
import type { Channel } from '../../core/channel.js';
import type { IfLost } from '../../core/if-lost.js';
import type { Pty, PtyExit } from '../../ports/pty.js';
import type { HostContext } from '../context.js';
import { uriOfPath } from '../resources/file-uri.js';
import { answerTo } from './answers.js';
import { Cursor } from './cursor.js';
import { Flow } from './flow.js';
import { DEFAULT_COLS, DEFAULT_ROWS, SCROLLBACK_TRIM_CHARS } from './limits.js';
import { OscFilter, type Piece } from './osc-filter.js';
import { Output } from './output.js';
import { partChars, trimScrollback } from './scrollback.js';
import { readMark, type ShellMark } from './shell-marks.js';

type TerminalAction = ActionOf<'terminal'>;

export interface TerminalParts {
  readonly channel: Channel<'terminal'>;
  readonly pty: Pty;
  /** What our shell script signs its reports with; empty if there is none. */
  readonly nonce: string;
}

/** A terminal: turns its program's output into actions, and passes clients' actions to the program. */
export class Terminal {
  readonly channel: Channel<'terminal'>;
  readonly #context: Pick<HostContext, 'door' | 'clock' | 'ids'>;
  readonly #pty: Pty;
  readonly #parts: TerminalParts;
  readonly #decoder = new TextDecoder();
  readonly #filter = new OscFilter();
  readonly #queries = new QueryFilter();
  /** Only for programs that have asked where the cursor is. */
  #cursor: Cursor | undefined;
  readonly #output: Output;
  readonly #flow: Flow;
  readonly #onData: ((data: string) => void)[] = [];
  readonly #onExit: ((exit: PtyExit) => void)[] = [];
  readonly #onDetached: (() => void)[] = [];
  readonly #onDisposed: (() => void)[] = [];
  #command: { id: string; startedAt: number } | undefined;
  #reported: { title?: string; cwd?: string } = {};
  #kept = 0;
  #isIntegrated = false;
  #isNamed = false;
  #exit: PtyExit | undefined;
  /** A program does not write its output twice. It is paused until what it wrote is stored. */
  readonly #ifLost: IfLost<'terminal'> = {
    repeats: true,
    undo: () => this.#flow.hold(),
    again: () => this.#flow.release(),
  };

  constructor(context: Pick<HostContext, 'door' | 'clock' | 'ids'>, parts: TerminalParts) {
    this.#context = context;
    this.#parts = parts;
    this.channel = parts.channel;
    this.#pty = parts.pty;
    const { door, clock } = context;
    this.#output = new Output(clock, (data) => this.#send(data));
    this.#flow = new Flow(clock, parts.pty, () => door.subscriptions.of(this.channel.uri));
    parts.pty.onData((bytes) => this.#take(this.#filter.push(this.#decoder.decode(bytes, { stream: true }))));
    parts.pty.onExit((exit) => this.#exited(exit));
  }

  /** Whether it was created to run a single command of a tool call. */
  get isForTool(): boolean {
    return this.#parts.nonce === '';
  }

  get exit(): PtyExit | undefined {
    return this.#exit;
  }

  write(data: string): void {
    this.#pty.write(data);
  }

  resize({ cols, rows }: { cols: number; rows: number }): void {
    this.#pty.resize(cols, rows);
    this.#cursor?.resize({ cols, rows });
  }

  /** Kills the program; its exit is reported like any other. */
  kill(): void {
    this.#flow.stop();
    this.#pty.kill();
  }

  /** A client has set the title: titles set by programs are ignored from now on. */
  named(): void {
    this.#isNamed = true;
  }

  /** Called with the output that clients get. */
  onData(listener: (data: string) => void): void {
    this.#onData.push(listener);
  }

  /** Gives the terminal to a tool call, or back to its session. */
  claim(claim: TerminalClaim): void {
    this.#commit({ type: 'terminal/claimed', claim });
  }

  /** Called when a tool call has lost the terminal to its session or to a client. */
  onDetached(listener: () => void): void {
    this.#onDetached.push(listener);
  }

  onDisposed(listener: () => void): void {
    this.#onDisposed.push(listener);
  }

  detached(): void {
    for (const listener of this.#onDetached.splice(0)) listener();
  }

  /** Kills the program and notifies the listeners; the channel has already ended. */
  dispose(): void {
    this.kill();
    for (const listener of this.#onDisposed.splice(0)) listener();
  }

  onExit(listener: (exit: PtyExit) => void): void {
    if (this.#exit) listener(this.#exit);
    else this.#onExit.push(listener);
  }

  /** Reports the one command that this terminal was created for; the host knows it without shell integration. */
  startCommand(commandLine: string): void {
    this.#announceCommands();
    this.#begin(commandLine);
  }

  #take(pieces: readonly Piece[]): void {
    for (const piece of pieces) {
      if (typeof piece === 'string') {
        for (const part of this.#queries.push(piece)) {
          if (typeof part === 'string') this.#append(part);
          else this.#answer(part);
        }
        continue;
      }
      const mark = readMark(piece, this.#parts.nonce);
      if (mark) this.#react(mark);
    }
  }

  #append(text: string): void {
    this.#output.append(text);
    this.#cursor?.write(text);
  }

  /** Answers what a program asks its terminal. Clients never see the question, so no emulator answers it again. */
  #answer(query: TerminalQuery): void {
    const { cols = DEFAULT_COLS, rows = DEFAULT_ROWS } = this.#state;
    const cursor = () => {
      this.#cursor ??= this.#cursorNow({ cols, rows });
      return this.#cursor.position;
    };
    const answer = answerTo(query, { cols, rows, cursor });
    if (answer !== undefined) this.#pty.write(answer);
  }

  #cursorNow(size: { cols: number; rows: number }): Cursor {
    this.#output.flush();
    const cursor = new Cursor(size);
    cursor.write(terminalText(this.#state));
    return cursor;
  }

  #react(mark: ShellMark): void {
    switch (mark.kind) {
      case 'title':
        this.#reported.title = mark.title;
        this.#output.append('');
        return;
      case 'cwd':
        if (mark.trusted) this.#announceCommands();
        else if (this.#isIntegrated) return; // our script in the shell reports its folder
        this.#reported.cwd = uriOfPath(mark.path);
        this.#output.append('');
        return;
      case 'commandStart':
        this.#announceCommands();
        this.#output.flush();
        this.#begin(mark.commandLine);
        return;
      case 'commandEnd':
        this.#announceCommands();
        this.#output.flush();
        this.#finish(mark.exitCode);
    }
  }

  #announceCommands(): void {
    if (this.#isIntegrated) return;
    this.#isIntegrated = true;
    this.#commit({ type: 'terminal/commandDetectionAvailable' });
  }

  #begin(commandLine: string): void {
    const { clock, ids } = this.#context;
    const command = { id: ids.next(), startedAt: clock.now() };
    this.#command = command;
    const { id: commandId, startedAt: timestamp } = command;
    this.#commit({ type: 'terminal/commandExecuted', commandId, commandLine, timestamp });
    this.#grow(partChars({ type: 'command', commandId, commandLine, output: '', timestamp, isComplete: false }));
  }

  #finish(exitCode: number | undefined): void {
    const command = this.#command;
    if (!command) return; // an empty command line, or the first prompt
    this.#command = undefined;
    const { clock } = this.#context;
    const durationMs = Math.max(0, clock.now() - command.startedAt);
    const code = exitCode === undefined ? {} : { exitCode };
    this.#commit({ type: 'terminal/commandFinished', commandId: command.id, ...code, durationMs });
  }

  #send(data: string): void {
    this.#commitReported();
    if (data === '') return;
    this.#commit({ type: 'terminal/data', data });
    for (const listener of this.#onData) listener(data);
    this.#grow(data.length);
    this.#flow.check();
  }

  /** Commits only the latest title and folder: programs may set them in a loop. */
  #commitReported(): void {
    const { title = '', cwd } = this.#reported;
    this.#reported = {};
    if (title !== '' && title !== this.#state.title && !this.#isNamed) {
      this.#commit({ type: 'terminal/titleChanged', title });
    }
    if (cwd !== undefined && cwd !== this.#state.cwd) this.#commit({ type: 'terminal/cwdChanged', cwd });
  }

  #commit(action: TerminalAction): void {
    this.#context.door.commit(this.channel, action, this.#ifLost);
  }

  #grow(chars: number): void {
    this.#kept += chars;
    if (this.#kept <= SCROLLBACK_TRIM_CHARS) return;
    this.#context.door.trim(this.channel, trimScrollback);
    this.#kept = this.#state.content.reduce((sum, part) => sum + partChars(part), 0);
  }

  #exited(exit: PtyExit): void {
    this.#flow.stop();
    this.#take([...this.#filter.push(this.#decoder.decode()), ...this.#filter.end()]);
    this.#append(this.#queries.end());
    this.#output.flush();
    this.#exit = exit;
    // A shell that exits during a command leaves it unfinished; the command of a tool's terminal ends with its
    // program.
    if (this.isForTool) this.#finish(exit.exitCode);
    this.#commit({ type: 'terminal/exited', exitCode: exit.exitCode });
    for (const listener of this.#onExit.splice(0)) listener(exit);
  }

  get #state(): TerminalState {
    return this.channel.state;
  }
}
