import { type Annotation, type ChangesetState, primaryDirectory } from '@moorage/protocol';
import { useContext, useMemo, useState } from 'react';
import { Counts } from '../ui/Counts.js';
import { plural } from '../ui/format.js';
import { Icon } from '../ui/Icon.js';
import { IconButton } from '../ui/IconButton.js';
import { showToast } from '../ui/toasts.js';
import { ChangesetPicker } from './ChangesetPicker.js';
import { CommentsDialog } from './CommentsDialog.js';
import type { ReviewFile } from './file.js';
import { HistoryDialog } from './HistoryDialog.js';
import { OperationList } from './OperationList.js';
import type { ReviewOptions } from './options.js';
import type { ReviewProps } from './ReviewPane.js';
import { ViewedContext } from './viewed.js';

interface Props extends ReviewProps {
  readonly state: ChangesetState | undefined;
  readonly files: readonly ReviewFile[];
  readonly options: ReviewOptions;
  readonly annotations: readonly Annotation[];
  readonly onSend: ((annotations: readonly Annotation[], words: string) => void) | undefined;
  /** Goes to the file of a comment. Returns false if it is not in this changeset. */
  readonly onShow: (annotation: Annotation) => boolean;
  readonly onOptions: (change: Partial<ReviewOptions>) => void;
}

/** The header of a review: the choice of changes, totals, progress, and operations on everything. */
export function ReviewHeader(props: Props) {
  const { uri, session, chat, state, files, options, full, annotations } = props;
  const { onSend, onShow, onOptions, onFull, onChoose, onClose } = props;
  const hasViewed = useContext(ViewedContext) !== undefined;
  const [listing, setListing] = useState(false);
  const [history, setHistory] = useState(false);
  const folder = primaryDirectory(session);
  const open = annotations.filter(({ resolved }) => !resolved);
  const total = useMemo(() => totalOf(files), [files]);
  return (
    <header className="review-head">
      <div className="review-row">
        <ChangesetPicker uri={uri} session={session} chat={chat} onChoose={onChoose} />
        <span className="spring" />
        <IconButton
          icon="expand"
          label="Full width"
          title="Full width (f)"
          className="wide-only"
          aria-pressed={full}
          onClick={onFull}
        />
        <IconButton icon="close" label="Close the review" title="Close the review (Alt R)" onClick={onClose} />
      </div>
      <div className="review-row">
        <span className="review-total">
          {state && (state.status === 'computing' ? 'Counting…' : plural(files.length, 'file'))}{' '}
          <Counts added={total.added} removed={total.removed} />
        </span>
        {hasViewed && files.length > 0 && (
          <span className="quiet">
            {total.reviewed} of {files.length} viewed
          </span>
        )}
        <span className="review-operations">
          <OperationList scope="changeset" place="all" max={3} />
        </span>
        <span className="spring" />
        {annotations.length > 0 && (
          <button type="button" className="button" onClick={() => setListing(true)}>
            <Icon name="comment" /> {open.length > 0 ? plural(open.length, 'comment') : 'Comments'}
          </button>
        )}
        {folder !== undefined && (
          <button
            type="button"
            className="button"
            title="What was done here, and undo"
            onClick={() => setHistory(true)}
          >
            History
          </button>
        )}
        <span className="review-view">
          {files.length > 1 && (
            <Toggle
              on={options.tree}
              label="Files"
              title="File tree (t)"
              onClick={() => onOptions({ tree: !options.tree })}
            />
          )}
          <Toggle
            on={options.split}
            label="Split"
            title="Side by side (d)"
            onClick={() => onOptions({ split: !options.split })}
          />
          <Toggle
            on={options.ignoreWhitespace}
            label="Hide whitespace"
            title="Hide whitespace changes (w)"
            onClick={() => onOptions({ ignoreWhitespace: !options.ignoreWhitespace })}
          />
          <Toggle
            on={options.blame}
            label="Blame"
            title="Who wrote each line"
            onClick={() => onOptions({ blame: !options.blame })}
          />
        </span>
      </div>
      {history && folder !== undefined && (
        <HistoryDialog folder={folder} revision={state?.operations} onClose={() => setHistory(false)} />
      )}
      {listing && (
        <CommentsDialog
          annotations={annotations}
          folder={folder}
          onSend={onSend}
          onShow={(annotation) => {
            setListing(false);
            if (!onShow(annotation)) showToast({ tone: 'error', text: 'That file is not in this changeset.' });
          }}
          onClose={() => setListing(false)}
        />
      )}
    </header>
  );
}

function Toggle({ on, label, title, onClick }: { on: boolean; label: string; title: string; onClick: () => void }) {
  return (
    <button type="button" className="toggle" aria-pressed={on} title={title} onClick={onClick}>
      {label}
    </button>
  );
}

function totalOf(files: readonly ReviewFile[]): { added: number; removed: number; reviewed: number } {
  const total = { added: 0, removed: 0, reviewed: 0 };
  for (const file of files) {
    total.added += file.added ?? 0;
    total.removed += file.removed ?? 0;
    if (file.reviewed) total.reviewed++;
  }
  return total;
}
