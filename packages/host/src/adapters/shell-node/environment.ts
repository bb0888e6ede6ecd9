/** The environment of a shell: the host's, without secrets and without variables about the host itself. */
export function shellEnvironment(
  environment: NodeJS.ProcessEnv,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && !secrets.includes(name) && !ABOUT_THE_HOST.test(name)) env[name] = value;
  }
  if (!env.LC_ALL && !env.LC_CTYPE && !env.LANG) env.LANG = 'C.UTF-8';
  return { ...env, TERM: 'xterm-256color', COLORTERM: 'truecolor', TERM_PROGRAM: 'moorage' };
}

/**
 * Variables of moorage, of the npm run that started the host, of Node about its process, and of the terminal that the host was
 * started in, which programs would take for their own.
 */
const ABOUT_THE_HOST =
  /^(MOORAGE_.*|npm_.*|INIT_CWD|NODE_CHANNEL_FD|NODE_CHANNEL_SERIALIZATION_MODE|NODE_UNIQUE_ID|TMUX|TMUX_PANE|STY|WINDOW|WINDOWID|TERMCAP|COLUMNS|LINES|TERM_PROGRAM_VERSION|TERM_SESSION_ID|VTE_VERSION|VSCODE_.*|OLDPWD|PWD|SHLVL|_)$/;
