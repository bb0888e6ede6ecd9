import { agentStatuses, fileUri, type ProtectedResourceMetadata } from '@moorage/protocol';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { AttachButton } from '../chat/AttachButton.js';
import { DraftAttachments } from '../chat/DraftAttachments.js';
import { useDraft } from '../chat/drafts.js';
import { useAttaching } from '../chat/use-attaching.js';
import { useFitHeight } from '../chat/use-fit-height.js';
import { useClient } from '../connection/context.js';
import type { ListedSession } from '../connection/session-board.js';
import { useChannel } from '../connection/use-channel.js';
import { TokenForm } from '../customizations/TokenForm.js';
import { Markdown } from '../markdown/Markdown.js';
import { focusComposer } from '../ui/focus.js';
import { Icon } from '../ui/Icon.js';
import { isTouchScreen } from '../ui/pointer.js';
import { sentenceOf } from '../ui/sentence.js';
import { showFailure } from '../ui/toasts.js';
import { AgentsDialog } from './AgentsDialog.js';
import { ChoiceChip } from './ChoiceChip.js';
import { ConfigFields } from './ConfigFields.js';
import { EarlierSessions } from './EarlierSessions.js';
import { FolderChip } from './FolderChip.js';
import { createSession, neededTokens, recentFolders, sendFirst } from './new-session.js';
import { SettingChips, settingsBeside } from './SettingChips.js';
import { suggestIn, useSessionConfig } from './use-session-config.js';

interface Props {
  /** Names the draft: one for each host. */
  readonly id: string;
  readonly sessions: readonly ListedSession[];
  /** Chips before the others. */
  readonly children?: ReactNode;
  readonly onCreated: (uri: string) => void;
}

