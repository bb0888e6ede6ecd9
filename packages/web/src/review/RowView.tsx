import { memo } from 'react';
import { CommentEditor } from './CommentEditor.js';
import { FileBody } from './FileBody.js';
import { FileHead } from './FileHead.js';
import { HunkHead } from './HunkHead.js';
import { LineRow } from './LineRow.js';
import { PairRow } from './PairRow.js';
import { placeOf, type Row } from './rows.js';
import { ThreadView } from './ThreadView.js';

export const RowView = memo(function RowView({ row }: { readonly row: Row }) {
  switch (row.kind) {
    case 'file':
      return <FileHead file={row.file} place={placeOf(row)} />;
    case 'waiting':
      return (
        <>
          <FileHead file={row.file} place={placeOf(row)} />
          <div className="diff-note loading waiting-body" aria-busy="true">
            Loading…
          </div>
        </>
      );
    case 'body':
      return <FileBody file={row.file} diff={row.diff} />;
    case 'hunk':
      return <HunkHead row={row} />;
    case 'line':
      return <LineRow file={row.file} diff={row.diff} line={row.line} />;
    case 'pair':
      return <PairRow file={row.file} diff={row.diff} left={row.left} right={row.right} />;
    case 'thread':
      return <ThreadView annotation={row.annotation} apart={row.apart} />;
    case 'editor':
      return <CommentEditor file={row.file} range={row.range} />;
  }
});
