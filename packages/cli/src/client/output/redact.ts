const SECRET_KEY = /token|secret|password|passphrase|authorization|credential|api[-_]?key|cookie/i;
const HIDDEN = '[hidden]';

/** A copy without secrets, which must not end up in a scrollback or a bug report. */
export function redacted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redacted);
  if (typeof value === 'string') return value.replace(BEARER, '$1[hidden]');
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const isSecret =
        SECRET_KEY.test(key) && (typeof member === 'string' || (typeof member === 'object' && member !== null));
      return [key, isSecret ? HIDDEN : redacted(member)];
    }),
  );
}

/** Tokens inside text: in headers, and in links to the host's page. */
const BEARER = /(bearer\s+|[#?&](?:access_)?token=)[\w.~+/=-]{8,}/gi;
