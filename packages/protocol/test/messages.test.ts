import { describe, expect, expectTypeOf, it } from 'vitest';
import type { TSchema } from '../src/common/type.js';
import {
  type AhpError,
  AhpErrorCodes,
  type CommandMap,
  JsonRpcErrorCodes,
  notificationRow,
  notifications,
  requestRow,
  requests,
  type ServerCommandMap,
  strict,
} from '../src/index.js';
import { toPlainSchema } from '../src/validation/plain-schema.js';

/** Of the protocol: method, direction, what `params.channel` names, params, result. */
const requestTable = `
  initialize                clientToHost  root       InitializeParams                InitializeResult
  ping                      clientToHost  root       PingParams                      null
  reconnect                 clientToHost  root       ReconnectParams                 ReconnectResult
  subscribe                 clientToHost  any        SubscribeParams                 SubscribeResult
  createSession             clientToHost  session    CreateSessionParams             null
  disposeSession            clientToHost  session    DisposeSessionParams            null
  createChat                clientToHost  session    CreateChatParams                null
  disposeChat               clientToHost  chat       DisposeChatParams               null
  createTerminal            clientToHost  terminal   CreateTerminalParams            null
  disposeTerminal           clientToHost  terminal   DisposeTerminalParams           null
  createResourceWatch       both          root       CreateResourceWatchParams       CreateResourceWatchResult
  listSessions              clientToHost  root       ListSessionsParams              ListSessionsResult
  resourceRead              both          root       ResourceReadParams              ResourceReadResult
  resourceWrite             both          root       ResourceWriteParams             ResourceWriteResult
  resourceList              both          root       ResourceListParams              ResourceListResult
  resourceCopy              both          root       ResourceCopyParams              ResourceCopyResult
  resourceDelete            both          root       ResourceDeleteParams            ResourceDeleteResult
  resourceMove              both          root       ResourceMoveParams              ResourceMoveResult
  resourceResolve           both          root       ResourceResolveParams           ResourceResolveResult
  resourceMkdir             both          root       ResourceMkdirParams             ResourceMkdirResult
  resourceRequest           both          root       ResourceRequestParams           ResourceRequestResult
  fetchTurns                clientToHost  chat       FetchTurnsParams                FetchTurnsResult
  authenticate              clientToHost  root       AuthenticateParams              AuthenticateResult
  resolveSessionConfig      clientToHost  root       ResolveSessionConfigParams      ResolveSessionConfigResult
  sessionConfigCompletions  clientToHost  root       SessionConfigCompletionsParams  SessionConfigCompletionsResult
  completions               clientToHost  chat       CompletionsParams               CompletionsResult
  invokeChangesetOperation  clientToHost  changeset  InvokeChangesetOperationParams  InvokeChangesetOperationResult
  listAutomationTriggerDefinitions  clientToHost  root  ListAutomationTriggerDefinitionsParams  ListAutomationTriggerDefinitionsResult
  runAutomation             clientToHost  automation  RunAutomationParams           RunAutomationResult
  fetchAutomationRuns       clientToHost  automation  FetchAutomationRunsParams     FetchAutomationRunsResult
`;

