import { useConnectionStatus } from '@moorage/client/react';
import type { FileEdit } from '@moorage/protocol';
import { useCallback, useEffect, useState } from 'react';
import { useClient } from '../connection/context.js';
import { type EditContents, editKey, loadEdit } from './contents.js';

/** Both sides of an edit, undefined while they load, and a function that tries again after a failure. */
export function useEdit(edit: FileEdit, evenLarge: boolean): readonly [EditContents | undefined, () => void] {
  const client = useClient();
  const key = `${editKey(edit)} ${evenLarge}`;
  const [held, setHeld] = useState<{ key: string; contents: EditContents }>();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the edit, which is a new object each time
  useEffect(() => {
    let ended = false;
    void loadEdit(client, edit, { evenLarge }).then((contents) => !ended && setHeld({ key, contents }));
    return () => {
      ended = true;
    };
  }, [client, key, attempt]);
  const retry = useCallback(() => {
    setHeld(undefined);
    setAttempt((now) => now + 1);
  }, []);
  const isLive = useConnectionStatus(client) === 'live';
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on reconnect, not right after a failure
  useEffect(() => {
    if (isLive && held?.contents.kind === 'failed') retry();
  }, [isLive]);
  return [held?.key === key ? held.contents : undefined, retry];
}
