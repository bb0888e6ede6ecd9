import { useRef } from 'react';
import { IconButton } from '../ui/IconButton.js';

/** Chooses files to attach. On a phone there is nothing to drag, and hardly anything to paste. */
export function AttachButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton icon="clip" label="Attach files" onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = ''; // so that the same file can be chosen again
        }}
      />
    </>
  );
}
