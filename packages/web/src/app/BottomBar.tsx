import { NeedsYouBadge } from '../sessions/NeedsYouBadge.js';
import { Icon, type IconName } from '../ui/Icon.js';
import type { Pane } from './route.js';

const TABS: readonly (readonly [Pane, IconName, string])[] = [
  ['sessions', 'list', 'Sessions'],
  ['chat', 'chat', 'Chat'],
  ['review', 'diff', 'Changes'],
  ['terminals', 'terminal', 'Terminal'],
];

interface Props {
  readonly pane: Pane;
  /** For a link to one session there is no list. */
  readonly hasSessions: boolean;
  readonly waiting: number;
  readonly onPane: (pane: Pane) => void;
  readonly onPalette: () => void;
}

/** The navigation of a phone. */
export function BottomBar({ pane, hasSessions, waiting, onPane, onPalette }: Props) {
  return (
    <nav className="bottom-bar" aria-label="Parts of the page">
      {TABS.filter(([name]) => hasSessions || name !== 'sessions').map(([name, icon, label]) => (
        <button key={name} type="button" aria-current={pane === name ? 'page' : undefined} onClick={() => onPane(name)}>
          <Icon name={icon} />
          {label}
          {name === 'sessions' && <NeedsYouBadge waiting={waiting} />}
        </button>
      ))}
      <button type="button" onClick={onPalette}>
        <Icon name="search" />
        Find
      </button>
    </nav>
  );
}
