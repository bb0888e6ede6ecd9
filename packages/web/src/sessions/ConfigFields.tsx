import type { SessionConfigPropertySchema, SessionConfigSchema } from '@moorage/protocol';
import { ConfigChoice } from './ConfigChoice.js';
import { ConfigCombobox, type Suggest } from './ConfigCombobox.js';

interface Props {
  readonly schema: SessionConfigSchema;
  readonly values: Readonly<Record<string, unknown>>;
  /** Asks the host for possible values of a property. */
  readonly suggest: (property: string) => Suggest;
  readonly onChange: (key: string, value: unknown) => void;
  readonly isFixed?: (property: SessionConfigPropertySchema) => boolean;
}

/** Fields for the settings that a host declares for sessions. They come from a schema, so none is built in. */
export function ConfigFields({
  schema,
  values,
  suggest,
  onChange,
  isFixed = ({ readOnly }) => readOnly === true,
}: Props) {
  return Object.entries(schema.properties).map(([key, property]) => {
    const value = Object.hasOwn(values, key) ? values[key] : property.default;
    const id = `config-${key}`;
    const required = schema.required?.includes(key) ?? false;
    const isOnly = property.enum?.length === 1 && !property.enumDynamic && value === property.enum[0];
    if (isFixed(property) || isOnly) return <FixedField key={key} property={property} value={value} />;
    if (property.type === 'boolean') {
      return (
        <label key={key} className="check-field">
          <input type="checkbox" checked={value === true} onChange={(event) => onChange(key, event.target.checked)} />
          <span>
            {property.title}
            {property.description && <span className="quiet field-note">{property.description}</span>}
          </span>
        </label>
      );
    }
    if (property.type !== 'string' && property.type !== 'number') return null;
    const set = (text: string) =>
      onChange(key, text === '' ? undefined : property.type === 'number' ? Number(text) : text);
    const text = value === undefined || value === null ? '' : String(value);
    if (property.enum && !property.enumDynamic)
      return <ConfigChoice key={key} id={id} property={property} value={text} required={required} onChange={set} />;
    return (
      <div key={key} className="field">
        <label htmlFor={id}>{property.title}</label>
        {property.enumDynamic ? (
          <ConfigCombobox id={id} property={property} value={text} suggest={suggest(key)} onChange={set} />
        ) : (
          <input
            id={id}
            type={property.type === 'number' ? 'number' : 'text'}
            aria-describedby={property.description ? `${id}-note` : undefined}
            spellCheck={false}
            value={text}
            placeholder={required ? undefined : 'Default'}
            onChange={(event) => set(event.target.value)}
          />
        )}
        {property.description && (
          <span id={`${id}-note`} className="quiet field-note">
            {property.description}
          </span>
        )}
      </div>
    );
  });
}

/** A setting that cannot be changed. */
function FixedField({ property, value }: { readonly property: SessionConfigPropertySchema; readonly value: unknown }) {
  if (value === undefined || value === null || typeof value === 'object') return null;
  const at = property.enum?.map(String).indexOf(String(value)) ?? -1;
  return (
    <p className="fixed-field">
      <span>{property.title}</span> <bdi>{property.enumLabels?.[at] ?? String(value)}</bdi>
    </p>
  );
}
