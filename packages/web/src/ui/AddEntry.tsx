import { type FormEvent, useId, useState } from 'react';
import { CopyLine } from './CopyLine.js';
import { sentenceOf } from './sentence.js';
import { splitWords } from './words.js';

/** What was typed: a program with its arguments, or an address. */
export type Launch =
  | { readonly kind: 'program'; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: 'address'; readonly url: string };

interface Added {
  readonly file: string;
  readonly replaced: boolean;
  readonly needsRestart: boolean;
}

interface Props {
  /** `moorage agents add` or `moorage mcp add`: does the same on the host's machine. */
  readonly command: string;
  readonly example: { readonly name: string; readonly launch: string };
  /** Addresses to choose from, by what they are called. */
  readonly known?: readonly (readonly [name: string, launch: string])[];
  readonly onAdd: (name: string, launch: Launch) => Promise<Added>;
}

/** Names that need no quotes in a shell. */
const PLAIN_NAME = /^[\w.-]{1,64}$/;

/** Adds a program or an address to the host's configuration. */
export function AddEntry({ command, example, known = [], onAdd }: Props) {
  const id = useId();
  const [name, setName] = useState('');
  const [typed, setTyped] = useState('');
  const [added, setAdded] = useState<Added & { readonly name: string }>();
  const [problem, setProblem] = useState<string>();
  const launch = launchOf(typed);
  const badName = name !== '' && !PLAIN_NAME.test(name);
  const add = async (event: FormEvent) => {
    event.preventDefault();
    if (!launch || badName || name === '') return;
    setAdded(undefined);
    setProblem(undefined);
    try {
      setAdded({ ...(await onAdd(name, launch)), name });
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };
  const words = typed.trim() || example.launch;
  return (
    <form className="add-command" onSubmit={(event) => void add(event)}>
      <div className="add-fields">
        <label htmlFor={`${id}-name`}>Name</label>
        <input
          id={`${id}-name`}
          type="text"
          placeholder={example.name}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={badName}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <label htmlFor={`${id}-launch`}>Command or URL</label>
        <input
          id={`${id}-launch`}
          type="text"
          placeholder={example.launch}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
      {known.length > 0 && (
        <p className="add-known">
          <span className="quiet">On this machine:</span>
          {known.map(([label, url]) => (
            <button
              key={label}
              type="button"
              className="link"
              onClick={() => {
                setName(label.replace(/[^\w.-]/g, '-').toLowerCase());
                setTyped(url);
              }}
            >
              {label}
            </button>
          ))}
        </p>
      )}
      {badName && <p className="problem">A name has only letters, digits, dots, dashes and underscores.</p>}
      <div>
        <button type="submit" className="button primary" disabled={!launch || name === '' || badName}>
          Add
        </button>
      </div>
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {added && (
        <div role="status">
          <p>
            {added.replaced ? 'Replaced' : 'Added'} <bdi>{added.name}</bdi> in <code>{added.file}</code>.
            {added.needsRestart && ' Start the host again to use it:'}
          </p>
          {added.needsRestart && <CopyLine text="moorage host stop && moorage host start" />}
        </div>
      )}
      <p className="quiet">Or on the host's machine:</p>
      <CopyLine
        text={`${command} ${name !== '' && !badName ? name : example.name} ${/^https?:/.test(words) ? '--url' : '--'} ${words}`}
      />
    </form>
  );
}

function launchOf(typed: string): Launch | undefined {
  const text = typed.trim();
  if (/^https?:\/\//.test(text)) return { kind: 'address', url: text };
  const [command, ...args] = splitWords(text);
  return command === undefined ? undefined : { kind: 'program', command, args };
}
