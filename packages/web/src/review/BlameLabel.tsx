import { useContext, useEffect } from 'react';
import type { DiffLine } from '../diff/compute.js';
import { BlameContext, sideOf } from './blame.js';
import type { ReviewFile } from './file.js';

/** Who wrote or removed a line, in few letters. A click on a turn shows only what it changed. */
export function BlameLabel({ file, line }: { readonly file: ReviewFile; readonly line: DiffLine }) {
  const blame = useContext(BlameContext);
  const side = sideOf(line);
  useEffect(() => blame?.want(file, side), [blame, file, side]);
  if (!blame) return null;
  const author = blame.authorOf(file, line);
  const turn = author?.turns?.at(-1);
  if (!turn) return <span className="blame">{author ? WHOSE[author.whose] : ''}</span>;
  const message = turn.message?.trim() || turn.turnId;
  const others = author?.sharedWith ? `\nIt may also have been: ${author.sharedWith.join(', ')}` : '';
  return (
    <button
      type="button"
      className="blame"
      tabIndex={-1}
      title={`${message}${others}`}
      onClick={() => blame.showTurn(turn.turnId)}
    >
      {author?.whose === 'shared' ? WHOSE.shared : message.split('\n', 1)[0]}
    </button>
  );
}

const WHOSE = { agent: 'Agent', user: 'User', shared: 'Shared' } as const;
