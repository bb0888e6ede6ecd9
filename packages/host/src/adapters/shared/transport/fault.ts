/**
 * What a log may say of an unexpected error: its kind and where it was thrown. Not its message, which may quote what the
 * client sent (JSON.parse does), and so a prompt or a token.
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
