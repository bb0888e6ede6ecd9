import {
  type Annotation,
  type AnnotationOrigin,
  annotationsUri,
  expandUriTemplate,
  type SessionState,
} from '@moorage/protocol';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useClient } from '../connection/context.js';
import { useRights } from '../connection/rights.js';
import { useChannel } from '../connection/use-channel.js';
import { CodeBlock } from '../markdown/CodeBlock.js';
import { Dialog } from '../ui/Dialog.js';
import { hasFocus } from '../ui/focus.js';
import { plural } from '../ui/format.js';
import { useKeys } from '../ui/keys.js';
import { Loading } from '../ui/Loading.js';
import { Splitter, usePaneWidth } from '../ui/Splitter.js';
import { showFailure, showToast } from '../ui/toasts.js';
import { useMedia } from '../ui/use-media.js';
import { PHONE } from '../ui/widths.js';
import { BlameContext, useBlame } from './blame.js';
import { DiffList } from './DiffList.js';
import { FileTree } from './FileTree.js';
import { reviewFiles } from './file.js';
import { type ReviewOptions, useReviewOptions } from './options.js';
import { ReviewHeader } from './ReviewHeader.js';
import { sendComments, sentComments } from './send-comments.js';
import { Threads } from './threads.js';
import { OperationsContext, useChangesetOperations } from './use-operations.js';
import { shownTurn } from './version.js';
import { useViewed, ViewedContext } from './viewed.js';

export interface ReviewProps {
  readonly uri: string;
  readonly session: SessionState;
  readonly sessionUri: string;
  readonly chat: string | undefined;
  /** Whether the user has just asked for it, so that it gets the focus. */
  readonly asked: boolean;
  readonly full: boolean;
  readonly onFull: () => void;
  readonly onChoose: (uri: string) => void;
  readonly onClose: () => void;
}

