/** The words of a command line. Quotes keep spaces together; nothing else has a meaning, because no shell runs it. */
export function splitWords(line: string): string[] {
  return [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+|["']/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_quoted, double?: string, single?: string) => double ?? single ?? ''),
  );
}
