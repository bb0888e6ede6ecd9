/** Variables of the host that every agent gets. All others may hold secrets that are not meant for it. */
const PASSED =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|XDG_\w+|SystemRoot|APPDATA|LOCALAPPDATA|USERPROFILE)$/;

export interface EnvironmentOptions {
  /** Added, and preferred over what is passed on. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Names of further variables of the host that are passed on. */
  readonly passEnv?: readonly string[] | undefined;
  readonly temporaryFolder: string;
}

/** The environment of an agent's process. */
export function agentEnvironment(
  host: Readonly<Record<string, string | undefined>>,
  { env = {}, passEnv = [], temporaryFolder }: EnvironmentOptions,
): Record<string, string> {
  const passed = Object.entries(host).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (PASSED.test(entry[0]) || passEnv.includes(entry[0])),
  );
  const folder = { TMPDIR: temporaryFolder, TMP: temporaryFolder, TEMP: temporaryFolder };
  return { TERM: 'dumb', NO_COLOR: '1', ...Object.fromEntries(passed), ...env, ...folder };
}
