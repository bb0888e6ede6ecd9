import type { ComponentProps } from 'react';
import { Icon, type IconName } from './Icon.js';

interface Props extends Omit<ComponentProps<'button'>, 'type'> {
  readonly icon: IconName;
  /** What it does, for screen readers and as the tooltip. */
  readonly label: string;
}

export function IconButton({ icon, label, className = '', children, ...others }: Props) {
  return (
    <button type="button" className={`icon-button ${className}`} aria-label={label} title={label} {...others}>
      <Icon name={icon} />
      {children}
    </button>
  );
}
