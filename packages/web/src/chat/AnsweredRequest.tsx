import { answeredQuestions, type InputRequestResponsePart } from '@moorage/protocol';
import { Markdown } from '../markdown/Markdown.js';
import { visible } from '../ui/visible.js';

/** A question that is not open any more, with what was answered. */
export function AnsweredRequest({ part: { request, response } }: { readonly part: InputRequestResponsePart }) {
  const questions = answeredQuestions(request);
  return (
    <section className="answered" aria-label="Question and answer">
      {request.message && questions[0]?.question !== request.message && <Markdown text={request.message} />}
      {questions.map(({ id, question, answer }) => (
        <p key={id}>
          {visible(question)} {answer !== undefined && <strong>{visible(answer)}</strong>}
        </p>
      ))}
      <p className="quiet">{OUTCOMES[response ?? 'none']}</p>
    </section>
  );
}

const OUTCOMES = {
  accept: 'Answered',
  decline: 'Not answered: declined',
  cancel: 'Not answered: cancelled',
  none: 'Not answered: the turn ended',
} as const;
