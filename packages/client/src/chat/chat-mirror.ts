import type { ActionEnvelope, ActionOf, Message, Turn } from '@moorage/protocol';
import { abortable } from '../abort.js';
import { ChannelMirror, type Mirror } from '../channels/mirror.js';
import { RequestError } from '../errors.js';
import { randomId } from '../random-id.js';
import { type WhenOptions, when } from '../when.js';
import { type Answers, toAnswers } from './answers.js';
import { type PendingRequest, pendingRequests } from './pending-requests.js';
import { turnCancelled, turnStarted } from './turn-actions.js';

/** A message that the host has accepted. */
export interface SentMessage {
  /** The turn that it started, or its id in the chat's queue. */
  readonly id: string;
  /** Whether it waits for the turn that ran when it was sent. */
  readonly isQueued: boolean;
  /** Resolves with its turn once that is over, however it ended (`turn.state`). */
  finished(options?: WhenOptions): Promise<Turn>;
}

/** How a tool call is approved. */
export interface ApproveOptions {
  /** One of the options that the tool call offers. */
  readonly optionId?: string;
  /** Other input than the agent's, where the tool call is `editable`. */
  readonly editedToolInput?: string;
}

/** How a tool call is denied. */
export interface DenyOptions {
  /** One of the options that the tool call offers. */
  readonly optionId?: string;
  /** Why, for the agent to read. */
  readonly reason?: string;
}

/** A pending request, or its id. */
type RequestName = PendingRequest | string;

/** A live copy of a chat, and what a user does in one. Each verb resolves once the host has accepted it, like `dispatch`. */
export interface ChatMirror extends Mirror<'chat'> {
  /** Starts a turn with a message. While another turn runs, the message is queued, and starts one when that is over. */
  send(message: string | Message): Promise<SentMessage>;
  /** Cancels the turn that runs; undefined when there is none. */
  cancel(): Promise<ActionEnvelope | undefined>;
  /** What the agent waits for. What this client has decided is no longer in the list. */
  pendingRequests(): PendingRequest[];
  /** Lets a tool call run, or lets the agent have its result. */
  approve(request: RequestName, options?: ApproveOptions): Promise<ActionEnvelope>;
  /** Keeps a tool call from running, or its result from the agent; declines to answer questions. */
  deny(request: RequestName, options?: DenyOptions): Promise<ActionEnvelope>;
  /** Answers questions, with plain values by the id of the question. */
  answer(request: RequestName, answers: Answers): Promise<ActionEnvelope>;
}

export class ChatChannelMirror extends ChannelMirror<'chat'> implements ChatMirror {
  readonly send = async (message: string | Message): Promise<SentMessage> => {
    const full: Message = typeof message === 'string' ? { text: message, origin: { kind: 'user' } } : message;
    const id = randomId();
    const isQueued = this.optimistic.activeTurn !== undefined;
    const turnId = isQueued ? this.#enqueue(id, full) : this.dispatch(turnStarted(id, full)).then(() => () => id);
    const turn = await turnId;
    return {
      id,
      isQueued,
      finished: async (options = {}) => {
        const wanted = await abortable(Promise.resolve(turn()), options.signal);
        return when(this, ({ turns }) => turns.find((other) => other.id === wanted), options);
      },
    };
  };

  readonly cancel = async (): Promise<ActionEnvelope | undefined> => {
    const { activeTurn } = this.optimistic;
    return activeTurn && this.dispatch(turnCancelled(activeTurn));
  };

  readonly pendingRequests = (): PendingRequest[] => pendingRequests(this.optimistic);

  readonly approve = async (name: RequestName, options: ApproveOptions = {}): Promise<ActionEnvelope> => {
    const request = this.#pending('approve', name);
    if (request.kind === 'questions') {
      throw new RequestError('invalid', 'approve', `${request.id} asks questions; use answer(request, answers)`);
    }
    const { turnId, id: toolCallId } = request;
    if (request.kind === 'result') {
      return this.dispatch({ type: 'chat/toolCallResultConfirmed', turnId, toolCallId, approved: true });
    }
    const { optionId, editedToolInput } = options;
    return this.dispatch({
      type: 'chat/toolCallConfirmed',
      turnId,
      toolCallId,
      approved: true,
      confirmed: 'user-action',
      ...(optionId !== undefined && { selectedOptionId: optionId }),
      ...(editedToolInput !== undefined && { editedToolInput }),
    });
  };

  readonly deny = async (name: RequestName, options: DenyOptions = {}): Promise<ActionEnvelope> =>
    this.dispatch(denial(this.#pending('deny', name), options));

  readonly answer = async (name: RequestName, answers: Answers): Promise<ActionEnvelope> => {
    const pending = this.#pending('answer', name);
    if (pending.kind !== 'questions') {
      throw new RequestError(
        'invalid',
        'answer',
        `${pending.id} is a tool call; use approve(request) or deny(request)`,
      );
    }
    const { id: requestId, request } = pending;
    return this.dispatch({
      type: 'chat/inputCompleted',
      requestId,
      response: 'accept',
      answers: toAnswers(request, answers),
    });
  };

  #pending(verb: string, name: RequestName): PendingRequest {
    const id = typeof name === 'string' ? name : name.id;
    const request = this.pendingRequests().find((pending) => pending.id === id);
    if (request) return request;
    throw new RequestError(
      'invalid',
      verb,
      `nothing in ${this.uri} waits for ${id}: it is decided, or the turn is over`,
    );
  }

  /** Queues a message. Resolves, once the host has it, with a function that gives the turn it starts. */
  async #enqueue(id: string, message: Message): Promise<() => Promise<string>> {
    let isAccepted = false;
    let stop = () => {};
    // The turn that takes a message from the queue says so as it starts, and only then; so we listen from the beginning.
    const started = new Promise<string>((resolve, reject) => {
      const stopActions = this.onAction(({ action, rejectionReason }) => {
        const isTaken = action.type === 'chat/turnStarted' && action.queuedMessageId === id;
        if (isTaken && rejectionReason === undefined) resolve(action.turnId);
      });
      const stopChanges = this.subscribe(() => {
        const isWaiting = this.confirmed.queuedMessages?.some((queued) => queued.id === id) === true;
        const isLost = this.status === 'gone' || (isAccepted && this.status === 'live' && !isWaiting);
        if (isLost)
          reject(new RequestError('lost', 'send', `message ${id} left the queue, and no turn says that it has it`));
      });
      stop = () => {
        stopActions();
        stopChanges();
      };
    });
    started.catch(() => {}).finally(() => stop()); // who calls `finished` gets the error
    try {
      await this.dispatch({ type: 'chat/pendingMessageSet', kind: 'queued', id, message });
      isAccepted = true;
      return () => started;
    } catch (error) {
      stop();
      throw error;
    }
  }
}

function denial(request: PendingRequest, { optionId, reason }: DenyOptions): ActionOf<'chat'> {
  if (request.kind === 'questions') {
    return { type: 'chat/inputCompleted', requestId: request.id, response: 'decline' };
  }
  const { turnId, id: toolCallId } = request;
  if (request.kind === 'result') {
    return { type: 'chat/toolCallResultConfirmed', turnId, toolCallId, approved: false };
  }
  return {
    type: 'chat/toolCallConfirmed',
    turnId,
    toolCallId,
    approved: false,
    reason: 'denied',
    ...(optionId !== undefined && { selectedOptionId: optionId }),
    ...(reason !== undefined && { reasonMessage: reason }),
  };
}
