import type { PersonRole } from '@moorage/protocol';
import { ROLE_LABELS } from './roles.js';

interface Props {
  readonly roles: readonly PersonRole[];
  readonly value: PersonRole;
  readonly onChange: (role: PersonRole) => void;
}

export function RoleChoice({ roles, value, onChange }: Props) {
  return (
    <label className="field">
      <span>Role</span>
      <select value={value} onChange={({ target }) => onChange(roles.find((role) => role === target.value) ?? value)}>
        {roles.map((role) => (
          <option key={role} value={role}>
            {ROLE_LABELS[role]}
          </option>
        ))}
      </select>
    </label>
  );
}
