import type { Mirror } from '@moorage/client';
import type { ChatState } from '@moorage/protocol';
import { useRights } from '../connection/rights.js';
import { PersonName, personIn } from '../people/PersonName.js';
import { IconButton } from '../ui/IconButton.js';
import { showFailure } from '../ui/toasts.js';

/** Messages that the agent has not read yet: one that steers the running turn, and those queued for later turns. */
export function PendingMessages({ state, mirror }: { readonly state: ChatState; readonly mirror: Mirror<'chat'> }) {
  const canChange = useRights().may('steer');
  const queued = state.queuedMessages ?? [];
  const steering = state.steeringMessage;
  if (!steering && queued.length === 0) return null;
  const remove = (kind: 'steering' | 'queued', id: string) =>
    showFailure(mirror.dispatch({ type: 'chat/pendingMessageRemoved', kind, id }));
  const moveUp = (index: number) => {
    const order = queued.map(({ id }) => id);
    const [id] = order.splice(index, 1);
    if (id !== undefined) order.splice(index - 1, 0, id);
    showFailure(mirror.dispatch({ type: 'chat/queuedMessagesReordered', order }));
  };
  return (
    <ul className="pending" aria-label="Waiting messages">
      {steering && (
        <li className="pending-row">
          <span className="pending-kind">Steering</span>
          <span className="pending-text">{steering.message.text}</span>
          <PersonName name={personIn(steering.message)} />
          {canChange && <IconButton icon="close" label="Remove" onClick={() => remove('steering', steering.id)} />}
        </li>
      )}
      {queued.map(({ id, message }, index) => (
        <li key={id} className="pending-row">
          <span className="pending-kind">Next{queued.length > 1 && ` ${index + 1}`}</span>
          <span className="pending-text">{message.text}</span>
          <PersonName name={personIn(message)} />
          {canChange && index === 0 && !state.activeTurn && (
            // After a stopped or failed turn, the queue pauses; setting a message again resumes it.
            <button
              type="button"
              className="link"
              onClick={() =>
                showFailure(mirror.dispatch({ type: 'chat/pendingMessageSet', kind: 'queued', id, message }))
              }
            >
              Send now
            </button>
          )}
          {canChange && index > 0 && <IconButton icon="up" label="Move up" onClick={() => moveUp(index)} />}
          {canChange && <IconButton icon="close" label="Remove" onClick={() => remove('queued', id)} />}
        </li>
      ))}
    </ul>
  );
}
