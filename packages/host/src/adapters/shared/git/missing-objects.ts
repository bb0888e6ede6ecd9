/** Which of these objects a repository lacks; `run` runs git in that repository. */
export async function missingObjects(
  ids: readonly string[],
  run: (args: readonly string[], input: string) => Promise<Buffer>,
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const lines = (await run(['cat-file', '--batch-check'], `${ids.join('\n')}\n`)).toString().split('\n');
  return new Set(lines.filter((line) => line.endsWith(' missing')).map((line) => line.slice(0, line.indexOf(' '))));
}
