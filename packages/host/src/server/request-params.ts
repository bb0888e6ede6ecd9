import {
  AUTOMATIONS_URI,
  chatUri,
  command,
  type RequestRow,
  ROOT_URI,
  type RpcParams,
  terminalUri,
} from '@moorage/protocol';
import { invalidParams } from '../core/errors.js';
import { isSessionUri } from '../core/session-uri.js';

/** Returns the parameters if they fit the schema and channel rule of the method; throws an RpcError otherwise. */
export function checkedParams(row: RequestRow, params: RpcParams): unknown {
  const problem = command(row.params).explain(params);
  if (problem) throw invalidParams(`params${problem.path}: expected ${problem.expected}`);
  const { channel } = params as { channel: string };
  const expected = channelProblem(row, channel);
  if (expected) throw invalidParams(`params/channel: expected ${expected}`);
  return params;
}

/** What was expected instead of this channel; undefined when the channel fits the request (OQ-16). */
function channelProblem({ channel: rule }: RequestRow, channel: string): string | undefined {
  if (rule === 'root' && channel !== ROOT_URI) return `"${ROOT_URI}"`;
  if (rule === 'automation' && channel !== AUTOMATIONS_URI) return `"${AUTOMATIONS_URI}"`;
  if (rule === 'session' && !isSessionUri(channel)) return 'the URI of a session, such as "ahp-session:/<uuid>"';
  if (rule === 'chat' && !chatUri.matches(channel)) return 'the URI of a chat, such as "ahp-chat:/<uuid>"';
  if (rule === 'terminal' && !terminalUri.matches(channel))
    return 'the URI of a terminal, such as "ahp-terminal:/<uuid>"';
  return undefined;
}
