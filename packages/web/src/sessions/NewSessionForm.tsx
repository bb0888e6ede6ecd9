import { type Client, RpcError, randomId } from '@moorage/client';
import {
  AhpErrorCodes,
  type AuthRequiredErrorData,
  fileUri,
  type ModelSelection,
  type ProtectedResourceMetadata,
  primaryDirectory,
  type SessionSummary,
  sessionUri,
} from '@moorage/protocol';
import { useState } from 'react';
import { chooseModel } from '../chat/draft-sharing.js';
import { sendDraft } from '../chat/send.js';
import { useClient } from '../connection/context.js';
import { useChannel } from '../connection/use-channel.js';
import { TokenForm } from '../customizations/TokenForm.js';
import { Markdown } from '../markdown/Markdown.js';
import { pathOf } from '../ui/format.js';
import { isTouchScreen } from '../ui/pointer.js';
import { sentenceOf } from '../ui/sentence.js';
import { showFailure } from '../ui/toasts.js';
import { ConfigFields } from './ConfigFields.js';
import { FolderField } from './FolderField.js';
import { modifiedAt } from './order.js';
import { resolveConfig, suggestIn, useSessionConfig } from './use-session-config.js';

interface Props {
  readonly sessions: readonly SessionSummary[];
  readonly onClose: () => void;
  readonly onCreated: (uri: string) => void;
}

/** Chooses agent, model and folder, and the settings that the host declares for them. */
export function NewSessionForm({ sessions, onClose, onCreated }: Props) {
  const client = useClient();
  const { state: root } = useChannel('root', 'ahp-root://');
  const [provider, setProvider] = useState<string>();
  const [model, setModel] = useState('');
  const [folder, setFolder] = useState(() => suggestedFolders(client.hostInfo.defaultDirectory, sessions)[0] ?? '');
  const [config, setConfig] = useState<Readonly<Record<string, unknown>>>({});
  const [message, setMessage] = useState('');
  const [problem, setProblem] = useState<string>();
  const [needed, setNeeded] = useState<readonly ProtectedResourceMetadata[]>([]);
  const [busy, setBusy] = useState(false);
  const agents = root?.agents ?? [];
  const agent = agents.find((candidate) => candidate.provider === provider) ?? agents[0];
  const workingDirectory = folder.trim() ? fileUri(folder.trim()) : '';
  const context = { provider: agent?.provider ?? '', workingDirectory, config };
  const settings = useSessionConfig(context);

  /** Drops values that depend on the folder, such as a branch, because they mean nothing in another. */
  const forgetFound = () =>
    setConfig((now) =>
      Object.fromEntries(Object.entries(now).filter(([key]) => !settings?.schema.properties[key]?.enumDynamic)),
    );
  const create = async () => {
    const channel = sessionUri.format(randomId());
    const chosen = agent?.models.find(({ id }) => id === model);
    setBusy(true);
    try {
      // Resolves the settings once more, because those shown may be for earlier values of the form.
      const values = (await resolveConfig(client, context))?.values ?? config;
      await client.request('createSession', {
        channel,
        ...(agent && { provider: agent.provider }),
        ...(workingDirectory && { workingDirectories: [workingDirectory] }),
        ...(Object.keys(values).length > 0 && { config: { ...values } }),
      });
      onCreated(channel);
      if (message.trim() || chosen) showFailure(begin(client, channel, message, chosen));
    } catch (error) {
      setProblem(sentenceOf(error));
      setNeeded(neededTokens(error));
      setBusy(false);
    }
  };

  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <label className="field">
        <span>First message</span>
        <textarea
          data-autofocus
          rows={3}
          placeholder="What should the agent do? You can also write it later."
          value={message}
          onChange={(event) => setMessage(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || isTouchScreen()) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
        />
      </label>
      <label className="field">
        <span>Agent</span>
        <select
          value={agent?.provider ?? ''}
          onChange={(event) => {
            setProvider(event.target.value);
            setModel('');
            setConfig({});
          }}
        >
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
        onChange={(path) => {
          setFolder(path);
          forgetFound();
        }}
      />
      {settings && (
        <ConfigFields
          schema={settings.schema}
          values={{ ...settings.values, ...config }}
          suggest={suggestIn(client, context)}
          onChange={(key, value) => setConfig((now) => withValue(now, key, value))}
        />
      )}
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {needed.map((resource) => (
        <TokenForm
          key={resource.resource}
          resource={resource}
          onGiven={() => {
            setNeeded((now) => now.filter((other) => other !== resource));
            setProblem(undefined);
          }}
        />
      ))}
      <div className="form-end">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button type="submit" className="button primary" disabled={busy}>
          Start session
        </button>
      </div>
    </form>
  );
}

/** Chooses the model in the session that the form made, and sends its message, if there is one. */
async function begin(client: Client, channel: string, text: string, model: ModelSelection | undefined): Promise<void> {
  const session = await client.session(channel);
  const chat = session.confirmed.defaultChat;
  session.release();
  if (chat === undefined) return;
  const mirror = await client.chat(chat);
  try {
    if (model) await chooseModel(mirror, { id: model.id });
    if (text.trim()) await sendDraft(mirror, 'queued', { text, attachments: [] });
  } finally {
    mirror.release();
  }
}

/** The resources for which the agent needs a token before it can start. */
function neededTokens(error: unknown): readonly ProtectedResourceMetadata[] {
  if (!(error instanceof RpcError) || error.code !== AhpErrorCodes.AuthRequired) return [];
  return (error.data as AuthRequiredErrorData | undefined)?.resources ?? [];
}

/** Removes a setting whose value is undefined, so that the host's default applies again. */
function withValue(config: Readonly<Record<string, unknown>>, key: string, value: unknown) {
  const { [key]: _, ...others } = config;
  return value === undefined ? others : { ...others, [key]: value };
}

/** The host's default folder first, then those of earlier sessions. */
function suggestedFolders(ownFolder: string | undefined, sessions: readonly SessionSummary[]): string[] {
  const used = [...sessions].sort((a, b) => modifiedAt(b) - modifiedAt(a)).map(primaryDirectory);
  const uris = [ownFolder, ...used].filter((uri) => uri !== undefined && uri !== null);
  return [...new Set(uris.map(pathOf))];
}
