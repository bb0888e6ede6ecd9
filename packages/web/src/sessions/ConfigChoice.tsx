import type { SessionConfigPropertySchema } from '@moorage/protocol';

interface Props {
  readonly id: string;
  readonly property: SessionConfigPropertySchema;
  readonly value: string;
  readonly required: boolean;
  readonly onChange: (value: string) => void;
}

/** Up to this many values are shown as radio buttons, with their descriptions. */
const MAX_RADIOS = 4;

/** Chooses one of the values that a property may have. */
export function ConfigChoice({ id, property, value, required, onChange }: Props) {
  const options = (property.enum ?? []).map((option, index) => ({
    option: String(option),
    label: property.enumLabels?.[index] ?? String(option),
    description: property.enumDescriptions?.[index],
  }));
  if (options.length > 1 && options.length <= MAX_RADIOS && value !== '')
    return (
      <fieldset className="field radio-field">
        <legend>{property.title}</legend>
        {property.description && <span className="quiet field-note">{property.description}</span>}
        {options.map(({ option, label, description }) => (
          <label key={option} className="check-field">
            <input type="radio" name={id} checked={option === value} onChange={() => onChange(option)} />
            <span>
              {label}
              {description && <span className="quiet field-note">{description}</span>}
            </span>
          </label>
        ))}
      </fieldset>
    );
  return (
    <div className="field">
      <label htmlFor={id}>{property.title}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {(!required || value === '') && <option value="">Default</option>}
        {options.map(({ option, label }) => (
          <option key={option} value={option}>
            {label}
          </option>
        ))}
      </select>
      {property.description && <span className="quiet field-note">{property.description}</span>}
    </div>
  );
}
