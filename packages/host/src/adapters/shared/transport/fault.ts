/**
 * What a log may say about an unexpected error: its name and where it was thrown. Not its message, which may quote a prompt
 * or a token that the client sent, as that of JSON.parse does.
 */
export function faultFields(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { error: typeof error };
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  return { error: error.name, at: frames.slice(0, 5).map((line) => line.trim()) };
}

/** The `code` of a Node system error, such as ENOENT. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
