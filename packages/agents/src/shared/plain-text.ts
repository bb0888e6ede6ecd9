/** Terminal output as plain text: without escape sequences, and only the last version of overwritten lines. */
export function plainText(output: string): string {
  return output
    .replaceAll(ESCAPES, '')
    .replaceAll('\r\n', '\n')
    .replaceAll(/^.*\r/gm, '')
    .replaceAll(OTHER_CONTROLS, '');
}

const ESCAPES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x18\x1a\x1b\x9c]*(?:\x1b\\|[\x07\x18\x1a\x9c]|$)|[ -/]*[0-~])/g;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const OTHER_CONTROLS = /[\x00-\x08\x0b-\x1f\x7f]/g;
