import { useRights } from '../connection/rights.js';

interface Props {
  readonly on: boolean;
  readonly label: string;
  readonly onChange: (on: boolean) => void;
}

export function Switch({ on, label, onChange }: Props) {
  const lacking = useRights().lacks('steer');
  return (
    <button
      type="button"
      role="switch"
      className="switch"
      aria-checked={on}
      aria-label={label}
      disabled={lacking !== undefined}
      title={lacking ?? (on ? 'Switch off' : 'Switch on')}
      onClick={() => onChange(!on)}
    />
  );
}
