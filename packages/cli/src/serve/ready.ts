import pc from 'picocolors';

export interface Ready {
  /** Undefined for a host that listens on nothing. */
  readonly url: string | undefined;
  readonly web: string | undefined;
  /** The host's id in its fleet. */
  readonly fleet: string | undefined;
  readonly token: string;
  readonly protocolVersions: readonly string[];
  readonly dataDir: string;
  readonly folders: readonly string[];
  /** What to do first, in a playground. */
  readonly hint: string | undefined;
}

/** Announces that the host is ready: one JSON line for programs, a few lines for people, nothing when stdout belongs to a client. */
export function announce(how: 'json' | 'text' | 'quiet', ready: Ready): void {
  if (how === 'quiet') return;
  process.stdout.write(how === 'json' ? `${JSON.stringify(readyLine(ready))}\n` : readyText(ready));
}

function readyLine({ url, web, fleet, token, protocolVersions, dataDir }: Ready): object {
  return { ready: true, url, web, fleet, token, protocolVersions, dataDir };
}

function readyText({ url, web, fleet, dataDir, folders, hint }: Ready): string {
  const rows = [
    ['Web page', web && pc.cyan(web)],
    ['WebSocket', url],
    ['Fleet id', fleet],
    ...folders.map((folder, index) => [index === 0 ? 'Sessions in' : '', folder]),
    ['Kept in', dataDir],
  ];
  const table = rows.flatMap(([name, value]) => (value ? [`  ${name?.padEnd(12)}${value}`] : [])).join('\n');
  return `${pc.bold('moorage is running.')}\n\n${table}\n\n${hint ? `${hint}\n` : ''}Stop it with Ctrl-C. Sessions are kept and go on when it is started again.\n`;
}
