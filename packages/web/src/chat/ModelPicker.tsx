import type { SessionState } from '@ahpd/protocol';
import { useClient } from '../connection/context.js';
import { useChannel } from '../connection/use-channel.js';
import { orTell } from '../ui/toasts.js';

/** The model of a session. A change while a turn runs counts from the next one on. */
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
        orTell(client.dispatch(summary.resource, { type: 'session/modelChanged', model: { id: target.value } }))
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
