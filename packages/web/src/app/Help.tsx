import { useState } from 'react';
import { Dialog } from '../ui/Dialog.js';
import { seenKeys } from '../ui/keys.js';

/** Lists every key that does something now. */
export function Help({ onClose }: { readonly onClose: () => void }) {
  // Of several requests for approval, once.
  const [keys] = useState(() => [
    ...new Map(seenKeys().map((entry) => [`${entry[1].group} ${entry[0]}`, entry])).values(),
  ]);
  const groups = [...new Set(keys.map(([, { group }]) => group))];
  return (
    <Dialog title="Keys" onClose={onClose}>
      <div className="help">
        {groups.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {keys
                .filter(([, action]) => action.group === group)
                .map(([key, { label }]) => (
                  <div key={key}>
                    <dt>
                      <KeyName name={key} />
                    </dt>
                    <dd>{label}</dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

export function KeyName({ name }: { readonly name: string }) {
  const parts = name === '+' ? ['+'] : name.split('+');
  return parts.map((part) => (
    <kbd key={part}>{part === 'mod' ? 'Ctrl' : part === 'alt' ? 'Alt' : part === 'shift' ? 'Shift' : part}</kbd>
  ));
}
