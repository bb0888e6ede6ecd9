import type { ComponentProps } from 'react';
import { Icon, type IconName } from './Icon.js';

interface Props extends Omit<ComponentProps<'button'>, 'type'> {
  readonly icon: IconName;
  /** What it does: read out, and shown to who points at it. */
  readonly label: string;
}

/** A button that shows no words. */
export function IconButton({ icon, label, className = '', children, ...others }: Props) {
  return (
    <button type="button" className={`icon-button ${className}`} aria-label={label} title={label} {...others}>
      <Icon name={icon} />
      {children}
    </button>
  );
}
