import { type Annotation, placeNow } from '@moorage/protocol';
import { useState } from 'react';
import { plainText } from '../markdown/Text.js';
import { Dialog } from '../ui/Dialog.js';
import { pathInFolders, plural } from '../ui/format.js';
import { visible } from '../ui/visible.js';
import { describeLines, linesIn } from './lines.js';
import { DEFAULT_MESSAGE } from './send-comments.js';
import { isOutdated } from './threads.js';

interface Props {
  readonly annotations: readonly Annotation[];
  readonly folders: readonly string[] | undefined;
  /** Undefined if there is no chat to send them to, or the person may not send. */
  readonly onSend: ((annotations: readonly Annotation[], words: string) => void) | undefined;
  readonly onShow: (annotation: Annotation) => void;
  readonly onClose: () => void;
}

/** Lists all comments of the session, also on files outside this changeset, and sends a selection of them to the agent. */
export function CommentsDialog({ annotations, folders, onSend, onShow, onClose }: Props) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [words, setWords] = useState('');
  const open = annotations.filter(({ resolved }) => !resolved);
  const settled = annotations.length - open.length;
  const chosen = open.filter(({ id }) => !left.has(id));
  const toggle = (id: string) => {
    const next = new Set(left);
    if (!next.delete(id)) next.add(id);
    setLeft(next);
  };
  return (
    <Dialog title="Comments" className="comments-dialog" onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          onSend?.(chosen, words);
          onClose();
        }}
      >
        <ul className="comment-rows">
          {open.map((annotation) => (
            <li key={annotation.id} className="comment-row">
              {onSend && (
                <input
                  type="checkbox"
                  aria-label={`Send the comment on ${whereOf(annotation, folders)}`}
                  checked={!left.has(annotation.id)}
                  onChange={() => toggle(annotation.id)}
                />
              )}
              <button type="button" className="comment-show" onClick={() => onShow(annotation)}>
                <bdi className="comment-where">{whereOf(annotation, folders)}</bdi>
                {isOutdated(annotation) && <span className="tag">outdated</span>}
                <span className="comment-words" dir="auto">
                  {visible(plainText(annotation.entries[0]?.text))}
                </span>
                {annotation.entries.length > 1 && (
                  <span className="quiet">{plural(annotation.entries.length - 1, 'reply', 'replies')}</span>
                )}
              </button>
            </li>
          ))}
        </ul>
        {open.length === 0 && <p className="quiet">No open comments.</p>}
        {settled > 0 && <p className="quiet">{plural(settled, 'comment')} resolved.</p>}
        {onSend && open.length > 0 && (
          <>
            <label className="field">
              <span>Message</span>
              <input
                type="text"
                placeholder={DEFAULT_MESSAGE}
                value={words}
                onChange={(event) => setWords(event.target.value)}
              />
            </label>
            <div className="form-end">
              <button type="submit" className="button primary" disabled={chosen.length === 0}>
                Send {plural(chosen.length, 'comment')} to the agent
              </button>
            </div>
          </>
        )}
      </form>
    </Dialog>
  );
}

function whereOf(annotation: Annotation, folders: readonly string[] = []): string {
  const { resource, range } = placeNow(annotation) ?? annotation;
  const path = visible(pathInFolders(resource, folders));
  if (!range) return path;
  const { from, to } = linesIn(range);
  return `${path}, ${describeLines(from, to)}`;
}
