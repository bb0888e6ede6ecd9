/** Variables of the host that every server gets. All others may hold secrets that are none of its business. */
const PASSED =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TERM|TMPDIR|TMP|TEMP|XDG_\w+|SystemRoot|APPDATA|LOCALAPPDATA|USERPROFILE)$/;

/** What a server's process gets as environment: a few variables of the host, and what is configured for it. */
export function serverEnvironment(
  host: Readonly<Record<string, string | undefined>>,
  configured: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const passed = Object.entries(host).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && PASSED.test(entry[0]),
  );
  return { ...Object.fromEntries(passed), ...configured };
}
