/** Whether the host answers at all. A page is not told why a WebSocket was refused; this tells a wrong token from no host. */
export async function hostAnswers(): Promise<boolean> {
  try {
    return (await fetch('/readyz', { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}
