/** What a shell gets of the host's environment: all that is the user's, nothing that is about the host itself. */
export function shellEnvironment(
  environment: NodeJS.ProcessEnv,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && !secrets.includes(name) && !ABOUT_THE_HOST.test(name)) env[name] = value;
  }
  if (!env.LC_ALL && !env.LC_CTYPE && !env.LANG) env.LANG = 'C.UTF-8';
  return { ...env, TERM: 'xterm-256color', COLORTERM: 'truecolor', TERM_PROGRAM: 'ahpd' };
}

/**
 * Ours; npm's about the run that started us; Node's about this process; the terminal that the host itself was started
 * in, of which programs would believe that it is theirs.
 */
const ABOUT_THE_HOST =
  /^(AHPD_.*|npm_.*|INIT_CWD|NODE_CHANNEL_FD|NODE_CHANNEL_SERIALIZATION_MODE|NODE_UNIQUE_ID|TMUX|TMUX_PANE|STY|WINDOW|WINDOWID|TERMCAP|COLUMNS|LINES|TERM_PROGRAM_VERSION|TERM_SESSION_ID|VTE_VERSION|VSCODE_.*|OLDPWD|PWD|SHLVL|_)$/;