/** Our own (docs/PROTOCOL.md, beyond the specification). */
const extensionTable = `
  listDisposedSessions  clientToHost  root     ListDisposedSessionsParams  ListDisposedSessionsResult
  restoreSession        clientToHost  session  RestoreSessionParams        null
  moorage/listHistory           clientToHost  root     ListHistoryParams           ListHistoryResult
  moorage/listHistoryFiles      clientToHost  root     ListHistoryFilesParams      ListHistoryFilesResult
  moorage/undoHistoryStep       clientToHost  root     UndoHistoryStepParams       UndoHistoryStepResult
  moorage/redoHistoryStep       clientToHost  root     UndoHistoryStepParams       UndoHistoryStepResult
  moorage/suggestCommitMessage  clientToHost  changeset  SuggestCommitMessageParams  SuggestCommitMessageResult
  moorage/blame         clientToHost  changeset  BlameParams                 BlameResult
  moorage/compareSessions  clientToHost  session  CompareSessionsParams  CompareSessionsResult
  moorage/reviewLines   clientToHost  changeset  ReviewLinesParams           null
  moorage/getPushKey       clientToHost  root  GetPushKeyParams       GetPushKeyResult
  moorage/subscribePush    clientToHost  root  SubscribePushParams    null
  moorage/unsubscribePush  clientToHost  root  UnsubscribePushParams  null
  moorage/listAudit     clientToHost  root     ListAuditParams     ListAuditResult
  moorage/listWatchers  clientToHost  session  ListWatchersParams  ListWatchersResult
  moorage/listPeople    clientToHost  root     ListPeopleParams    ListPeopleResult
  moorage/invitePerson  clientToHost  root     InvitePersonParams  InvitePersonResult
  moorage/revokePerson  clientToHost  root     RevokePersonParams  null
  moorage/shareSession  clientToHost  session  ShareSessionParams  ShareSessionResult
  moorage/createPairingCode  clientToHost  root  CreatePairingCodeParams  CreatePairingCodeResult
  moorage/addToConfiguration  clientToHost  root  AddToConfigurationParams  AddToConfigurationResult
  moorage/searchConversations  clientToHost  root  SearchConversationsParams  SearchConversationsResult
  moorage/listEarlierSessions  clientToHost  root  ListEarlierSessionsParams  ListEarlierSessionsResult
  moorage/adoptSession  clientToHost  session  AdoptSessionParams  null
  moorage/listHosts     clientToHost  root       ListHostsParams             ListHostsResult
  moorage/inviteHost    clientToHost  root       InviteHostParams            InviteHostResult
  moorage/revokeHost    clientToHost  root       RevokeHostParams            null
  moorage/takeSession   clientToHost  session    TakeSessionParams           TakeSessionResult
  moorage/listTokens    clientToHost  root       ListTokensParams            ListTokensResult
  moorage/addToken      clientToHost  root       AddTokenParams              AddTokenResult
  moorage/setTokenRole  clientToHost  root       SetTokenRoleParams          null
  moorage/revokeToken   clientToHost  root       RevokeTokenParams           null
`;

/** The same without results. */
const notificationTable = `
  unsubscribe                 clientToHost  any        UnsubscribeParams
  dispatchAction              clientToHost  any        DispatchActionParams
  action                      hostToClient  any        ActionEnvelope
  root/sessionAdded           hostToClient  root       SessionAddedParams
  root/sessionRemoved         hostToClient  root       SessionRemovedParams
  root/sessionSummaryChanged  hostToClient  root       SessionSummaryChangedParams
  root/progress               hostToClient  root       ProgressParams
  auth/required               hostToClient  any        AuthRequiredParams
  otlp/exportLogs             hostToClient  telemetry  OtlpExportLogsParams
  otlp/exportTraces           hostToClient  telemetry  OtlpExportTracesParams
  otlp/exportMetrics          hostToClient  telemetry  OtlpExportMetricsParams
`;

function rowsOf(table: string): string[][] {
  return table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
}

function nameOf(schema: TSchema): string | undefined {
  const { title, type } = toPlainSchema(schema);
  return title ?? type;
}

