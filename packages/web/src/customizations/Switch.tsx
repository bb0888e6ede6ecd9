interface Props {
  readonly on: boolean;
  readonly label: string;
  readonly onChange: (on: boolean) => void;
}

export function Switch({ on, label, onChange }: Props) {
  return (
    <button
      type="button"
      role="switch"
      className="switch"
      aria-checked={on}
      aria-label={label}
      title={on ? 'Switch off' : 'Switch on'}
      onClick={() => onChange(!on)}
    />
  );
}
