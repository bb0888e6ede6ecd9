/** What is said on a shared way, in lines: no frame has a line break in it, for JSON has none. */
export type SharedLine =
  | { readonly kind: 'join' | 'leave'; readonly group: number; readonly client: number }
  | { readonly kind: 'mark'; readonly client: number }
  | { readonly kind: 'frame'; readonly group: number; readonly frame: string };

export const joinLine = (group: number, client: number) => `+${group} ${client}`;
export const leaveLine = (group: number, client: number) => `-${group} ${client}`;
export const markLine = (client: number) => `=${client}`;
export const frameLine = (group: number, frame: string) => `${group} ${frame}`;

/** Undefined for anything else: it comes from another machine. */
export function readSharedLine(line: string): SharedLine | undefined {
  const sign = line[0];
  if (sign === '=') return withCounts([line.slice(1)], ([client]) => ({ kind: 'mark', client }));
  const space = line.indexOf(' ');
  if (space < 0) return undefined;
  if (sign !== '+' && sign !== '-') {
    const frame = line.slice(space + 1);
    return withCounts([line.slice(0, space)], ([group]) => ({ kind: 'frame', group, frame }));
  }
  const kind = sign === '+' ? 'join' : 'leave';
  return withCounts([line.slice(1, space), line.slice(space + 1)], ([group, client]) => ({ kind, group, client }));
}

/** What a gateway says there: for which of its clients messages queue up, and for which they do no longer. */
export interface BehindLine {
  readonly client: number;
  readonly isBehind: boolean;
}

export const behindLine = ({ client, isBehind }: BehindLine) => `${isBehind ? '-' : '+'}${client}`;

export function readBehindLine(line: string): BehindLine | undefined {
  const isBehind = line.startsWith('-');
  if (!isBehind && !line.startsWith('+')) return undefined;
  return withCounts([line.slice(1)], ([client]) => ({ client, isBehind }));
}

function withCounts<T>(words: readonly string[], make: (counts: [number, number]) => T): T | undefined {
  if (!words.every((word) => /^\d{1,15}$/.test(word))) return undefined;
  const [first, second = 0] = words.map(Number);
  return make([first as number, second]);
}
