/** Columns or rows of a terminal: above any screen, and bounded because programs allocate memory per cell. */
const MAX_TERMINAL_SIDE = 1000;

/** UTF-16 units of a title that a client sets: it is shown in lists. */
const MAX_TITLE_CHARS = 256;

/** Why a claim of this kind is refused, or undefined when it is fine. A later protocol version may know other kinds. */
export function claimKindProblem({ kind }: { kind: string }): string | undefined {
  return kind === 'client' || kind === 'session'
    ? undefined
    : `a terminal is claimed by a client or a session, not "${kind}"`;
}

/** Why a terminal cannot have this size, or undefined when it is fine. */
export function terminalSizeProblem({ cols, rows }: { cols: number; rows: number }): string | undefined {
  const fits = [cols, rows].every((side) => Number.isInteger(side) && side >= 1 && side <= MAX_TERMINAL_SIDE);
  return fits ? undefined : `a terminal has 1 to ${MAX_TERMINAL_SIDE} columns and rows, not ${cols} x ${rows}`;
}

/** Why a terminal cannot have this title, or undefined when it is fine. */
export function terminalTitleProblem(title: string): string | undefined {
  return title.length > MAX_TITLE_CHARS ? `a title can have ${MAX_TITLE_CHARS} characters` : undefined;
}
