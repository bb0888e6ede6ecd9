/**
 * The envelopes after a serverSeq, of some that are joined by commas. Gives back the very text that was stored, since the
 * host wrote it with JSON.stringify too.
 */
export function envelopesAfter(envelopes: string, seq: number): string {
  const parsed: { readonly serverSeq: number }[] = JSON.parse(`[${envelopes}]`);
  return parsed
    .filter(({ serverSeq }) => serverSeq > seq)
    .map((envelope) => JSON.stringify(envelope))
    .join(',');
}
