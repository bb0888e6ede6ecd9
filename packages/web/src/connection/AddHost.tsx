import { useState } from 'react';
import { entryFrom, type HostEntry } from './host-list.js';

interface Props {
  readonly known: readonly HostEntry[];
  readonly onAdd: (entry: HostEntry) => void;
}

const EMPTY = { address: '', token: '', name: '' };

export function AddHost({ known, onAdd }: Props) {
  const [typed, setTyped] = useState(EMPTY);
  const [problem, setProblem] = useState<string>();
  const add = () => {
    const entry = entryFrom(typed, known);
    if (typeof entry === 'string') return setProblem(entry);
    setProblem(undefined);
    setTyped(EMPTY);
    onAdd(entry);
  };
  const field = (
    key: keyof typeof EMPTY,
    label: string,
    more: { type?: string; placeholder?: string; 'data-autofocus'?: boolean },
  ) => (
    <label className="field">
      <span>{label}</span>
      <input
        type="text"
        autoComplete="off"
        spellCheck={false}
        {...more}
        value={typed[key]}
        onChange={({ target }) => setTyped((now) => ({ ...now, [key]: target.value }))}
      />
    </label>
  );
  return (
    <form
      className="form"
      aria-label="Add a host"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <h3>Add a host</h3>
      {field('address', 'Link or address', {
        placeholder: 'https://build.example:7433',
        'data-autofocus': true,
      })}
      {field('token', 'Token', { type: 'password', placeholder: 'Not needed if the link contains it' })}
      {field('name', 'Name', { placeholder: 'Optional' })}
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <p className="quiet">
        The address and the token stay in this browser's local storage until you remove the host, and are sent only to
        that host. Its <code>allowedOrigins</code> must include <code>{location.origin}</code>.
      </p>
      <div className="form-end">
        <button type="submit" className="button primary">
          Add
        </button>
      </div>
    </form>
  );
}