describe('requests', () => {
  it('are exactly these, each with direction, channel, params and result', () => {
    const actual = Object.entries(requests).map(([method, row]) => [
      method,
      row.direction,
      row.channel,
      nameOf(row.params),
      nameOf(row.result),
    ]);
    expect(actual.sort()).toEqual([...rowsOf(requestTable), ...rowsOf(extensionTable)].sort());
    expect(actual).toHaveLength(30 + 32);
    expect(actual.filter(([, direction]) => direction === 'both')).toHaveLength(10);
  });

  it('B-6 every one carries a channel', () => {
    for (const { params } of Object.values(requests)) expect(toPlainSchema(params).required).toContain('channel');
  });

  it('B-6 those of the connection carry the root channel literally', () => {
    for (const { channel, params } of Object.values(requests)) {
      const isLiteral = toPlainSchema(params).properties?.channel?.const === 'ahp-root://';
      expect(isLiteral).toBe(channel === 'root');
    }
  });

  it('every one of the protocol may carry `_meta`', () => {
    const params = rowsOf(requestTable).map(([method = '']) => requestRow(method)?.params as TSchema);
    expect(params.filter((schema) => !toPlainSchema(schema).properties?._meta)).toEqual([]);
  });

  it('those without a result are answered with null, and with nothing else', () => {
    expect(strict(requests.ping.result).check(null)).toBe(true);
    expect(strict(requests.ping.result).check({})).toBe(false);
    expect(strict(requests.resourceWrite.result).check({})).toBe(true);
    expect(strict(requests.resourceWrite.result).check(null)).toBe(false);
  });

  it('are found by name, and others are not', () => {
    expect(requestRow('ping')).toBe(requests.ping);
    for (const name of ['', 'pong', 'Ping', 'unsubscribe', 'toString']) expect(requestRow(name)).toBeUndefined();
  });

  it('a host may ask for resources and watches only', () => {
    expectTypeOf<keyof ServerCommandMap>().toEqualTypeOf<
      'createResourceWatch' | Extract<keyof CommandMap, `resource${string}`>
    >();
  });
});

describe('notifications', () => {
  it('are exactly these, each with direction, channel and params', () => {
    const actual = Object.entries(notifications).map(([method, row]) => [
      method,
      row.direction,
      row.channel,
      nameOf(row.params),
    ]);
    expect(actual.sort()).toEqual(rowsOf(notificationTable).sort());
  });

  it('B-6 every one carries a channel', () => {
    for (const { params } of Object.values(notifications)) expect(toPlainSchema(params).required).toContain('channel');
  });

  it('are found by name, and others are not', () => {
    expect(notificationRow('auth/required')).toBe(notifications['auth/required']);
    for (const name of ['', 'auth', 'ping', 'constructor']) expect(notificationRow(name)).toBeUndefined();
  });

  it('no method is both a request and a notification', () => {
    expect(Object.keys(requests).filter((method) => notificationRow(method))).toEqual([]);
  });
});

describe('error codes', () => {
  it('are those of JSON-RPC', () => {
    expect(JsonRpcErrorCodes).toEqual({
      ParseError: -32700,
      InvalidRequest: -32600,
      MethodNotFound: -32601,
      InvalidParams: -32602,
      InternalError: -32603,
    });
  });

  it('and those of the protocol, without the -32006 that content had for itself before 1.0', () => {
    const names = `SessionNotFound ProviderNotFound SessionAlreadyExists TurnInProgress UnsupportedProtocolVersion
      - AuthRequired NotFound PermissionDenied AlreadyExists Conflict`.split(/\s+/);
    const codes = names.map((name, index) => [name, -32001 - index]).filter(([name]) => name !== '-');
    expect(AhpErrorCodes).toEqual(Object.fromEntries(codes));
  });

  it('OQ-97 an error whose data the protocol defines cannot be written without it', () => {
    const unauthorized: AhpError = { code: AhpErrorCodes.AuthRequired, message: '', data: { resources: [] } };
    // @ts-expect-error -32007 always names the resources
    const silent: AhpError = { code: AhpErrorCodes.AuthRequired, message: '' };
    // @ts-expect-error -32005 always names the versions
    const stubborn: AhpError = { code: AhpErrorCodes.UnsupportedProtocolVersion, message: '' };
    expect([unauthorized.code, silent.code, stubborn.code]).toEqual([-32007, -32007, -32005]);
  });
});
