/** Enough to recognize a task, and short enough for a list of branches. */
const MAX_CHARS = 40;

/** A name for the branch of a task, from the first line of its message; undefined if that has no words. */
export function taskBranch(message: string): string | undefined {
  const line = message.trim().split('\n', 1)[0] ?? '';
  const words = line
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  let name = '';
  for (const word of words) {
    const longer = name === '' ? word.slice(0, MAX_CHARS) : `${name}-${word}`;
    if (longer.length > MAX_CHARS) break;
    name = longer;
  }
  return name === '' ? undefined : `moorage/${name}`;
}
