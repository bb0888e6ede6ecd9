import { type ReactNode, useId, useState } from 'react';
import { CopyLine } from './CopyLine.js';

interface Props {
  /** `moorage agents add` or `moorage mcp add`. */
  readonly command: string;
  readonly example: { readonly name: string; readonly program: string };
  readonly children?: ReactNode;
}

/** Names that need no quotes in a shell. */
const PLAIN_NAME = /^[\w.-]+$/;

/** Makes the command that adds a program to the host's configuration, which only its machine can change. */
export function AddCommand({ command, example, children }: Props) {
  const id = useId();
  const [name, setName] = useState('');
  const [program, setProgram] = useState('');
  const goodName = PLAIN_NAME.test(name) ? name : example.name;
  return (
    <div className="add-command">
      <div className="add-fields">
        <label htmlFor={`${id}-name`}>Name</label>
        <input
          id={`${id}-name`}
          type="text"
          placeholder={example.name}
          autoComplete="off"
          aria-invalid={name !== '' && !PLAIN_NAME.test(name)}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <label htmlFor={`${id}-program`}>Command</label>
        <input
          id={`${id}-program`}
          type="text"
          placeholder={example.program}
          autoComplete="off"
          value={program}
          onChange={(event) => setProgram(event.target.value)}
        />
      </div>
      {name !== '' && !PLAIN_NAME.test(name) && (
        <p className="problem">A name has only letters, digits, dots, dashes and underscores.</p>
      )}
      <CopyLine text={`${command} ${goodName} -- ${program.trim() || example.program}`} />
      {children}
      <p className="quiet">Run it on the host's machine, and start the host again.</p>
    </div>
  );
}
