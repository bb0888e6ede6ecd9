import pc from 'picocolors';

/** Whether a person reads the output. */
export const toTerminal = process.stdout.isTTY === true;

const wantsColour = toTerminal && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
/** No colours when standard output is not a terminal, or when NO_COLOR is set. */
export const colour = pc.createColors(wantsColour);

export function print(text: string): void {
  process.stdout.write(text);
}

export function printLine(text = ''): void {
  print(`${text}\n`);
}

/** Tells the user something that is not part of the output, and so must not end up in a file or a pipe. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Resolves when everything written has been handed to the system. */
export function flushed(): Promise<void> {
  return new Promise((resolve) => process.stdout.write('', () => resolve()));
}
