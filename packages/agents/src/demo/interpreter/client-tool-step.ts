import { abortable } from '../../shared/abortable.js';
import type { StepOf } from '../script/step.js';
import type { ScriptRun } from './script-run.js';
import { ToolCall } from './tool-call.js';

/** The host shows calls of client tools from start to end. We show only a call that cannot be made. */
export async function runClientTool({ name, input }: StepOf<'tool'>, run: ScriptRun): Promise<void> {
  const offered = run.turn.clientTools.map((tool) => tool.name);
  if (!offered.includes(name)) return refuse(name, input, offered, run);
  const call = { toolCallId: run.nextId(), name, input };
  run.turn.signal.throwIfAborted();
  const result = await abortable(run.turn.signal, run.turn.callClientTool(call));
  if (!result.success)
    await run.voice.say(`The tool ${name} failed: ${result.error?.message ?? 'it does not say why'}`);
}

function refuse(name: string, input: string, offered: readonly string[], run: ScriptRun): void {
  const call = new ToolCall(run, {
    name,
    displayName: name,
    now: `Call ${name}`,
    past: `Called ${name}`,
    failed: `Could not call ${name}`,
    input,
  });
  call.running();
  const others = offered.length > 0 ? `It offers ${offered.join(', ')}.` : 'It offers no tools, or there is none.';
  call.fail(`The active client has no tool ${name}. ${others}`, 'noSuchTool');
}
