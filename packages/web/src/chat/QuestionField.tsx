import type { ChatInputAnswer, ChatInputAnswerValue, ChatInputQuestion } from '@moorage/protocol';
import { useEffect, useRef, useState } from 'react';
import { ChoiceList } from './ChoiceList.js';

interface Props {
  readonly question: ChatInputQuestion;
  readonly answer: ChatInputAnswer | undefined;
  readonly onChange: (answer: ChatInputAnswer | undefined) => void;
}

/** One question, with an input that fits its kind. */
export function QuestionField({ question, answer, onChange }: Props) {
  // The mirror reflects a change a moment later. Until then, the field shows its own value instead of jumping back.
  const [mine, setMine] = useState<{ instead: ChatInputAnswer | undefined; value: ChatInputAnswerValue | undefined }>();
  const theirs = answer && 'value' in answer ? answer.value : undefined;
  const value = mine && mine.instead === answer ? mine.value : theirs;
  const draft = (next: ChatInputAnswerValue | undefined) => {
    setMine({ instead: answer, value: next });
    onChange(next && { state: 'draft', value: next });
  };
  const label = (
    <span className="question">
      {question.title && <strong>{question.title}</strong>} {question.title !== question.message && question.message}
      {question.required && <span className="quiet"> (required)</span>}
    </span>
  );
  switch (question.kind) {
    case 'boolean':
      return (
        <label className="check-field">
          <input
            type="checkbox"
            checked={value?.kind === 'boolean' ? value.value : (question.defaultValue ?? false)}
            onChange={(event) => draft({ kind: 'boolean', value: event.target.checked })}
          />
          {label}
        </label>
      );
    case 'single-select':
    case 'multi-select':
      return <ChoiceList question={question} value={value} label={label} onChange={draft} />;
    case 'number':
    case 'integer':
      return (
        <label className="field">
          {label}
          <input
            type="number"
            required={question.required}
            step={question.kind === 'integer' ? 1 : 'any'}
            min={question.min}
            max={question.max}
            value={value?.kind === 'number' ? value.value : (question.defaultValue ?? '')}
            onChange={({ target }) =>
              draft(target.value === '' ? undefined : { kind: 'number', value: target.valueAsNumber })
            }
          />
        </label>
      );
    case 'text':
      return (
        <label className="field" htmlFor={question.id}>
          {label}
          <TextField
            id={question.id}
            required={question.required ?? false}
            value={value?.kind === 'text' ? value.value : (question.defaultValue ?? '')}
            onChange={(text) => draft(text === '' ? undefined : { kind: 'text', value: text })}
          />
        </label>
      );
    default:
      return <p className="quiet">This page cannot show this question; another client may be able to.</p>;
  }
}

/** Shows what others type, but not while it is focused, so that the cursor does not jump when text comes back from the host. */
function TextField({
  id,
  value,
  required,
  onChange,
}: {
  id: string;
  value: string;
  required: boolean;
  onChange: (text: string) => void;
}) {
  const [text, setText] = useState(value);
  const focused = useRef(false);
  useEffect(() => {
    if (!focused.current) setText(value);
  }, [value]);
  return (
    <input
      id={id}
      type="text"
      required={required}
      value={text}
      onFocus={() => {
        focused.current = true;
      }}
      onBlur={() => {
        focused.current = false;
        setText(value);
      }}
      onChange={(event) => {
        setText(event.target.value);
        onChange(event.target.value);
      }}
    />
  );
}
