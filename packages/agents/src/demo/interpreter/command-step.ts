import type { TerminalOutcome, ToolDecision } from '@moorage/host/ports';
import { strict, type ToolResultContent, type Validator } from '@moorage/protocol';
import { Type } from '@moorage/protocol/internal';
import { abortable } from '../../shared/abortable.js';
import { parseEdited } from '../../shared/edited-input.js';
import { plainText } from '../../shared/plain-text.js';
import { ToolProblem } from '../../shared/tool-problem.js';
import type { StepOf } from '../script/step.js';
import { sayDenied } from './denied.js';
import type { ScriptTerminal } from './ports.js';
import type { ScriptRun } from './script-run.js';
import { ToolCall, type ToolWords } from './tool-call.js';

/** Runs a command in a terminal of the host, where everybody can watch it. Its exit is the result of the call. */
export async function runCommand({ command }: StepOf<'run'>, run: ScriptRun): Promise<void> {
  const call = new ToolCall(run, wordsFor(command));
  await call.streamInput();
  if (!run.resumed && (await abortable(run.turn.signal, run.chat.autoMode())) === 'all') {
    call.running('setting');
    return execute(call, command, run);
  }
  const decision = await confirm(call, run);
  if (!decision.approved) return sayDenied(decision, call.words.now, run);
  try {
    const approved = decision.toolInput === undefined ? command : readEdited(decision.toolInput);
    call.reword(wordsFor(approved));
    await execute(call, approved, run);
  } catch (error) {
    call.failWith(error);
  }
}

async function execute(call: ToolCall, command: string, run: ScriptRun): Promise<void> {
  const { signal } = run.turn;
  const title = call.words.now;
  let terminal: ScriptTerminal;
  try {
    terminal = await abortable(signal, run.turn.createTerminal({ toolCallId: call.id, command, title }));
  } catch (error) {
    signal.throwIfAborted();
    return call.fail(error instanceof Error ? error.message : 'The terminal could not be opened.', 'terminalFailed');
  }
  const shown: ToolResultContent = { type: 'terminal', resource: terminal.resource, title };
  call.show([shown]);
  const outcome = await abortable(signal, terminal.wait());
  const { output } = await abortable(signal, terminal.output());
  const text = plainText(output).slice(-MAX_RESULT_CHARS);
  terminal.release();
  finish(call, outcome, text === '' ? [shown] : [shown, { type: 'text', text }]);
}

/** Characters of output in the result, the newest; the terminal itself has the rest. */
const MAX_RESULT_CHARS = 16 * 1024;

function finish(call: ToolCall, outcome: TerminalOutcome, content: ToolResultContent[]): void {
  switch (outcome.kind) {
    case 'detached':
      call.succeed([...content, { type: 'text', text: 'The command continues in the background.' }]);
      return;
    case 'disposed':
      call.fail('The terminal was closed.', 'terminalClosed', content);
      return;
    case 'exited':
      if (outcome.exitCode === 0) call.succeed(content);
      else call.fail(`The command ended with exit code ${outcome.exitCode}.`, 'exitCode', content);
  }
}

function confirm(call: ToolCall, run: ScriptRun): Promise<ToolDecision> {
  run.saveProgress();
  const { now, input } = call.words;
  const request = { toolCallId: call.id, invocationMessage: now, title: `${now}?`, toolInput: input, editable: true };
  return abortable(run.turn.signal, run.turn.confirm(request));
}

const EDITED: Validator<{ command: string }> = strict(Type.Object({ command: Type.String({ minLength: 1 }) }));

function readEdited(text: string): string {
  const value = parseEdited(text);
  if (EDITED.check(value)) return value.command;
  throw new ToolProblem('badInput', 'The edited input is wrong: expected an object with a command.');
}

function wordsFor(command: string): ToolWords {
  return {
    name: 'run',
    displayName: 'Run command',
    kind: 'terminal',
    now: `Run ${command}`,
    past: `Ran ${command}`,
    failed: `Could not run ${command}`,
    input: JSON.stringify({ command }, undefined, 2),
  };
}