/** The first message of a session that does not exist yet, and below it what the session will be. */
export function Prompt({ id, sessions, children, onCreated }: Props) {
  const client = useClient();
  const { state: root } = useChannel('root', 'ahp-root://');
  const box = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useDraft(id);
  const { over, onDrag, onPaste, attach } = useAttaching(draft, setDraft);
  const [provider, setProvider] = useState<string>();
  const [model, setModel] = useState('');
  const folders = recentFolders(client.hostInfo.defaultDirectory, sessions);
  const [folder, setFolder] = useState(folders[0] ?? '');
  const [config, setConfig] = useState<Readonly<Record<string, unknown>>>({});
  const [agentsOpen, setAgentsOpen] = useState(false);
  const [settingsOpen, setSettingsOpen] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [needed, setNeeded] = useState<readonly ProtectedResourceMetadata[]>([]);
  const [busy, setBusy] = useState(false);
  useFitHeight(box, draft.text);
  useEffect(() => {
    if (document.activeElement === document.body) focusComposer();
  }, []);
  const agents = root?.agents ?? [];
  const statuses = root ? agentStatuses(root) : [];
  const isOnlyDemo = statuses.every(({ provider: each, state }) => each === 'demo' || state !== 'ready');
  const agent = agents.find((candidate) => candidate.provider === provider) ?? agents[0];
  const context = {
    provider: agent?.provider ?? '',
    workingDirectory: folder.trim() ? fileUri(folder.trim()) : '',
    config,
  };
  const settings = useSessionConfig(context);
  const values = { ...settings?.values, ...config };
  const others = settings && settingsBeside(settings.schema, values);
  const isMissing = others?.required?.some((key) => values[key] === undefined) ?? false;
  const isEmpty = !draft.text.trim() && draft.attachments.length === 0;
  const change = (key: string, value: unknown) => setConfig((now) => withValue(now, key, value));

  const send = async () => {
    if (isEmpty || busy) return;
    setBusy(true);
    try {
      const channel = await createSession(client, context, draft.text);
      setDraft({ text: '', attachments: [] });
      onCreated(channel);
      const chosen = agent?.models.find((candidate) => candidate.id === model);
      showFailure(sendFirst(client, channel, { draft, model: chosen, writtenAt: id }));
    } catch (error) {
      setProblem(sentenceOf(error));
      setNeeded(neededTokens(error));
      setBusy(false);
    }
  };

  return (
    <>
      <form
        className="composer"
        aria-label="New session"
        data-over={over || undefined}
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
        {...onDrag}
      >
        <DraftAttachments draft={draft} onChange={setDraft} />
        <textarea
          ref={box}
          rows={3}
          aria-label="First message"
          placeholder="Describe the task. Drop files, or paste a picture."
          value={draft.text}
          onChange={(event) => setDraft((now) => ({ ...now, text: event.target.value }))}
          onPaste={onPaste}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || isTouchScreen()) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
        />
        <div className="composer-row">
          <AttachButton onFiles={(files) => void attach(files)} />
          <span className="composer-hint">Enter starts the session</span>
          <button type="submit" className="button primary" disabled={isEmpty || busy}>
            {busy ? 'Starting…' : 'Start session'}
          </button>
        </div>
      </form>
      <fieldset className="choice-chips">
        <legend className="visually-hidden">What the session will be</legend>
        {children}
        <ChoiceChip
          label="Agent"
          icon="bot"
          value={agent?.provider ?? ''}
          options={statuses
            .filter((status) => agents.some((each) => each.provider === status.provider))
            .map(({ provider: value, displayName, state }) => ({
              value,
              label: state === 'ready' ? displayName : `${displayName} (${state})`,
            }))}
          onChange={(chosen) => {
            setProvider(chosen);
            setModel('');
            setConfig({});
          }}
        />
        {root && (
          <button type="button" className="choice-chip" onClick={() => setAgentsOpen(true)}>
            {isOnlyDemo ? 'Set up an agent' : 'Agents…'}
          </button>
        )}
        {agent && agent.models.length > 1 && (
          <ChoiceChip
            label="Model"
            icon="chip"
            value={model}
            options={[
              { value: '', label: 'Default model' },
              ...agent.models.map(({ id: value, name: label }) => ({ value, label })),
            ]}
            onChange={setModel}
          />
        )}
        <FolderChip
          value={folder}
          recent={folders}
          onChange={(path) => {
            setFolder(path);
            // What depends on the folder, such as a branch, means nothing in another one.
            setConfig((now) => withoutKeys(now, (key) => settings?.schema.properties[key]?.enumDynamic === true));
          }}
        />
        {settings && (
          <SettingChips
            schema={settings.schema}
            values={values}
            suggest={suggestIn(client, context)}
            onChange={change}
          />
        )}
        {(agent?.description || (others && Object.keys(others.properties).length > 0)) && (
          <button
            type="button"
            className="choice-chip"
            aria-expanded={settingsOpen || isMissing}
            onClick={() => setSettingsOpen(!settingsOpen)}
          >
            <Icon name="sliders" />
            Settings
          </button>
        )}
        {agent && (
          <EarlierSessions
            provider={agent.provider}
            agentName={agent.displayName}
            workingDirectory={context.workingDirectory}
            onCreated={onCreated}
          />
        )}
      </fieldset>
      {agentsOpen && root && <AgentsDialog root={root} onClose={() => setAgentsOpen(false)} />}
      {(settingsOpen || isMissing) && (
        <div className="form prompt-settings">
          {agent?.description && (
            <div className="quiet">
              <Markdown text={agent.description} />
            </div>
          )}
          {others && (
            <ConfigFields schema={others} values={values} suggest={suggestIn(client, context)} onChange={change} />
          )}
        </div>
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
    </>
  );
}

/** Removes a setting whose value is undefined, so that the host's default applies again. */
function withValue(config: Readonly<Record<string, unknown>>, key: string, value: unknown) {
  const others = withoutKeys(config, (other) => other === key);
  return value === undefined ? others : { ...others, [key]: value };
}

function withoutKeys(config: Readonly<Record<string, unknown>>, isUnwanted: (key: string) => boolean) {
  return Object.fromEntries(Object.entries(config).filter(([key]) => !isUnwanted(key)));
}
