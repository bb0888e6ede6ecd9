/**
 * Of comma-separated envelopes, those after a serverSeq. The text is exactly as stored, since the host wrote it with
 * JSON.stringify as well.
 */
export function envelopesAfter(envelopes: string, seq: number): string {
  const parsed: { readonly serverSeq: number }[] = JSON.parse(`[${envelopes}]`);
  return parsed
    .filter(({ serverSeq }) => serverSeq > seq)
    .map((envelope) => JSON.stringify(envelope))
    .join(',');
}
