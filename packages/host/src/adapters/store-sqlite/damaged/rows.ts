import { type Cell, cellsOf, payloadOf, rowCellAt } from './cells.js';
import { freePages, type Pages } from './pages.js';
import { type Column, columnsOf, textAt } from './record.js';

type Text = Exclude<Column, null | number | 'blob'>;

/** A row of one of the store's tables. Texts are read only on request. */
export interface Row {
  readonly rowid: number;
  /** The number in a column; undefined if it has none. */
  number(column: number): number | undefined;
  /** The text in a column; undefined if it has none, or if its bytes cannot be found. */
  text(column: number): string | undefined;
}

export interface RecoveredRows {
  readonly tables: Readonly<Record<TableName, ReadonlyMap<number, Row>>>;
  /** From the log's index: the row ids of each channel's log. */
  readonly logOfChannel: ReadonlyMap<number, ReadonlySet<number>>;
  /** From the documents' index: their row ids. */
  readonly documentRows: ReadonlySet<number>;
  /** From the indexes of sessions and channels: their URIs. */
  readonly uris: ReadonlySet<string>;
}

/**
 * Finds rows on any page of the file. Each table has columns of its own shape, so neither the schema nor interior pages are
 * needed: a damaged page costs only the rows on it.
 */
export function findRows(pages: Pages): RecoveredRows {
  const tables = {
    host: new Map(),
    sessions: new Map(),
    channels: new Map(),
    snapshots: new Map(),
    log: new Map(),
    documents: new Map(),
  };
  const found = {
    tables,
    logOfChannel: new Map<number, Set<number>>(),
    documentRows: new Set<number>(),
    uris: new Set<string>(),
  };
  const free = freePages(pages);
  for (let number = 1; number <= pages.count; number++) {
    const page = free.has(number) ? undefined : pages.read(number);
    if (!page) continue;
    for (const cell of cellsOf(page, number === 1, pages.usable)) take(cell, number, pages, found);
  }
  return found;
}

type TableName = keyof typeof SHAPES;

/** The columns of each table: `N` is a number, `T` a text, `_` null. The row id column is stored as null. */
const SHAPES = {
  host: /^_N$/,
  sessions: /^_T[N_][T_][N_]$/,
  channels: /^_TTNNNN$/,
  snapshots: /^_NT$/,
  log: /^_NNNT[N_]?$/,
  documents: /^TT[N_]T$/,
} as const;

interface Finds {
  readonly tables: Record<TableName, Map<number, Row>>;
  readonly logOfChannel: Map<number, Set<number>>;
  readonly documentRows: Set<number>;
  readonly uris: Set<string>;
}

function take(cell: Cell, page: number, pages: Pages, { tables, logOfChannel, documentRows, uris }: Finds): void {
  const columns = columnsOf(cell.local, cell.payloadBytes);
  if (!columns) return;
  const shape = columns.map(letterOf).join('');
  if (cell.rowid !== undefined) {
    const table = (Object.keys(SHAPES) as TableName[]).find((name) => SHAPES[name].test(shape));
    if (table && !tables[table].has(cell.rowid))
      tables[table].set(cell.rowid, rowOf(cell.rowid, { page, at: cell.at, columns, pages }));
    return;
  }
  if (shape === 'NNNN') {
    const [channel, , , row] = columns as number[];
    if (channel !== undefined && row !== undefined) {
      logOfChannel.set(channel, (logOfChannel.get(channel) ?? new Set()).add(row));
    }
  }
  if (shape === 'TTN') documentRows.add(columns[2] as number);
  const [name] = columns;
  if (shape === 'TN' && cell.overflow === 0) uris.add(textAt(cell.local, name as Text));
}

function letterOf(column: Column): string {
  if (column === null) return '_';
  if (column === 'blob') return 'B';
  return typeof column === 'number' ? 'N' : 'T';
}

/** Reads texts only on request, because a store may be larger than memory. */
function rowOf(rowid: number, { page, at, columns, pages }: PagePosition): Row {
  return {
    rowid,
    number: (index) => {
      const column = columns[index];
      return typeof column === 'number' ? column : undefined;
    },
    text: (index) => {
      const column = columns[index];
      if (column === null || column === undefined || typeof column !== 'object') return undefined;
      const bytes = pages.read(page);
      const cell = bytes && rowCellAt(bytes, at, pages.usable);
      const payload = cell && (column.at + column.text <= cell.local.length ? cell.local : payloadOf(cell, pages));
      return payload && textAt(payload, column);
    },
  };
}

interface PagePosition {
  readonly page: number;
  readonly at: number;
  readonly columns: readonly Column[];
  readonly pages: Pages;
}
