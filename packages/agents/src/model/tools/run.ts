import type { AgentTerminal, TerminalOutcome } from '@moorage/host/ports';
import type { ToolResultContent } from '@moorage/protocol';
import { Type } from '@moorage/protocol/internal';
import { abortable } from '../../shared/abortable.js';
import { plainText } from '../../shared/plain-text.js';
import { MAX_RESULT_CHARS } from '../limits.js';
import type { ModelClock } from '../options.js';
import { cutMiddle } from './cut.js';
import { defineTool, type ToolEnv, type ToolOutput } from './tool.js';

/** Seconds that a command may take before it is left to run in the background, unless the model says otherwise. */
const DEFAULT_SECONDS = 10 * 60;
const MAX_SECONDS = 60 * 60;

/** Terminals that the model can name. Older ones keep running, but only people can reach them. */
const MAX_BACKGROUND = 32;

export const runTool = defineTool({
  name: 'run',
  displayName: 'Run command',
  kind: 'terminal',
  description:
    'Runs a shell command in the workspace folder and gives its output and exit code. With `background` it goes on while you do other things; look at it with `terminal_output`, end it with `terminal_stop`.',
  parameters: Type.Object({
    command: Type.String({ minLength: 1, maxLength: 32_000 }),
    background: Type.Optional(Type.Boolean()),
    timeout_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_SECONDS })),
  }),
  prepare: ({ command, background = false, timeout_seconds = DEFAULT_SECONDS }, env, toolCallId) => {
    const shown = command.length > 200 ? `${command.slice(0, 200)}…` : command;
    return {
      words: { now: `Run ${shown}`, past: `Ran ${shown}`, failed: `Could not run ${shown}` },
      // Only exactly this command: what a longer one does cannot be told from its start.
      approval: { grant: { key: `run ${command}`, label: 'this command' } },
      run: () => execute({ command, background, seconds: timeout_seconds, title: `Run ${shown}` }, env, toolCallId),
    };
  },
});

interface Command {
  readonly command: string;
  readonly background: boolean;
  readonly seconds: number;
  readonly title: string;
}

async function execute(request: Command, env: ToolEnv, toolCallId: string): Promise<ToolOutput> {
  const { turn, clock } = env;
  const { command, title } = request;
  const terminal = await abortable(turn.signal, turn.createTerminal({ toolCallId, command, title }));
  const shown: ToolResultContent = { type: 'terminal', resource: terminal.resource, title };
  turn.emit({ kind: 'toolCallContent', toolCallId, content: [shown] });
  const outcome = request.background
    ? 'background'
    : await abortable(turn.signal, inTime(terminal, request.seconds, clock));
  const output = outputOf(terminal);
  terminal.release();
  if (typeof outcome === 'object' && outcome.kind !== 'detached') return finished(outcome, output, shown);
  const name = remember(terminal, env);
  const why = outcome === 'late' ? `It is still running after ${request.seconds} s. ` : '';
  const text = `${why}The command goes on in the background as terminal "${name}".${output && `\nOutput so far:\n${output}`}`;
  return { text, content: [shown, { type: 'text', text }] };
}

function finished(outcome: TerminalOutcome, output: string, shown: ToolResultContent): ToolOutput {
  const content: ToolResultContent[] = output === '' ? [shown] : [shown, { type: 'text', text: output }];
  if (outcome.kind !== 'exited') {
    const message = 'Somebody closed the terminal of the command.';
    return { text: `${message}\n${output}`, content, problem: { message, code: 'terminalClosed' } };
  }
  const { exitCode } = outcome;
  const text = `Exit code ${exitCode}\n${output}`;
  if (exitCode === 0) return { text, content };
  return { text, content, problem: { message: `The command ended with exit code ${exitCode}.`, code: 'exitCode' } };
}

export function outputOf(terminal: AgentTerminal): string {
  const { output, truncated } = terminal.output();
  const text = cutMiddle(plainText(output).trimEnd(), MAX_RESULT_CHARS);
  return truncated ? `[older output is missing]\n${text}` : text;
}

function inTime(terminal: AgentTerminal, seconds: number, clock: ModelClock): Promise<TerminalOutcome | 'late'> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimeout(() => resolve('late'), seconds * 1000);
    terminal
      .wait()
      .then(resolve, reject)
      .finally(() => clock.clearTimeout(timer));
  });
}

function remember(terminal: AgentTerminal, { background }: ToolEnv): string {
  const taken = [...background.keys()].map((name) => Number(name.slice(1)));
  const name = `t${Math.max(0, ...taken) + 1}`;
  background.set(name, terminal);
  const [oldest] = background.keys();
  if (background.size > MAX_BACKGROUND && oldest !== undefined) background.delete(oldest);
  return name;
}
