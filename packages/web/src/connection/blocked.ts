const blocked = new Set<string>();

/** What the page's policy did not let through, by origin. Scripts are told in an event only, never by what failed. */
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
