import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CommandError } from '../errors.js';
import { launchdList, type ServiceProgram, systemdUnit } from './definition.js';

/** What starts programs when a user logs in, and again when they die. */
export interface ServiceManager {
  readonly name: string;
  /** The file that describes the service to it. */
  readonly file: string;
  definition(program: ServiceProgram, log: string): string;
  /** Takes up the file, and starts the service now and at each login. */
  start(): void;
  /** Ends the service, and forgets it. The file is still there. */
  stop(): void;
  /** Call when the file is gone. */
  forget(): void;
  /** In its own words, such as `active`. */
  state(): string;
  /** What the user may want to do next. */
  readonly hint: string;
}

export function serviceManager(platform = process.platform): ServiceManager {
  if (platform === 'linux') return systemd();
  if (platform === 'darwin') return launchd();
  throw new CommandError(`services are set up on Linux (systemd) and macOS only; here use: moorage host start`);
}

function systemd(): ServiceManager {
  const systemctl = (...args: string[]) => run('systemctl', ['--user', ...args], NO_SYSTEMD);
  return {
    name: 'systemd',
    file: join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'systemd', 'user', UNIT),
    definition: systemdUnit,
    start: () => {
      systemctl('daemon-reload');
      systemctl('enable', UNIT);
      systemctl('restart', UNIT);
    },
    stop: () => systemctl('disable', '--now', UNIT),
    forget: () => systemctl('daemon-reload'),
    state: () => answer('systemctl', ['--user', 'is-active', UNIT]),
    hint: 'Its log: journalctl --user -u moorage -f\nTo keep it running while you are logged out: loginctl enable-linger',
  };
}

const UNIT = 'moorage.service';
const NO_SYSTEMD = 'Is systemd running for this user? Without it, use: moorage host start';

/** Not tested: the project has no Mac. */
function launchd(): ServiceManager {
  const domain = `gui/${process.getuid?.() ?? 0}`;
  const file = join(homedir(), 'Library', 'LaunchAgents', 'moorage.plist');
  const launchctl = (...args: string[]) => run('launchctl', args, 'Are you logged in at the screen of this Mac?');
  return {
    name: 'launchd',
    file,
    definition: launchdList,
    start: () => {
      spawnSync('launchctl', ['bootout', `${domain}/moorage`]); // fails if it was not there
      launchctl('bootstrap', domain, file);
    },
    stop: () => launchctl('bootout', `${domain}/moorage`),
    forget: () => {},
    state: () => /state = (.*)/.exec(answer('launchctl', ['print', `${domain}/moorage`]))?.[1] ?? 'not loaded',
    hint: 'moorage has not been tested with launchd: please say so if something is wrong.',
  };
}

function run(program: string, args: readonly string[], advice: string): void {
  const { error, status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (!error && status === 0) return;
  const why = error ? error.message : stderr.trim() || `it ended with code ${status}`;
  throw new CommandError(`${program} ${args.join(' ')} failed: ${why}\n${advice}`);
}

/** What a program says, also if it ends with a code that means "no". */
function answer(program: string, args: readonly string[]): string {
  const { error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  return error ? 'unknown' : stdout.trim() || stderr.trim() || 'unknown';
}
