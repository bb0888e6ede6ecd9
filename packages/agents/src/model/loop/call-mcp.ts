import type { AgentMcpTool, AgentTurn } from '@moorage/host/ports';
import { abortable } from '../../shared/abortable.js';
import { type Approval, optionsFor, remember } from '../approval/approval.js';
import type { ChatGrants } from '../approval/grants.js';
import type { RequestedCall } from '../endpoint/answer.js';
import { type CallAnswer, denied } from '../tools/execute.js';
import { resultText } from './result-text.js';

/** Calls an MCP server's tool, with the same approvals as our own tools. The host shows the call from start to end. */
export async function callMcp(
  { input }: RequestedCall,
  { server, name }: AgentMcpTool,
  toolCallId: string,
  { turn, grants, onStart }: { turn: AgentTurn; grants: ChatGrants; onStart: () => void },
): Promise<CallAnswer> {
  const grant = { key: `mcp:${JSON.stringify([server, name])}`, label: `${name} of ${server}` };
  const approval: Approval = { grant };
  const call = turn.callMcpTool({
    toolCallId,
    server,
    name,
    input: JSON.stringify(input ?? {}, undefined, 2),
    isAllowed: grants.allows(grant.key),
    options: optionsFor(approval),
    onStart,
  });
  const outcome = await abortable(turn.signal, call);
  if (outcome.kind === 'denied') return denied(outcome.decision);
  remember(outcome.option?.id, approval, grants);
  return { text: resultText(outcome.result), isError: !outcome.result.success };
}
