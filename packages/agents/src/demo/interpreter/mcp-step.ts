import { abortable } from '../../shared/abortable.js';
import type { StepOf } from '../script/step.js';
import { sayDenied } from './denied.js';
import type { ScriptRun } from './script-run.js';

/** The host shows the call from start to end, and asks the user if necessary. */
export async function runMcp({ server, tool, input }: StepOf<'mcp'>, run: ScriptRun): Promise<void> {
  const { turn, chat, voice } = run;
  const isAllowed = (await abortable(turn.signal, chat.autoMode())) === 'all';
  const toolCallId = run.nextId();
  run.saveProgress();
  const outcome = await abortable(turn.signal, turn.callMcpTool({ toolCallId, server, name: tool, input, isAllowed }));
  if (outcome.kind === 'denied') return sayDenied(outcome.decision, `Call ${tool} of ${server}`, run);
  const { success, error } = outcome.result;
  if (!success) await voice.say(`The tool ${tool} of ${server} failed: ${error?.message ?? 'it does not say why'}`);
}
