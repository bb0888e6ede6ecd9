import type { ToolCallPendingResultConfirmationState } from '@moorage/protocol';
import { useRights } from '../connection/rights.js';
import { showFailure } from '../ui/toasts.js';
import { useChat } from './context.js';

/** Asks whether the agent may see a tool's result. */
export function ResultConfirmation({ call, turnId }: { call: ToolCallPendingResultConfirmationState; turnId: string }) {
  const { mirror } = useChat();
  const lacking = useRights().lacks('steer');
  const answer = (approved: boolean) =>
    showFailure(
      mirror.dispatch({ type: 'chat/toolCallResultConfirmed', turnId, toolCallId: call.toolCallId, approved }),
    );
  return (
    <section className="confirmation" aria-label="Result">
      <h3>May the agent see this result?</h3>
      {lacking ? (
        <p className="quiet">Somebody else has to answer. {lacking}</p>
      ) : (
        <div className="confirmation-options">
          <button type="button" className="button primary" onClick={() => answer(true)}>
            Yes
          </button>
          <button type="button" className="button" onClick={() => answer(false)}>
            No
          </button>
        </div>
      )}
    </section>
  );
}
