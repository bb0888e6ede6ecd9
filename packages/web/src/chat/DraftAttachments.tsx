import { AttachmentChip } from './AttachmentChip.js';
import type { Draft } from './drafts.js';

interface Props {
  readonly draft: Draft;
  readonly onChange: (change: (now: Draft) => Draft) => void;
}

/** What is attached to a draft, each with a button that removes it. */
export function DraftAttachments({ draft, onChange }: Props) {
  // Commands need no chip: they are visible in the text.
  const chips = draft.attachments.filter(({ attachment }) => attachment.displayKind !== 'command');
  if (chips.length === 0) return null;
  return (
    <div className="chips">
      {chips.map((chip, index) => (
        <AttachmentChip
          // biome-ignore lint/suspicious/noArrayIndexKey: attachments have no other name
          key={index}
          attachment={chip.attachment}
          onRemove={() =>
            onChange((now) => ({ ...now, attachments: now.attachments.filter((other) => other !== chip) }))
          }
        />
      ))}
    </div>
  );
}
