import type {
  ChatInputAnswerValue,
  ChatInputMultiSelectQuestion,
  ChatInputSingleSelectQuestion,
} from '@moorage/protocol';
import type { ReactNode } from 'react';

interface Props {
  readonly question: ChatInputSingleSelectQuestion | ChatInputMultiSelectQuestion;
  readonly value: ChatInputAnswerValue | undefined;
  readonly label: ReactNode;
  readonly onChange: (value: ChatInputAnswerValue | undefined) => void;
}

/** Options that a digit chooses. */
const MAX_NUMBERED = 9;

/** Options of which one or several can be chosen, with a field for a free answer if the question allows one. */
export function ChoiceList({ question, value, label, onChange }: Props) {
  const many = question.kind === 'multi-select';
  const chosen = value?.kind === 'selected-many' ? value.value : value?.kind === 'selected' ? [value.value] : [];
  const own = (value && 'freeformValues' in value && value.freeformValues?.[0]) || '';
  const set = (ids: readonly string[], text: string) => {
    const freeform = text && { freeformValues: [text] };
    if (many) onChange({ kind: 'selected-many', value: [...ids], ...freeform });
    else onChange(ids[0] || text ? { kind: 'selected', value: ids[0] ?? '', ...freeform } : undefined);
  };
  const choose = (id: string, isOn: boolean) => {
    if (!many) set([id], own);
    else set(isOn ? [...chosen, id] : chosen.filter((other) => other !== id), own);
  };
  return (
    <fieldset
      className="choices"
      onKeyDown={(event) => {
        const isTyping = event.target instanceof HTMLInputElement && event.target.type === 'text';
        const option = question.options[Number(event.key) - 1];
        if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !option) return;
        event.preventDefault();
        choose(option.id, !chosen.includes(option.id));
      }}
    >
      <legend>{label}</legend>
      {question.options.map(({ id, label: name, description, recommended }, index) => (
        <label key={id} className="choice" data-number={index < MAX_NUMBERED ? index + 1 : undefined}>
          <input
            type={many ? 'checkbox' : 'radio'}
            name={question.id}
            checked={chosen.includes(id)}
            onChange={({ target }) => choose(id, target.checked)}
          />
          <span>
            {name}
            {recommended && <em className="recommended">recommended</em>}
            {description && <small>{description}</small>}
          </span>
        </label>
      ))}
      {question.allowFreeformInput && (
        <input
          type="text"
          placeholder="Something else"
          aria-label="Something else"
          value={own}
          onChange={(event) => set(many ? chosen : [], event.target.value)}
        />
      )}
    </fieldset>
  );
}
