import type { FileEdit } from '@moorage/protocol';
import { useMemo, useState } from 'react';
import { useHighlighter } from '../markdown/highlighter.js';
import { languageOf } from '../markdown/language.js';
import { Counts } from '../ui/Counts.js';
import { pathOf, relative, sizeOf } from '../ui/format.js';
import { visible } from '../ui/visible.js';
import { diffLines } from './compute.js';
import type { EditContents } from './contents.js';
import { sectionsOf } from './hunks.js';
import { LineText } from './LineText.js';
import { counterparts } from './pairs.js';
import { useEdit } from './use-edit.js';
import { changedWords } from './words.js';

/** Lines of an edit shown in a conversation at first. The review shows them all. */
const MAX_LINES = 60;

/** One edit in a conversation: the changed lines with little context. */
export function InlineDiff({ edit, folder }: { readonly edit: FileEdit; readonly folder?: string | undefined }) {
  const [evenLarge, setEvenLarge] = useState(false);
  const [contents, retry] = useEdit(edit, evenLarge);
  const path = pathOf((edit.after ?? edit.before)?.uri);
  const from = edit.before && edit.after && edit.before.uri !== edit.after.uri ? pathOf(edit.before.uri) : undefined;
  return (
    <figure className="inline-diff">
      <figcaption>
        <span className="diff-verb">{verbOf(edit)}</span>
        <bdi className="path">{visible(relative(path, folder))}</bdi>
        {from && <span className="quiet">from {visible(relative(from, folder))}</span>}
        <Counts added={edit.diff?.added} removed={edit.diff?.removed} />
      </figcaption>
      <Contents contents={contents} path={path} onLoad={() => setEvenLarge(true)} onRetry={retry} />
    </figure>
  );
}

function Contents({
  contents,
  path,
  onLoad,
  onRetry,
}: {
  contents: EditContents | undefined;
  path: string;
  onLoad: () => void;
  onRetry: () => void;
}) {
  switch (contents?.kind) {
    case undefined:
      return <p className="diff-note loading">Loading…</p>;
    case 'text':
      return <Lines before={contents.before} after={contents.after} path={path} />;
    case 'image':
      return <ImagePair before={contents.before} after={contents.after} />;
    case 'binary':
      return <p className="diff-note">Binary file.</p>;
    case 'large':
      return (
        <p className="diff-note">
          Large file, {sizeOf(contents.bytes)}.{' '}
          <button type="button" className="link" onClick={onLoad}>
            Show it anyway
          </button>
        </p>
      );
    case 'failed':
      return (
        <p className="diff-note">
          {contents.reason}{' '}
          <button type="button" className="link" onClick={onRetry}>
            Try again
          </button>
        </p>
      );
  }
}

export function ImagePair({ before, after }: { before: string | undefined; after: string | undefined }) {
  return (
    <div className="image-pair">
      {before && <Picture source={before} name={after ? 'Before' : 'Deleted'} />}
      {after && <Picture source={after} name={before ? 'After' : 'New'} />}
    </div>
  );
}

function Picture({ source, name }: { readonly source: string; readonly name: string }) {
  const [size, setSize] = useState('');
  return (
    <figure>
      <figcaption>
        {name} <span className="quiet">{size}</span>
      </figcaption>
      <img
        src={source}
        alt={name}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setSize(`${naturalWidth} × ${naturalHeight}`)}
        onError={() => setSize('cannot be shown')}
      />
    </figure>
  );
}

function Lines({ before, after, path }: { before: string; after: string; path: string }) {
  const highlight = useHighlighter();
  const [all, setAll] = useState(false);
  const rows = useMemo(() => {
    const lines = diffLines(before, after, false);
    const others = counterparts(lines);
    const sections = sectionsOf(lines).filter(({ kind }) => kind === 'hunk');
    return sections.flatMap(({ lines: run }, index) => [
      ...(index > 0 ? [undefined] : []),
      ...run.map((line) => ({ line, other: others.get(line)?.text })),
    ]);
  }, [before, after]);
  const language = languageOf(path);
  const styled = useMemo(
    () => language && highlight && { old: highlight(before, language), new: highlight(after, language) },
    [highlight, before, after, language],
  );
  const shown = all ? rows : rows.slice(0, MAX_LINES);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <div className="diff-lines" tabIndex={0}>
      {shown.length === 0 && <p className="diff-note">The lines are the same.</p>}
      {shown.map((row, index) => {
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name
        if (!row) return <div key={index} className="diff-break" />;
        const { line, other } = row;
        const old = line.kind === 'removed';
        const number = old ? line.oldLine : line.newLine;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name
          <div key={index} className={`diff-line ${line.kind}`}>
            <span className="line-number">{number}</span>
            <span className="sign" aria-hidden="true">
              {old ? '−' : line.kind === 'added' ? '+' : ' '}
            </span>
            <span className="line-text">
              <LineText
                text={line.text}
                words={other === undefined ? undefined : changedWords(line.text, other, old ? 'old' : 'new')}
                styled={styled ? (old ? styled.old : styled.new)?.[(number ?? 1) - 1] : undefined}
              />
            </span>
          </div>
        );
      })}
      {rows.length > shown.length && (
        <button type="button" className="link show-rest" onClick={() => setAll(true)}>
          Show {rows.length - shown.length} more lines
        </button>
      )}
    </div>
  );
}

function verbOf({ before, after }: FileEdit): string {
  if (!before) return 'New';
  if (!after) return 'Deleted';
  return before.uri === after.uri ? 'Edit' : 'Renamed';
}
