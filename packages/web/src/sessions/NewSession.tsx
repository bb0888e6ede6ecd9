import type { SessionSummary } from '@ahpd/protocol';
import { useState } from 'react';
import { useClient } from '../connection/context.js';
import { useChannel } from '../connection/use-channel.js';
import { Markdown } from '../markdown/Markdown.js';
import { Dialog } from '../ui/Dialog.js';
import { fileUriOf, pathOf } from '../ui/format.js';
import { sentenceOf } from '../ui/sentence.js';
import { ConfigFields } from './ConfigFields.js';
import { FolderField } from './FolderField.js';
import { useSessionConfig } from './use-session-config.js';

interface Props {
  readonly sessions: readonly SessionSummary[];
  readonly onClose: () => void;
  readonly onCreated: (uri: string) => void;
}

export function NewSession({ sessions, onClose, onCreated }: Props) {
  const client = useClient();
  const { state: root } = useChannel('root', 'ahp-root://');
  const [provider, setProvider] = useState<string>();
  const [model, setModel] = useState('');
  const [folder, setFolder] = useState(() => suggestedFolders(client.hostInfo.defaultDirectory, sessions)[0] ?? '');
  const [config, setConfig] = useState<Record<string, unknown>>({});
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const agents = root?.agents ?? [];
  const agent = agents.find((candidate) => candidate.provider === provider) ?? agents[0];
  const workingDirectory = folder.trim() ? fileUriOf(folder.trim()) : '';
  const settings = useSessionConfig(agent?.provider ?? '', workingDirectory, config);

  const create = async () => {
    const channel = `ahp-session:/${crypto.randomUUID()}`;
    const chosen = agent?.models.find(({ id }) => id === model);
    setBusy(true);
    try {
      await client.request('createSession', {
        channel,
        ...(agent && { provider: agent.provider }),
        ...(chosen && { model: { id: chosen.id } }),
        ...(workingDirectory && { workingDirectory }),
        ...(Object.keys(config).length > 0 && { config }),
      });
      onCreated(channel);
    } catch (error) {
      setProblem(sentenceOf(error));
      setBusy(false);
    }
  };

  return (
    <Dialog title="New session" onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <label className="field">
          <span>Agent</span>
          <select value={agent?.provider ?? ''} onChange={(event) => setProvider(event.target.value)}>
            {agents.map(({ provider: id, displayName }) => (
              <option key={id} value={id}>
                {displayName}
              </option>
            ))}
          </select>
        </label>
        {agent?.description && (
          <div className="quiet">
            <Markdown text={agent.description} />
          </div>
        )}
        {agent && agent.models.length > 1 && (
          <label className="field">
            <span>Model</span>
            <select value={model} onChange={(event) => setModel(event.target.value)}>
              <option value="">Default</option>
              {agent.models.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        <FolderField
          value={folder}
          known={suggestedFolders(client.hostInfo.defaultDirectory, sessions)}
          onChange={setFolder}
        />
        {settings && (
          <ConfigFields
            schema={settings.schema}
            values={{ ...settings.values, ...config }}
            onChange={(key, value) => setConfig((now) => ({ ...now, [key]: value }))}
          />
        )}
        {problem && (
          <p className="problem" role="alert">
            {problem}
          </p>
        )}
        <div className="form-end">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" data-autofocus className="button primary" disabled={busy || !agent}>
            Start session
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** The host's own folder first, then those of earlier sessions. */
function suggestedFolders(ownFolder: string | undefined, sessions: readonly SessionSummary[]): string[] {
  const used = [...sessions].sort((a, b) => b.modifiedAt - a.modifiedAt).map((session) => session.workingDirectory);
  const uris = [ownFolder, ...used].filter((uri) => uri !== undefined && uri !== null);
  return [...new Set(uris.map(pathOf))];
}
