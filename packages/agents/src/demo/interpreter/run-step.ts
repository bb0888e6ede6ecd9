import { setTimeout } from 'node:timers/promises';
import type { TurnOutcome } from '@moorage/host/ports';
import { explainSteps } from '../script/help.js';
import type { Step, StepOf } from '../script/step.js';
import { runAsk } from './ask-step.js';
import { runClientTool } from './client-tool-step.js';
import { runCommand } from './command-step.js';
import { runEdit } from './edit-step.js';
import { appendTool, deleteTool, renameTool, replaceTool, writeTool } from './edit-tools.js';
import { runMcp } from './mcp-step.js';
import { runRead } from './read-step.js';
import type { ScriptRun } from './script-run.js';
import { runSpawn } from './spawn-step.js';

/** Runs one step. Returns the outcome if the turn ends with it. */
export async function runStep(step: Step, run: ScriptRun): Promise<TurnOutcome | undefined> {
  switch (step.kind) {
    case 'fail':
      return { kind: 'error', error: { errorType: 'scriptFailed', message: step.message } };
    case 'crash':
      return run.chat.crash();
    default:
      await perform(step, run);
      return undefined;
  }
}

function perform(step: Exclude<Step, StepOf<'fail' | 'crash'>>, run: ScriptRun): Promise<void> | void {
  const { voice, chat, turn } = run;
  switch (step.kind) {
    case 'say':
      return voice.say(step.text);
    case 'think':
      return voice.think(step.text);
    case 'stream':
      return voice.stream(step.count);
    case 'help':
      return voice.say(explainSteps());
    case 'invalid':
      return voice.say(describeInvalid(step));
    case 'write':
      return runEdit(writeTool, { path: step.path, text: step.text }, run);
    case 'append':
      return runEdit(appendTool, { path: step.path, text: step.text }, run);
    case 'delete':
      return runEdit(deleteTool, { path: step.path }, run);
    case 'rename':
      return runEdit(renameTool, { from: step.from, to: step.to }, run);
    case 'replace':
      return runEdit(replaceTool, { path: step.path, old: step.old, new: step.new }, run);
    case 'read':
      return runRead(step, run);
    case 'run':
      return runCommand(step, run);
    case 'mcp':
      return runMcp(step, run);
    case 'tool':
      return runClientTool(step, run);
    case 'ask':
      return runAsk(step, run);
    case 'spawn':
      return runSpawn(step, run);
    case 'title':
      return chat.setTitle(step.text);
    case 'usage':
      return voice.emit({
        kind: 'usage',
        usage: { inputTokens: step.input, outputTokens: step.output, model: 'script' },
      });
    case 'wait':
      return setTimeout(step.milliseconds, undefined, { signal: turn.signal });
    case 'auto':
      chat.setAutoMode(step.on ? 'all' : 'off');
      return voice.say(
        step.on ? "I won't ask again in this session." : 'I will ask before I change files or run commands.',
      );
  }
}

/** Characters of an invalid line that are repeated. */
const MAX_SHOWN_LINE = 80;

function describeInvalid({ line, problem, usage }: StepOf<'invalid'>): string {
  const shown = line.length > MAX_SHOWN_LINE ? `${line.slice(0, MAX_SHOWN_LINE)}…` : line;
  const hint = usage ? `Usage: \`${usage}\`` : 'A message without steps gets you the list of steps.';
  return `I cannot run \`${shown.replaceAll('`', "'")}\`: ${problem}. ${hint}`;
}
