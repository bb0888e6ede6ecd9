import type { SessionConfigSchema } from '@moorage/protocol';
import { Icon } from '../ui/Icon.js';
import { ChoiceChip } from './ChoiceChip.js';
import { ConfigCombobox, type Suggest } from './ConfigCombobox.js';

interface Props {
  readonly schema: SessionConfigSchema;
  readonly values: Readonly<Record<string, unknown>>;
  readonly suggest: (property: string) => Suggest;
  readonly onChange: (key: string, value: unknown) => void;
}

/** The settings that people choose most: where the session works, and from which branch its work tree starts. */
export function SettingChips({ schema, values, suggest, onChange }: Props) {
  const { isolation, baseBranch } = schema.properties;
  const shown = shownKeys(schema, values);
  const set = (key: string) => (value: string) => onChange(key, value === '' ? undefined : value);
  return (
    <>
      {isolation && shown.includes('isolation') && (
        <ChoiceChip
          label={isolation.title}
          icon="fork"
          value={String(values.isolation ?? isolation.default ?? '')}
          options={(isolation.enum ?? []).map((value, index) => ({
            value: String(value),
            label: isolation.enumLabels?.[index] ?? String(value),
          }))}
          onChange={set('isolation')}
        />
      )}
      {baseBranch && shown.includes('baseBranch') && (
        <div className="choice-chip" title={baseBranch.title}>
          <Icon name="branch" />
          <label htmlFor="new-branch" className="visually-hidden">
            {baseBranch.title}
          </label>
          <ConfigCombobox
            id="new-branch"
            property={baseBranch}
            value={String(values.baseBranch ?? baseBranch.default ?? '')}
            suggest={suggest('baseBranch')}
            onChange={set('baseBranch')}
          />
        </div>
      )}
    </>
  );
}

/** The settings that are no chips. */
export function settingsBeside(
  schema: SessionConfigSchema,
  values: Readonly<Record<string, unknown>>,
): SessionConfigSchema {
  const shown = shownKeys(schema, values);
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(schema.properties).filter(([key]) => !shown.includes(key))),
    required: schema.required?.filter((key) => !shown.includes(key)) ?? [],
  };
}

/** A chip is for a choice that the host leaves open. Without a work tree, the base branch is only what to compare with. */
function shownKeys(schema: SessionConfigSchema, values: Readonly<Record<string, unknown>>): readonly string[] {
  const { isolation, baseBranch } = schema.properties;
  const isOpen = (isolation?.enum?.length ?? 0) > 1 && !isolation?.readOnly;
  const isTree = (values.isolation ?? isolation?.default) === 'worktree';
  const hasBranches = isTree && baseBranch?.enumDynamic === true && !baseBranch.readOnly;
  return [...(isOpen ? ['isolation'] : []), ...(hasBranches ? ['baseBranch'] : [])];
}
