let dialogs: readonly HTMLElement[] = [];
const listeners = new Set<() => void>();

/** The modal dialogs that are open, in the order in which they were opened. All but the last are inert, as is the page. */
export const openDialogs = {
  add(dialog: HTMLElement): () => void {
    set([...dialogs, dialog]);
    return () => set(dialogs.filter((each) => each !== dialog));
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  top: (): HTMLElement | undefined => dialogs.at(-1),
};

function set(next: readonly HTMLElement[]): void {
  dialogs = next;
  for (const listener of listeners) listener();
}
