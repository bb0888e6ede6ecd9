import { MAX_PROGRAM_TITLE_CHARS } from './limits.js';
import type { Osc } from './osc-filter.js';

/** What a shell or program reported about itself. */
export type ShellMark =
  | { readonly kind: 'title'; readonly title: string }
  /** `trusted` if our own script in the shell reported it. */
  | { readonly kind: 'cwd'; readonly path: string; readonly trusted: boolean }
  | { readonly kind: 'commandStart'; readonly commandLine: string }
  | { readonly kind: 'commandEnd'; readonly exitCode: number | undefined };

/** Interprets a report. Only our script knows the nonce, so program output cannot forge commands. */
export function readMark({ number, payload }: Osc, nonce: string): ShellMark | undefined {
  switch (number) {
    case 0:
    case 2:
      return { kind: 'title', title: plain(payload).slice(0, MAX_PROGRAM_TITLE_CHARS) };
    case 7:
      return cwd(pathOfFileUri(payload));
    case 1337:
      return payload.startsWith('CurrentDir=') ? cwd(payload.slice('CurrentDir='.length)) : undefined;
    case 633:
      return ownMark(payload, nonce) ?? foreignCwd(payload);
    default:
      return undefined; // 133 has no nonce, so it cannot be trusted
  }
}

function ownMark(payload: string, nonce: string): ShellMark | undefined {
  const prefix = `;${nonce};`;
  if (nonce === '' || !payload.startsWith(prefix, 1)) return undefined;
  const value = payload.slice(1 + prefix.length);
  switch (payload[0]) {
    case 'C':
      return { kind: 'commandStart', commandLine: unescaped(value) };
    case 'D':
      return { kind: 'commandEnd', exitCode: /^\d{1,9}$/.test(value) ? Number(value) : undefined };
    case 'P':
      return value.startsWith('Cwd=') ? cwd(unescaped(value.slice('Cwd='.length)), true) : undefined;
    default:
      return undefined;
  }
}

function foreignCwd(payload: string): ShellMark | undefined {
  return payload.startsWith('P;Cwd=') ? cwd(unescaped(payload.slice('P;Cwd='.length))) : undefined;
}

function cwd(path: string | undefined, trusted = false): ShellMark | undefined {
  return path?.startsWith('/') ? { kind: 'cwd', path, trusted } : undefined;
}

function pathOfFileUri(uri: string): string | undefined {
  const path = /^file:\/\/[^/]*(\/.*)$/.exec(uri)?.[1];
  try {
    return path === undefined ? undefined : decodeURIComponent(path);
  } catch {
    return path; // some shells do not percent-encode
  }
}

/** Backslashes come doubled, line breaks and tabs as two hexadecimal digits. */
function unescaped(text: string): string {
  return text.replace(/\\(?:\\|x([0-9a-f]{2}))/g, (_, hex: string | undefined) =>
    hex === undefined ? '\\' : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function plain(text: string): string {
  return text.replace(/[\x00-\x1f\x7f-\x9f]/g, ' ').trim();
}
