import type { SpawnedChat } from '@moorage/host/ports';
import type { ToolResultContent } from '@moorage/protocol';
import { abortable } from '../../shared/abortable.js';
import type { StepOf } from '../script/step.js';
import type { ScriptRun } from './script-run.js';
import { ToolCall } from './tool-call.js';

/** Characters of the title of a sub-agent's chat: the start of its message. */
const MAX_TITLE_CHARS = 60;

export async function runSpawn({ message }: StepOf<'spawn'>, run: ScriptRun): Promise<void> {
  const title = titleOf(message);
  const call = new ToolCall(run, {
    name: 'spawn',
    displayName: 'Sub-agent',
    kind: 'subagent',
    now: `Ask a sub-agent: ${title}`,
    past: `Asked a sub-agent: ${title}`,
    failed: `The sub-agent failed: ${title}`,
    input: JSON.stringify({ message }, undefined, 2),
  });
  call.running();
  let spawned: SpawnedChat;
  try {
    spawned = await abortable(run.turn.signal, run.turn.spawn({ toolCallId: call.id, title, message }));
  } catch (error) {
    run.turn.signal.throwIfAborted();
    return call.fail(error instanceof Error ? error.message : 'The sub-agent could not be started.', 'spawnFailed');
  }
  finish(call, title, spawned);
}

function finish(call: ToolCall, title: string, { chat, outcome, text }: SpawnedChat): void {
  const content: ToolResultContent[] = [{ type: 'subagent', resource: chat, title }];
  if (text !== '') content.push({ type: 'text', text });
  if (outcome.kind === 'complete') call.succeed(content);
  else if (outcome.kind === 'cancelled') call.fail('The sub-agent was cancelled.', 'cancelled', content);
  else call.fail(outcome.error.message, outcome.error.errorType, content);
}

function titleOf(message: string): string {
  const line = message.trim().split('\n', 1)[0] ?? '';
  return line.length > MAX_TITLE_CHARS ? `${line.slice(0, MAX_TITLE_CHARS)}…` : line;
}
