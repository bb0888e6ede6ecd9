import { useEffect, useRef } from 'react';
import { useCommentDraft } from './comment-drafts.js';

interface Props {
  /** The name of the draft. */
  readonly draft: string;
  readonly label: string;
  readonly placeholder?: string;
  readonly action: string;
  readonly initial?: string;
  readonly onSave: (text: string) => void;
  readonly onClose: () => void;
}

/** The form for a comment. Control or Command with Enter saves it; Escape closes it and keeps the draft. */
export function ThreadForm({ draft, label, placeholder, action, initial = '', onSave, onClose }: Props) {
  const [text, setText] = useCommentDraft(draft, initial);
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // The row's position may not be measured yet, so scrolling to it would go to the wrong place.
    box.current?.focus({ preventScroll: true });
  }, []);
  const save = () => {
    if (text.trim()) onSave(text.trim());
  };
  const cancel = () => {
    setText('');
    onClose();
  };
  return (
    <form
      className="thread-form"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <textarea
        ref={box}
        aria-label={label}
        placeholder={placeholder}
        rows={3}
        dir="auto"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
          if (event.key === 'Escape') onClose();
        }}
      />
      <div className="form-end">
        <span className="quiet composer-hint wide-only">Ctrl+Enter saves</span>
        <button type="button" className="button" onClick={cancel}>
          Cancel
        </button>
        <button type="submit" className="button primary" disabled={!text.trim()}>
          {action}
        </button>
      </div>
    </form>
  );
}
