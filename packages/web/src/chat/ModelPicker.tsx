import type { Mirror } from '@moorage/client';
import { type ChatState, type SessionState, selectionOf } from '@moorage/protocol';
import { useChannel } from '../connection/use-channel.js';
import { showFailure } from '../ui/toasts.js';
import { chooseModel } from './draft-sharing.js';

interface Props {
  readonly session: SessionState;
  readonly state: ChatState;
  readonly mirror: Mirror<'chat'>;
}

/** Chooses the model of the next message. */
export function ModelPicker({ session, state, mirror }: Props) {
  const { state: root } = useChannel('root', 'ahp-root://');
  const agent = root?.agents.find(({ provider }) => provider === session.provider);
  if (!agent || agent.models.length === 0)
    return <span className="model">{agent?.displayName ?? session.provider}</span>;
  const current = selectionOf(state).model?.id ?? '';
  if (agent.models.length === 1)
    return (
      <span className="model">
        {agent.displayName} · {agent.models[0]?.name}
      </span>
    );
  return (
    <select
      className="model"
      aria-label="Model"
      value={current}
      onChange={({ target }) => showFailure(chooseModel(mirror, { id: target.value }))}
    >
      {current === '' && <option value="">Default model</option>}
      {agent.models.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
