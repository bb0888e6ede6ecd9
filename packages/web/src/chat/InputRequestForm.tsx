import type { Mirror } from '@moorage/client';
import {
  type ChatInputAnswer,
  type ChatInputAnswerValue,
  type ChatInputQuestion,
  type ChatInputRequest,
  type ChatInputResponseKind,
  isEnabledBy,
  openRequests,
  type SessionState,
} from '@moorage/protocol';
import { useRights } from '../connection/rights.js';
import { serversOf } from '../customizations/entries.js';
import { TokenForm } from '../customizations/TokenForm.js';
import { Markdown } from '../markdown/Markdown.js';
import { safeLink } from '../markdown/safe-url.js';
import { showFailure } from '../ui/toasts.js';
import { visible } from '../ui/visible.js';
import { QuestionField } from './QuestionField.js';

/** Questions from an agent. Answers in progress are part of the chat's state, so everyone sees the same form. */
export function InputRequestForm({
  request,
  mirror,
  session,
}: {
  readonly request: ChatInputRequest;
  readonly mirror: Mirror<'chat'>;
  readonly session: SessionState;
}) {
  const lacking = useRights().lacks('steer');
  const questions = request.questions ?? [];
  const isPlain = questions.length === 0;
  const finish = (response: ChatInputResponseKind) => {
    // The latest keystrokes may not have been rendered yet.
    const latest = openRequests(mirror.optimistic).find(({ id }) => id === request.id) ?? request;
    const answers = response === 'accept' ? submitted(latest) : undefined;
    showFailure(
      mirror.dispatch({ type: 'chat/inputCompleted', requestId: request.id, response, ...(answers && { answers }) }),
    );
  };
  const link = safeLink(request.url);
  return (
    <form
      className="confirmation input-request"
      aria-label="Question from the agent"
      onSubmit={(event) => {
        event.preventDefault();
        finish('accept');
      }}
    >
      {request.message && questions[0]?.message !== request.message && <Markdown text={request.message} />}
      {link && (
        <p>
          <a href={link} target="_blank" rel="noopener noreferrer nofollow">
            {visible(link)}
          </a>
        </p>
      )}
      {isPlain && !lacking && <AccessForms session={session} />}
      <fieldset className="questions" disabled={lacking !== undefined}>
        {questions.map((question) => (
          <QuestionField
            key={question.id}
            question={question}
            answer={request.answers?.[question.id]}
            onChange={(answer) =>
              showFailure(
                mirror.dispatch({
                  type: 'chat/inputAnswerChanged',
                  requestId: request.id,
                  questionId: question.id,
                  ...(answer && { answer }),
                }),
              )
            }
          />
        ))}
      </fieldset>
      {lacking ? (
        <p className="quiet">Somebody else has to answer. {lacking}</p>
      ) : (
        <div className="confirmation-options">
          <button type="submit" className="button primary">
            {isPlain ? 'Continue' : 'Answer'}
          </button>
          <button type="button" className="button" onClick={() => finish('decline')}>
            {isPlain ? 'Decline' : 'Skip'}
          </button>
        </div>
      )}
    </form>
  );
}

/** Token fields for servers that need one: a tool call that waits for access continues once its server has a token. */
function AccessForms({ session }: { readonly session: SessionState }) {
  return serversOf(session).map(
    ({ id, enablement, state }) =>
      isEnabledBy(enablement) &&
      state.kind === 'authRequired' && <TokenForm key={id} resource={state.resource} scopes={state.requiredScopes} />,
  );
}

/** The given answers, and for untouched questions the defaults that the form shows. */
function submitted({ questions = [], answers = {} }: ChatInputRequest): Record<string, ChatInputAnswer> {
  const shown = questions.flatMap((question) => {
    const value = presetOf(question);
    return value && !answers[question.id] ? [[question.id, { state: 'submitted', value }] as const] : [];
  });
  const given = Object.entries(answers).map(
    ([id, answer]) => [id, answer.state === 'draft' ? { ...answer, state: 'submitted' as const } : answer] as const,
  );
  return Object.fromEntries([...shown, ...given]);
}

function presetOf(question: ChatInputQuestion): ChatInputAnswerValue | undefined {
  switch (question.kind) {
    case 'text':
      return question.defaultValue === undefined ? undefined : { kind: 'text', value: question.defaultValue };
    case 'number':
    case 'integer':
      return question.defaultValue === undefined ? undefined : { kind: 'number', value: question.defaultValue };
    case 'boolean':
      return { kind: 'boolean', value: question.defaultValue ?? false };
    default:
      return undefined;
  }
}
