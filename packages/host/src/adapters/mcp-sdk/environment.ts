/** Variables of the host that every server gets. Any other could hold a secret. */
const PASSED =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TERM|TMPDIR|TMP|TEMP|XDG_\w+|SystemRoot|APPDATA|LOCALAPPDATA|USERPROFILE)$/;

/** The environment of a server's process: a few variables of the host, and those configured for the server. */
export function serverEnvironment(
  host: Readonly<Record<string, string | undefined>>,
  configured: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const passed = Object.entries(host).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && PASSED.test(entry[0]),
  );
  return { ...Object.fromEntries(passed), ...configured };
}
