const blocked = new Set<string>();

/** Records connections that the page's policy blocked, by origin. Only an event reveals them; the failed call does not. */
export function listenForBlocked(): () => void {
  const onViolation = ({ blockedURI, effectiveDirective }: SecurityPolicyViolationEvent) => {
    if (effectiveDirective !== 'connect-src' || !URL.canParse(blockedURI)) return;
    const { protocol, host } = new URL(blockedURI);
    blocked.add(`${protocol.replace('ws', 'http')}//${host}`);
  };
  document.addEventListener('securitypolicyviolation', onViolation);
  return () => document.removeEventListener('securitypolicyviolation', onViolation);
}

export function isBlocked(origin: string): boolean {
  return blocked.has(origin);
}
