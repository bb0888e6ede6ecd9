import { answeredQuestions, ExtensionMeta, type InputRequestResponsePart } from '@moorage/protocol';
import { Markdown } from '../markdown/Markdown.js';
import { nameIn, PersonName } from '../people/PersonName.js';
import { visible } from '../ui/visible.js';

/** A question that is not open any more, with what was answered. */
export function AnsweredRequest({ part }: { readonly part: InputRequestResponsePart }) {
  const { request, response, _meta } = part;
  const questions = answeredQuestions(request);
  return (
    <section className="answered" aria-label="Question and answer">
      {request.message && questions[0]?.question !== request.message && <Markdown text={request.message} />}
      {questions.map(({ id, question, answer }) => (
        <p key={id}>
          {visible(question)} {answer !== undefined && <strong>{visible(answer)}</strong>}
        </p>
      ))}
      <p className="quiet">
        {OUTCOMES[response ?? 'none']} <PersonName name={nameIn(_meta, ExtensionMeta.decidedBy)} />
      </p>
    </section>
  );
}

const OUTCOMES = {
  accept: 'Answered',
  decline: 'Not answered: declined',
  cancel: 'Not answered: cancelled',
  none: 'Not answered: the turn ended',
} as const;
