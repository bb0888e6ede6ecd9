import type { Client } from '@moorage/client';
import { fileUri, type SessionConfigValueItem } from '@moorage/protocol';
import { useClient } from '../connection/context.js';
import { Icon } from '../ui/Icon.js';
import { ConfigCombobox } from './ConfigCombobox.js';

interface Props {
  readonly value: string;
  /** The host's folder, and those of earlier sessions, newest first. */
  readonly recent: readonly string[];
  readonly onChange: (path: string) => void;
}

const NO_FOLDER: SessionConfigValueItem = { value: '', label: 'No folder' };
const PROPERTY = { type: 'string' as const, title: 'Folder', enum: [''], enumLabels: [NO_FOLDER.label] };

/** Chooses the folder of a new session on the host: a recent one, or any, completed while its path is typed. */
export function FolderChip({ value, recent, onChange }: Props) {
  const client = useClient();
  const suggest = async (query: string) => {
    if (query === '') return [...recent.map(itemOf), NO_FOLDER];
    const found = [...recent, ...(await subfolders(client, query.slice(0, query.lastIndexOf('/') + 1)))];
    const wanted = query.toLowerCase();
    return [...new Set(found)].filter((path) => path.toLowerCase().includes(wanted)).map(itemOf);
  };
  return (
    <div className="choice-chip" title="Folder">
      <Icon name="folder" />
      <label htmlFor="new-folder" className="visually-hidden">
        Folder
      </label>
      <ConfigCombobox id="new-folder" property={PROPERTY} value={value} suggest={suggest} onChange={onChange} />
    </div>
  );
}

function itemOf(path: string): SessionConfigValueItem {
  return { value: path, label: path };
}

/** None for a folder that the host does not show. */
async function subfolders(client: Client, parent: string): Promise<readonly string[]> {
  if (parent === '') return [];
  try {
    const { entries } = await client.request('resourceList', { uri: fileUri(parent.replace(/(.)\/$/, '$1')) });
    return entries
      .filter(({ type, name }) => type === 'directory' && !name.startsWith('.'))
      .map(({ name }) => parent + name);
  } catch {
    return [];
  }
}
