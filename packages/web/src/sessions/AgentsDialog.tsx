import { type AgentState, type AgentStatus, agentStatuses, type RootState } from '@moorage/protocol';
import { addToConfiguration } from '../connection/add-to-configuration.js';
import { useClient } from '../connection/context.js';
import { useRights } from '../connection/rights.js';
import { AddEntry, type Launch } from '../ui/AddEntry.js';
import { CopyLine } from '../ui/CopyLine.js';
import { Dialog } from '../ui/Dialog.js';
import { capitalized } from '../ui/format.js';
import type { Mood } from '../ui/mood.js';
import { visible } from '../ui/visible.js';

interface Props {
  readonly root: RootState;
  readonly onClose: () => void;
}

/** All agents that the host has or could have: whether each can be used, and the one command that helps. */
export function AgentsDialog({ root, onClose }: Props) {
  const client = useClient();
  const { may } = useRights();
  return (
    <Dialog title="Agents" className="agents-dialog" onClose={onClose}>
      <ul className="agent-rows">
        {agentStatuses(root).map((status) => (
          <AgentRow key={status.provider} status={status} />
        ))}
      </ul>
      <p className="quiet">Run a command on the host's machine. What you install appears here by itself.</p>
      {may('admin') && (
        <details
          onToggle={({ currentTarget }) => currentTarget.open && currentTarget.scrollIntoView({ block: 'nearest' })}
        >
          <summary>Add another agent</summary>
          <p>A program that speaks the Agent Client Protocol, or the URL of a model server for the built-in agent.</p>
          <AddEntry
            command="moorage agents add"
            example={{ name: 'mine', launch: 'my-agent --acp' }}
            known={LOCAL_SERVERS}
            onAdd={(name, launch) => addToConfiguration(client, 'agents', name, agentEntry(launch))}
          />
        </details>
      )}
    </Dialog>
  );
}

/** Programs that serve models, on their usual ports. `moorage doctor` says which of them runs, and its models. */
const LOCAL_SERVERS = [
  ['ollama', 'http://127.0.0.1:11434/v1'],
  ['llama.cpp', 'http://127.0.0.1:8080/v1'],
  ['LM Studio', 'http://127.0.0.1:1234/v1'],
] as const;

/** Without `models`, the built-in agent offers those that the endpoint lists. */
function agentEntry(launch: Launch): Record<string, unknown> {
  if (launch.kind === 'address') return { type: 'model', api: 'openai', baseURL: launch.url };
  return { type: 'acp', command: launch.command, ...(launch.args.length > 0 && { args: launch.args }) };
}

function AgentRow({ status }: { readonly status: AgentStatus }) {
  const { displayName, state, description, command } = status;
  return (
    <li className="agent-row">
      <div className="agent-row-head">
        <span className="dot" data-mood={MOODS[state]} />
        <bdi className="agent-name">{visible(displayName)}</bdi>
        <span className="quiet">{capitalized(state)}</span>
      </div>
      {state !== 'ready' && state !== 'not installed' && description && (
        <p className="quiet agent-about">{visible(description)}</p>
      )}
      {command && <CopyLine text={command} />}
    </li>
  );
}

const MOODS: Readonly<Record<AgentState, Mood | 'ready'>> = {
  ready: 'ready',
  'not logged in': 'needs-you',
  'too old': 'needs-you',
  'not installed': 'idle',
  'not configured': 'idle',
  'cannot be used': 'error',
};
