import type { RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk';
import type { AgentEvent, AgentTurn } from '@moorage/host/ports';
import { type Fields, fields, text } from '../../shared/untrusted.js';
import { permissionOutcome } from '../mapping/permission.js';
import type { ToolCall } from '../mapping/tool-call.js';
import type { TurnMapper } from '../mapping/turn-mapper.js';
import type { EditedFiles } from './edited-files.js';

/** What asking needs of the running turn. */
export interface ApprovalTurn {
  readonly turn: Pick<AgentTurn, 'confirm'>;
  readonly mapper: TurnMapper;
  readonly files: EditedFiles;
  emit(events: readonly AgentEvent[]): void;
}

/** A question that is open: what the user sees, and how to take it back. */
interface Open {
  readonly call: ToolCall;
  readonly shown: string;
  readonly closed: AbortController;
}

/**
 * Asks the user about tool calls. An answer counts for exactly what was shown: when the agent changes the call meanwhile,
 * the question is withdrawn and asked again, and a second request for the same call is a question of its own.
 */
export class Approvals {
  readonly #active: ApprovalTurn;
  /** By the agent's id of the call. */
  readonly #open = new Map<string, Open>();

  constructor(active: ApprovalTurn) {
    this.#active = active;
  }

  async ask(params: RequestPermissionRequest, withdrawn: AbortSignal): Promise<RequestPermissionResponse> {
    const { turn, mapper, files } = this.#active;
    const { options } = params;
    const agentId = text(fields(params.toolCall).toolCallId) ?? '';
    let toolCall: Fields = fields(params.toolCall);
    for (;;) {
      toolCall = await files.asked(toolCall, mapper.contentOf(agentId));
      this.#open.get(agentId)?.closed.abort(); // the agent asked again before this was answered
      const question = mapper.permission({ toolCall, options });
      if (!question) return CANCELLED;
      const { call, confirmation, events } = question;
      const closed = new AbortController();
      const open = { call, shown: call.question, closed };
      this.#open.set(agentId, open);
      this.#active.emit(events);
      const decision = await turn.confirm(confirmation, AbortSignal.any([withdrawn, closed.signal]));
      const isCurrent = this.#open.get(agentId) === open;
      if (isCurrent) this.#open.delete(agentId);
      if (!closed.signal.aborted) {
        call.decided(decision.approved);
        return { outcome: permissionOutcome(decision, options) };
      }
      if (!isCurrent || call.isOver) return CANCELLED;
      // What was shown is no longer what would run. A yes that came in the same moment does not count either.
      call.decided(decision.approved);
      this.#active.emit(call.close(false, CHANGED));
      toolCall = { toolCallId: agentId };
    }
  }

  /** Withdraws the questions whose calls are no longer what was shown. */
  recheck(): void {
    for (const { call, shown, closed } of this.#open.values()) {
      if (call.question !== shown || call.isOver) closed.abort();
    }
  }
}

const CANCELLED: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } };
const CHANGED = 'The agent changed what it asked for.';
