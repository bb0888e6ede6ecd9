import { chatUri, command, type RequestRow, ROOT_URI, type RpcParams, terminalUri } from '@ahpd/protocol';
import { invalidParams } from '../core/errors.js';
import { isSessionUri } from '../core/session-uri.js';

/** The parameters of a request, if they are what its method asks for. */
export function checkedParams(row: RequestRow, params: RpcParams): unknown {
  const problem = command(row.params).explain(params);
  if (problem) throw invalidParams(`params${problem.path}: expected ${problem.expected}`);
  const { channel } = params as { channel: string };
  const expected = channelProblem(row, channel);
  if (expected) throw invalidParams(`params/channel: expected ${expected}`);
  return params;
}

/** What the channel of a request should have been, if it is not that (OQ-16). */
function channelProblem({ channel: rule }: RequestRow, channel: string): string | undefined {
  if (rule === 'root' && channel !== ROOT_URI) return `"${ROOT_URI}"`;
  if (rule === 'session' && !isSessionUri(channel)) return 'the URI of a session, such as "ahp-session:/<uuid>"';
  if (rule === 'chat' && !chatUri.matches(channel)) return 'the URI of a chat, such as "ahp-chat:/<uuid>"';
  if (rule === 'terminal' && !terminalUri.matches(channel))
    return 'the URI of a terminal, such as "ahp-terminal:/<uuid>"';
  return undefined;
}
