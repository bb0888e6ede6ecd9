import type { ToolCallState } from '@moorage/protocol';
import { colour } from '../output/out.js';
import { plainLine, sentence } from '../output/plain.js';

/** What a call does, in one line. */
export function titleOf(call: ToolCallState, paint: (name: string) => string = colour.bold): string {
  const name = paint(plainLine(call.displayName || call.toolName));
  const message = call.invocationMessage === undefined ? '' : sentence(call.invocationMessage);
  return message === '' || message === plainLine(call.displayName) ? name : `${name}: ${message}`;
}

/** How a call ended, in one line; undefined while it has not. */
export function endOf(call: ToolCallState): string | undefined {
  if (call.status === 'completed') {
    if (call.success) return `${colour.green('done')} ${sentence(call.pastTenseMessage)}`;
    return `${colour.red('failed')} ${plainLine(call.error?.message ?? sentence(call.pastTenseMessage))}`;
  }
  if (call.status !== 'cancelled') return undefined;
  const why = call.reasonMessage === undefined ? '' : ` ${sentence(call.reasonMessage)}`;
  return `${colour.yellow(call.reason === 'skipped' ? 'skipped' : 'denied')}${why}`;
}
