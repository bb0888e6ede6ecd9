import { Icon, type IconName } from '../ui/Icon.js';

interface Props {
  readonly label: string;
  readonly icon: IconName;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
}

/** A choice below the text field of a new session: shows only what is chosen. */
export function ChoiceChip({ label, icon, value, options, onChange }: Props) {
  return (
    <label className="choice-chip" title={label}>
      <Icon name={icon} />
      <span className="visually-hidden">{label}</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}
