import type { FileEdit } from '@ahpd/protocol';
import { useEffect, useState } from 'react';
import { useClient } from '../connection/context.js';
import { type EditContents, editKey, loadEdit } from './contents.js';

/** Both sides of an edit; undefined while they are on their way. */
export function useEdit(edit: FileEdit, evenLarge: boolean): EditContents | undefined {
  const client = useClient();
  const key = `${editKey(edit)} ${evenLarge}`;
  const [held, setHeld] = useState<{ key: string; contents: EditContents }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the edit, which is another object each time
  useEffect(() => {
    let ended = false;
    void loadEdit(client, edit, { evenLarge }).then((contents) => !ended && setHeld({ key, contents }));
    return () => {
      ended = true;
    };
  }, [client, key]);
  return held?.key === key ? held.contents : undefined;
}
