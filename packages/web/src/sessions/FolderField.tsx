import { fileUri } from '@moorage/protocol';
import { useEffect, useState } from 'react';
import { useClient } from '../connection/context.js';

interface Props {
  readonly value: string;
  /** Folders of earlier sessions. */
  readonly known: readonly string[];
  readonly onChange: (path: string) => void;
}

/** Folders suggested at once. */
const MAX_OFFERED = 50;

/** The path of a folder on the host, with suggestions while it is typed. */
export function FolderField({ value, known, onChange }: Props) {
  const client = useClient();
  const [found, setFound] = useState<readonly string[]>([]);
  const parent = value.slice(0, value.lastIndexOf('/') + 1);
  useEffect(() => {
    let ended = false;
    if (parent === '') return;
    client.request('resourceList', { uri: fileUri(parent.replace(/(.)\/$/, '$1')) }).then(
      ({ entries }) => {
        const folders = entries.filter(({ type, name }) => type === 'directory' && !name.startsWith('.'));
        if (!ended) setFound(folders.map(({ name }) => parent + name));
      },
      () => !ended && setFound([]), // no suggestions for folders that the host does not show
    );
    return () => {
      ended = true;
    };
  }, [client, parent]);
  return (
    <>
      <label className="field">
        <span>Folder</span>
        <input
          type="text"
          list="known-folders"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      </label>
      <datalist id="known-folders">
        {[...new Set([...known, ...found])].slice(0, MAX_OFFERED).map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
    </>
  );
}
