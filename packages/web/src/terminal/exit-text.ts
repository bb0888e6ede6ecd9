export function exitText(exitCode: number | undefined): string {
  if (exitCode === undefined) return 'running';
  return exitCode === 0 ? 'done' : `ended with ${exitCode}`;
}
