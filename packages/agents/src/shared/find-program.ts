import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** The path of a program, looked up on PATH as a shell would; undefined when it is missing or cannot be run. */
export function findProgram(command: string, path = process.env.PATH ?? ''): string | undefined {
  if (command.includes('/')) return isAbsolute(command) && isProgram(command) ? command : undefined;
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, command)).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    // Most folders of PATH have no such file: an error for each of them would be most of the work, at each start for each known agent.
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return false;
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
