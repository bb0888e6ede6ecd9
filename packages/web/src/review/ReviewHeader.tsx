import type { Annotation, ChangesetState } from '@moorage/protocol';
import { useContext, useMemo, useState } from 'react';
import { Counts } from '../ui/Counts.js';
import { plural } from '../ui/format.js';
import { Icon } from '../ui/Icon.js';
import { IconButton } from '../ui/IconButton.js';
import { MenuButton } from '../ui/MenuButton.js';
import { showToast } from '../ui/toasts.js';
import { ChangesetPicker } from './ChangesetPicker.js';
import { CommentsDialog } from './CommentsDialog.js';
import { FinishButton } from './FinishButton.js';
import type { ReviewFile } from './file.js';
import { FINISHING } from './finishing.js';
import { HistoryDialog } from './HistoryDialog.js';
import { OperationQuestion } from './OperationQuestion.js';
import type { ReviewOptions } from './options.js';
import type { ReviewProps } from './ReviewPane.js';
import { useOperations } from './use-operations.js';
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
  readonly onSearch: () => void;
}

/** Identifies the header as the place of a confirmation. */
const PLACE = 'all';

/** The header of a review, in one row: the choice of changes, progress, how it is shown, and what can be done with it. */
export function ReviewHeader(props: Props) {
  const { uri, session, sessionUri, chat, state, files, annotations } = props;
  const { onSend, onShow, onSearch, onChoose, onClose } = props;
  const [dialog, setDialog] = useState<'comments' | 'history'>();
  const { workingDirectories: folders = [] } = session;
  const open = annotations.filter(({ resolved }) => !resolved).length;
  const close = () => setDialog(undefined);
  return (
    <header className="review-head">
      <div className="review-row">
        <ChangesetPicker uri={uri} session={session} chat={chat} onChoose={onChoose} />
        <Progress state={state} files={files} />
        <span className="spring" />
        {files.length > 0 && (
          <IconButton icon="search" label="Search the changes" title="Search the changes (/)" onClick={onSearch} />
        )}
        {annotations.length > 0 && (
          <button
            type="button"
            className="icon-button comments-button"
            aria-label={open > 0 ? plural(open, 'comment') : 'Comments'}
            title="Comments"
            onClick={() => setDialog('comments')}
          >
            <Icon name="comment" /> {open > 0 && open}
          </button>
        )}
        <ViewMenu {...props} />
        <ChangesMenu files={files} onHistory={folders.length === 0 ? undefined : () => setDialog('history')} />
        <FinishButton session={session} sessionUri={sessionUri} />
        <IconButton
          icon="close"
          label="Close the review"
          title="Close the review (Alt R)"
          className="wide-only"
          onClick={onClose}
        />
      </div>
      <OperationQuestion place={PLACE} />
      {dialog === 'history' && <HistoryDialog folders={folders} revision={state?.operations} onClose={close} />}
      {dialog === 'comments' && (
        <CommentsDialog
          annotations={annotations}
          folders={folders}
          onSend={onSend}
          onShow={(annotation) => {
            close();
            if (!onShow(annotation)) showToast({ tone: 'error', text: 'That file is not in this changeset.' });
          }}
          onClose={close}
        />
      )}
    </header>
  );
}

/** How much there is, and how much of it was viewed. */
function Progress({ state, files }: { readonly state: ChangesetState | undefined; readonly files: Props['files'] }) {
  const hasViewed = useContext(ViewedContext) !== undefined;
  const total = useMemo(() => totalOf(files), [files]);
  const isCounting = state?.status === 'computing';
  return (
    <span className="review-total">
      {hasViewed && files.length > 0 && !isCounting ? (
        <span>
          {total.reviewed.toLocaleString('en')} of {files.length.toLocaleString('en')}
          <span className="room-only"> viewed</span>
        </span>
      ) : (
        <span>{state && (isCounting ? 'Counting…' : plural(files.length, 'file'))}</span>
      )}
      <span className="room-only">
        <Counts added={total.added} removed={total.removed} />
      </span>
    </span>
  );
}

/** How the changes are shown. */
function ViewMenu({ files, options, full, onOptions, onFull }: Props) {
  const toggle = (key: keyof ReviewOptions, label: string, hint?: string) => ({
    label,
    hint,
    checked: options[key],
    run: () => onOptions({ [key]: !options[key] }),
  });
  return (
    <MenuButton
      label="View"
      className="icon-button"
      items={[
        ...(files.length > 1 ? [toggle('tree', 'Files', 't')] : []),
        toggle('split', 'Side by side', 'd'),
        toggle('ignoreWhitespace', 'Hide whitespace', 'w'),
        toggle('blame', 'Blame'),
        { label: 'Full width', hint: 'f', checked: full, run: onFull },
      ]}
    >
      <Icon name="sliders" />
    </MenuButton>
  );
}

interface ChangesMenuProps {
  readonly files: readonly ReviewFile[];
  readonly onHistory: (() => void) | undefined;
}

/** What can be done with everything that is shown, besides finishing it. */
function ChangesMenu({ files, onHistory }: ChangesMenuProps) {
  const operations = useOperations();
  const viewed = useContext(ViewedContext);
  const isFinishing = (id: string) => FINISHING.some((step) => step === id);
  // Marks have words of their own here.
  const offered = operations.of('changeset').filter(({ id }) => !isFinishing(id) && (id !== 'keep' || !viewed));
  const left = files.filter(({ reviewed }) => !reviewed);
  const mark = viewed && {
    label: left.length > 0 || files.length === 0 ? 'Mark all as viewed' : 'Mark all as not viewed',
    disabled: files.length === 0,
    run: () => viewed.setAll(left.length > 0 ? left : files, left.length > 0),
  };
  return (
    <MenuButton
      label="More"
      className="icon-button"
      items={[
        ...(mark ? [mark] : []),
        ...offered.map((operation) => ({
          label: operation.label,
          operation: operation.id,
          about: operation.status === 'disabled' ? operation.description : operation.error?.message,
          disabled: operation.status === 'disabled' || operation.status === 'running',
          run: () =>
            operation.confirmation === undefined
              ? operations.invoke(operation)
              : operations.ask({ operation, target: undefined, place: PLACE }),
        })),
        ...(onHistory ? [{ label: 'History', about: 'What was done in this folder', run: onHistory }] : []),
      ]}
    >
      <Icon name="more" />
    </MenuButton>
  );
}

function totalOf(files: readonly ReviewFile[]) {
  const total = { added: 0, removed: 0, reviewed: 0 };
  for (const file of files) {
    total.added += file.added ?? 0;
    total.removed += file.removed ?? 0;
    if (file.reviewed) total.reviewed += 1;
  }
  return total;
}