/** The review of a changeset. */
export function ReviewPane(props: ReviewProps) {
  const { uri, session, sessionUri, chat } = props;
  const client = useClient();
  const canSend = useRights().may('steer');
  const { mirror, state, error } = useChannel('changeset', uri);
  const annotations = useChannel('annotations', annotationsUri(sessionUri));
  const isPhone = useMedia(PHONE);
  const [kept, setOptions] = useReviewOptions();
  // A phone has no room for the tree. It opens as a dialog there, which is not remembered as an option.
  const [treeOpen, setTreeOpen] = useState(false);
  const options = isPhone ? { ...kept, tree: treeOpen } : kept;
  const onOptions = ({ tree, ...others }: Partial<ReviewOptions>) => {
    if (isPhone && tree !== undefined) setTreeOpen(tree);
    setOptions(isPhone || tree === undefined ? others : { ...others, tree });
  };
  const treeWidth = usePaneWidth({ name: 'tree', min: 120, max: 480, side: 'left' });
  const [searching, setSearching] = useState(false);
  const [goal, setGoal] = useState<{ readonly file: string }>();
  const [current, setCurrent] = useState<string>();
  const operations = useChangesetOperations(uri, state?.operations);
  const viewed = useViewed(uri, mirror, session, operations.find('keep', 'range') !== undefined);
  const { workingDirectories: folders } = session;
  const latest = useChannel('chat', chat).state;
  const lastTurn = latest?.turns.at(-1)?.id ?? latest?.activeTurn?.id;
  const sent = useMemo(() => sentComments(latest), [latest]);
  const shown = shownTurn(uri, lastTurn);
  const turns = useMemo(
    () => ({ shown, origin: originOf(sessionUri, chat, shown ?? lastTurn) }),
    [shown, lastTurn, sessionUri, chat],
  );
  const comments = annotations.state?.annotations;
  const threads = useMemo(() => new Threads(comments ?? []), [comments]);
  const send = useMemo(
    () =>
      chat === undefined || !canSend
        ? undefined
        : (chosen: readonly Annotation[], words?: string) => {
            const sending = sendComments(client, chat, sessionUri, chosen, words);
            const done = () =>
              showToast({ tone: 'done', text: `${plural(chosen.length, 'comment')} sent to the agent.` });
            showFailure(sending.then(done));
          },
    [client, chat, sessionUri, canSend],
  );
  const entries = state?.files;
  const files = useMemo(() => reviewFiles(entries ?? [], folders), [entries, folders]);
  const isLoading = state ? files.length === 0 && state.status === 'computing' : !error;
  // Not with the other keys of the review: after a revert there may be no rows left, but undo must still work.
  const undo = operations.find('undo', 'changeset');
  const place = useRef<HTMLElement>(null);
  useKeys(
    {
      f: { label: 'Full width', group: 'Review', run: props.onFull },
      u: {
        label: 'Undo',
        group: 'Review',
        run: () => undo && undo.status !== 'disabled' && operations.invoke(undo),
      },
    },
    { hasFocus: () => hasFocus(place.current) },
  );
  const { asked } = props;
  useEffect(() => {
    if (asked) place.current?.focus();
  }, [asked]);
  // A file near the end may not reach the top; marking it as current shows in the tree that it was chosen.
  const open = useCallback((file: string) => {
    setGoal({ file });
    setCurrent(file);
  }, []);
  const { onChoose } = props;
  const turnTemplate = session.changesets?.find(({ changeKind }) => changeKind === 'turn')?.uriTemplate;
  const showTurn = useCallback(
    (turnId: string) => turnTemplate && onChoose(expandUriTemplate(turnTemplate, { turnId })),
    [turnTemplate, onChoose],
  );
  const blame = useBlame(uri, options.blame, showTurn);
  const hasTree = options.tree && files.length > 1;
  return (
    <OperationsContext value={operations}>
      <ViewedContext value={viewed}>
        <section ref={place} className="review" aria-label="Review" tabIndex={-1} data-keys="review">
          <ReviewHeader
            {...props}
            state={state}
            files={files}
            options={options}
            annotations={threads.all}
            onSend={send}
            onShow={(annotation) => {
              const file = files.find((candidate) => threads.of(candidate).includes(annotation));
              if (file) open(file.id);
              return file !== undefined;
            }}
            onOptions={onOptions}
            onSearch={() => setSearching(true)}
          />
          {(error ?? state?.error?.message) && (
            <p className="problem pane-note" role="alert">
              {error ?? state?.error?.message}
            </p>
          )}
          {isLoading && <Loading what="changes" />}
          {state && files.length === 0 && !isLoading && !state.error && (
            <p className="pane-note quiet">Nothing was changed here.</p>
          )}
          {files.length > 0 && (
            <div
              className="review-columns"
              data-tree={hasTree && !isPhone ? 'shown' : 'hidden'}
              style={{ '--tree-width': treeWidth.width && `${treeWidth.width}px` }}
            >
              {hasTree && !isPhone && (
                <>
                  <FileTree files={files} threads={threads} current={current} onOpen={open} />
                  <Splitter label="Width of the file tree" {...treeWidth.splitter} />
                </>
              )}
              {hasTree && isPhone && (
                <Dialog title="Changed files" className="from-below" onClose={() => setTreeOpen(false)}>
                  <FileTree
                    files={files}
                    threads={threads}
                    current={current}
                    onOpen={(file) => {
                      setTreeOpen(false);
                      open(file);
                    }}
                  />
                </Dialog>
              )}
              <BlameContext value={blame}>
                <DiffList
                  key={uri}
                  files={files}
                  options={options}
                  goal={goal}
                  uri={uri}
                  threads={threads}
                  mirror={annotations.mirror}
                  turns={turns}
                  onSend={send}
                  sent={sent}
                  searching={searching}
                  onSearching={setSearching}
                  onOptions={onOptions}
                  onOpen={open}
                  onCurrent={setCurrent}
                />
              </BlameContext>
            </div>
          )}
          {operations.result !== undefined && (
            <Dialog title="Patch" className="wide" onClose={operations.clearResult}>
              <CodeBlock text={operations.result} language="diff" />
            </Dialog>
          )}
        </section>
      </ViewedContext>
    </OperationsContext>
  );
}

function originOf(session: string, chat: string | undefined, turnId: string | undefined): AnnotationOrigin {
  return { session, ...(chat !== undefined && { chat }), ...(turnId !== undefined && { turnId }) };
}
