import { UsageError } from '../../usage-error.js';

/** The program that a service runs. */
export interface ServiceProgram {
  /** The program and its arguments, all of them absolute paths or options. */
  readonly command: readonly string[];
  /** Where the service finds git and agents: a service manager has only a short `PATH` of its own. */
  readonly path: string;
}

/** Says whose file it is: one that somebody else wrote is not replaced. */
export const MARK = 'Written by "moorage service install"';

/** The unit for systemd, as a service of one user. */
export function systemdUnit({ command, path }: ServiceProgram): string {
  return `# ${MARK}; "moorage service uninstall" removes it.
[Unit]
Description=Agent host (moorage)

[Service]
Environment=${systemdWord(`PATH=${path}`)}
ExecStart=${command.map((word) => systemdWord(word).replaceAll('$', '$$$$')).join(' ')}
Restart=on-failure
# Standard output has the link with the token, which does not belong into the journal.
StandardOutput=null
# The host ends its agents and terminals itself, within five seconds.
KillMode=mixed
TimeoutStopSec=10

[Install]
WantedBy=default.target
`;
}

/** The property list for launchd, as an agent of one user. */
export function launchdList({ command, path }: ServiceProgram, log: string): string {
  const words = command.map((word) => `    <string>${xml(word)}</string>`).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- ${MARK}; "moorage service uninstall" removes it. -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>moorage</string>
  <key>ProgramArguments</key>
  <array>
${words}
  </array>
  <key>EnvironmentVariables</key>
  <dict><key>PATH</key><string>${xml(path)}</string></dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>StandardErrorPath</key><string>${xml(log)}</string>
</dict>
</plist>
`;
}

/** One word as systemd reads it: quoted, and without its specifiers. `ExecStart` also replaces variables. */
function systemdWord(text: string): string {
  return `"${printable(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`;
}

function xml(text: string): string {
  return printable(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A line break in a path would begin another setting. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  if (/[\u0000-\u001f\u007f]/.test(text)) throw new UsageError(`${JSON.stringify(text)} cannot be used in a service`);
  return text;
}
