import { type EnumValue, enumSchema, named } from '../../common/schema.js';
import { type Static, Type } from '../../common/type.js';
import { URISchema } from '../../common/uri.js';

/** How far a decision to use a customization or not reaches. */
export const CustomizationEnablementKind = {
  Global: 'global',
  Workspace: 'workspace',
  Session: 'session',
} as const;
export type CustomizationEnablementKind = EnumValue<typeof CustomizationEnablementKind>;
export const CustomizationEnablementKindSchema = enumSchema('CustomizationEnablementKind', CustomizationEnablementKind);

export const CustomizationEnablementSchema = named(
  'CustomizationEnablement',
  Type.Union([
    Type.Object({
      kind: Type.Literal(CustomizationEnablementKind.Global),
      enabled: Type.Boolean(),
    }),
    Type.Object({
      kind: Type.Literal(CustomizationEnablementKind.Workspace),
      uri: URISchema,
      enabled: Type.Boolean(),
    }),
    Type.Object({
      kind: Type.Literal(CustomizationEnablementKind.Session),
      enabled: Type.Boolean(),
    }),
  ]),
);
/** One decision to use a customization or not. Lists of them have the most specific one first. */
export type CustomizationEnablement = Static<typeof CustomizationEnablementSchema>;

/** What a list of decisions comes to: the first one holds, and without any the customization is used. */
export function isEnabledBy(enablement: readonly CustomizationEnablement[] | undefined): boolean {
  return enablement?.[0]?.enabled ?? true;
}
