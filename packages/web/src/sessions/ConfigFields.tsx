import type { SessionConfigSchema } from '@ahpd/protocol';

interface Props {
  readonly schema: SessionConfigSchema;
  readonly values: Readonly<Record<string, unknown>>;
  readonly onChange: (key: string, value: unknown) => void;
}

/** The settings that a host declares for new sessions: what they are is data, so this knows none of them. */
export function ConfigFields({ schema, values, onChange }: Props) {
  return Object.entries(schema.properties).map(([key, property]) => {
    if (property.readOnly) return null;
    const value = values[key] ?? property.default;
    if (property.type === 'boolean') {
      return (
        <label key={key} className="check-field" title={property.description}>
          <input type="checkbox" checked={value === true} onChange={(event) => onChange(key, event.target.checked)} />
          {property.title}
        </label>
      );
    }
    if (property.type !== 'string' && property.type !== 'number') return null;
    const set = (text: string) =>
      onChange(key, text === '' ? undefined : property.type === 'number' ? Number(text) : text);
    return (
      <label key={key} className="field" htmlFor={`config-${key}`} title={property.description}>
        <span>{property.title}</span>
        {property.enum ? (
          <select id={`config-${key}`} value={String(value ?? '')} onChange={(event) => set(event.target.value)}>
            {!schema.required?.includes(key) && <option value="">Default</option>}
            {property.enum.map((option, index) => (
              <option key={option} value={option}>
                {property.enumLabels?.[index] ?? option}
              </option>
            ))}
          </select>
        ) : (
          <input
            id={`config-${key}`}
            type={property.type === 'number' ? 'number' : 'text'}
            value={String(value ?? '')}
            placeholder="Default"
            onChange={(event) => set(event.target.value)}
          />
        )}
      </label>
    );
  });
}
