import type { SessionState } from '@moorage/protocol';
import { useClient } from '../connection/context.js';
import { useChannel } from '../connection/use-channel.js';
import { showFailure } from '../ui/toasts.js';

/** Chooses the model of a session. A change while a turn runs takes effect with the next turn. */
export function ModelPicker({ session: { summary } }: { readonly session: SessionState }) {
  const client = useClient();
  const { state: root } = useChannel('root', 'ahp-root://');
  const agent = root?.agents.find(({ provider }) => provider === summary.provider);
  if (!agent || agent.models.length === 0)
    return <span className="model">{agent?.displayName ?? summary.provider}</span>;
  const current = summary.model?.id ?? '';
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
      onChange={({ target }) =>
        showFailure(client.dispatch(summary.resource, { type: 'session/modelChanged', model: { id: target.value } }))
      }
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
