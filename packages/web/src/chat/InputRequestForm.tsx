import type { Mirror } from '@ahpd/client';
import type { ChatInputAnswer, ChatInputRequest, ChatInputResponseKind } from '@ahpd/protocol';
import { Markdown } from '../markdown/Markdown.js';
import { safeLink } from '../markdown/safe-url.js';
import { orTell } from '../ui/toasts.js';
import { QuestionField } from './QuestionField.js';

/** A question of an agent. What is filled in so far is state of the chat, so everybody sees the same form. */
export function InputRequestForm({
  request,
  mirror,
}: {
  readonly request: ChatInputRequest;
  readonly mirror: Mirror<'chat'>;
}) {
  const questions = request.questions ?? [];
  const finish = (response: ChatInputResponseKind) => {
    const answers = response === 'accept' ? submitted(request) : undefined;
    orTell(
      mirror.dispatch({ type: 'chat/inputCompleted', requestId: request.id, response, ...(answers && { answers }) }),
    );
  };
  const link = safeLink(request.url);
  return (
    <form
      className="confirmation input-request"
      aria-label="Question of the agent"
      onSubmit={(event) => {
        event.preventDefault();
        finish('accept');
      }}
    >
      {request.message && questions[0]?.message !== request.message && <Markdown text={request.message} />}
      {link && (
        <p>
          <a href={link} target="_blank" rel="noopener noreferrer nofollow">
            {link}
          </a>
        </p>
      )}
      {questions.map((question) => (
        <QuestionField
          key={question.id}
          question={question}
          answer={request.answers?.[question.id]}
          onChange={(answer) =>
            orTell(
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
      <div className="confirmation-options">
        <button type="submit" className="button primary">
          Answer
        </button>
        <button type="button" className="button" onClick={() => finish('decline')}>
          Do not answer
        </button>
      </div>
    </form>
  );
}

function submitted(request: ChatInputRequest): Record<string, ChatInputAnswer> {
  return Object.fromEntries(
    Object.entries(request.answers ?? {}).map(([id, answer]) => [
      id,
      answer.state === 'draft' ? { ...answer, state: 'submitted' as const } : answer,
    ]),
  );
}
