import { ExtensionMeta, primaryDirectory, ROOT_URI } from '@moorage/protocol';
import { lazy, Suspense, useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { ConnectionBar } from '../connection/ConnectionBar.js';
import { useClient } from '../connection/context.js';
import { HostLocation } from '../connection/HostLocation.js';
import { HostsDialog } from '../connection/HostsDialog.js';
import { addressOfSession } from '../connection/own-address.js';
import { RemoteHosts } from '../connection/remote-hosts.js';
import { useRights } from '../connection/rights.js';
import { keyOf, type ListedSession, SessionBoard } from '../connection/session-board.js';
import { useChannel } from '../connection/use-channel.js';
import { PeopleDialog } from '../people/PeopleDialog.js';
import { ShareDialog } from '../people/ShareDialog.js';
import { ChooseHost } from '../sessions/ChooseHost.js';
import { NewSession } from '../sessions/NewSession.js';
import { waitingIn } from '../sessions/order.js';
import { SessionList } from '../sessions/SessionList.js';
import { SessionRail } from '../sessions/SessionRail.js';
import { useSessionView } from '../sessions/view.js';
import { TerminalPanel } from '../terminal/TerminalPanel.js';
import { Dialog } from '../ui/Dialog.js';
import { ErrorBoundary } from '../ui/ErrorBoundary.js';
import { moveFocusToChat } from '../ui/focus.js';
import { useKeys } from '../ui/keys.js';
import { Loading } from '../ui/Loading.js';
import { Splitter, usePaneWidth } from '../ui/Splitter.js';
import { useMedia } from '../ui/use-media.js';
import { MEDIUM } from '../ui/widths.js';
import { BottomBar } from './BottomBar.js';
import { Help } from './Help.js';
import { Palette } from './Palette.js';
import { useRoute } from './route.js';
import { SessionPane } from './SessionPane.js';
import { useAttention } from './use-attention.js';
import { useSessionCommands } from './use-session-commands.js';

/** Loaded only when the user opens it. */
const AutomationsDialog = lazy(() =>
  import('../automations/AutomationsDialog.js').then((module) => ({ default: module.AutomationsDialog })),
);

/** The page once it is connected: the sessions, the open session and the terminals. */
export function Shell({ onSignOut }: { readonly onSignOut: () => void }) {
  const client = useClient();
  const { state: root } = useChannel('root', ROOT_URI);
  const isGateway = root?._meta?.[ExtensionMeta.gateway] !== undefined;
  const board = useMemo(() => new SessionBoard(client), [client]);
  useEffect(() => () => board.close(), [board]);
  const remotes = useMemo(() => new RemoteHosts(), []);
  useEffect(() => () => remotes.close(), [remotes]);
  const hosts = useSyncExternalStore(remotes.subscribe, remotes.get);
  const own = useSyncExternalStore(board.subscribe, board.get);
  const sessions = useMemo(() => own && [...own, ...hosts.flatMap((host) => host.sessions)], [own, hosts]);
  const [route, go] = useRoute();
  const { may, session: onlySession } = useRights();
  /** A link to one session shows that session, and nothing to choose from. */
  const isGuest = onlySession !== undefined;
  useEffect(() => {
    if (isGuest && route.session !== onlySession) go({ session: onlySession, pane: 'chat' }, { replace: true });
  }, [isGuest, onlySession, route.session, go]);
  const [overlay, setOverlay] = useState<'palette' | 'sessions' | 'help' | 'hosts' | 'people' | 'automations'>();
  const [sharing, setSharing] = useState<ListedSession>();
  const [listShown, setListShown] = useState(true);
  const isFolded = useMedia(MEDIUM);
  const [sheetPlace, setSheetPlace] = useState<HTMLElement | null>(null);
  const [drawer, setDrawer] = useState(false);
  // On a phone, the terminals are a pane of the route, so that Back and a reload work.
  const terminalsShown = drawer || route.pane === 'terminals';
  const summary = sessions?.find(({ resource, host }) => resource === route.session && host?.id === route.host);
  // A gateway only lists sessions: one that is opened is shown by the page of its host.
  const elsewhere = summary?.host === undefined ? addressOfSession(summary) : undefined;
  useEffect(() => {
    if (elsewhere !== undefined) location.replace(elsewhere + location.hash);
  }, [elsewhere]);
  // On a phone without an open session, shows the list to choose from.
  const chosenPane = !route.session && route.pane === 'chat' && sessions?.length !== 0 ? 'sessions' : route.pane;
  const pane = isGuest && chosenPane === 'sessions' ? 'chat' : chosenPane;
  /** Whether what is shown belongs to the host that serves the page. A new session chooses its host itself. */
  const isHere = route.host === undefined || !route.session;
  const waiting = waitingIn(sessions ?? []).length;

  const open = useCallback(
    (
      { resource, host }: { readonly resource: string; readonly host?: { readonly id: string } | undefined },
      at?: { readonly chat: string; readonly turnId: string },
    ) => {
      const nothingElse = { review: undefined, terminal: undefined, pane: 'chat' } as const;
      go({ host: host?.id, session: resource, chat: at?.chat, turn: at?.turnId, ...nothingElse });
      moveFocusToChat();
    },
    [go],
  );
  useAttention(sessions, summary?.title, open);
  const openNew = () => {
    setOverlay(undefined);
    // The host stays: a new session is probably wanted where the last one was.
    go({ session: undefined, chat: undefined, turn: undefined, review: undefined, terminal: undefined, pane: 'new' });
    moveFocusToChat();
  };
  const listWidth = usePaneWidth({ name: 'list', min: 180, max: 560, side: 'left' });
  const [view, setView] = useSessionView();
  const selected = summary && keyOf(summary);
  const { actions, step, nextWaiting } = useSessionCommands({ sessions, hosts, view, selected, open, openNew });
  const openTerminal = useCallback(
    (terminal?: string) => {
      setDrawer(true);
      go({ pane: 'terminals', ...(terminal !== undefined && { terminal }) });
    },
    [go],
  );
  const toggleTerminals = () => {
    if (!terminalsShown) return openTerminal();
    setDrawer(false);
    if (route.pane === 'terminals') go({ pane: 'chat' });
  };
  /** A gateway has tokens of its own instead. */
  const managesPeople = may('admin') && !isGateway;
  const hasAutomations = client.hostInfo.automations !== undefined && !isGuest;
  useKeys({
    'mod+k': { label: 'Palette', group: 'Everywhere', run: () => setOverlay('palette') },
    'mod+/': { label: 'All keys', group: 'Everywhere', run: () => setOverlay('help') },
    'alt+t': { label: 'Terminals', group: 'Everywhere', run: toggleTerminals },
    ...(may('steer') && !isGuest && { 'alt+n': { label: 'New session', group: 'Everywhere', run: openNew } }),
    ...(managesPeople && { 'alt+p': { label: 'People', group: 'Everywhere', run: () => setOverlay('people') } }),
    ...(hasAutomations && {
      'alt+a': { label: 'Automations', group: 'Everywhere', run: () => setOverlay('automations') },
    }),
    ...(!isGuest && {
      'alt+j': { label: 'Next session', group: 'Everywhere', run: () => step(1), repeats: true },
      'alt+k': { label: 'Previous session', group: 'Everywhere', run: () => step(-1), repeats: true },
      'alt+m': { label: 'Next session that needs you', group: 'Everywhere', run: nextWaiting },
      'alt+h': { label: 'Hosts', group: 'Everywhere', run: () => setOverlay('hosts') },
      'alt+b': {
        label: 'Show or hide the sessions',
        group: 'Everywhere',
        run: () => (isFolded ? setOverlay('sessions') : setListShown(!listShown)),
      },
    }),
    // While the list itself is shown, it registers this key.
    ...(isFolded &&
      !isGuest && { 'alt+s': { label: 'Search sessions', group: 'Everywhere', run: () => setOverlay('sessions') } }),
  });

  const list = (onOpen: typeof open) => (
    <ErrorBoundary of={sessions}>
      <SessionList
        sessions={sessions}
        hosts={hosts}
        view={view}
        onView={setView}
        actions={actions}
        selected={selected}
        onOpen={onOpen}
        onNew={openNew}
        onHosts={() => setOverlay('hosts')}
        onPeople={managesPeople ? () => setOverlay('people') : undefined}
        onAutomations={hasAutomations ? () => setOverlay('automations') : undefined}
        onShare={setSharing}
      />
    </ErrorBoundary>
  );

  const stage = (
    <>
      {route.session ? (
        <ErrorBoundary key={`${route.host} ${route.session}`}>
          <SessionPane
            uri={route.session}
            summary={summary}
            route={route}
            go={go}
            sheetPlace={sheetPlace}
            onOpenTerminal={openTerminal}
            onToggleTerminals={toggleTerminals}
            onArchive={(isArchived) => summary && actions.archive([summary], isArchived)}
            onShare={() => setSharing(summary)}
          />
        </ErrorBoundary>
      ) : sessions ? (
        <ErrorBoundary of={sessions}>
          {isGateway ? (
            <ChooseHost />
          ) : (
            <NewSession
              sessions={sessions}
              hosts={hosts}
              host={route.host}
              onCreated={(resource, host) => open({ resource, host })}
            />
          )}
        </ErrorBoundary>
      ) : (
        <Loading what="sessions" />
      )}
      {terminalsShown && (
        <ErrorBoundary key={`terminals ${route.host}`} of={route}>
          <TerminalPanel
            selected={route.terminal}
            session={route.session}
            chat={route.chat ?? summary?.defaultChat}
            folder={summary && primaryDirectory(summary)}
            onSelect={(terminal) => go({ terminal }, { replace: true })}
            onClose={toggleTerminals}
          />
        </ErrorBoundary>
      )}
    </>
  );
  const listState = isGuest ? 'none' : isFolded ? 'folded' : listShown ? 'shown' : 'hidden';
  return (
    <div className="shell" data-pane={pane} data-list={listState}>
      {isHere && <ConnectionBar onSignOut={onSignOut} />}
      <div className="shell-columns" style={{ '--list-width': listWidth.width && `${listWidth.width}px` }}>
        {isGuest ? null : isFolded ? (
          <SessionRail waiting={waiting} onSessions={() => setOverlay('sessions')} onNew={openNew} />
        ) : (
          list(open)
        )}
        {!isGuest && !isFolded && listShown && (
          <Splitter label="Width of the list of sessions" {...listWidth.splitter} />
        )}
        <div className="stage">
          {isHere ? (
            stage
          ) : (
            <HostLocation host={hosts.find(({ entry }) => entry.id === route.host)} onHosts={() => setOverlay('hosts')}>
              {stage}
            </HostLocation>
          )}
        </div>
      </div>
      <div ref={setSheetPlace} />
      <BottomBar
        pane={pane}
        hasSessions={!isGuest}
        waiting={waiting}
        onPane={(to) => (to === 'terminals' ? openTerminal() : go({ pane: to }))}
        onPalette={() => setOverlay('palette')}
      />
      <ErrorBoundary of={overlay}>
        {overlay === 'palette' && (
          <Palette sessions={isGuest ? [] : (sessions ?? [])} onOpen={open} onClose={() => setOverlay(undefined)} />
        )}
        {overlay === 'sessions' && isFolded && (
          <Dialog title="Sessions" className="palette" onClose={() => setOverlay(undefined)}>
            {list((session, at) => {
              setOverlay(undefined);
              open(session, at);
            })}
          </Dialog>
        )}
        {overlay === 'people' && <PeopleDialog sessions={own ?? []} onClose={() => setOverlay(undefined)} />}
        {overlay === 'automations' && (
          <Suspense fallback={<Loading what="automations" />}>
            <AutomationsDialog
              onOpenSession={(resource) => {
                setOverlay(undefined);
                open({ resource });
              }}
              onClose={() => setOverlay(undefined)}
            />
          </Suspense>
        )}
        {sharing && <ShareDialog session={sharing} onClose={() => setSharing(undefined)} />}
        {overlay === 'help' && <Help onClose={() => setOverlay(undefined)} />}
        {overlay === 'hosts' && <HostsDialog hosts={remotes} shown={hosts} onClose={() => setOverlay(undefined)} />}
      </ErrorBoundary>
    </div>
  );
}
