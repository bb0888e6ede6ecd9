/** The link with a pairing code. The code is in the fragment, which browsers do not send. */
export function pairingLink(page: string, code: string): string {
  return `${page}#pair=${code}`;
}

/** A QR code for a terminal: light on dark, as terminals are; readers take both. */
export async function qrCode(text: string): Promise<string> {
  const { renderUnicodeCompact } = await import('uqr'); // few starts need it
  return renderUnicodeCompact(text, { border: 2, ecc: 'L' });
}
