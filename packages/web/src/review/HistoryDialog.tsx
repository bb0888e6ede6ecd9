import type { Client } from '@moorage/client';
import { type HistoryFile, type HistoryStep, ROOT_URI } from '@moorage/protocol';
import { useCallback, useEffect, useState } from 'react';
import { useClient } from '../connection/context.js';
import { useRights } from '../connection/rights.js';
import { CodeBlock } from '../markdown/CodeBlock.js';
import { plainText } from '../markdown/Text.js';
import { Dialog } from '../ui/Dialog.js';
import { ageOf, capitalized, pathOf, plural, uniqueName } from '../ui/format.js';
import { Loading } from '../ui/Loading.js';
import { sentenceOf } from '../ui/sentence.js';
import { showFailure, showToast } from '../ui/toasts.js';
import { useNow } from '../ui/use-now.js';
import { visible } from '../ui/visible.js';

interface Props {
  readonly folders: readonly string[];
  /** Something that changes whenever an operation may have been done, such as what the host offers. */
  readonly revision: unknown;
  readonly onClose: () => void;
}

/** What was done to the changes of a folder, by anyone in any session: each step can be undone, redone and looked into. */
export function HistoryDialog({ folders, revision, onClose }: Props) {
  const [chosen, setChosen] = useState<string>();
  const folder = chosen ?? folders[0] ?? '';
  const client = useClient();
  const { steps, problem, more, load } = useHistory(client, folder, revision);
  const [opened, setOpened] = useState<{ readonly path: string; readonly text: string }>();
  const change = async (method: 'moorage/undoHistoryStep' | 'moorage/redoHistoryStep', step: string, path?: string) => {
    const params = { channel: ROOT_URI, folder, step, ...(path !== undefined && { path }) } as const;
    const { message, left } = await client.request(method, params);
    showToast({ tone: left.length > 0 ? 'error' : 'done', text: plainText(message) });
    await load();
  };
  const open = async ({ path, before, stagedBefore }: HistoryFile) => {
    const uri = before ?? stagedBefore;
    if (uri === undefined) return;
    const { data, encoding } = await client.request('resourceRead', { channel: ROOT_URI, uri });
    setOpened({ path, text: encoding === 'base64' ? 'Binary file.' : data });
  };
  return (
    <Dialog title="History" className="wide" onClose={onClose}>
      {folders.length > 1 && (
        <select aria-label="Folder" value={folder} onChange={({ target }) => setChosen(target.value)}>
          {folders.map((one) => (
            <option key={one} value={one}>
              {visible(uniqueName(pathOf(one), folders.map(pathOf)))}
            </option>
          ))}
        </select>
      )}
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {!steps && problem === undefined && <Loading what="the history" />}
      {steps?.length === 0 && <p className="quiet">Nothing was done in this folder that could be undone.</p>}
      <ol className="history-steps">
        {steps?.map((step) => (
          <Step
            key={step.id}
            step={step}
            onUndo={(path) => showFailure(change('moorage/undoHistoryStep', step.id, path))}
            onRedo={(path) => showFailure(change('moorage/redoHistoryStep', step.id, path))}
            onOpen={(file) => showFailure(open(file))}
          />
        ))}
      </ol>
      {more && (
        <button type="button" className="button" onClick={() => showFailure(more())}>
          Earlier
        </button>
      )}
      {opened && (
        <Dialog title={`${opened.path}, before`} className="wide" onClose={() => setOpened(undefined)}>
          <CodeBlock text={opened.text} />
        </Dialog>
      )}
    </Dialog>
  );
}

interface StepProps {
  readonly step: HistoryStep;
  readonly onUndo: (path?: string) => void;
  readonly onRedo: (path?: string) => void;
  readonly onOpen: (file: HistoryFile) => void;
}

function Step({ step, onUndo, onRedo, onOpen }: StepProps) {
  const { label, at, person, program, client, sessionTitle, undone, files, fileCount } = step;
  const now = useNow();
  const canChange = useRights().may('steer');
  const who = [person, program ?? client, sessionTitle].filter(Boolean).map((text) => visible(plainText(text)));
  return (
    <li className="history-step" aria-label={label}>
      <div className="history-head">
        <span className="history-what">{capitalized(visible(plainText(label)))}</span>
        {undone !== 'none' && <span className="tag">{undone === 'all' ? 'undone' : 'partly undone'}</span>}
        <span className="spring" />
        {canChange && undone !== 'all' && <Action name="Undo" onClick={() => onUndo()} />}
        {canChange && undone !== 'none' && <Action name="Redo" onClick={() => onRedo()} />}
      </div>
      <p className="quiet">
        {at !== undefined && `${ageOf(at, now)} · `}
        {who.join(' · ')}
      </p>
      <ul className="commit-files">
        {files.map((file) => (
          <li key={file.path} className="history-file">
            <bdi>{visible(file.path)}</bdi>
            <span className="spring" />
            {(file.before ?? file.stagedBefore) !== undefined && (
              <Action name="Open what was removed" onClick={() => onOpen(file)} />
            )}
            {canChange && fileCount > 1 && file.undone !== 'all' && (
              <Action name="Undo" onClick={() => onUndo(file.path)} />
            )}
            {canChange && fileCount > 1 && file.undone !== 'none' && (
              <Action name="Redo" onClick={() => onRedo(file.path)} />
            )}
          </li>
        ))}
        {fileCount > files.length && <li className="quiet">and {plural(fileCount - files.length, 'more file')}</li>}
      </ul>
    </li>
  );
}

function Action({ name, onClick }: { readonly name: string; readonly onClick: () => void }) {
  return (
    <button type="button" className="button" onClick={onClick}>
      {name}
    </button>
  );
}

interface History {
  readonly steps: readonly HistoryStep[] | undefined;
  readonly problem: string | undefined;
  /** Gets the next page, if there is one. */
  readonly more: (() => Promise<void>) | undefined;
  readonly load: () => Promise<void>;
}

function useHistory(client: Client, folder: string, revision: unknown): History {
  const [steps, setSteps] = useState<readonly HistoryStep[]>();
  const [cursor, setCursor] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const load = useCallback(async () => {
    try {
      const { items, nextCursor } = await client.request('moorage/listHistory', { channel: ROOT_URI, folder });
      setSteps(items);
      setCursor(nextCursor);
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  }, [client, folder]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another revision may have other steps
  useEffect(() => void load(), [load, revision]);
  const more = async () => {
    const page = await client.request('moorage/listHistory', { channel: ROOT_URI, folder, ...(cursor && { cursor }) });
    setSteps([...(steps ?? []), ...page.items]);
    setCursor(page.nextCursor);
  };
  return { steps, problem, more: cursor === undefined ? undefined : more, load };
}
