/** Columns and rows of a terminal: above any screen, and a program may keep a cell for each. */
const MAX_TERMINAL_SIDE = 1000;

/** UTF-16 units of a title that a client gives: it is shown in lists. */
const MAX_TITLE_CHARS = 256;

/** Why nobody can hold a terminal like this: what a request carries may be of kinds that later versions know. */
export function claimKindProblem({ kind }: { kind: string }): string | undefined {
  return kind === 'client' || kind === 'session'
    ? undefined
    : `a terminal is claimed by a client or a session, not "${kind}"`;
}

/** Why a terminal cannot have this size, or undefined when it can. */
export function terminalSizeProblem({ cols, rows }: { cols: number; rows: number }): string | undefined {
  const fits = [cols, rows].every((side) => Number.isInteger(side) && side >= 1 && side <= MAX_TERMINAL_SIDE);
  return fits ? undefined : `a terminal has 1 to ${MAX_TERMINAL_SIDE} columns and rows, not ${cols} x ${rows}`;
}

/** Why a terminal cannot be called this, or undefined when it can. */
export function terminalTitleProblem(title: string): string | undefined {
  return title.length > MAX_TITLE_CHARS ? `a title can have ${MAX_TITLE_CHARS} characters` : undefined;
}
