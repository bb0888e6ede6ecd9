/**
 * Settings for every git that the host starts by itself. They win over those of any file, so nothing that a repository
 * brings along is run: no hook, no monitor, no program in a submodule, no repository hidden among the files. Filters
 * cannot be switched off this way; see plain-view.ts.
 */
export const HARDENED_SETTINGS: readonly string[] = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.untrackedCache=false', // git writes no cache of untracked files
  'safe.bareRepository=explicit',
  'submodule.recurse=false',
  'log.showSignature=false',
  'credential.helper=',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting]);

/** No network: a repository can name a program as the place from which missing objects are fetched. */
const OFFLINE = { GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1', GIT_SSH_COMMAND: 'false' };

/** Of the host's environment git sees only where to find programs and the user's settings. */
export function gitEnvironment(
  extra: Readonly<Record<string, string>> = {},
  { mayFetch = false }: { readonly mayFetch?: boolean } = {},
): NodeJS.ProcessEnv {
  const { PATH, HOME, XDG_CONFIG_HOME } = process.env;
  return {
    PATH,
    HOME,
    ...(XDG_CONFIG_HOME !== undefined && { XDG_CONFIG_HOME }),
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_PAGER: 'cat',
    GIT_EDITOR: 'false',
    GIT_ASKPASS: '',
    ...(!mayFetch && OFFLINE),
    ...extra,
  };
}
