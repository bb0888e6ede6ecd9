import type { Mirror } from '@moorage/client';
import type { SessionState } from '@moorage/protocol';
import { createContext, useContext } from 'react';

interface ChatParts {
  readonly mirror: Mirror<'chat'>;
  readonly session: SessionState;
  readonly sessionUri: string;
  readonly folder: string | undefined;
  readonly onOpenChat: (uri: string) => void;
  readonly onReviewTurn: (turnId: string) => void;
  readonly onOpenTerminal: (uri: string) => void;
}

export const ChatContext = createContext<ChatParts | undefined>(undefined);

export function useChat(): ChatParts {
  const parts = useContext(ChatContext);
  if (!parts) throw new Error('useChat needs a ChatContext');
  return parts;
}
